"""Complementary pivots: the problem, the path, and the equilibria at its end, on random games."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import Profile, TreeBuilder, build_sequence_form, build_tree, certify, make, solve
from seqform.exact.complementary_basis import basic_plans
from seqform.exact.plan_proof import prove_equilibrium
from seqform.form.complementarity import ComplementarityProblem, build_lcp
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.game.rules import CHANCE
from seqform.results.solution import Status
from seqform.solvers.complementarity.covering import (
    Covering,
    covering_of_prior,
    random_prior,
    uniform_prior,
)
from seqform.solvers.complementarity.exact_pivots import ExactPivots
from seqform.solvers.complementarity.float_pivots import FloatPivots
from seqform.solvers.complementarity.lemke import Limits, Path, PathStatus, follow
from seqform.solvers.complementarity.rational_equilibrium import exact_equilibrium, followed_exactly
from seqform.solvers.complementarity.start import Start
from seqform.tree.tree import GameTree
from tests.reference.dense_pivots import lcp_of, lemke
from tests.reference.pure_plans import pays, pure_plans
from tests.strategies import games, random_profile, seeds

general_sum = games(zero_sum=(False,), depth=6)
small = games(zero_sum=(False, True), depth=4)


def start_of(form: SequenceForm, seed: int | None = None) -> Start:
    problem = build_lcp(form)
    prior = uniform_prior(problem) if seed is None else random_prior(problem, seed)
    return Start(problem, covering_of_prior(problem, prior))


def fractions(covering: Covering, problem: ComplementarityProblem) -> list[Fraction]:
    return [
        int(number) * Fraction(2) ** exponent
        for part, exponent in zip(problem.plans(covering.numbers), covering.exponents, strict=True)
        for number in part
    ]


def bumps(start: Start) -> list[list[Fraction]]:
    """Return what perturbations add to the first basic variables, in the game's unit."""
    slacks, plans = start.perturbations
    exponents = np.concatenate(start.problem.exponents)
    return [
        [int(n) * Fraction(2) ** int(e) for n, e in zip(slacks, exponents, strict=True)],
        [Fraction(int(n)) for n in plans],
    ]


@given(general_sum, seeds)
def test_slack_times_plan_is_what_the_players_gain(form: SequenceForm, seed: int) -> None:
    """At plans and the values of best responses w is not negative, and z'w is the nash_gap."""
    problem, profile = build_lcp(form), random_profile(form, seed)
    if isinstance(form, ZeroSumForm):
        form = form.without_constant()
    values = []
    for player, treeplex in enumerate(form.treeplexes):
        gradient = form.gradient(player, profile.plans)
        worth = treeplex.worth(gradient)
        best = np.zeros(treeplex.num_infosets)
        for h in range(treeplex.num_infosets):
            best[h] = worth[treeplex.first_sequence[h] : treeplex.first_sequence[h + 1]].max()
        values.append(np.append(worth[0], best))
    z = np.concatenate([*profile.plans, *values])
    w = problem.matrix @ z + problem.constants
    scale = form.payoff_scale
    assert w[: problem.num_sequences].min() >= -1e-9 * scale
    assert np.abs(w[problem.num_sequences :]).max() <= 1e-12
    gap = certify(form, profile).nash_gap
    assert z @ w == pytest.approx(gap, abs=1e-9 * scale)


@given(small)
def test_the_matrix_is_that_of_the_parts(form: SequenceForm) -> None:
    problem = build_lcp(form)
    m, q = lcp_of(problem)
    units = [
        *np.repeat(problem.denominators, problem.plan_sizes).tolist(),
        *[1] * problem.num_constraints,
    ]
    integers = problem.integers.to_dense()
    for row, (exact, unit) in enumerate(zip(integers, units, strict=True)):
        below = 1 if row >= problem.num_sequences else unit
        for column, entry in enumerate(exact):
            is_payoff = row < problem.num_sequences and column < problem.num_sequences
            assert Fraction(entry, below if is_payoff else 1) == m[row][column]
    assert problem.constants.tolist() == q
    assert np.array_equal(problem.matrix.toarray(), np.array(m, dtype=float))
    assert problem.num_nonzeros == problem.matrix.nnz == len(problem.integers.entries)


