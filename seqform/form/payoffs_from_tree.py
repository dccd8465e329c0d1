"""The payoffs of a game tree, added up over the nodes at which the same sequences meet.

A float is the rational number that it is. So every entry is added up exactly, and in a game with
floats rounded once, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Exact, Index, Ints, Numbers, is_first
from seqform.base.deadline import check_time
from seqform.base.number import is_exact, over_common_denominator
from seqform.form.constant_sum import constant_sum
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.payoff_sums import ratios
from seqform.form.payoff_tensor import PayoffTensor, tensor_of
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.tree.tree import GameTree


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
    reach_row, reaches = exact_chance_reach(tree)
    constant, spread = constant_sum(tree)
    meeting = _Meeting(tree, treeplexes, at_node, reach_row, reaches)
    if tree.num_players == 2 and constant is not None:
        shape = (treeplexes[0].num_sequences, treeplexes[1].num_sequences)
        numbers, denominator = meeting.sums(0)
        rows, columns = meeting.sequences()
        operator = SparsePayoff.from_sorted(rows, columns, numbers, denominator, shape)
        return ZeroSumPayoffs(operator, constant, spread)
    sums = [meeting.sums(player) for player in range(tree.num_players)]
    return tensor_of(
        np.ascontiguousarray(meeting.sequences().T),
        [numbers for numbers, _ in sums],
        [denominator is not None for _, denominator in sums],
        tuple(denominator or 1 for _, denominator in sums),
        constant,
    )


class _Meeting:
    """The paying nodes, in the order of the players' sequences that meet there."""

    def __init__(
        self,
        tree: GameTree,
        treeplexes: Sequence[Treeplex],
        at_node: Ints,
        reach_row: Ints,
        reaches: list[Fraction],
    ) -> None:
        nodes = np.flatnonzero(tree.payoff >= 0)
        self._at = at_node[:, nodes]
        key = self._keys(treeplexes)
        self._order = np.argsort(key, kind="stable")
        key = key[self._order]
        self._starts: Index = np.flatnonzero(is_first(key))
        base = max(1, len(tree.payoffs))
        pairs, pair_of = np.unique(
            reach_row[nodes].astype(np.int64) * base + tree.payoff[nodes], return_inverse=True
        )
        self._pair_of = pair_of[self._order]
        self._pairs = [
            (reaches[pair // base], tree.payoffs[pair % base]) for pair in pairs.tolist()
        ]
        self._exact_chances = all(map(is_exact, tree.probabilities))

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

        Integers over the denominator that is returned; where there are floats, float64 and None.
        """
        paid = [payoffs[player] for _, payoffs in self._pairs]
        products = [
            (reach.numerator * above, reach.denominator * below)
            for (reach, _), (above, below) in zip(
                self._pairs, (payoff.as_integer_ratio() for payoff in paid), strict=True
            )
        ]
        integers, denominator = over_common_denominator(products)
        sums = self._add_up(integers)
        if self._exact_chances and all(map(is_exact, paid)):
            return sums, denominator
        return ratios(sums, denominator), None

    def _add_up(self, integers: list[int]) -> Exact:
        """Return the sums of the pairs' integers at each meeting point."""
        longest = int(np.diff(np.append(self._starts, len(self._pair_of))).max())
        fits = max(map(abs, integers)) * longest < 2**63
        values = np.array(integers, dtype=np.int64 if fits else object)
        return np.add.reduceat(values[self._pair_of], self._starts)


def exact_chance_reach(tree: GameTree) -> tuple[Ints, list[Fraction]]:
    """Return chance's part in the reach of each node: rows of a table of distinct numbers.

    The few distinct products are exact; no arithmetic is done per node.
    """
    row = np.zeros(tree.num_nodes, dtype=np.int32)
    table = [Fraction(1)]
    numbers = {table[0]: 0}
    probabilities = [Fraction(probability) for probability in tree.probabilities]
    after_chance = tree.probability >= 0
    base = len(probabilities)
    for level in tree.levels():
        check_time("adding up payoffs")
        row[level] = row[tree.parent[level]]
        dealt = np.flatnonzero(after_chance[level]) + level.start
        if not len(dealt):
            continue
        pairs, inverse = np.unique(
            row[dealt].astype(np.int64) * base + tree.probability[dealt], return_inverse=True
        )
        rows = []
        for pair in pairs.tolist():
            product = table[pair // base] * probabilities[pair % base]
            rows.append(numbers.setdefault(product, len(table)))
            if rows[-1] == len(table):
                table.append(product)
        row[dealt] = np.array(rows, dtype=np.int32)[inverse]
    return row, table
