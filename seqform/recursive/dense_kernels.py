"""Compiled loops over tables of pairs of types, for stages side by side; see `dense_stage`.

Tables are float32, float64 or int64 (types, types, num_stages): what is left of chances once one
player's types were summed over.
"""

from __future__ import annotations

from numba import njit

from seqform.base.arrays import Numbers


@njit(cache=True)  # type: ignore[untyped-decorator]
def summed(table: Numbers, vectors: Numbers, over_first: bool, out: Numbers) -> None:
    """Write sums over the first or the second type of a table times vectors.

    Parameters
    ----------
    vectors
        (num_vectors, types summed over, num_stages).
    over_first
        Which of the two that is.
    out
        (num_vectors, types left, num_stages).
    """
    stages = table.shape[2]
    out[:] = 0
    for first in range(table.shape[0]):
        for second in range(table.shape[1]):
            of, left = (first, second) if over_first else (second, first)
            for number in range(len(vectors)):
                for stage in range(stages):
                    out[number, left, stage] += (
                        table[first, second, stage] * vectors[number, of, stage]
                    )
