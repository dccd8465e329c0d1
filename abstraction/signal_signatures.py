"""What observations of a signal game are paid and what follows them, in tables to be compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from abstraction.equal_rows import combine, equal_rows
from abstraction.integer_table import Table, table_of
from seqform.base.arrays import Index, Ints, Numbers
from seqform.game.observations import SignalStructure


def signatures(structure: SignalStructure, player: int) -> list[Ints]:
    """Return numbers of observations, equal for two if and only if their subtrees match.

    Returns
    -------
    signatures
        For each stage, int32 (num_observations,).
    """
    found: list[Ints] = []
    for stage in reversed(range(structure.num_stages)):
        parts: list[Numbers] = [structure.ways(player, stage)]
        parts += [
            equal_rows(_table(count_payoffs(structure, player, row)[1]))
            for row in structure.informative(stage)
        ]
        if found:
            parts.append(equal_rows(count_successors(structure, player, stage, found[0])))
        found.insert(0, combine(*parts))
    return found


def count_payoffs(
    structure: SignalStructure, player: int, row: int
) -> tuple[NDArray[np.generic], Index]:
    """Return how often each observation gets each payoff at an outcome.

    Returns
    -------
    payoffs
        Player 0's payoffs at stake 1, ascending.
    counts
        int64 (num_observations, num_payoffs).
    """
    stage = structure.outcomes[row][1]
    values, number = _distinct(structure.payoffs[row])
    size = structure.num_observations(player, stage)
    observed = structure.observations[player][stage]
    if size * len(values) >= 2**31:
        observed = observed.astype(np.int64)
    code = observed * observed.dtype.type(len(values))
    code += number.astype(code.dtype, copy=False)
    return values, structure.count(stage, code, size * len(values)).reshape(size, len(values))


def count_successors(structure: SignalStructure, player: int, stage: int, kind: Ints) -> Table:
    """Return in how many ways successors of each kind follow each observation.

    The table has a row for each observation and a column for each kind.
    """
    shape = (structure.num_observations(player, stage), int(kind.max()) + 1)
    ways = structure.ways(player, stage + 1)
    return table_of(structure.earlier(player, stage + 1), kind, ways, shape)


def _table(counts: Index) -> Table:
    row, column = np.nonzero(counts)
    return table_of(row, column, counts[row, column], counts.shape)


def _distinct(values: Numbers) -> tuple[Numbers, Numbers]:
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high < low + 100:  # a few small integers: no need to sort
            return np.arange(low, high + 1), values - low
    distinct, number = np.unique(values, return_inverse=True)
    return distinct, number.astype(np.int32)
