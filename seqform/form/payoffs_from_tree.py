"""The payoffs of a game tree, added up over the nodes at which the same sequences meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.number import Number, common_denominator
from seqform.form.payoff import (
    PayoffTensor,
    SparsePayoff,
    ZeroSumPayoffs,
    tensor_of,
)
from seqform.form.treeplex import Treeplex
from seqform.game.rules import TERMINAL
from seqform.tree.tree import GameTree

CONSTANT_TOLERANCE = 1e-12
"""Largest spread, relative to the payoffs, of the players' payoff sums that counts as constant in a
game with floats."""


def payoffs_from_tree(
    tree: GameTree, treeplexes: Sequence[Treeplex], at_node: Ints
) -> ZeroSumPayoffs | PayoffTensor:
    """Return what the players' sequences pay.

    Parameters
    ----------
    tree
        The game.
    treeplexes
        One per player.
    at_node
        int32 (num_players, num_nodes): each player's sequence at each node.
    """
    reach_row, reaches = _chance_reach(tree)
    constant_sum, sum_spread = _constant_sum(tree, reach_row, reaches)
    meeting = _Meeting(tree, treeplexes, at_node, reach_row, reaches)
    if tree.num_players == 2 and constant_sum is not None:
        shape = (treeplexes[0].num_sequences, treeplexes[1].num_sequences)
        numbers, denominator = meeting.sums(0)
        rows, columns = meeting.sequences()
        operator = SparsePayoff.from_sorted(rows, columns, numbers, denominator, shape)
        return ZeroSumPayoffs(operator, constant_sum, sum_spread)
    sums = [meeting.sums(player) for player in range(tree.num_players)]
    return tensor_of(
        np.ascontiguousarray(meeting.sequences().T),
        [numbers for numbers, _ in sums],
        [denominator is not None for _, denominator in sums],
        tuple(denominator or 1 for _, denominator in sums),
        constant_sum,
    )


class _Meeting:
    """The paying nodes, in the order of the players' sequences that meet there."""

    def __init__(
        self,
        tree: GameTree,
        treeplexes: Sequence[Treeplex],
        at_node: Ints,
        reach_row: Ints,
        reaches: list[Number],
    ) -> None:
        nodes = np.flatnonzero(tree.payoff >= 0)
        self._at = at_node[:, nodes]
        key = self._keys(treeplexes)
        self._order = np.argsort(key, kind="stable")
        key = key[self._order]
        is_first = np.append(True, key[1:] != key[:-1])[: len(key)]
        self._starts: Index = np.flatnonzero(is_first)
        base = max(1, len(tree.payoffs))
        pairs, pair_of = np.unique(
            reach_row[nodes].astype(np.int64) * base + tree.payoff[nodes], return_inverse=True
        )
        self._pair_of = pair_of[self._order]
        self._pairs = [
            (reaches[pair // base], tree.payoffs[pair % base]) for pair in pairs.tolist()
        ]

    def _keys(self, treeplexes: Sequence[Treeplex]) -> Index:
        """Return a number of the sequences that meet at each node, in their order."""
        key: Index = np.zeros(self._at.shape[1], dtype=np.int64)
        for player, treeplex in enumerate(treeplexes):
            if player >= 2:  # renumber, so that products of many players' sequences never overflow
                key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            key = key * treeplex.num_sequences + self._at[player]
        return key

    def sequences(self) -> Ints:
        """Return each player's sequence at each meeting point, int32 (num_players, num_points)."""
        return self._at[:, self._order[self._starts]]

    def sums(self, player: int) -> tuple[Numbers, int | None]:
        """Return chance weight times payoff, added up at each meeting point.

        Integers over the denominator that is returned; float64 and None if there are floats.
        """
        products = [reach * payoffs[player] for reach, payoffs in self._pairs]
        denominator = common_denominator(products)
        if denominator is None or not products:
            return self._add_up(np.array(products, dtype=np.float64)), denominator
        integers = [int(product * denominator) for product in products]
        longest = int(np.diff(np.append(self._starts, len(self._pair_of))).max())
        fits = max(map(abs, integers)) * longest < 2**63
        return self._add_up(np.array(integers, dtype=np.int64 if fits else object)), denominator

    def _add_up(self, values: Numbers) -> Numbers:
        if not len(self._starts):
            return values
        return np.add.reduceat(values[self._pair_of], self._starts)


def _chance_reach(tree: GameTree) -> tuple[Ints, list[Number]]:
    """Return chance's part in the reach of each node: rows of a table of distinct numbers.

    The few distinct products are exact where the game is; no arithmetic is done per node.
    """
    row = np.zeros(tree.num_nodes, dtype=np.int32)
    table: list[Number] = [1]
    numbers: dict[Number, int] = {1: 0}
    after_chance = tree.probability >= 0
    base = len(tree.probabilities)
    for level in tree.levels():
        row[level] = row[tree.parent[level]]
        dealt = np.flatnonzero(after_chance[level]) + level.start
        if not len(dealt):
            continue
        pairs, inverse = np.unique(
            row[dealt].astype(np.int64) * base + tree.probability[dealt], return_inverse=True
        )
        rows = []
        for pair in pairs.tolist():
            product = table[pair // base] * tree.probabilities[pair % base]
            rows.append(numbers.setdefault(product, len(table)))
            if rows[-1] == len(table):
                table.append(product)
        row[dealt] = np.array(rows, dtype=np.int32)[inverse]
    return row, table


def _constant_sum(
    tree: GameTree, reach_row: Ints, reaches: list[Number]
) -> tuple[Number | None, float]:
    """Return what the payoffs add up to at every leaf that chance lets happen, and the spread.

    The sum is None if it varies.
    """
    sums = [sum(row) for row in tree.payoffs]
    paying = np.unique(tree.payoff[(tree.payoff >= 0) & (tree.player != TERMINAL)])
    ends = np.flatnonzero(tree.player == TERMINAL)
    possible = np.array([reach > 0 for reach in reaches])
    if any(sums[row] != 0 for row in paying.tolist()):
        totals = _path_totals(tree, sums)[ends[possible[reach_row[ends]]]]
        return _constant(sorted(set(totals.tolist())), tree)
    used = np.unique(tree.payoff[ends[possible[reach_row[ends]]]])
    return _constant(sorted({sums[row] for row in used.tolist()}), tree)


def _path_totals(tree: GameTree, sums: list[Number]) -> Numbers:
    """Return the sum of all payoffs on the path to each node, an object array of numbers."""
    table = np.array([*sums, 0], dtype=object)
    totals = table[tree.payoff]
    for level in tree.levels():
        totals[level] += totals[tree.parent[level]]
    return totals


def _constant(values: list[Number], tree: GameTree) -> tuple[Number | None, float]:
    if not values:
        return 0, 0.0
    spread = values[-1] - values[0]
    scale = max((abs(float(u)) for row in tree.payoffs for u in row), default=0.0)
    allowed = 0 if tree.is_exact else CONSTANT_TOLERANCE * scale
    # twice: the spread of the sums, and the rounding of the sums themselves
    return (values[0], 2 * float(spread)) if spread <= allowed else (None, 0.0)
