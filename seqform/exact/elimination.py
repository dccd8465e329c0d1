"""Elimination without fractions, for small systems too near to singular ones for floats.

Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian elimination", Mathematics
of Computation 22 (1968) 565-578.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.integer_matrix import IntegerMatrix


def eliminate(matrix: IntegerMatrix, rhs: Exact) -> tuple[Exact, int] | None:
    """Return the solution of a square system, or None if the matrix is singular.

    It is numerators and a denominator, in lowest terms.

    Examples
    --------
    >>> rows, columns = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> matrix = IntegerMatrix.from_entries(rows, columns, np.array([2, 1, 5]), (2, 2))
    >>> eliminate(matrix, np.array([1, 1]))
    (array([2, 1], dtype=object), 5)
    """
    found = by_determinant(matrix, rhs)
    if found is None:
        return None
    numerators, determinant = found
    common = gcd(determinant, *numerators.tolist()) * (1 if determinant > 0 else -1)
    return numerators // common, determinant // common


def by_determinant(matrix: IntegerMatrix, rhs: Exact) -> tuple[Exact, int] | None:
    """Return the solution of a square system times its determinant, and that; None if it is 0.

    This is Cramer's rule: where entries are polynomials, so are both.
    """
    size = len(rhs)
    rows = np.concatenate([matrix.to_dense(), rhs.astype(object)[:, None]], axis=1)
    before, sign = 1, 1
    for step in range(size):
        check_time("solving in fractions")
        candidates = np.flatnonzero(rows[step:, step])
        if not len(candidates):
            return None
        rows[[step, step + candidates[0]]] = rows[[step + candidates[0], step]]
        sign = -sign if candidates[0] else sign
        pivot, below = rows[step, step], slice(step + 1, None)
        rows[below, step:] = (
            pivot * rows[below, step:] - np.outer(rows[below, step], rows[step, step:])
        ) // before  # divides exactly
        before = pivot
    numerators = np.zeros(size, dtype=object)
    for step in reversed(range(size)):  # before is the determinant, up to the sign
        numerators[step] = (
            before * rows[step, size] - np.dot(rows[step, step + 1 : size], numerators[step + 1 :])
        ) // rows[step, step]
    return sign * numerators, sign * before
