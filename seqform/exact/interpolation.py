"""Polynomials from their values at integers, by Newton's divided differences."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.errors import SolverError

AGREEING = 2
"""So many values in a row that are those of the polynomial found so far end the search."""

MOST = 3_000
"""Values that are asked for at most."""


def polynomials(value: Callable[[int], Exact | None]) -> Exact:
    """Return the integer polynomials that have the values given at integers.

    The degree is found by trying, so it is likely, and not certain, that these are the ones.

    Parameters
    ----------
    value
        Takes an integer to the values there: Python ints, object (n,); or None, to ask elsewhere.

    Returns
    -------
    coefficients
        Python ints, object (num_powers, n), the lowest power first.

    Raises
    ------
    SolverError
        If there are none of a degree below `MOST`.

    Examples
    --------
    >>> polynomials(lambda t: np.array([t**2 - 1, 7], dtype=object)).tolist()
    [[-1, 7], [0, 0], [1, 0]]
    """
    points: list[int] = []
    differences: list[Exact] = []
    agreeing = 0
    for point in range(1, MOST):
        check_time("finding plans that tremble")
        there = value(point)
        if there is None:
            continue
        difference, scale = there, 1
        for earlier, known in zip(points, differences, strict=True):
            difference, scale = difference - scale * known, scale * (point - earlier)
        agreeing = 0 if difference.any() else agreeing + 1
        if agreeing == AGREEING:
            return _expanded(points, differences)
        points.append(point)
        differences.append(np.array([Fraction(d, scale) for d in difference], dtype=object))
    raise SolverError(f"no polynomials of a degree below {MOST:,} have the values that were found")


def _expanded(points: list[int], differences: list[Exact]) -> Exact:
    """Return the coefficients of Newton's form, by Horner's rule."""
    width = len(differences[0])
    found = np.zeros((1, width), dtype=object)
    for point, difference in zip(reversed(points), reversed(differences), strict=True):
        shifted = np.zeros((len(found) + 1, width), dtype=object)
        shifted[1:] = found
        shifted[:-1] -= point * found
        shifted[0] += difference
        found = shifted
    if any(entry.denominator != 1 for entry in found.ravel().tolist()):
        raise SolverError("the values found are those of no polynomials in integers")
    whole = np.array([[int(entry) for entry in row] for row in found.tolist()], dtype=object)
    return whole[: int(np.flatnonzero(whole.any(axis=1))[-1]) + 1]
