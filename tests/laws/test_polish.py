"""Laws of polishing: it never makes a profile worse, and takes an average of small gap to one near
rounding."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.equitable import EQUITABLE
from games.goofspiel import goofspiel
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.random_games import random_game
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.methods import polish
from seqform.methods.polish import Round
from seqform.tree.builder import TreeBuilder
from tests.strategies import games, random_profile, seeds

GAMES = {
    "leduc": build_sequence_form(build_tree(leduc())),
    "dice": build_sequence_form(build_tree(liars_dice(1, 4))),
    "goofspiel": build_sequence_form(build_tree(goofspiel(4))),
    "rhode island": EQUITABLE.apply(rhode_island(3, 2, 1))[0],
    "rhode island, 3x4, 2 bets": EQUITABLE.apply(rhode_island(3, 4, 2))[0],
}
LEDUC = GAMES["leduc"]


def average(form: SequenceForm, gap: float) -> Profile:
    profile = solve(form, method="dcfr", gap=gap).profile
    assert profile is not None
    return profile


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * ("3x4" in name)) for name in GAMES]
)
def test_an_average_comes_near_to_rounding(name: str) -> None:
    form = GAMES[name]
    before = average(form, 1e-3)
    told: list[Round] = []
    profile, certificate, *_ = polish.polish(form, before, gap=1e-9, callback=told.append)
    assert certificate.nash_gap <= 1e-9 < certify(form, before).nash_gap
    assert certificate == certify(form, profile)
    assert certificate.values[0] == pytest.approx(solve(form, solver="clarabel").value, abs=1e-6)
    gaps = [certify(form, before).nash_gap, *(now.gap for now in told)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] == certificate.nash_gap
    assert all(0 < share <= 1 for now in told for share in now.kept)
    assert all(now.seconds > 0 for now in told)


def check_never_worse(form: SequenceForm, before: Profile) -> float:
    old = certify(form, before)
    profile, new, *_ = polish.polish(form, before, rounds=3)
    rounding = 1e-13 * max(1.0, form.largest_payoff)
    assert new.lower >= old.lower - rounding
    assert new.upper <= old.upper + rounding
    assert new.nash_gap <= old.nash_gap + rounding
    assert new == certify(form, profile)
    return new.nash_gap


@given(games(), seeds, st.booleans())
def test_it_never_makes_anything_worse(form: SequenceForm, seed: int, sparse: bool) -> None:
    check_never_worse(form, random_profile(form, seed, sparse))


@pytest.mark.parametrize("seed", range(16))
def test_random_games_are_solved_from_anywhere(seed: int) -> None:
    form = build_sequence_form(random_game(seed, depth=6, chance=0.3, rewards=bool(seed % 2)))
    _, certificate, *_ = polish.polish(form, random_profile(form, seed))
    assert certificate.nash_gap <= 1e-9 * max(1.0, form.largest_payoff)


def rows(
    payoffs: tuple[tuple[int, ...], ...], total: int, fixed: int | None = None
) -> SequenceForm:
    """Return a matrix game of constant sum; a fixed player's choice is made by chance instead."""
    b = TreeBuilder(2)
    height, width = len(payoffs), len(payoffs[0])
    heads = (
        b.chance(b.root, [(i, Fraction(1, height)) for i in range(height)])
        if fixed == 0
        else b.decision(b.root, 0, "rows", list(range(height)))
    )
    for child, row in zip(heads, payoffs, strict=True):
        leaves = (
            b.chance(child, [(i, Fraction(1, width)) for i in range(width)])
            if fixed == 1
            else b.decision(child, 1, "columns", list(range(width)))
        )
        for leaf, payoff in zip(leaves, row, strict=True):
            b.terminal(leaf, (payoff, total - payoff))
    return build_sequence_form(b.freeze())


MATRIX = ((7, 3, 1), (4, 6, 9))


@pytest.mark.parametrize("total", [0, 10, -3])
@pytest.mark.parametrize("seed", range(2))
def test_constant_sums_and_players_without_moves(total: int, seed: int) -> None:
    for fixed, value in ((None, 5.0), (0, None), (1, 19 / 3)):
        form = rows(MATRIX, total, fixed)
        profile, certificate, *_ = polish.polish(form, random_profile(form, seed))
        assert certificate.nash_gap <= 1e-10
        if value is not None:
            assert certificate.values == pytest.approx((value, total - value), abs=1e-10)
        if fixed is not None:
            np.testing.assert_array_equal(profile.behaviors[fixed], [1.0])


def test_a_game_of_one_node_is_left_as_it_is() -> None:
    b = TreeBuilder(2)
    b.terminal(b.root, (3, -3))
    form = build_sequence_form(b.freeze())
    profile, certificate, *_ = polish.polish(form, Profile.uniform(form.treeplexes))
    assert certificate.values == (3, -3)
    np.testing.assert_array_equal(profile.behaviors[0], [1.0])


