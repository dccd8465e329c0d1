"""Slow, obvious arithmetic in fractions: what two plans prove of a game's tree, and what a small
game is worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree
from tests.reference.oracles import expected_values

Fractions = list[Fraction]


def proven_interval(form: SequenceForm, plans: Sequence[Fractions]) -> tuple[Fraction, Fraction]:
    """Return what plan 0 guarantees player 0 and what plan 1 lets it have, by walking the tree,
    with player 1 paid what the tree says."""
    tree, treeplexes = form.tree, form.treeplexes
    first = {}
    for player, treeplex in enumerate(treeplexes):
        for h in range(treeplex.num_infosets):
            first[int(form.tree_infosets[player][h])] = int(treeplex.first_sequence[h])
    gains = [[Fraction(0)] * treeplex.num_sequences for treeplex in treeplexes]
    places: list[tuple[Fraction, list[int]]] = [(Fraction(1), [0, 0])] + [(Fraction(0), [])] * (
        tree.num_nodes - 1
    )
    for node in range(tree.num_nodes):
        chance, at = places[node]
        if tree.payoff[node] >= 0:
            for player, paid in enumerate(tree.payoffs[tree.payoff[node]]):
                gains[player][at[player]] += (
                    chance * Fraction(paid) * plans[1 - player][at[1 - player]]
                )
        mover = int(tree.player[node])
        for position, child in enumerate(tree.children(node)):
            if mover == CHANCE:
                places[child] = chance * Fraction(tree.probabilities[tree.probability[child]]), at
            else:
                places[child] = (
                    chance,
                    [
                        first[int(tree.infoset[node])] + position if player == mover else at[player]
                        for player in (0, 1)
                    ],
                )
    best = [best_value(treeplex, gain) for treeplex, gain in zip(treeplexes, gains, strict=True)]
    return Fraction(form.constant_sum) - best[1], best[0]


def best_value(treeplex: Treeplex, gains: Fractions) -> Fraction:
    """Return what the best plan gets, information sets last to first."""
    worth = list(gains)
    for h in reversed(range(treeplex.num_infosets)):
        worth[treeplex.parent_sequence[h]] += max(
            worth[treeplex.first_sequence[h] : treeplex.first_sequence[h + 1]]
        )
    return worth[0]


def is_plan(treeplex: Treeplex, plan: Fractions) -> bool:
    """Tell whether a plan satisfies its constraints."""
    sums = all(
        sum(plan[treeplex.first_sequence[h] : treeplex.first_sequence[h + 1]])
        == plan[treeplex.parent_sequence[h]]
        for h in range(treeplex.num_infosets)
    )
    return sums and plan[0] == 1 and min(plan) >= 0


def exact_value(tree: GameTree) -> Fraction:
    """Return the value of a small game to player 0, from all pairs of pure strategies."""
    pures = []
    for player in (0, 1):
        mine = [h for h in range(tree.num_infosets) if tree.infoset_player[h] == player]
        strategies = []
        for choice in product(*(range(tree.infoset_num_actions[h]) for h in mine)):
            rows: list[list[int]] = [[] for _ in range(tree.num_infosets)]
            for h, action in zip(mine, choice, strict=True):
                rows[h] = [int(a == action) for a in range(tree.infoset_num_actions[h])]
            strategies.append(rows)
        pures.append(strategies)
    return matrix_value(
        [
            [
                Fraction(expected_values(tree, [a or b for a, b in zip(x, y, strict=True)])[0])
                for y in pures[1]
            ]
            for x in pures[0]
        ]
    )


def matrix_value(payoffs: list[Fractions]) -> Fraction:
    """Return the value of a matrix game: the simplex method with Bland's rule on ``max sum(u), M u
    <= 1, u >= 0`` for a positive M."""
    shift = 1 - min(map(min, payoffs))
    m, n = len(payoffs), len(payoffs[0])
    rows = [
        [p + shift for p in row] + [Fraction(i == j) for j in range(m)] + [Fraction(1)]
        for i, row in enumerate(payoffs)
    ]
    cost = [Fraction(-1)] * n + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while any(c < 0 for c in cost[:-1]):
        enter = next(j for j, c in enumerate(cost[:-1]) if c < 0)
        _, _, leave = min(
            (row[-1] / row[enter], basis[i], i) for i, row in enumerate(rows) if row[enter] > 0
        )
        pivot = [entry / rows[leave][enter] for entry in rows[leave]]
        rows = [
            pivot if i == leave else [a - row[enter] * b for a, b in zip(row, pivot, strict=True)]
            for i, row in enumerate(rows)
        ]
        cost = [a - cost[enter] * b for a, b in zip(cost, pivot, strict=True)]
        basis[leave] = enter
    return 1 / cost[-1] - shift


def gaussian_elimination(matrix: list[Fractions], rhs: Fractions) -> Fractions | None:
    """Return the solution of a square system, or None if its matrix is singular."""
    rows = [[*row, right] for row, right in zip(matrix, rhs, strict=True)]
    for column in range(len(rows)):
        pivot = next((i for i in range(column, len(rows)) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for i, row in enumerate(rows):
            if i != column and row[column]:
                rows[i] = [a - row[column] * b for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]
