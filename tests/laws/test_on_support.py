"""Equilibria on a support, in fractions: against best responses that walk the tree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import Profile, build_sequence_form, build_tree, solve
from seqform.base.errors import SolverError
from seqform.concepts.nash import certify
from seqform.exact.plans import check_plan
from seqform.form.sequence_form import SequenceForm
from seqform.methods import on_support as on_support_method
from seqform.methods.on_support import equilibrium_near
from seqform.results.solution import Solution
from seqform.results.status import Status
from seqform.solvers.support import Conditions, closed, on_support
from seqform.solvers.support_digits import _split, proven
from seqform.tree.tree import GameTree
from tests.examples import examples
from tests.one_shot_games import one_shot
from tests.reference.exact_gains import gains
from tests.reference.oracles import tree_behavior
from tests.strategies import random_profile, trees


def gains_of(solution: Solution) -> list[Fraction]:
    """Return the gains of a solution's proof, by walking the tree."""
    proof = solution.exact or solution.bracket
    form, behaviors = solution.game, []
    for treeplex, plan in zip(form.treeplexes, proof.plans, strict=True):
        behavior = [Fraction(1)] * treeplex.num_sequences
        for h in range(treeplex.num_infosets):
            first, stop = treeplex.first_sequence[h : h + 2].tolist()
            above = int(plan[treeplex.parent_sequence[h]])
            for s in range(first, stop):
                behavior[s] = Fraction(int(plan[s]), above) if above else Fraction(1, stop - first)
        behaviors.append(behavior)
    return gains(form.tree, tree_behavior(form, behaviors))


@given(trees(players=(1, 2, 3, 4), zero_sum=(True, False), depth=5))
@examples(12, 25)
def test_the_path_ends_in_a_proven_equilibrium(tree: GameTree) -> None:
    solution = solve(tree, method="qre")
    assert solution.status is Status.SOLVED, solution.message
    found = gains_of(solution)
    if solution.exact is not None:
        assert found == [0] * tree.num_players
    else:
        assert found == list(solution.bracket.gains)
        assert sum(found) < Fraction(1, 10**18) * Fraction(solution.game.payoff_scale)


@given(trees(players=(2, 3), zero_sum=(False,), depth=5))
@settings(max_examples=10)
def test_regrets_lead_to_one_too(tree: GameTree) -> None:
    solution = solve(tree, method="cfr+", iterations=3000)
    assert solution.status is Status.SOLVED, solution.message
    if solution.bracket is None and solution.exact is None:  # the average was good enough
        return
    assert gains_of(solution) == list(
        solution.bracket.gains if solution.bracket else [0] * tree.num_players
    )


def _pay(moves: tuple[int, ...], player: int) -> int:
    return moves[player] * (1 if sum(moves) - moves[player] < 2 else -1)


IRRATIONAL = one_shot((2, 2, 2), lambda m: tuple(_pay(m, player) for player in range(3)))
"""Nobody minds action 0; action 1 pays 1, but -1 if both others take it: 1 - 2 x**2 = 0."""


@pytest.mark.parametrize("gap", [1e-9, 1e-30])
def test_irrational_equilibria_have_as_many_digits_as_asked_for(gap: float) -> None:
    solution = solve(IRRATIONAL, method="qre", gap=gap)
    assert solution.proof == "bounded"
    assert 0 < solution.bracket.nash_gap < gap
    for plan, whole in zip(solution.bracket.plans, solution.bracket.denominators, strict=True):
        chance = Fraction(int(plan[2]), whole)
        assert abs(2 * chance**2 - 1) < gap
    assert gains_of(solution) == list(solution.bracket.gains)


def test_three_player_kuhn_is_solved_exactly() -> None:
    solution = solve(kuhn(players=3))
    assert solution.method.startswith("qre")
    assert gains_of(solution) == [0, 0, 0]
    first, second, third = solution.exact.values
    assert second == Fraction(-1, 48)  # of all equilibria published
    assert Fraction(-1, 32) <= first <= Fraction(-1, 48)
    assert first + second + third == 0


def of(tree: GameTree) -> tuple[SequenceForm, Conditions]:
    form = build_sequence_form(tree)
    return form, Conditions(form)


@given(trees(players=(2, 3), zero_sum=(True, False), depth=5), st.integers(0, 1000))
@settings(max_examples=20)
def test_conditions_are_those_of_the_form(tree: GameTree, seed: int) -> None:
    form, conditions = of(tree)
    profile = random_profile(form, seed)
    point = conditions.point(profile.plans)
    gradient = conditions.plans(conditions.gradient(point.x))
    for player, mine in enumerate(gradient):
        theirs = form.gradient(player, profile.plans) / form.payoff_scale
        assert mine == pytest.approx(theirs, abs=1e-12)
    assert conditions.slack(point).min() >= -1e-12
    step = np.random.default_rng(seed).standard_normal(len(point.x))
    moved = conditions.gradient(point.x + 1e-6 * step) - conditions.gradient(point.x - 1e-6 * step)
    expected = conditions.gradient_derivative(point.x) @ step
    assert moved / 2e-6 == pytest.approx(expected, abs=1e-6)