@given(games(), seeds, st.booleans())
def test_what_is_kept_is_connected_and_holds_what_is_best_and_used(
    form: SequenceForm, seed: int, sparse: bool
) -> None:
    profile = random_profile(form, seed, sparse)
    for player, (kept, treeplex) in enumerate(
        zip(polish._working_set(form, profile), form.treeplexes, strict=True)
    ):
        worth, best = polish._worth(treeplex, form.gradient(player, profile.plans))
        assert kept[0]
        assert kept[treeplex.sequence_parent[1:]][kept[1:]].all()
        for infoset in range(treeplex.num_infosets):
            actions = slice(*treeplex.first_sequence[infoset : infoset + 2])
            assert best[infoset] == worth[actions].max()
            there = kept[treeplex.parent_sequence[infoset]]
            assert kept[actions][np.argmax(worth[actions])] == there
            assert (kept[actions] == there)[profile.behaviors[player][actions] >= 1e-6].all()


@pytest.mark.parametrize("seed", range(3))
def test_what_is_missing_goes_all_the_way_down(seed: int) -> None:
    check_missing(LEDUC, seed, True)
    assert any(
        polish._entering(LEDUC, player, random_profile(LEDUC, seed + 1), kept).any()
        for player, kept in enumerate(polish._working_set(LEDUC, random_profile(LEDUC, seed, True)))
    )


@given(games(), seeds, st.booleans())
def test_what_is_missing_makes_best_responses_possible(
    form: SequenceForm, seed: int, sparse: bool
) -> None:
    check_missing(form, seed, sparse)


def check_missing(form: SequenceForm, seed: int, sparse: bool) -> None:
    other = random_profile(form, seed + 1)
    for player, (kept, treeplex) in enumerate(
        zip(
            polish._working_set(form, random_profile(form, seed, sparse)),
            form.treeplexes,
            strict=True,
        )
    ):
        more = polish._entering(form, player, other, kept)
        wider = kept | more
        assert not (kept & more).any()
        assert wider[treeplex.sequence_parent[1:]][wider[1:]].all()
        gradient = form.gradient(player, other.plans)
        rounding = 1e-11 * max(1.0, form.largest_payoff)
        best, kept_only, with_more = (
            treeplex.best_value(np.where(allowed, gradient, -np.inf))
            for allowed in (np.ones_like(kept), kept, wider)
        )
        assert abs(with_more - best) <= rounding
        assert more.any() or abs(kept_only - best) <= rounding
        assert not polish._entering(form, player, other, wider).any()


@given(games(), seeds)
def test_a_step_goes_as_far_as_it_helps(form: SequenceForm, seed: int) -> None:
    base, aim = random_profile(form, seed), random_profile(form, seed + 1)
    best = solve(form, solver="highs").profile
    assert best is not None
    for player in (0, 1):
        least = polish._guarantee(form, player, base)
        share, behavior = polish._as_far_as_it_helps(form, player, base, aim.plans[player])
        found = Profile.from_behaviors(
            form.treeplexes, [behavior if i == player else base.behaviors[i] for i in (0, 1)]
        )
        assert 0 <= share <= 1
        assert (polish._guarantee(form, player, found) > least) == (share > 0)
        whole = polish._guarantee(form, player, polish._with_plan(base, player, aim.plans[player]))
        assert (share == 1) or whole <= least + 1e-12 * max(1.0, form.largest_payoff)
        share, _ = polish._as_far_as_it_helps(form, player, base, best.plans[player])
        whole = polish._guarantee(form, player, best)
        assert (share == 1) or whole <= least + 1e-12 * max(1.0, form.largest_payoff)


def test_a_step_that_is_too_long_is_halved() -> None:
    """Player 0 guarantees 4 by the second row and 1 by the first, 4.5 half the way, and 5 at a
    third of it."""
    form = rows(MATRIX, 0)
    base = Profile.from_behaviors(
        form.treeplexes, [np.array([1.0, 0.0, 1.0]), form.treeplexes[1].uniform()]
    )
    share, behavior = polish._as_far_as_it_helps(form, 0, base, np.array([1.0, 1.0, 0.0]))
    assert share == 0.5
    np.testing.assert_allclose(behavior, [1.0, 0.5, 0.5])
    assert polish._guarantee(form, 0, base) == pytest.approx(4.0)


def test_actions_of_the_equilibrium_that_were_not_kept_are_found() -> None:
    """Player 1 starts with the third column alone, and mixes the other two in equilibrium."""
    form = rows(MATRIX, 0)
    before = Profile.from_behaviors(
        form.treeplexes, [np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0, 1.0])]
    )
    assert polish._working_set(form, before)[1].tolist() == [True, False, False, True]
    profile, certificate, *_ = polish.polish(form, before, rounds=20)
    assert certificate.nash_gap <= 1e-10
    np.testing.assert_allclose(profile.behaviors[1], [1.0, 0.5, 0.5, 0.0], atol=1e-9)