@given(games(zero_sum=(False, True), depth=3), st.integers(0, 99))
def test_floats_and_integers_follow_the_path_of_a_dense_tableau(
    form: SequenceForm, seed: int
) -> None:
    start = start_of(form, seed)
    problem = start.problem
    if problem.size > 40:
        return
    m, q = lcp_of(problem)
    d = fractions(start.covering, problem) + [-a for a in q[problem.num_sequences :]]
    changes, z = lemke(m, q, d, start.num_pairs, start.head.tolist(), bumps(start))
    in_integers = follow(start, ExactPivots(start))
    assert in_integers.status is PathStatus.SOLVED
    assert in_integers.changes == changes
    plans, denominators = basic_plans(problem, in_integers.basis)
    assert [Fraction(n, denominators[0]) for n in plans[0]] == z[: problem.plan_sizes[0]]
    in_floats = follow(start, FloatPivots(start))
    assert in_floats.status is PathStatus.SOLVED
    if in_floats.changes == changes:
        assert (in_floats.basis == in_integers.basis).all()
    else:  # ties that floats cannot tell apart lead to another equilibrium
        exact_equilibrium(form, start, in_floats)


@given(general_sum, st.sampled_from(["uniform", 0, 1, 2]))
def test_the_end_is_an_equilibrium_in_fractions(form: SequenceForm, prior: Any) -> None:
    solution = solve(form, method="lcp", start=prior, exact=True)
    assert solution.status is Status.SOLVED
    assert solution.exact is not None
    assert solution.exact.as_gains().nash_gap == 0
    assert [float(v) for v in solution.exact.values] == pytest.approx(
        solution.values, abs=1e-9 * form.payoff_scale
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_pure_plan_gains_by_walking_the_tree(seed: int) -> None:
    form = build_sequence_form(
        random_game(seed, depth=4, branching=2, zero_sum=False, max_payoff=3, rewards=seed % 2 == 0)
    )
    exact = solve(form, method="lcp", start=seed).exact
    plans = [
        [Fraction(n, whole) for n in plan]
        for plan, whole in zip(exact.plans, exact.denominators, strict=True)
    ]
    for player in range(2):
        others = list(plans)
        for pure in pure_plans(form, player):
            others[player] = pure
            assert pays(form, others, player) <= exact.values[player]
        assert pays(form, plans, player) == exact.values[player]


@given(games(depth=6), st.integers(0, 9))
def test_constant_sum_games_have_the_value_of_the_linear_program(
    form: SequenceForm, seed: int
) -> None:
    exact = solve(form, method="lcp", start=seed, exact=True).exact
    assert exact.value == solve(form, method="lp", exact=True).exact.value


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kuhn", {}), ("goofspiel", {"cards": 3}), ("liars-dice", {"sides": 3})],
)
def test_games_of_the_catalogue_have_their_value(name: str, parameters: dict[str, Any]) -> None:
    game = build_tree(make(name, **parameters))
    assert solve(game, method="lcp").exact.value == solve(game, method="lp", exact=True).exact.value


def rebuilt(tree: GameTree, pay: Any, exchange: bool = False) -> SequenceForm:
    """Return the game with other payoffs, perhaps with the players exchanged."""
    builder, made = TreeBuilder(2), {0: 0}
    for node in range(tree.num_nodes):
        here, children = made[node], [int(child) for child in tree.children(node)]
        if tree.payoff[node] >= 0:
            paid = pay(tree.payoffs[tree.payoff[node]])
            (builder.reward if children else builder.terminal)(here, paid)
        if not children:
            continue
        names = list(map(str, range(len(children))))
        if tree.player[node] == CHANCE:
            chances = [tree.probabilities[tree.probability[child]] for child in children]
            new = builder.chance(here, list(zip(names, chances, strict=True)))
        else:
            mover = abs(int(exchange) - int(tree.player[node]))
            new = builder.decision(here, mover, int(tree.infoset[node]), names)
        made.update(zip(children, new, strict=True))
    return build_sequence_form(builder.freeze())


@pytest.mark.parametrize("seed", range(20))
def test_exchanged_players_and_scaled_payoffs_have_the_equilibria_that_belong(seed: int) -> None:
    tree = random_game(seed, depth=5, zero_sum=False, max_payoff=1000)
    times = Fraction(3), Fraction(1, 7)
    form = build_sequence_form(tree)
    other = rebuilt(tree, lambda paid: (paid[1] * times[1], paid[0] * times[0]), exchange=True)
    exact = solve(form, method="lcp").exact
    there = prove_equilibrium(other, exact.plans[::-1], exact.denominators[::-1])
    assert there.values == tuple(v * t for v, t in zip(exact.values, times, strict=True))[::-1]
    back = solve(other, method="lcp").exact
    here = prove_equilibrium(form, back.plans[::-1], back.denominators[::-1])
    assert here.values == exact.values  # from the same prior, without ties, to the same end