def test_no_equilibrium_on_a_wrong_support_is_an_error() -> None:
    pennies = one_shot((2, 2), lambda m: (1, -1) if m[0] == m[1] else (-1, 1))
    form, conditions = of(pennies)
    start = conditions.point(Profile.uniform(form.treeplexes).plans)
    played = closed(conditions, np.array([True, True, False, True, True, False]))
    with pytest.raises(SolverError, match="no equilibrium on this support"):
        on_support(conditions, start, played)


def test_a_support_is_closed_from_the_root_on() -> None:
    form, conditions = of(random_game(3, depth=6))
    treeplex = form.treeplexes[0]
    above = int(treeplex.parent_sequence[treeplex.parent_sequence > 0][0])
    wanted = np.ones(conditions.first[-1], dtype=bool)
    wanted[[0, above]] = False
    kept = closed(conditions, wanted)[: treeplex.num_sequences]
    assert kept[0]
    assert not kept[treeplex.sequence_parent == above].any()
    assert kept.sum() < treeplex.num_sequences - 1


def test_what_is_not_played_keeps_probability_zero() -> None:
    solution = solve(build_tree(kuhn(players=3)), method="qre")
    proof = solution.exact
    for treeplex, plan, behavior in zip(
        solution.game.treeplexes, proof.plans, solution.profile.behaviors, strict=True
    ):
        reached = np.array(plan[treeplex.sequence_parent] > 0, dtype=bool)
        reached[0] = False
        assert ((plan == 0) == (behavior == 0))[reached].all()


def test_floats_are_solved_and_not_proven() -> None:
    game = one_shot((2, 2, 2), lambda m: tuple(0.1 * _pay(m, p) + 0.01 * p for p in range(3)))
    solution = solve(game, method="qre")
    assert solution.status is Status.SOLVED
    assert solution.proof is None


def test_a_point_that_is_no_equilibrium_proves_its_gap_and_no_more() -> None:
    form, conditions = of(one_shot((2, 2), lambda m: (m[0], m[1])))
    point = conditions.point(Profile.uniform(form.treeplexes).plans)
    assert proven(conditions, point, 64) is None
    found = equilibrium_near(form, Profile.uniform(form.treeplexes), 1e-9)
    assert found is None or certify(form, found.profile).nash_gap < 1e-9


def test_a_game_too_large_for_digits_is_proven_by_the_floats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(on_support_method, "LARGEST", 5)
    mixed = solve(kuhn(players=3), method="qre")
    assert mixed.proof == "bounded"
    assert 0 < mixed.bracket.nash_gap < 1e-13
    assert gains_of(mixed) == list(mixed.bracket.gains)
    pure = solve(one_shot((3, 3), lambda m: (m[0], 2 * m[1])), method="qre")
    assert pure.exact.values == (2, 4)


def test_constant_sums_are_solved_with_their_constant() -> None:
    pays = {(0, 0): 3, (0, 1): 1, (1, 0): 0, (1, 1): 2}
    solution = solve(one_shot((2, 2), lambda m: (pays[m], 5 - pays[m])), method="qre")
    assert solution.exact.values == (Fraction(3, 2), Fraction(7, 2))


@given(st.integers(0, 10_000), st.integers(1, 12))
@settings(max_examples=30)
def test_any_weights_become_a_plan_of_so_many_bits(seed: int, bits: int) -> None:
    """Weights may be in a sequence and in none that follows it."""
    treeplex = build_sequence_form(random_game(seed, depth=6)).treeplexes[0]
    weights = np.random.default_rng(seed).integers(0, 3, treeplex.num_sequences).tolist()
    plan = _split(treeplex, weights, bits)
    check_plan(treeplex, plan, 1 << bits)
    for sequence, parent in enumerate(treeplex.sequence_parent.tolist()):
        siblings = treeplex.infoset_of == treeplex.infoset_of[sequence]
        if sequence and plan[parent] and np.array(weights)[siblings].any():
            assert weights[sequence] or not plan[sequence]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e155, 1e300])
def test_steps_out_of_the_range_of_floats_find_nothing(size: float) -> None:
    conditions = Conditions(build_sequence_form(build_tree(kuhn(players=3))))
    uniform = Profile.uniform(conditions.form.treeplexes)
    start = conditions.point(uniform.plans)
    far = replace(start, x=size * start.x)
    with pytest.raises(SolverError, match="left the range of floats"):
        on_support(conditions, far, np.ones(len(far.x), dtype=np.bool_))
