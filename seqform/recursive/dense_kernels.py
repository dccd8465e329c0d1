"""Compiled loops over tables of pairs of types, for stages side by side; see `dense_stage`.

Tables are float32, float64 or int64 (types, types, num_stages): what is left of chances once one
player's types were summed over.
"""

from __future__ import annotations

from numba import njit

from seqform.base.arrays import Numbers


@njit(cache=True)  # type: ignore[untyped-decorator]
def over_second(table: Numbers, vectors: Numbers, out: Numbers) -> None:
    """Write sums over the second type of a table times vectors.

    Parameters
    ----------
    vectors
        (num_vectors, second types, num_stages).
    out
        (num_vectors, first types, num_stages).
    """
    stages = table.shape[2]
    out[:] = 0
    for first in range(table.shape[0]):
        for second in range(table.shape[1]):
            for number in range(len(vectors)):
                for stage in range(stages):
                    out[number, first, stage] += (
                        table[first, second, stage] * vectors[number, second, stage]
                    )


@njit(cache=True)  # type: ignore[untyped-decorator]
def over_first(table: Numbers, vectors: Numbers, out: Numbers) -> None:
    """Write sums over the first type of a table times vectors.

    Parameters
    ----------
    vectors
        (num_vectors, first types, num_stages).
    out
        (num_vectors, second types, num_stages).
    """
    stages = table.shape[2]
    out[:] = 0
    for first in range(table.shape[0]):
        for second in range(table.shape[1]):
            for number in range(len(vectors)):
                for stage in range(stages):
                    out[number, second, stage] += (
                        table[first, second, stage] * vectors[number, first, stage]
                    )
