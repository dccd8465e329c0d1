"""Slow, obvious evaluations of a game tree: what the fast code is tested against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linprog

from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

Behavior = list[list[Any]]
"""For each information set of the tree, the probability of each action."""


def tree_behavior(form: SequenceForm, behaviors: Sequence[Any]) -> Behavior:
    """Lay the players' behaviour vectors out by the tree's own numbers of information sets."""
    table: Behavior = [[] for _ in range(form.tree.num_infosets)]
    for player, treeplex in enumerate(form.treeplexes):
        for h in range(treeplex.num_infosets):
            first, last = treeplex.first_sequence[h], treeplex.first_sequence[h + 1]
            table[form.tree_infosets[player][h]] = list(behaviors[player][first:last])
    return table


def exact_behavior(table: Behavior) -> Behavior:
    """Turn probabilities into fractions that sum to exactly one."""
    exact = [[Fraction(float(p)) for p in row] for row in table]
    return [[p / sum(row) for p in row] for row in exact]


def expected_values(tree: GameTree, behavior: Behavior) -> list[Any]:
    """Expect every player's payoff by walking the tree, children before parents."""
    values: list[list[Any]] = [[] for _ in range(tree.num_nodes)]
    for node in reversed(range(tree.num_nodes)):
        here: list[Any] = (
            [0] * tree.num_players
            if tree.payoff[node] < 0
            else list(tree.payoffs[tree.payoff[node]])
        )
        for position, child in enumerate(tree.children(node)):
            weight = (
                tree.probabilities[tree.probability[child]]
                if tree.player[node] == CHANCE
                else behavior[tree.infoset[node]][position]
            )
            here = [a + weight * b for a, b in zip(here, values[child], strict=True)]
        values[node] = here
    return values[0]


def best_response_value(tree: GameTree, behavior: Behavior, player: int) -> Any:
    """Try every pure strategy of `player` and return the best expected payoff."""
    mine = [h for h in range(tree.num_infosets) if tree.infoset_player[h] == player]
    best = None
    for choice in product(*(range(tree.infoset_num_actions[h]) for h in mine)):
        trial = list(behavior)
        for h, action in zip(mine, choice, strict=True):
            trial[h] = [int(a == action) for a in range(tree.infoset_num_actions[h])]
        value = expected_values(tree, trial)[player]
        best = value if best is None else max(best, value)
    return best


def on_plans(treeplex: Treeplex, gradient: Any) -> Any:
    """Return the one function equal on all plans in which first actions count for nothing.

    What the first action of an information set counts is taken off all its actions, and given to
    the sequence that leads there: the probabilities of these sum to that sequence's. Two linear
    functions agree on all plans if and only if this makes the same of both.

    Parameters
    ----------
    gradient
        Object array of exact numbers, (num_sequences, ...).
    """
    reduced = np.array(gradient, dtype=object)
    for h in reversed(range(treeplex.num_infosets)):
        first, stop = treeplex.first_sequence[h : h + 2].tolist()
        moved = reduced[first].copy() if reduced.ndim > 1 else reduced[first]
        reduced[first:stop] -= moved
        reduced[int(treeplex.parent_sequence[h])] += moved
    return reduced


def num_pure_strategies(tree: GameTree, player: int) -> int:
    """Count the pure strategies that `best_response_value` would try."""
    return int(
        np.prod(
            [
                float(n)
                for n, p in zip(tree.infoset_num_actions, tree.infoset_player, strict=True)
                if p == player
            ]
        )
    )


def normal_form_value(tree: GameTree) -> float:
    """Solve a small two-player zero-sum game through all pairs of pure strategies."""
    pures: list[list[Behavior]] = []
    for player in (0, 1):
        mine = [h for h in range(tree.num_infosets) if tree.infoset_player[h] == player]
        pures.append([])
        for choice in product(*(range(tree.infoset_num_actions[h]) for h in mine)):
            rows: Behavior = [[] for _ in range(tree.num_infosets)]
            for h, action in zip(mine, choice, strict=True):
                rows[h] = [int(a == action) for a in range(tree.infoset_num_actions[h])]
            pures[player].append(rows)
    matrix = np.array(
        [
            [
                float(expected_values(tree, [a or b for a, b in zip(x, y, strict=True)])[0])
                for y in pures[1]
            ]
            for x in pures[0]
        ]
    )
    m, n = matrix.shape
    # maximise v subject to matrix' x >= v, x a distribution
    result = linprog(
        c=[*np.zeros(m), -1],
        A_ub=np.column_stack([-matrix.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=[[*np.ones(m), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * m, (None, None)],
    )
    assert result.status == 0
    return float(-result.fun)


def leaves(tree: GameTree) -> list[int]:
    """Return the terminal nodes."""
    return [node for node in range(tree.num_nodes) if tree.player[node] == TERMINAL]