def test_steps_grow_longer_while_they_are_whole() -> None:
    kept = polish._working_set(LEDUC, Profile.uniform(LEDUC.treeplexes))
    least, most = polish.FIRST_WEIGHT
    for share, first in ((1e-3, most), (1e-6, 3e-7), (1e-11, least)):
        search = polish._Search(LEDUC, kept, share * LEDUC.payoff_scale)
        assert search.weights == pytest.approx([first, first])
    search, first = polish._Search(LEDUC, kept, LEDUC.payoff_scale), most
    assert search.weights == [first, first]
    search._adjust(0, 1.0, False)
    search._adjust(1, 0.5, True)
    assert search.weights == [first / polish.LONGER, first]
    search._adjust(0, 0.25, True)
    assert search.weights == [first / polish.LONGER, first]  # more is kept: the same again
    search._adjust(0, 0.0, False)
    assert search.weights == pytest.approx([first, first])
    for _ in range(20):
        search._adjust(1, 1.0, True)
    assert search.weights[1] == polish.LEAST_WEIGHT
    for _ in range(20):
        search._adjust(1, 0.0, False)
    assert search.weights[1] == first


def test_a_good_average_drops_most_actions() -> None:
    kept = polish._working_set(GAMES["dice"], average(GAMES["dice"], 1e-3))
    assert all(mask.mean() < 0.9 for mask in kept)


def count_rounds(form: SequenceForm, profile: Profile, **limits: Any) -> tuple[int, float]:
    told: list[Round] = []
    _, certificate, *_ = polish.polish(form, profile, callback=told.append, **limits)
    return len(told), certificate.nash_gap


def test_limits_stop_it() -> None:
    before = average(GAMES["goofspiel"], 1e-2)
    start = certify(GAMES["goofspiel"], before).nash_gap
    assert count_rounds(GAMES["goofspiel"], before, rounds=0) == (0, start)
    assert count_rounds(GAMES["goofspiel"], before, gap=start) == (0, start)
    assert count_rounds(GAMES["goofspiel"], before, deadline=time.perf_counter()) == (0, start)
    assert count_rounds(GAMES["goofspiel"], before, rounds=1)[0] == 1
    found = polish.polish(GAMES["goofspiel"], before, rounds=1)
    assert found.trouble == "polishing came to its limit of 1 rounds"
    assert polish.polish(GAMES["goofspiel"], before, gap=start, rounds=1).trouble == ""
    few, gap = count_rounds(GAMES["goofspiel"], before, gap=1e-6)
    assert gap <= 1e-6
    assert 1 <= few < 10
    polished = polish.polish(GAMES["goofspiel"], before).profile
    assert count_rounds(GAMES["goofspiel"], polished)[0] <= 3  # there is nothing more to get
    assert polish.polish(GAMES["goofspiel"], polished).trouble == "polishing found nothing better"


def test_rounds_go_on_while_more_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    more = iter([True, True, False, True])
    monkeypatch.setattr(polish._Search, "step", lambda _, base, *__: (base, next(more)))
    assert count_rounds(LEDUC, Profile.uniform(LEDUC.treeplexes))[0] == 3


def test_where_a_plan_has_no_weight_behaviour_stays() -> None:
    treeplex, other = LEDUC.treeplexes[0], random_profile(LEDUC, 5).behaviors[0]
    plan = random_profile(LEDUC, 4, True).plans[0]
    behavior = polish._behavior(treeplex, plan, other)
    np.testing.assert_allclose(treeplex.to_plan(behavior), plan, rtol=1e-12)
    reached = plan[treeplex.parent_sequence] > 0
    actions = np.repeat(reached, treeplex.num_actions)
    assert 0 < reached.sum() < len(reached)
    np.testing.assert_array_equal(behavior[1:][~actions], other[1:][~actions])


def test_the_profile_given_is_not_changed() -> None:
    before = average(LEDUC, 1e-2)
    copies = [behavior.copy() for behavior in before.behaviors]
    after = polish.polish(LEDUC, before).profile
    for copy, old, new in zip(copies, before.behaviors, after.behaviors, strict=True):
        np.testing.assert_array_equal(copy, old)
        assert not np.array_equal(new, old)


@pytest.mark.parametrize("options", [{"players": 3}, {"zero_sum": False}])
def test_other_games_are_refused(options: dict[str, Any]) -> None:
    form = build_sequence_form(random_game(3, depth=3, **options))
    with pytest.raises(UnsupportedGameError, match="R10"):
        polish.polish(form, Profile.uniform(form.treeplexes))


def test_programs_that_do_not_fit_leave_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polish, "BYTES_PER_NONZERO", 10**15)
    before = average(LEDUC, 1e-2)
    found = polish.polish(LEDUC, before)
    assert found.profile is before
    assert found.certificate == certify(LEDUC, before)
    assert "payoffs among kept actions needs about" in found.trouble
    assert not found.interrupted
