"""Laws of information sets merged by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.leduc import leduc
from games.random_games import random_game
from seqform import Status, build_sequence_form, certify, lift, merge_by, reduce, solve
from seqform.base.errors import (
    InvalidParameterError,
    NotForThisGameError,
    ResultFileError,
    SeqformError,
)
from seqform.form.merging import Merging
from seqform.links.lifting import lift_profile
from seqform.solvers.iterative.regret.merged_engine import MergedEngine
from seqform.solvers.iterative.regret.rules import RULES
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from tests.strategies import games, random_profile, seeds


def by_rank(player, label):
    """A Leduc player who does not see suits."""
    cards, _, history = label.partition(":")
    return tuple(card[0] for card in cards.split()), history


def by_round(player, label):
    """One who forgets what was bet in the first round."""
    cards, _, history = label.partition(":")
    rounds = history.split("/")
    return tuple(card[0] for card in cards.split()), len(rounds), rounds[-1]


def forgetful(form):
    return reduce(form, merge_by(by_round))[0]


@given(games(players=(2, 3), zero_sum=(True, False)), seeds)
def test_merged_sets_play_alike_and_are_paid_alike(game, seed):
    """Random buckets of sets that follow one sequence and have equally many actions."""
    rng = np.random.default_rng(seed)
    drawn = {}

    def key(player, label):
        return drawn[player, label]

    for player, treeplex in enumerate(game.treeplexes):
        for infoset in range(treeplex.num_infosets):
            above = int(treeplex.parent_sequence[infoset])
            bucket = above, int(treeplex.num_actions[infoset]), int(rng.integers(2))
            drawn[player, game.infoset_label(player, infoset)] = bucket
    smaller, inverse = reduce(game, merge_by(key))
    assert not smaller.merged
    profile = random_profile(smaller, seed)
    lifted = lift_profile(profile, inverse)
    for player, plan in enumerate(lifted.plans):
        np.testing.assert_allclose(plan, profile.plans[player][inverse.sequences[player]])
    here, there = certify(smaller, profile), certify(game, lifted)
    assert here.values == pytest.approx(there.values, abs=1e-9 * game.payoff_scale)
    assert here.nash_gap <= there.nash_gap + 1e-9 * game.payoff_scale
    for mine, theirs in zip(smaller.treeplexes, game.treeplexes, strict=True):
        assert mine.num_infosets <= theirs.num_infosets


def test_none_and_different_buckets_merge_nothing():
    form = build_sequence_form(random_game(5, depth=5))
    for key in (lambda player, label: None, lambda player, label: label):
        smaller, inverse = reduce(form, merge_by(key))
        for mine, theirs, images in zip(
            smaller.treeplexes, form.treeplexes, inverse.sequences, strict=True
        ):
            np.testing.assert_array_equal(mine.parent_sequence, theirs.parent_sequence)
            np.testing.assert_array_equal(images, np.arange(theirs.num_sequences))


def pairs_only(player, label):
    """One who looks at the second card only if it pairs the first."""
    (first, *more), history = by_rank(player, label)
    return first, more == [first], history


@pytest.mark.parametrize("rule", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_regrets_of_buckets_are_those_of_the_smaller_game_where_nothing_is_forgotten(rule):
    """Both engines make the same iterations, up to rounding."""
    whole = build_sequence_form(leduc_tree())
    smaller, inverse = reduce(whole, merge_by(pairs_only))
    merged = tuple(
        _merging(treeplex, images)
        for treeplex, images in zip(whole.treeplexes, inverse.sequences, strict=True)
    )
    alike = MergedEngine(replace(whole, merged=merged), RULES[rule])
    quotient = TreeplexEngine(smaller, RULES[rule])
    for engine in (alike, quotient):
        engine.run(30)
    expected = lift_profile(smaller.profile_of_plans(quotient.plans()), inverse)
    for mine, theirs in zip(alike.plans(), expected.plans, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


def leduc_tree():
    from seqform import build_tree

    return build_tree(leduc())


def _merging(treeplex, images):
    first = images[treeplex.first_sequence[:-1]]
    return Merging(treeplex, np.unique(first, return_inverse=True)[1].astype(np.int32), images)


def test_what_is_lost_is_measured_in_the_whole_game():
    alike = solve(leduc(), abstract=merge_by(by_rank))
    assert alike.status is Status.SOLVED
    blind = solve(leduc(), abstract=merge_by(lambda player, label: label.partition(":")[2]))
    assert blind.status is Status.LIFTED
    assert blind.nash_gap > 1
    assert blind.abstract.nash_gap < 1e-9
    certified = certify(build_sequence_form(leduc_tree()), blind.profile)
    assert certified.nash_gap == pytest.approx(blind.nash_gap)


def test_a_game_of_other_sums_is_merged_and_lifted():
    form = build_sequence_form(random_game(3, players=3, zero_sum=False, hidden=0.0))
    smaller, inverse = reduce(form, merge_by(lambda player, label: None))
    lifted = lift(solve(smaller), inverse)
    assert lifted.nash_gap >= 0


@pytest.mark.parametrize("method", ["auto", "cfr", "cfr+", "dcfr", "pcfr+"])
def test_sets_that_forget_are_for_regret_minimization_and_judged_in_the_whole_game(method):
    solution = solve(leduc(), abstract=merge_by(by_round), method=method, iterations=1_200)
    assert "imperfect recall" in solution.reasons[0]
    assert "imperfect recall" in dict(solution.rows())["abstraction"]
    assert not solution.game.merged
    assert 0.5 < solution.nash_gap < 2
    whole = build_sequence_form(leduc_tree())
    assert certify(whole, solution.profile).nash_gap == pytest.approx(solution.nash_gap)
    for player, treeplex in enumerate(whole.treeplexes):
        behaviors = {}
        for infoset in range(treeplex.num_infosets):
            here = slice(*treeplex.first_sequence[infoset : infoset + 2])
            bucket = by_round(player, whole.infoset_label(player, infoset))
            played = solution.profile.behaviors[player][here].tolist()
            assert behaviors.setdefault(bucket, played) == pytest.approx(played, abs=1e-9)


@pytest.mark.parametrize("method", ["lp", "pdhg", "lcp", "qre", "efce"])
def test_other_methods_refuse_sets_that_forget(method):
    with pytest.raises(SeqformError) as told:
        solve(leduc(), abstract=merge_by(by_round), method=method)
    if method in ("lp", "pdhg", "lcp", "qre"):
        assert isinstance(told.value, NotForThisGameError)
        assert "use method='cfr+'" in str(told.value)
    assert "\n" not in str(told.value)


def test_polishing_would_part_what_is_merged():
    with pytest.raises(InvalidParameterError, match="leave it out"):
        solve(leduc(), abstract=merge_by(by_round), method="dcfr", polish=True, iterations=5)


def test_a_search_goes_on_only_with_the_same_buckets(tmp_path):
    path, options = tmp_path / "search", {"method": "dcfr"}
    solve(leduc(), abstract=merge_by(by_round), checkpoint=path, iterations=5, **options)
    options |= {"checkpoint": path, "resume": True, "iterations": 10}
    again = solve(leduc(), abstract=merge_by(by_round), **options)
    assert again.iterations == 10

    def renamed(player, label):
        return player, by_round(player, label)

    assert solve(leduc(), abstract=merge_by(renamed), **options).iterations == 10

    def swapped(player, label):  # as many buckets, of other sets
        cards, length, last = by_round(player, label)
        return (cards[:1] if last == "check" else cards[::-1]), length, last

    for key in (lambda p, label: by_round(p, label)[1:], swapped):
        with pytest.raises(ResultFileError):
            solve(leduc(), abstract=merge_by(key), **options)


def test_a_key_that_raises_is_refused_with_the_set():
    def key(player, label):
        return 1 / player

    with pytest.raises(InvalidParameterError, match=r"fails on information set .* of player 0"):
        reduce(leduc(), merge_by(key))
    with pytest.raises(InvalidParameterError, match="unhashable"):
        reduce(leduc(), merge_by(lambda player, label: [label]))


def test_sets_with_different_actions_are_refused_with_both():
    with pytest.raises(InvalidParameterError, match=r"different actions.*different buckets"):
        reduce(leduc(), merge_by(lambda player, label: label.partition(":")[0]))


def test_sets_that_follow_each_other_are_refused():
    def key(player, label):
        history = label.partition(":")[2]
        return "start" if history in ("", "check-check/") else None

    with pytest.raises(InvalidParameterError, match="one comes after the other"):
        reduce(leduc(), merge_by(lambda p, label: key(p, label) if p == 0 else None))


def test_what_is_no_key_is_refused():
    with pytest.raises(InvalidParameterError, match="a function of player and label"):
        merge_by(3)
    with pytest.raises(InvalidParameterError, match="pairs of a player and a label"):
        merge_by({"Kh:": 1})


def test_a_dict_and_a_file_merge_as_a_function_does(tmp_path):
    form = build_sequence_form(leduc_tree())
    table = {
        (player, form.infoset_label(player, infoset)): str(
            by_rank(player, form.infoset_label(player, infoset))
        )
        for player, treeplex in enumerate(form.treeplexes)
        for infoset in range(treeplex.num_infosets)
    }
    path = tmp_path / "buckets.csv"
    lines = [f'{player},"{label}","{bucket}"' for (player, label), bucket in table.items()]
    path.write_text("player,infoset,bucket\n" + "\n".join(lines) + "\n")
    expected = reduce(form, merge_by(by_rank))[1].sequences
    for given_as in (merge_by(table), merge_by(path), str(path)):
        for mine, theirs in zip(reduce(form, given_as)[1].sequences, expected, strict=True):
            np.testing.assert_array_equal(mine, theirs)


WRONG = [
    ("", "no column player: .* buckets have player,infoset,bucket"),
    ("player,infoset\n0,a\n", "no column bucket"),
    ("player,infoset,bucket\nx,a,b\n", "line 2"),
    ("player,infoset,bucket\n0,a\n", "line 2: 2 cells under 3 columns"),
    ("player,infoset,bucket\n0,K:,b\n0,K:,c\n", "line 3: K: of player 0 is there twice"),
    ("player,infoset,bucket\n0,no such set,b\n", "no information set"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_a_wrong_table_is_refused_with_its_line(tmp_path, text, told):
    path = tmp_path / "buckets.csv"
    path.write_text(text)
    with pytest.raises((InvalidParameterError, ResultFileError), match=told):
        reduce(leduc(), str(path))


def test_a_table_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ResultFileError, match=r"none.csv does not exist"):
        solve(leduc(), abstract=str(tmp_path / "none.csv"))


@given(st.integers(0, 500), st.integers(1, 3))
def test_forgetful_buckets_of_random_games_share_one_behavior(seed, count):
    """Any buckets do as long as no set of one comes after another."""
    form = build_sequence_form(random_game(seed, depth=5, zero_sum=bool(seed % 2)))
    rng, first = np.random.default_rng(seed), {}
    for player, treeplex in enumerate(form.treeplexes):
        depth = np.zeros(treeplex.num_infosets + 1, dtype=int)
        above = treeplex.infoset_of[treeplex.parent_sequence]
        for infoset in range(treeplex.num_infosets):
            depth[infoset] = 1 + (depth[above[infoset]] if above[infoset] >= 0 else 0)
            bucket = depth[infoset], treeplex.num_actions[infoset], rng.integers(count)
            first[player, form.infoset_label(player, infoset)] = tuple(map(int, bucket))
    smaller, _ = reduce(form, merge_by(first))
    if smaller.merged:
        engine = MergedEngine(smaller, RULES["cfr+"])
        engine.run(5)
        profile = smaller.profile_of_plans(engine.plans())
        assert engine.bounds()[1] == pytest.approx(
            certify(form, profile).nash_gap, abs=1e-9 * form.payoff_scale
        )
        for merging, behavior in zip(smaller.merged, profile.behaviors, strict=True):
            for number in range(1, int(merging.first_sequence[-1])):
                played = behavior[merging.sequences == number]
                assert np.ptp(played) < 1e-9
