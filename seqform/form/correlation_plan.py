"""Correlation plans in fractions: how likely each relevant pair of sequences is recommended.

A block of relevant pairs, the moves at two information sets, has given sums: its rows add up to
weights of a block above, and so do its columns. So a block is a transportation problem, and blocks
can be filled one after the other, from the empty sequences on. That is how a solver's floats are
rounded to a plan that satisfies its constraints exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.summary import counted
from seqform.form.relevant_pairs import NOWHERE, RelevantPairs

BITS = 60
"""Of the common denominator of rounded plans: more than floats have below 1."""


@dataclass(frozen=True, eq=False)
class CorrelationPlan:
    """The weights of relevant pairs, as integers over a common denominator.

    Parameters
    ----------
    pairs
        What the weights are of.
    numerators
        object (num_pairs,), Python ints.
    denominator
        Of all of them; positive.
    """

    pairs: RelevantPairs
    numerators: Exact
    denominator: int

    def weight(self, mine: int, theirs: int) -> Fraction:
        """Return the weight of a relevant pair of sequences."""
        place = int(self.pairs.pair(np.array([mine]), np.array([theirs]))[0])
        return Fraction(int(self.numerators[place]), self.denominator)

    def to_float(self) -> Floats:
        """Return the weights as float64 (num_pairs,)."""
        return np.array([int(n) / self.denominator for n in self.numerators], dtype=np.float64)

    def reduced(self) -> CorrelationPlan:
        """Return the same plan in lowest terms."""
        common = gcd(self.denominator, *{int(n) for n in self.numerators})
        if common == 1:
            return self
        return CorrelationPlan(self.pairs, self.numerators // common, self.denominator // common)

    def check(self) -> None:
        """Check that this is a point of the von Stengel-Forges polytope.

        Sums are taken over the moves at each information set, without the matrix of constraints
        that solvers get.

        Raises
        ------
        InvalidStrategyError
            With the pair at which it is wrong.
        """
        numerators, pairs = self.numerators, self.pairs
        if len(numerators) != pairs.num_pairs or self.denominator < 1:
            raise InvalidStrategyError(
                f"a correlation plan here has {counted(pairs.num_pairs, 'weight')} over a positive "
                f"denominator, not {len(numerators)} over {self.denominator}"
            )
        negative = np.flatnonzero(numerators < 0)
        if len(negative):
            raise InvalidStrategyError(f"the weight of {self._name(int(negative[0]))} is negative")
        if numerators[0] != self.denominator:
            raise InvalidStrategyError("the weight of the pair of empty sequences is not 1")
        for player in (0, 1):
            self._check_sums(player)

    def of_game(self, pairs: RelevantPairs) -> CorrelationPlan:
        """Return the same weights, checked, for the pairs of a game.

        Raises
        ------
        InvalidStrategyError
            If they are of another game, or as `check`.
        """
        if pairs.infosets.tolist() != self.pairs.infosets.tolist():
            raise InvalidStrategyError("the correlation plan is of another game")
        plan = CorrelationPlan(pairs, self.numerators, self.denominator)
        plan.check()
        return plan

    def _check_sums(self, player: int) -> None:
        """Check the sums over a player's moves, block by block."""
        pairs = self.pairs
        check_time("checking a correlation plan")
        for block in np.flatnonzero(pairs.infosets[:, player] != NOWHERE).tolist():
            weights = self.block(block)
            sums = weights.sum(axis=0) if player == 0 else weights.sum(axis=1)
            above = self.numerators[above_block(pairs, block, player)]
            if (sums != above).any():
                raise InvalidStrategyError(
                    f"the weights of {self._name(int(pairs.first_pair[block]))} and of the other "
                    f"moves of player {player} there do not add up to the weight above"
                )

    def block(self, block: int) -> Exact:
        """Return the weights of a block, one row for each move of player 0."""
        start, stop = self.pairs.first_pair[block : block + 2]
        return self.numerators[start:stop].reshape(self.pairs.shape[block])

    def _name(self, pair: int) -> str:
        mine, theirs = self.pairs.pairs.sequences
        return f"the sequences {int(mine[pair])} of player 0 and {int(theirs[pair])} of player 1"


def above_block(pairs: RelevantPairs, block: int, player: int) -> Index:
    """Return the pairs that a block's weights add up to, over the moves of a player."""
    infoset = pairs.infosets[block, player]
    above = int(pairs.treeplexes[player].parent_sequence[infoset])
    start, count = pairs.first_sequence[block, 1 - player], pairs.shape[block, 1 - player]
    return pairs.of(player, np.full(count, above), np.arange(start, start + count))