@given(general_sum, st.integers(0, 30))
def test_wherever_the_path_is_left_there_are_plans(form: SequenceForm, count: int) -> None:
    start = start_of(form)
    pivots = FloatPivots(start)
    path = follow(start, pivots, Limits(count))
    assert len(path.changes) <= max(count, 1)
    z = pivots.plans()
    assert z is not None
    for treeplex, plan in zip(form.treeplexes, start.problem.plans(z), strict=True):
        assert max(treeplex.residuals(plan)) <= 1e-9


def cut(path: Path, count: int) -> Path:
    return replace(path, status=PathStatus.LOST, changes=path.changes[:count])


@given(games(zero_sum=(False,), depth=5), st.integers(0, 99), st.integers(0, 40))
def test_exact_pivots_go_on_from_what_was_right(form: SequenceForm, seed: int, count: int) -> None:
    """Whatever floats made of the path after some pivots, its end in integers is the same."""
    start = start_of(form, seed)
    if start.problem.size > 200:
        return
    right = follow(start, ExactPivots(start))
    found = followed_exactly(start, cut(right, count))
    assert found.changes == right.changes
    assert (found.basis == right.basis).all()
    wrong = replace(right, status=PathStatus.SOLVED, basis=~right.basis)
    assert exact_equilibrium(form, start, wrong).as_gains().nash_gap == 0


def test_tied_first_answers_do_not_lead_back_to_the_start() -> None:
    """Both of the second and the third answer the uniform prior best (Shapley 1974)."""
    payoffs = [(0, 0), (3, 2), (0, 3), (2, 3), (2, 2), (0, 0), (3, 0), (0, 0), (1, 1)]
    builder = TreeBuilder(2)
    ends = iter(payoffs)
    for node in builder.decision(builder.root, 0, "row", ["1", "2", "3"]):
        for end in builder.decision(node, 1, "column", ["1", "2", "3"]):
            builder.terminal(end, next(ends))
    for prior in ("uniform", *range(8)):
        assert solve(builder.freeze(), method="lcp", start=prior).exact.values == (1, 1)


def test_other_starts_find_other_equilibria() -> None:
    """Battle of the sexes has three; a prior near one of the pure ones leads there."""
    builder = TreeBuilder(2)
    ends = iter([(2, 1), (0, 0), (0, 0), (1, 2)])
    for node in builder.decision(builder.root, 0, "he", ["boxing", "ballet"]):
        for end in builder.decision(node, 1, "she", ["boxing", "ballet"]):
            builder.terminal(end, next(ends))
    form = build_sequence_form(builder.freeze())
    for prior, values in (((0.9, 0.1), (2, 1)), ((0.1, 0.9), (1, 2))):
        behaviors = [np.array([1.0, *prior])] * 2
        profile = Profile.from_behaviors(form.treeplexes, behaviors)
        assert solve(form, method="lcp", start=profile).exact.values == values
        # what the prior makes each action pay, as numbers
        pays_mine, pays_theirs = [2 * prior[0], prior[1]], [prior[0], 2 * prior[1]]
        numbers = [0, *(-a for a in pays_mine), 0, *(-a for a in pays_theirs)]
        assert solve(form, method="lcp", start=numbers).exact.values == values


@pytest.mark.parametrize("seed", range(3))
def test_payoffs_that_nearly_tie_or_span_magnitudes_are_no_obstacle(seed: int) -> None:
    tree, rng = random_game(seed, depth=5, zero_sum=False), np.random.default_rng(seed)

    def near(paid: Any) -> Any:
        return [1 + Fraction(number, 10**14) for number in paid]

    def far(paid: Any) -> Any:
        return [number * Fraction(10) ** int(rng.integers(-30, 30)) for number in paid]

    for pay in (near, far):
        exact = solve(rebuilt(tree, pay), method="lcp", exact=True).exact
        assert exact is not None
        assert exact.as_gains().nash_gap == 0
