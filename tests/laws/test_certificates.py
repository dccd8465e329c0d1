"""What a certificate claims is true of the exact numbers, with no tolerance: the bounds themselves
must make up for rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.textbook import matching_pennies
from seqform import Status, TreeBuilder, build_sequence_form, certify, solve
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import TERMINAL
from seqform.tree.tree import GameTree
from tests.rebuilt import rebuild
from tests.reference import oracles
from tests.strategies import games, random_profile, seeds, trees


def exact(game: SequenceForm, profile: Profile) -> tuple[list[Any], list[Any]]:
    """Return values and best response values of the profile in fractions, its behaviours normalised
    exactly."""
    assume(
        all(
            oracles.num_pure_strategies(game.tree, player) <= 64
            for player in range(game.num_players)
        )
    )
    behavior = oracles.exact_behavior(oracles.tree_behavior(game, profile.behaviors))
    best = [
        oracles.best_response_value(game.tree, behavior, player)
        for player in range(game.num_players)
    ]
    return oracles.expected_values(game.tree, behavior), best


@given(
    trees(depth=4),
    st.sampled_from(
        [(0, 10**6 + Fraction(1, 3)), (Fraction(1, 3), -(10**6)), (Fraction(10**9, 7), 5)]
    ),
    seeds,
)
def test_bounds_hold_where_payoffs_add_up_to_a_large_constant(
    tree: GameTree, shift: tuple[Any, Any], seed: int
) -> None:
    shifted = rebuild(
        tree,
        lambda node, row: (
            [u + s for u, s in zip(row, shift, strict=True)]
            if tree.player[node] == TERMINAL
            else row
        ),
    )
    game = build_sequence_form(shifted)
    assert game.constant_sum == sum(shift)
    profile = random_profile(game, seed, sparse=True)
    _, best = exact(game, profile)
    certificate = certify(game, profile)
    assert Fraction(certificate.lower) <= game.constant_sum - best[1]
    assert best[0] <= Fraction(certificate.upper)
    # and not wide: at most 1,000 roundings, each of 1e-16 of payoffs up to 3,000 beside the
    # constants
    size = 3_000 + float(sum(map(abs, shift)))
    exact_gap = float(best[0] + best[1] - game.constant_sum)
    assert certificate.upper - certificate.lower <= exact_gap + 1e-12 * size


@given(games(depth=4, players=(1, 2, 3), zero_sum=(True, False)), seeds)
def test_no_gain_is_smaller_than_the_true_one(game: SequenceForm, seed: int) -> None:
    profile = random_profile(game, seed)
    values, best = exact(game, profile)
    for gain, value, attainable in zip(certify(game, profile).gains, values, best, strict=True):
        assert Fraction(gain) >= attainable - value


@pytest.mark.parametrize("excess", [9e-10, -9e-10])
@pytest.mark.parametrize("payoff", [1, -1])
def test_bounds_hold_for_every_behavior_that_is_accepted(excess: float, payoff: int) -> None:
    """Player 0 gets the same whatever happens, so no bound may exclude it: probabilities that do
    not quite sum to 1 must not leak."""
    b = TreeBuilder(2)
    for node in b.decision(b.root, 0, "h", ["a", "b"]):
        b.terminal(node, (payoff, -payoff))
    game = build_sequence_form(b.freeze())
    one, two = (treeplex.uniform() for treeplex in game.treeplexes)
    one[1:] += excess / 2
    try:
        profile = Profile.from_behaviors(game.treeplexes, [one, two])
    except InvalidStrategyError:
        return  # refusing it is as good
    certificate = certify(game, profile)
    assert certificate.lower <= payoff <= certificate.upper


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
@pytest.mark.parametrize("player", [0, 1])
def test_plans_that_are_not_finite_prove_nothing(player: int, wrong: float) -> None:
    """One entry is enough."""
    game = build_sequence_form(matching_pennies())
    profile = Profile.uniform(game.treeplexes)
    profile.plans[player][1] = wrong
    with pytest.raises(InvalidStrategyError, match="not finite"):
        certify(game, profile)


def test_sums_that_count_as_constant_in_floats_do_not_hide_a_gain() -> None:
    """Player 1 would rather take the second leaf, which pays it 5e-14 more and player 0 the
    same."""
    b = TreeBuilder(2)
    worse, better = b.decision(b.root, 1, "h", ["worse", "better"])
    b.terminal(worse, (0.1, -0.1))
    b.terminal(better, (0.1, -0.1 + 5e-14))
    game = build_sequence_form(b.freeze())
    certificate = certify(
        game, Profile.from_behaviors(game.treeplexes, [np.ones(1), np.array([1.0, 1.0, 0.0])])
    )
    assert Fraction(certificate.gains[1]) >= Fraction(-0.1 + 5e-14) - Fraction(-0.1)


def test_gains_belong_to_the_players_who_could_make_them() -> None:
    game = build_sequence_form(matching_pennies())
    heads, even = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5, 0.5])
    certificate = certify(game, Profile.from_behaviors(game.treeplexes, [heads, even]))
    assert certificate.values == (0, 0)
    # all numbers here are small binary fractions
    assert certificate.gains == pytest.approx((0, 1), abs=1e-14)
    assert (certificate.lower, certificate.upper) == pytest.approx((-1, 0), abs=1e-14)
    assert certificate.nash_gap == pytest.approx(1, abs=1e-14)
    assert certificate.exploitability == certificate.nash_gap / 2
    rows = dict(certificate.rows("coins"))
    assert rows["player 1's gain from a best response"] == "1 coin"
    assert rows["nash_gap (upper - lower)"] == "1 coin"
    assert rows["exploitability (nash_gap / 2)"] == "0.5 coins"


@settings(max_examples=40)
@given(games(players=(2, 3), zero_sum=(True, False)), seeds)
def test_the_gap_is_what_its_label_says(game: SequenceForm, seed: int) -> None:
    certificate = certify(game, random_profile(game, seed))
    (label,) = (name for name, _ in certificate.rows("coins") if name.startswith("nash_gap"))
    if label == "nash_gap (upper - lower)":
        assert certificate.nash_gap == certificate.upper - certificate.lower
        assert certificate.nash_gap <= sum(certificate.gains)
    else:
        assert label == "nash_gap (sum of the gains)"
        assert certificate.nash_gap == sum(certificate.gains)


@settings(max_examples=25)
@given(games())
def test_equilibria_are_interchangeable(game: SequenceForm) -> None:
    """One player's plan from one solver and the other's from another: what each guarantees, it
    guarantees against any plan."""
    one, two = solve(game, solver="highs"), solve(game, solver="clarabel")
    assert one.profile is not None
    assert two.profile is not None
    mixed = certify(
        game,
        Profile.from_behaviors(
            game.treeplexes, [one.profile.behaviors[0], two.profile.behaviors[1]]
        ),
    )
    assert (mixed.lower, mixed.upper) == (one.lower, two.upper)
    # upper - lower splits over one value that lies in both intervals
    assert mixed.nash_gap <= one.nash_gap + two.nash_gap + 1e-9


def test_what_inner_nodes_pay_counts_in_the_constant_sum() -> None:
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 0, "h", ["left", "right"])
    b.reward(left, (5, 0))
    first, second = b.decision(left, 1, "k", ["first", "second"])
    b.terminal(first, (1, -5))
    b.terminal(second, (-4, 0))
    b.terminal(right, (2, -1))
    game = build_sequence_form(b.freeze())
    assert game.constant_sum == 1
    solution = solve(game)
    # on the left player 1 chooses (1, 0) over (6, -5), so player 0 goes right
    assert solution.value == pytest.approx(2, abs=1e-12)
    assert solution.certificate is not None
    assert solution.certificate.values[1] == pytest.approx(-1, abs=1e-12)


def test_leaves_that_chance_rules_out_do_not_spoil_the_constant_sum() -> None:
    b = TreeBuilder(2)
    sure, never = b.chance(b.root, [("sure", 1), ("never", 0)])
    b.terminal(sure, (3, -3))
    b.terminal(never, (100, 100))
    game = build_sequence_form(b.freeze())
    assert game.constant_sum == 0
    assert solve(game).value == 3


@pytest.mark.parametrize(
    ("difference", "constant"), [(0.0, True), (1e-14, True), (1e-9, False), (1e-4, False)]
)
def test_only_rounding_is_overlooked_in_a_constant_sum_of_floats(
    difference: float, constant: bool
) -> None:
    """1e-12 of the largest payoff counts as rounding, more is a game of another kind."""
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 0, "h", ["left", "right"])
    b.terminal(left, (0.1, -0.1))
    b.terminal(right, (0.7, -0.7 + difference))
    game = build_sequence_form(b.freeze())
    assert (game.constant_sum is not None) == constant
    if not constant:
        with pytest.raises(UnsupportedGameError, match="R10"):
            game.zero_sum()


def test_payoffs_that_chance_never_pays_do_not_count_for_the_tolerance() -> None:
    """Matching pennies, beside 1e15 with probability 0: a gap of 2 is no solution."""
    builder = TreeBuilder(2)
    never, always = builder.chance(builder.root, [("never", 0), ("always", 1)])
    deep = builder.chance(never, [("one", 1)])[0]
    builder.terminal(deep, (10**15, -(10**15)))
    for mine, node in enumerate(builder.decision(always, 0, "a", ["heads", "tails"])):
        for yours, leaf in enumerate(builder.decision(node, 1, "b", ["heads", "tails"])):
            builder.terminal(leaf, (2, -2) if mine == yours else (-2, 2))
    form = build_sequence_form(builder.freeze())
    assert form.largest_payoff == form.payoff_scale == 2.0
    assert solve(form, method="dcfr", gap=1e-3).nash_gap <= 1e-3
    assert solve(form, method="pcfr+").nash_gap <= 1e-5 * 2


@pytest.mark.parametrize("payoff", [0, 0.0, Fraction(3, 2), -5, 1e-9])
def test_tolerances_are_shares_of_the_largest_payoff_or_of_1_if_nothing_is_paid(
    payoff: Any,
) -> None:
    builder = TreeBuilder(2)
    for node in builder.decision(builder.root, 0, "a", ["left", "right"]):
        for leaf in builder.decision(node, 1, "b", ["left", "right"]):
            builder.terminal(leaf, (payoff, -payoff))
    form = build_sequence_form(builder.freeze())
    assert form.largest_payoff == abs(payoff)
    assert form.payoff_scale == (abs(payoff) or 1.0)
    assert type(form.payoff_scale) is float
    for method in ("lp", "dcfr", "pdhg"):
        solution = solve(form, method=method)
        assert solution.status is Status.SOLVED
        assert solution.gap <= solution.tolerance * form.payoff_scale
    polished = solve(form, method="lp", polish=True)
    assert polished.status is Status.SOLVED


@pytest.mark.parametrize("probability", [0, 0.0])
def test_payoffs_that_chance_never_pays_make_no_game_constant_sum(probability: Any) -> None:
    """A prisoners' dilemma, beside a leaf of probability 0 that pays 1e15."""
    b = TreeBuilder(2)
    never, always = b.chance(b.root, [("never", probability), ("always", 1 - probability)])
    b.terminal(never, (1e15, -1e15))
    dilemma = [[(3.0, 3.0), (0.0, 5.0)], [(5.0, 0.0), (1.0, 1.0)]]
    for node, row in zip(b.decision(always, 0, "a", "cd"), dilemma, strict=True):
        for leaf, paid in zip(b.decision(node, 1, "b", "cd"), row, strict=True):
            b.terminal(leaf, paid)
    form = build_sequence_form(b.freeze())
    assert form.largest_payoff == 5
    assert form.constant_sum is None