def product_plan(
    pairs: RelevantPairs, plans: Sequence[Exact], denominators: Sequence[int]
) -> CorrelationPlan:
    """Return the plan of two players who do not correlate.

    Parameters
    ----------
    pairs
        Of the game.
    plans
        For each player its realization plan in integers, (num_sequences,).
    denominators
        For each player the common denominator.
    """
    mine, theirs = (
        plan.astype(object)[sequences]
        for plan, sequences in zip(plans, pairs.pairs.sequences, strict=True)
    )
    return CorrelationPlan(pairs, mine * theirs, denominators[0] * denominators[1])


def exact_plan(pairs: RelevantPairs, weights: Sequence[Fraction]) -> CorrelationPlan:
    """Return the plan of weights that are fractions; it is not checked."""
    common = lcm(*{weight.denominator for weight in weights})
    numerators = [w.numerator * (common // w.denominator) for w in weights]
    return CorrelationPlan(pairs, np.array(numerators, dtype=object), common)


def rounded_plan(pairs: RelevantPairs, weights: Floats, bits: int = BITS) -> CorrelationPlan:
    """Return a plan near to a solver's weights that satisfies all constraints exactly.

    Parameters
    ----------
    pairs
        Of the game.
    weights
        float64 (num_pairs,), finite; they may violate constraints a little.
    bits
        The plan's denominator is ``2**bits``.
    """
    unit = 2.0**bits
    wanted = [int(w) for w in np.maximum(weights, 0.0) * unit]
    wanted[0] = 1 << bits
    filled = np.array(wanted, dtype=object)
    for block in np.argsort(pairs.depth, kind="stable").tolist():
        check_time("rounding a correlation plan")
        start, stop = pairs.first_pair[block : block + 2].tolist()
        sums = [
            None
            if pairs.infosets[block, player] == NOWHERE
            else filled[above_block(pairs, block, player)].tolist()
            for player in (0, 1)
        ]
        rows, columns = pairs.shape[block].tolist()
        table = [wanted[start + i * columns : start + (i + 1) * columns] for i in range(rows)]
        filled[start:stop] = _filled(table, sums[1], sums[0])
    return CorrelationPlan(pairs, filled, 1 << bits)


def _filled(
    table: list[list[int]], of_rows: list[int] | None, of_columns: list[int] | None
) -> list[int]:
    """Return a table near to another whose rows and columns have given sums, row after row.

    The sums of rows and those of columns have the same total; None: any sums. Entries that are too
    much are taken off first. What is missing then is filled in from the first row on, the rule of
    the north-west corner.
    """
    if of_rows is None:
        if of_columns is None:
            return [entry for row in table for entry in row]
        columns = [
            _scaled(list(c), s) for c, s in zip(zip(*table, strict=True), of_columns, strict=True)
        ]
        return [entry for row in zip(*columns, strict=True) for entry in row]
    if of_columns is None:
        return [entry for row, s in zip(table, of_rows, strict=True) for entry in _scaled(row, s)]
    for row, total in zip(table, of_rows, strict=True):
        _take_off(row, range(len(row)), total)
    for column, total in enumerate(of_columns):
        values = [row[column] for row in table]
        _take_off(values, range(len(values)), total)
        for row, value in zip(table, values, strict=True):
            row[column] = value
    missing = [
        s - sum(column) for s, column in zip(of_columns, zip(*table, strict=True), strict=True)
    ]
    for row, total in zip(table, of_rows, strict=True):
        left, column = total - sum(row), 0
        while left:
            added = min(left, missing[column])
            row[column] += added
            missing[column] -= added
            left, column = left - added, column + 1
    return [entry for row in table for entry in row]


def _take_off(values: list[int], places: range, total: int) -> None:
    """Lower numbers, the largest first, until they add up to at most a total."""
    over = sum(values) - total
    while over > 0:
        place = max(places, key=values.__getitem__)
        less = min(over, values[place])
        values[place] -= less
        over -= less


def _scaled(values: list[int], total: int) -> list[int]:
    """Return integers in about the same proportions that add up to a total."""
    _take_off(values, range(len(values)), total)
    largest = max(range(len(values)), key=values.__getitem__)
    values[largest] += total - sum(values)
    return values
