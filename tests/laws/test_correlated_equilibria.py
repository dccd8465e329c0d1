"""EFCE, EFCCE and NFCCE: against their definitions by brute force, and laws on random games."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from games.battleship import battleship
from games.private_types import private_types
from games.random_games import random_game
from games.satisfiability import satisfiability
from games.sheriff import sheriff
from games.signalling import signalling
from seqform import (
    Status,
    TreeBuilder,
    build_sequence_form,
    build_tree,
    payoff_region,
    solve,
)
from seqform.base.clock import Clock
from seqform.concepts import strategy_pairs
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.exact.extreme_equilibria import all_equilibria
from seqform.form.correlation_plan import CorrelationPlan, exact_plan, product_plan, rounded_plan
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.triangles import find_triangle
from seqform.game.rules import CHANCE
from seqform.methods import correlated_mixture
from seqform.methods.correlated_mixture import search_from_nash
from seqform.results.correlated_task import correlated_task
from seqform.tree.tree import GameTree
from tests.reference.correlated import (
    best_correlated,
    deviations,
    obeys,
    played,
    pure_strategies,
)

KINDS = ("efce", "efcce", "nfcce")
WELFARE = Fraction(1), Fraction(1)


def game(seed: int, **options: Any) -> GameTree:
    settings = {"chance": 0.3, "depth": 5, "zero_sum": False, "rewards": seed % 2 == 0}
    return random_game(seed=seed, **{**settings, **options})


def tiny(seed: int) -> SequenceForm:
    return build_sequence_form(game(seed, depth=4, branching=2, hidden=0.8, max_payoff=5))


def count(form: SequenceForm) -> int:
    return len(pure_strategies(form, 0)) * len(pure_strategies(form, 1))


TINY = [seed for seed in range(120) if 4 <= count(tiny(seed)) <= 60][:24]


def check_welfare(seed: int) -> None:
    """Welfare grows with every kind, and all three answers are proven in integers."""
    found = [solve(game(seed), method=kind).certificate for kind in KINDS]
    assert all(c.largest_gain == 0 and c.bound == c.objective for c in found)
    assert all(c.is_optimal == (not c.triangle) for c in found)
    assert found[0].bound <= found[1].bound <= found[2].bound


@pytest.mark.parametrize("seed", range(8))
def test_coarser_equilibria_are_at_least_as_good(seed: int) -> None:
    check_welfare(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 500, 50))
def test_coarser_equilibria_are_at_least_as_good_on_500_games(first: int) -> None:
    for seed in range(first, first + 50):
        check_welfare(seed)


@pytest.mark.parametrize("seed", TINY)
def test_best_equilibria_are_those_of_brute_force(seed: int) -> None:
    form = tiny(seed)
    objective = [(1, 1), (1, 0), (0, -1), (-1, 2)][seed % 4]
    for kind in KINDS:
        best = solve(form, method=kind, optimize=objective).certificate
        assert best.is_optimal
        expected = best_correlated(form, kind, (float(objective[0]), float(objective[1])))
        assert float(best.bound) == pytest.approx(expected, abs=1e-7)


def types_game(seed: int) -> GameTree:
    """Return a game of two types each, told in private: its relevant pairs form a triangle."""
    rng = np.random.default_rng(seed)
    b = TreeBuilder(num_players=2)
    cases = list(product((0, 1), repeat=2))
    for node, (i, j) in zip(
        b.chance(b.root, [(str(case), Fraction(1, 4)) for case in cases]), cases, strict=True
    ):
        for said in b.decision(node, 0, f"mine {i}", ["a", "b"]):
            for end in b.decision(said, 1, f"yours {j}", ["a", "b"]):
                b.terminal(end, [int(x) for x in rng.integers(-4, 5, 2)])
    return b.freeze()


@pytest.mark.parametrize("seed", range(6))
def test_with_a_triangle_the_bound_still_holds(seed: int) -> None:
    form = build_sequence_form(types_game(seed))
    for kind in KINDS:
        solution = solve(form, method=kind, exact=False)
        assert solution.status is Status.RELAXED
        assert solution.gap == np.inf
        true = best_correlated(form, kind, (1.0, 1.0))
        assert float(solution.certificate.bound) >= true - 1e-7


@pytest.mark.parametrize("seed", range(6))
def test_with_a_triangle_a_distribution_is_found_and_is_best(seed: int) -> None:
    form = build_sequence_form(types_game(seed))
    objective = [(1, 1), (1, 0), (0, -1), (-1, 2)][seed % 4]
    for kind in KINDS:
        solution = solve(form, method=kind, optimize=objective)
        assert solution.status is Status.SOLVED
        certificate = solution.certificate
        assert certificate.is_optimal
        assert certificate.num_drawn == len(solution.answer.mixture)
        true = best_correlated(form, kind, (float(objective[0]), float(objective[1])))
        assert float(certificate.bound) == pytest.approx(true, abs=1e-7)
        relaxed = solve(form, method=kind, optimize=objective, exact=False).certificate
        assert relaxed.bound >= certificate.bound - Fraction(1, 10**7)


@pytest.mark.parametrize("seed", range(6))
def test_without_a_triangle_both_programs_have_the_same_optimum(seed: int) -> None:
    form = tiny(TINY[seed])
    for kind in KINDS:
        task = correlated_task(form, kind, WELFARE)
        answer = search_from_nash(form, task, Clock()).best(task)
        assert answer.multipliers is not None
        found = CONCEPTS.get(kind).certify(form, answer)
        assert found.is_optimal
        assert found.bound == solve(form, method=kind).certificate.bound


def test_the_relaxation_is_no_equilibrium_where_types_are_private() -> None:
    """No pair of strategies wins all four cases, and the constraints on pairs do not see it."""
    form = build_sequence_form(private_types())
    assert find_triangle(relevant_pairs(form)) == ((0, 1), (0, 1))
    relaxed = solve(form, method="efce", exact=False).certificate
    assert relaxed.bound == pytest.approx(2)
    assert not relaxed.is_optimal
    assert "ties" in relaxed.rows("")[0][1]
    found = solve(form, method="efce").certificate
    assert (found.bound, found.is_optimal, found.triangle) == (Fraction(3, 2), True, "")
    assert found.rows("")[0] == ("drawn from", "1 pair of pure strategies")
    assert best_correlated(form, "efce", (1.0, 1.0)) == pytest.approx(1.5)


def test_too_many_strategies_leave_a_relaxation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_pairs, "MOST_STRATEGIES", 3)
    solution = solve(private_types(), method="efce")
    assert (solution.status, solution.gap) == (Status.RELAXED, np.inf)
    assert "no distribution: each player has at least 4 reduced pure" in solution.message
    monkeypatch.undo()
    monkeypatch.setattr(correlated_mixture, "MOST_DRAWN", 0)
    solution = solve(private_types(), method="efce")
    assert solution.status is Status.RELAXED
    assert "more than 0 pairs of pure strategies matter" in solution.message
    assert payoff_region(private_types(), "efce").is_relaxed


@pytest.mark.parametrize(
    ("formula", "share"),
    [("x, -x y, -x -y", Fraction(2, 3)), ("x, -x y", Fraction(1)), ("x, -x", Fraction(1, 2))],
)
def test_a_formula_pays_what_can_be_satisfied(formula: str, share: Fraction) -> None:
    """von Stengel & Forges 2008, Figure 9: 1 exactly if the formula can be satisfied."""
    for kind in KINDS:
        certificate = solve(satisfiability(formula), method=kind).certificate
        assert (certificate.values, certificate.is_optimal) == ((share, share), True)


def test_what_a_mediator_does_for_signals() -> None:
    """von Stengel & Forges 2008, Section 2.3: a password pays 7/2 and 13/2; by hand, no more to
    player 1. Nash equilibria pay 0 and 6. The constraints on pairs say the same here."""
    form = build_sequence_form(signalling())
    for objective, expected in (((0, 1), 6.5), ((1, 1), 10.0), ((1, 0), 4.0)):
        assert best_correlated(form, "efce", objective) == pytest.approx(expected)
        certificate = solve(form, method="efce", optimize=objective).certificate
        assert (certificate.bound, certificate.is_optimal) == (expected, True)
    nash = all_equilibria(form)
    assert nash.is_complete
    assert {equilibrium.values for equilibrium in nash} == {(0, 6)}


def random_distribution(form: SequenceForm, seed: int) -> dict[Any, Fraction]:
    rng = np.random.default_rng(seed)
    pairs = list(
        product(range(len(pure_strategies(form, 0))), range(len(pure_strategies(form, 1))))
    )
    weights = rng.integers(0, 4, len(pairs))
    weights[0] += 1
    return {p: Fraction(int(w), int(weights.sum())) for p, w in zip(pairs, weights, strict=True)}


def plan_of(form: SequenceForm, distribution: dict[Any, Fraction]) -> CorrelationPlan:
    pairs = relevant_pairs(form)
    made = [
        [
            {s for s in range(t.num_sequences) if obeys(form, player, strategy, s)}
            for strategy in all_
        ]
        for player, t in enumerate(form.treeplexes)
        for all_ in [pure_strategies(form, player)]
    ]
    mine, theirs = (column.tolist() for column in pairs.pairs.sequences)
    weights = [
        sum(
            (w for (i, j), w in distribution.items() if a in made[0][i] and b in made[1][j]),
            Fraction(),
        )
        for a, b in zip(mine, theirs, strict=True)
    ]
    return exact_plan(pairs, weights)


@pytest.mark.parametrize("seed", TINY[:10])
def test_gains_are_those_of_the_best_deviation(seed: int) -> None:
    form = tiny(seed)
    distribution = random_distribution(form, seed)
    plan = plan_of(form, distribution)
    strategies = [pure_strategies(form, player) for player in (0, 1)]
    for kind in KINDS:
        certificate = CONCEPTS.get(kind).certify(form, CorrelatedAnswer(plan))
        for player in (0, 1):
            best = Fraction(0)
            for sequence, other in deviations(form, player, kind):
                gain = Fraction(0)
                for (i, j), weight in distribution.items():
                    pair = [strategies[0][i], strategies[1][j]]
                    if weight and obeys(form, player, pair[player], sequence):
                        before = played(form, (pair[0], pair[1]))[player]
                        pair[player] = {**pair[player], **other}
                        gain += weight * (played(form, (pair[0], pair[1]))[player] - before)
                best = max(best, gain)
            assert certificate.gains[player] == best
        total = sum(
            w * played(form, (strategies[0][i], strategies[1][j]))
            for (i, j), w in distribution.items()
        )
        assert list(certificate.values) == list(total)


@pytest.mark.parametrize("seed", range(6))
def test_an_exact_nash_equilibrium_is_a_correlated_one(seed: int) -> None:
    solution = solve(game(seed, zero_sum=True), method="lp", exact=True)
    assert solution.exact is not None
    form, pairs = solution.game, relevant_pairs(solution.game)
    plan = product_plan(pairs, solution.exact.plans, solution.exact.denominators)
    for kind in KINDS:
        certificate = CONCEPTS.get(kind).certify(form, CorrelatedAnswer(plan))
        assert certificate.largest_gain == 0
        assert certificate.values[0] == solution.exact.value
        best = solve(form, method=kind, optimize="player0").certificate
        assert best.bound >= solution.exact.value
        assert best.triangle or best.bound == solution.exact.value  # all have the game's value


@pytest.mark.parametrize("seed", range(6))
def test_backward_induction_is_a_correlated_equilibrium(seed: int) -> None:
    tree = game(seed, hidden=0.0)
    form = build_sequence_form(tree)
    solution = solve(tree, method="backward")
    plans = []
    for player, treeplex in enumerate(form.treeplexes):
        behavior = np.zeros(treeplex.num_sequences, dtype=np.int64)
        for infoset, place in enumerate(form.tree_infosets[player]):
            node = int(tree.infoset_first_node[place])
            move = solution.answer.best_action(node)
            labels = form.actions(player, infoset)
            behavior[int(treeplex.first_sequence[infoset]) + labels.index(move)] = 1
        plans.append(treeplex.to_plan(behavior.astype(float)).astype(np.int64))
    plan = product_plan(relevant_pairs(form), plans, (1, 1))
    for kind in KINDS:
        certificate = CONCEPTS.get(kind).certify(form, CorrelatedAnswer(plan))
        assert certificate.largest_gain == 0
        assert certificate.values == tuple(map(Fraction, solution.values))


def rebuilt(tree: GameTree, change: Any, players: tuple[int, int] = (0, 1)) -> GameTree:
    """Return a tree with other payoffs, and with players renamed."""
    b = TreeBuilder(num_players=2)
    stack = [(0, b.root)]
    for node, copy in stack:
        children = tree.children(node)
        names = [tree.labels[tree.label[child]] for child in children]
        if tree.payoff[node] >= 0:
            paid = change(tree.payoffs[tree.payoff[node]])
            (b.reward if len(children) else b.terminal)(copy, paid)
        elif not len(children):
            b.terminal(copy, change((0, 0)))
        if not len(children):
            continue
        if tree.player[node] == CHANCE:
            chances = [tree.probabilities[tree.probability[child]] for child in children]
            made = b.chance(copy, list(zip(names, chances, strict=True)))
        else:
            label = tree.infoset_labels[tree.infoset[node]]
            made = b.decision(copy, players[int(tree.player[node])], label, names)
        stack += zip(children, made, strict=True)
    return b.freeze()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_players_and_payoffs_may_be_renamed_and_scaled(kind: str, seed: int) -> None:
    tree = game(seed, rewards=False)
    best = solve(tree, method=kind, optimize=(2, 1)).certificate.bound
    swapped = rebuilt(tree, lambda paid: paid[::-1], (1, 0))
    assert solve(swapped, method=kind, optimize=(1, 2)).certificate.bound == best
    scaled = rebuilt(tree, lambda paid: (paid[0] * Fraction(1, 7), paid[1] * 300))
    weights = (2 * 7, Fraction(1, 300))
    assert solve(scaled, method=kind, optimize=weights).certificate.bound == best


@pytest.mark.parametrize("seed", range(6))
def test_rounded_answers_satisfy_constraints_and_bound_the_best(seed: int) -> None:
    form = build_sequence_form(game(seed))
    for kind in KINDS:
        best = solve(form, method=kind).certificate
        for options in ({"exact": False}, {"solver": "clarabel"}):
            near = solve(form, method=kind, **options).certificate
            assert near.bound >= best.bound
            assert float(near.bound - best.bound) < 1e-6 * form.payoff_scale
            assert near.largest_gain < 1e-6 * form.payoff_scale


@pytest.mark.parametrize("seed", range(6))
def test_any_floats_are_rounded_to_a_plan(seed: int) -> None:
    form = build_sequence_form(game(seed))
    pairs, rng = relevant_pairs(form), np.random.default_rng(seed)
    rounded_plan(pairs, rng.random(pairs.num_pairs)).check()
    plans = [t.to_plan(t.to_behavior(rng.random(t.num_sequences))) for t in form.treeplexes]
    mine, theirs = pairs.pairs.sequences
    weights = plans[0][mine] * plans[1][theirs]
    rounded = rounded_plan(pairs, weights)
    rounded.check()
    assert np.abs(rounded.to_float() - weights).max() < 1e-14


def test_payoffs_that_are_floats_have_bounds_on_errors() -> None:
    tree = rebuilt(game(2, rewards=False), lambda paid: tuple(float(u) / 3 for u in paid))
    solution = solve(tree, method="efce")
    exact = solve(
        rebuilt(game(2, rewards=False), lambda p: tuple(Fraction(u, 3) for u in p)), method="efce"
    )
    assert solution.status is Status.SOLVED
    assert 0 < solution.certificate.error < 1e-12
    above = float(solution.certificate.bound) + solution.certificate.bound_error
    assert float(exact.certificate.bound) <= above < float(exact.certificate.bound) + 1e-7


@pytest.mark.parametrize(
    ("made", "welfare"), [(sheriff(2, 2, 1), 10), (battleship(2, 1, shots=1), -1)]
)
def test_benchmarks_are_solved_exactly(made: Any, welfare: int) -> None:
    task = correlated_task(build_sequence_form(build_tree(made)), "efce", WELFARE)
    assert not find_triangle(task.pairs)
    assert solve(made, method="efce").certificate.is_optimal
