"""Why answers win: parts that add up to the gain, and what models leave open."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from games.nim import nim
from games.rhode_island import rhode_island
from seqform import (
    GameTree,
    build_sequence_form,
    build_tree,
    evaluate,
    expected_values,
    exploit,
    given_from,
    solve,
)
from seqform.base.errors import InvalidStrategyError, SolverError, UnknownNameError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exploit.lock import lock_from
from seqform.strategies.exploit.model import Filling, model_from
from seqform.strategies.exploit.observed import observations
from seqform.strategies.exploit.reasons import Reasons, reasons
from tests.examples import examples
from tests.strategies import random_profile, seeds, trees

FOLDS = {(1, infoset, "fold"): 1 for infoset in ("J:bet", "Q:bet", "K:bet")}


def parts_add_up(parts: Reasons) -> None:
    slack = 1e-9 * parts.form.payoff_scale
    assert parts.anyway + parts.earned.sum() == pytest.approx(parts.gain, abs=slack)
    assert parts.against_equilibrium + parts.punished.sum() == pytest.approx(parts.gain, abs=slack)


@settings(max_examples=40)
@given(trees(depth=4), seeds, st.integers(0, 1))
def test_of_any_two_profiles_both_sums_are_the_difference(
    tree: GameTree, seed: int, player: int
) -> None:
    form = build_sequence_form(tree).zero_sum()
    one, two = (random_profile(form, seed + i, sparse=True) for i in range(2))
    parts = reasons(form, player, one, two)
    parts_add_up(parts)
    paid = [float(expected_values(form, profile)[player]) for profile in (one, two)]
    assert parts.gain == pytest.approx(paid[0] - paid[1], abs=1e-9 * form.payoff_scale)
    crossed = two.behaviors if player == 0 else two.behaviors[::-1]
    pair = [crossed[0], one.behaviors[1 - player]]
    mixed = form.profile(pair if player == 0 else pair[::-1])
    anyway = float(expected_values(form, mixed)[player]) - paid[1]
    assert parts.anyway == pytest.approx(anyway, abs=1e-9 * form.payoff_scale)


@settings(max_examples=20)
@given(trees(depth=3), seeds, st.integers(0, 1))
def test_each_part_is_what_one_set_changes(tree: GameTree, seed: int, player: int) -> None:
    """Two strategies that differ in one set only: what is done before, there, and from then on."""
    form = build_sequence_form(tree).zero_sum()
    answer, base = (random_profile(form, seed + i, sparse=True) for i in range(2))
    parts, other = reasons(form, player, answer, base), 1 - player
    cases = [
        (player, base.behaviors, answer.behaviors, answer.behaviors[other], parts.earned),
        (other, answer.behaviors, base.behaviors, answer.behaviors[player], parts.punished),
    ]
    for who, before, after, against, amounts in cases:
        for infoset, amount in enumerate(amounts.tolist()):
            paid = []
            for there in (answer, base):
                mine = spliced(form, who, infoset, before[who], after[who], there.behaviors[who])
                pair = [mine, against] if who == 0 else [against, mine]
                paid.append(float(expected_values(form, form.profile(pair))[player]))
            assert amount == pytest.approx(paid[0] - paid[1], abs=1e-9 * form.payoff_scale)


def spliced(
    form: SequenceForm, player: int, infoset: int, before: Any, after: Any, there: Any
) -> Any:
    """Return a behaviour that is one before a set, another there, and a third from then on."""
    treeplex, below = form.treeplexes[player], {infoset}
    for later, parent in enumerate(treeplex.parent_sequence.tolist()):
        if parent and int(treeplex.infoset_of[parent]) in below:
            below.add(later)
    found = np.array(before)
    for each in below:
        here = slice(*treeplex.first_sequence[each : each + 2])
        found[here] = (there if each == infoset else after)[here]
    return found


@examples(10, 20)
@given(trees(depth=4), seeds, st.integers(0, 1), st.booleans())
def test_of_a_best_response_nothing_earned_is_negative(
    tree: GameTree, seed: int, player: int, is_pure: bool
) -> None:
    form = build_sequence_form(tree).zero_sum()
    model = model_from(random_profile(form, seed, sparse=is_pure), form, 1 - player)
    answer = exploit(form, model, player)
    parts, slack = answer.why(), 1e-7 * form.payoff_scale
    parts_add_up(parts)
    assert (parts.earned >= -1e-12 * form.payoff_scale).all()
    assert parts.anyway >= -slack
    assert parts.against_equilibrium <= slack
    value = float(solve(form, method="lp").values[player])
    assert parts.gain == pytest.approx(answer.against_model - value, abs=slack)
    for who, amounts in ((player, parts.earned), (1 - player, parts.punished)):
        listed = sum(each.amount for each in parts.departures(who))
        assert listed == pytest.approx(amounts.sum(), abs=1e-6 * form.payoff_scale)
    for other in ({"p": 0.5}, {"epsilon": 0.5}, {"equilibrium": True}):
        parts_add_up(exploit(form, model, player, **other).why())


def test_who_folds_to_every_bet_in_kuhn_is_punished_by_bluffs() -> None:
    parts = exploit(kuhn(), FOLDS, 0).why()
    assert parts.gain == pytest.approx(10 / 9)
    punished = {each.name: each for each in parts.departures(1)}
    assert set(punished) == {"Q:bet", "K:bet"}  # a jack folds in every equilibrium, too
    assert punished["K:bet"].texts == ("call", "fold")
    assert punished["K:bet"].amount == pytest.approx(1)  # 2/3 of the time, 3/2 of a chip on average
    assert "J:" in {each.name for each in parts.departures(0)}
    text = parts.text()
    assert text.startswith("The gain over an equilibrium is 1.111 chips.")
    assert parts.text(rows=1).count("all others") == 2
    assert text.count("sum  ") == 2


def test_hands_that_are_alike_are_one_departure() -> None:
    form = build_sequence_form(build_tree(leduc())).zero_sum()
    uniform = form.profile([t.uniform() for t in form.treeplexes])
    bold = given_from(lambda _player, _infoset, actions: [0] * (len(actions) - 1) + [1], form)
    parts = reasons(form, 0, bold.completed(), uniform)
    apart, together = parts.departures(0), parts.departures(0, leduc())
    assert len(together) < len(apart)
    assert sum(e.amount for e in together) == pytest.approx(sum(e.amount for e in apart))
    names = {each.name for each in together}
    assert "J J:check-bet-call/check-bet" in names
    assert not any(suit in name.partition(":")[0] for name in names for suit in "sh")
    behaviors = [behavior.copy() for behavior in bold.completed().behaviors]
    labels = [str(form.infoset_label(0, h)) for h in range(form.treeplexes[0].num_infosets)]
    at = int(form.treeplexes[0].first_sequence[labels.index("Js Jh:check-bet-call/check-bet")])
    behaviors[0][at : at + 3] = [0.25, 0.5, 0.25]  # with one of the jacks alone
    parts = reasons(form, 0, form.profile(behaviors), uniform)
    split = {each.name for each in parts.departures(0, leduc())}
    assert "J J:check-bet-call/check-bet" not in split
    assert "Js Jh:check-bet-call/check-bet" in split


# What models leave open


@settings(max_examples=20)
@given(trees(depth=4), seeds, st.integers(0, 1))
def test_what_is_open_is_as_in_an_equilibrium(tree: GameTree, seed: int, player: int) -> None:
    form = build_sequence_form(tree).zero_sum()
    said = random_profile(form, seed, sparse=True).behaviors[1 - player]
    rng, treeplex = np.random.default_rng(seed), form.treeplexes[1 - player]
    silent = rng.random(treeplex.num_infosets) < 0.5
    vectors = [np.full(t.num_sequences, np.nan) for t in form.treeplexes]
    vectors[1 - player][1:] = np.where(treeplex.to_actions(silent), np.nan, said[1:])
    if silent.all():
        return
    answer = exploit(form, vectors, player)
    choices = silent & (treeplex.num_actions > 1)
    if not choices.any():
        assert answer.left_open is None
        return
    solution = solve(form)
    there = np.append(False, treeplex.to_actions(choices))
    found = answer.model.behavior
    np.testing.assert_allclose(found[there], equilibrium_of(form, 1 - player, solution)[there])
    np.testing.assert_allclose(found[1:][~there[1:]], said[1:][~there[1:]], atol=1e-12)
    assert answer.model.open_sets == int(choices.sum())
    uniform = exploit(form, vectors, player, complete="uniform")
    assert uniform.left_open is not None
    assert answer.left_open is not None
    pair = [answer.behavior, uniform.model.behavior]
    otherwise = form.profile(pair if player == 0 else pair[::-1])
    assert answer.left_open.if_uniform == pytest.approx(
        float(expected_values(form, otherwise)[player]), abs=1e-9 * form.payoff_scale
    )
    reach = passes(form, answer.profile, 1 - player, choices)
    assert answer.left_open.reach == pytest.approx(reach, abs=1e-9)


def equilibrium_of(form: SequenceForm, player: int, solution: Any) -> Any:
    from seqform.strategies.as_profile import profile_of

    return profile_of(form, solution).behaviors[player]


def passes(form: SequenceForm, profile: Profile, player: int, chosen: Any) -> float:
    """Return how likely play passes one of some sets, node by node."""
    tree = form.tree
    assert tree is not None
    numbers = [infosets.tolist() for infosets in form.tree_infosets]
    total, stack = 0.0, [(0, 1.0)]
    while stack:
        node, weight = stack.pop()
        mover, children = int(tree.player[node]), list(tree.children(node))
        if not children:
            continue
        if mover < 0:
            rows = [float(tree.probabilities[int(tree.probability[c])]) for c in children]
        else:
            infoset = numbers[mover].index(int(tree.infoset[node]))
            if mover == player and chosen[infoset]:
                total += weight
                continue
            first = int(form.treeplexes[mover].first_sequence[infoset])
            rows = profile.behaviors[mover][first : first + len(children)].tolist()
        stack += [(c, weight * p) for c, p in zip(children, rows, strict=True)]
    return total


def test_actions_that_are_free_share_what_is_left_as_in_an_equilibrium() -> None:
    form = build_sequence_form(build_tree(leduc())).zero_sum()
    said = {(1, "Js:bet", "raise"): Fraction(1, 2), (1, "Ks:bet", "fold"): 1}
    solution = solve(form, method="lp")
    assert solution.profile is not None
    played = solution.profile.behaviors[1]
    filling = Filling("as in an equilibrium", played)
    model = model_from(said, form, 1, filling)
    names = [str(form.infoset_label(1, h)) for h in range(form.treeplexes[1].num_infosets)]
    start = int(form.treeplexes[1].first_sequence[names.index("Js:bet")])
    fold, call, more = model.behavior[start : start + 3]
    assert more == 0.5
    assert fold * played[start + 1] == pytest.approx(call * played[start])
    assert model.open is not None
    assert model.open[names.index("Js:bet")]
    assert not model.open[names.index("Ks:bet")]
    never = Filling("never", np.array([1.0, *[0.0] * (len(played) - 1)]))
    never.behavior[start + 2] = 1.0
    for first, stop in pairwise(form.treeplexes[1].first_sequence.tolist()):
        if first != start:
            never.behavior[first:stop] = 1 / (stop - first)
    model = model_from(said, form, 1, never)  # which plays none of the free ones
    assert model.behavior[start : start + 3].tolist() == [0.25, 0.25, 0.5]


def test_a_filling_in_fractions_gives_an_exact_answer() -> None:
    some = {(1, "Q:bet", "fold"): "1/7", (1, "Q:bet", "call"): "6/7"}
    answer = exploit(kuhn(), some, 0, equilibrium=True)
    assert answer.exact is not None
    assert answer.model.multiples.denominator is not None
    assert float(answer.exact) == pytest.approx(answer.against_model, abs=1e-12)


def test_other_rules_and_what_is_no_rule() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    bold = given_from(lambda _player, _infoset, actions: [0] * (len(actions) - 1) + [1], form)
    bold_profile = bold.completed()
    by_profile = exploit(form, FOLDS, 0, complete=bold_profile)
    assert by_profile.model.filling == "as in another strategy"
    assert by_profile.profile[1, "J:check", "bet"] == 1
    uniform = exploit(form, FOLDS, 0, complete="uniform")
    assert uniform.against_model == pytest.approx(7 / 6)
    assert uniform.left_open is not None
    assert uniform.left_open.if_uniform == pytest.approx(uniform.against_model)
    assert uniform.value is None  # no equilibrium was asked for
    assert exploit(form, FOLDS, 0).value == pytest.approx((-1 / 18, -1 / 18))
    with pytest.raises(InvalidStrategyError, match=r"J:check.*does not say all of it, nor of 2"):
        exploit(form, FOLDS, 0, complete="refuse")
    with pytest.raises(UnknownNameError, match="rule to complete a model 'equilibria'"):
        exploit(form, FOLDS, 0, complete="equilibria")
    whole = exploit(form, bold, 0, complete="refuse")
    assert whole.left_open is None
    assert whole.record().get("left_open") is None


def test_what_was_never_seen_is_filled_and_free() -> None:
    form = build_sequence_form(build_tree(kuhn()))
    seen = observations([(1, "Q:bet", "fold", 20, "")], form)
    biased = seen.model(1)
    answer = exploit(form, biased, 0)
    assert answer.model.filling == "as in an equilibrium"
    assert answer.model.open_sets == 5
    assert biased.model.filling == "uniform"
    uniform = exploit(form, biased, 0, complete="uniform")
    assert uniform.guaranteed == pytest.approx(answer.guaranteed)  # where it is free, it is free
    assert exploit(form, seen.model(1, prior=1), 0).left_open is None
    with pytest.raises(InvalidStrategyError, match="does not say all of it"):
        exploit(form, biased, 0, complete="refuse")


def test_where_nothing_is_hidden_it_is_filled_by_backward_induction() -> None:
    game = nim("2,2")
    form = build_sequence_form(build_tree(game)).zero_sum()
    label, action = form.infoset_label(1, 0), form.actions(1, 0)[0]
    answer = exploit(form, {(1, label, action): 1}, 0)
    assert answer.value is not None
    assert answer.value == pytest.approx([float(solve(game).values[0])] * 2)
    parts_add_up(answer.why())


def test_without_an_equilibrium_nothing_is_filled_or_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = build_sequence_form(build_tree(leduc())).zero_sum()
    partly = {(1, "Js:bet", "fold"): 1}
    found = exploit(form, partly, 0, complete="uniform")
    mine = found.why(Profile.uniform(form.treeplexes))
    parts_add_up(mine)
    with pytest.raises(InvalidStrategyError, match="another game"):
        found.why(Profile.uniform(build_sequence_form(build_tree(kuhn())).treeplexes))
    nothing = replace(solve(form), answer=None, certificate=None, proofs=())
    monkeypatch.setattr("seqform.methods.exploit.equilibrium.solve", lambda *_, **__: nothing)
    with pytest.raises(SolverError, match=r"found no equilibrium .* use complete='uniform'"):
        exploit(form, partly, 0)


def test_an_answer_by_classes_of_hands_says_why_too() -> None:
    deck = rhode_island(3, 2, 1)
    form = build_sequence_form(build_tree(deck)).zero_sum()
    calls = given_from(
        lambda _player, _infoset, actions: [int(a in ("call", "check")) for a in actions], form
    )
    answer = exploit(deck, calls, 0)
    parts = answer.why()
    parts_add_up(parts)
    assert answer.source is deck
    rows = parts.departures(0, answer.source)
    assert rows == sorted(rows, key=lambda each: -abs(each.amount))
    assert evaluate(form, answer.profile).seats[0].values[0] == pytest.approx(answer.against_model)
    assert "player 0" in answer.show(rows=5).text
    assert lock_from(calls, form).fixed[1].count(None) == 1  # the empty sequence's
