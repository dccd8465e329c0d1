"""What observations of a signal game are paid and what follows them, in tables to be compared."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from abstraction.equal_rows import combine, equal_rows, table_of
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
            equal_rows(sp.csr_array(count_payoffs(structure, player, row)[1]))
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
    code = structure.observations[player][stage] * np.int32(len(values))
    code += number
    return values, structure.count(stage, code, size * len(values)).reshape(size, len(values))


def count_successors(
    structure: SignalStructure, player: int, stage: int, kind: Ints
) -> sp.csr_array:
    """Return in how many ways successors of each kind follow each observation.

    Returns
    -------
    counts
        int64 (num_observations, num_kinds).
    """
    shape = (structure.num_observations(player, stage), int(kind.max()) + 1)
    return table_of(
        structure.earlier(player, stage + 1), kind, structure.ways(player, stage + 1), shape
    )


def _distinct(values: Numbers) -> tuple[Numbers, Numbers]:
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high < low + 100:  # a few small integers: no need to sort
            return np.arange(low, high + 1), values - low
    distinct, number = np.unique(values, return_inverse=True)
    return distinct, number.astype(np.int32)
