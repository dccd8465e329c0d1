"""Approximate reductions: what merges is near, and what a rounded game loses is bounded."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import wasserstein_distance

import abstraction.outcome_thresholds
from abstraction.outcome import outcome
from abstraction.outcome_thresholds import approximate_outcome
from abstraction.tree import TREE
from abstraction.tree_shrink import round_payoffs
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import GameTree, TreeBuilder, solve
from seqform.base.number import Number
from seqform.game.observations import SignalStructure, num_classes
from seqform.links.link import ReductionOptions
from seqform.results.lift import lift
from tests.random_signal_games import POKER, POKER_BY_SIZE, random_signal_game
from tests.reference.pairwise_isomorphism import Observation, SignalTree
from tests.strategies import trees

GAMES = {name: POKER[name] for name in ("kuhn, 4 cards", "leduc")} | {
    "leduc, 2x3": leduc(2, 3),
    "rhode island, 2x2": rhode_island(2, 2, 0),
    "rhode island, 3x2": rhode_island(3, 2, 0),
}


def slow_costs(tree: SignalTree, stage: int) -> dict[tuple[Observation, Observation], float]:
    """Return the cost of matching every two nodes of a stage: of what they are paid there, and of
    all their children."""
    below = slow_costs(tree, stage + 1) if stage + 1 < len(tree.stages) else {}
    costs = {}
    for a, b in combinations_with_replacement(tree.nodes[stage], 2):
        cost = sum(
            _payoff_distance(tree.payoffs[stage][a], tree.payoffs[stage][b], end)
            for end, _ in tree.outcomes
        )
        if below:
            matrix = np.array(
                [[below[x, y] for y in tree.children(stage, b)] for x in tree.children(stage, a)]
            )
            cost += matrix[linear_sum_assignment(matrix)].mean()
        costs[a, b] = costs[b, a] = cost
    return costs


def _payoff_distance(a: Counter[Any], b: Counter[Any], end: Any) -> float:
    sides = [
        sorted(payoff for (at, payoff), count in side.items() for _ in range(count) if at == end)
        for side in (a, b)
    ]
    return float(wasserstein_distance(*sides)) if sides[0] else 0.0


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * name.endswith("3x2")) for name in GAMES],
)
def test_members_are_near_the_first_of_their_class_and_first_ones_are_apart(name: str) -> None:
    structure = SignalStructure(GAMES[name])
    for player in (0, 1):
        tree = SignalTree(GAMES[name], player)
        costs = [slow_costs(tree, stage) for stage in range(structure.num_stages)]
        for threshold in (0.0, 0.2, 0.5, 1.0, 100.0):
            check_clusters(structure, tree, costs, threshold)


def check_clusters(
    structure: SignalStructure, tree: SignalTree, costs: list[dict[Any, float]], threshold: float
) -> None:
    above: dict[Observation, int] = {}
    for stage, classes in enumerate(approximate_outcome(structure, threshold)[tree.player]):
        nodes = list(map(tuple, structure.signals(tree.player, stage).tolist()))
        first: dict[tuple[int, int], Observation] = {}
        for node, number in zip(nodes, classes.tolist(), strict=True):
            parent = above[tree.parent(stage, node)] if stage else 0
            leader = first.setdefault((parent, number), node)
            assert costs[stage][leader, node] <= threshold + 1e-9
        assert len(first) == classes.max() + 1  # no class has two parents
        for (parent, _), leader in first.items():
            apart = [
                other
                for (beside, _), other in first.items()
                if beside == parent and other != leader
            ]
            assert all(costs[stage][leader, other] > threshold - 1e-9 for other in apart)
        above = dict(zip(nodes, classes.tolist(), strict=True))


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_nothing_but_what_is_alike_merges_at_threshold_zero(name: str) -> None:
    structure = SignalStructure(POKER[name])
    for exact, near in zip(outcome(structure), approximate_outcome(structure, 0.0), strict=True):
        for a, b in zip(exact, near, strict=True):
            assert (a == b).all()


@given(st.integers(0, 100_000), st.sampled_from([0.0, 0.3, 1.0, 1000.0]))
def test_classes_of_random_signal_games_keep_recall(seed: int, threshold: float) -> None:
    structure = SignalStructure(random_signal_game(seed))
    classes = approximate_outcome(structure, threshold)
    structure.check_classes(classes)
    exact = outcome(structure)
    if threshold == 0:
        assert num_classes(classes) == num_classes(exact)
    for near, fine in zip(classes, exact, strict=True):
        for a, b in zip(near, fine, strict=True):
            assert a.max() <= b.max()


@given(st.integers(0, 100_000), st.sampled_from([0.0, 0.3, 1.0]))
def test_costs_grow_with_the_payoffs(seed: int, threshold: float) -> None:
    game = random_signal_game(seed)
    dear = replace(game, table=game.table * 128)
    small = approximate_outcome(SignalStructure(game), threshold)
    large = approximate_outcome(SignalStructure(dear), 128 * threshold)
    for a, b in zip(
        (of for stages in small for of in stages),
        (of for stages in large for of in stages),
        strict=True,
    ):
        assert (a == b).all()


@given(st.integers(0, 100_000), st.sampled_from([0.125, 1000]))
def test_the_unit_of_payoffs_does_not_matter(seed: int, factor: float) -> None:
    game = random_signal_game(seed)
    other = replace(game, table=game.table * factor)
    for a, b in zip(outcome(SignalStructure(game)), outcome(SignalStructure(other)), strict=True):
        for mine, theirs in zip(a, b, strict=True):
            assert (mine == theirs).all()


def test_pairs_of_signatures_need_memory_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    needed: list[float] = []
    said: list[str] = []
    module = abstraction.outcome_thresholds
    monkeypatch.setattr(module, "require_memory", lambda size, *_: needed.append(size))
    monkeypatch.setattr(module, "check_time", said.append)
    approximate_outcome(SignalStructure(leduc()), 0.0)
    assert needed == [16 * 3**2] * 4  # two numbers for each pair of ranks; 2 stages, 2 players
    assert set(said) == {"matching signals"}


def test_observations_merge_up_to_the_threshold() -> None:
    """A jack never wins, a queen wins half of the time, a king always."""
    structure = SignalStructure(kuhn())
    for threshold, expected in ((0.999, [0, 1, 2]), (1.0, [0, 0, 1]), (2.0, [0, 0, 0])):
        for (classes,) in approximate_outcome(structure, threshold):
            assert classes.tolist() == expected


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode island, 3x2", "rhode island, 4x2"])
def test_everything_that_can_be_matched_merges_in_the_end(name: str) -> None:
    classes = approximate_outcome(SignalStructure(POKER[name]), 1e6)
    assert all(of.max() == 0 for stages in classes for of in stages)


def test_what_comes_about_in_unequally_many_ways_never_merges() -> None:
    """Suits merged, a pair with the community card can be dealt in fewer ways than two different
    cards."""
    classes = approximate_outcome(SignalStructure(POKER["leduc, suits merged"]), 1e6)
    assert num_classes(classes) == [[1, 2], [1, 2]]


def paying_nodes_on_a_path(tree: GameTree) -> int:
    pays = [0] * tree.num_nodes
    for node in range(tree.num_nodes):
        pays[node] = int(tree.payoff[node] >= 0) + (pays[tree.parent[node]] if node else 0)
    return max(pays)


@given(trees(), st.sampled_from([0.5, 1.0, 3.0, 20.0]))
def test_what_a_rounded_game_loses_is_bounded(tree: GameTree, threshold: float) -> None:
    reduced, inverse = TREE.apply(tree, ReductionOptions(threshold))
    solution = solve(reduced)
    lifted = lift(solution, inverse)
    bound = 2 * tree.num_players * threshold * paying_nodes_on_a_path(tree)
    assert lifted.nash_gap <= bound + 1e-9 * max(1.0, inverse.original.largest_payoff)


def paying(*payoffs: Number) -> GameTree:
    """Return a game in which player 0 chooses what player 1 pays."""
    b = TreeBuilder(2)
    ends = b.decision(b.root, 0, "all", list(range(len(payoffs))))
    for end, payoff in zip(ends, payoffs, strict=True):
        b.terminal(end, (payoff, -payoff))
    return b.freeze()


def test_payoffs_are_rounded_to_the_least_that_is_near() -> None:
    tree = paying(*range(20))
    assert {row[0] for row in round_payoffs(tree, 1.0).payoffs} == set(range(0, 20, 2))
    assert {row[0] for row in round_payoffs(tree, 0.999).payoffs} == set(range(20))


def test_nothing_is_rounded_by_a_threshold_of_zero() -> None:
    tree = paying(1, 1 + Fraction(1, 10**400))  # their difference is 0 as a float
    assert round_payoffs(tree, 0.0).payoffs == tree.payoffs
    assert len(set(round_payoffs(tree, 1e-300).payoffs)) == 1


@given(trees(players=(2, 3), zero_sum=(True, False)), st.sampled_from([0.0, 0.5, 1.0, 3.0, 2000.0]))
def test_payoffs_are_rounded_by_at_most_the_threshold(tree: GameTree, threshold: float) -> None:
    rounded = round_payoffs(tree, threshold)
    assert set(rounded.payoffs) <= set(tree.payoffs)
    for before, after in zip(tree.payoffs, rounded.payoffs, strict=True):
        assert all(abs(a - b) <= threshold for a, b in zip(before, after, strict=True))
    if threshold == 0:
        assert rounded.payoffs == tree.payoffs
    if threshold == 2000.0:
        assert len(set(rounded.payoffs)) == 1
