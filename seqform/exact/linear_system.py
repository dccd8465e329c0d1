"""solve_exactly: the rational solution of a sparse nonsingular system of integers, of any size.

Z. Wan, "An algorithm to solve integer linear systems exactly using numerical methods", J. Symbolic
Computation 41 (2006) 621-632. A floating-point factorization of B is applied to the right-hand side
again and again. Each application gives some more binary digits d of the solution, rounded to
integers. The residual they leave, ``2**STEP * r - B d``, is computed without rounding. With enough
digits, only one fraction of the solution's size is near them (`seqform.exact.reconstruct`). Finally
``B x = b`` is checked in integers.

Small systems that are too near to singular ones for floats are eliminated without fractions:
Bareiss, "Sylvester's identity and multistep integer-preserving Gaussian elimination", Mathematics
of Computation 22 (1968) 565-578.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import gcd, inf, lcm, log2
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import SolverError
from seqform.base.integer_matrix import FLOAT_BITS, IntegerMatrix, largest
from seqform.base.summary import counted
from seqform.exact.reconstruct import common_denominator


class _Solve(Protocol):
    def __call__(self, vector: Floats, transposed: bool) -> Floats:
        """Return about what a matrix, or its transpose, takes to the vector."""


STEPS = (32, 16, 8)
"""Binary digits that one application of the factorization adds; the next fewer are tried where it
is too inaccurate."""

ROOM = 2.0**61
"""Remainders beyond this are taken to grow without limit; int64 has twice that."""

WHOLE = 2.0**20
"""Solutions up to this size need no search for integers near them."""

MOST_BITS = 100_000
"""Digits beyond which no fraction is looked for."""

DENSE_UP_TO = 100
"""Equations up to which a dense inverse serves: it is as fast there as loading SciPy's sparse
factorization."""

ELIMINATE_UP_TO = 150
"""Equations up to which elimination in integers, which takes a second there, is the last resort."""

FIRST, GROWTH = 64, 1.6
"""Bits after which a fraction is looked for first, and how many times more before each next
look."""


class ExactSystem:
    """A factorized matrix, for the exact solutions of systems with it and with its transpose.

    Raises
    ------
    SolverError
        If the matrix is not square; or if it is singular in floats, or beyond their range, and too
        large to be eliminated without them.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        if matrix.shape[0] != matrix.shape[1]:
            raise SolverError(
                f"a system of {matrix.shape[0]} equations "
                f"in {matrix.shape[1]} unknowns is not square"
            )
        self.matrix = matrix
        self._solve: _Solve | None = None
        try:
            self._solve = _factorize(matrix)
        except (RuntimeError, np.linalg.LinAlgError, OverflowError):
            if matrix.shape[0] > ELIMINATE_UP_TO:
                raise SolverError(
                    "the matrix is singular, or too near to it for floats, or beyond their range"
                ) from None

    def solve(self, rhs: Exact, transposed: bool = False) -> tuple[Exact, int]:
        """Return the exact solution as numerators and their common denominator.

        Numerators are object (n,); the denominator is positive and in lowest terms.

        Raises
        ------
        SolverError
            If the matrix is singular; or, if it is large, nearly singular, or the fractions are too
            long.
        """
        matrix = self.matrix.transposed if transposed else self.matrix
        if self._solve is not None:
            solve = partial(self._solve, transposed=transposed)
            for step in STEPS:
                found = _Digits(matrix, rhs, solve, step).fractions()
                if found is not None:
                    return found
        if len(rhs) > ELIMINATE_UP_TO:
            raise SolverError(
                f"no fractions of {MOST_BITS} bits solve this system of "
                f"{counted(len(rhs), 'equation')}; it is too near to a singular one"
            )
        found = eliminate(matrix, rhs)
        if found is None:
            raise SolverError("the matrix is singular")
        return found

    def approximately(self, rhs: Exact, transposed: bool = False) -> Floats:
        """Return about the solution, float64 (n,); NaN where floats have none."""
        if self._solve is None:
            return np.full(len(rhs), np.nan)
        return self._solve(rhs.astype(np.float64), transposed)

    def solve_all(self, sides: Exact, transposed: bool = False) -> tuple[Exact, int]:
        """Return the solutions for the rows of a matrix of right-hand sides, as `solve` does.

        Numerators are object, of the shape of the right-hand sides, over one denominator.

        Raises
        ------
        SolverError
            As `solve` does.
        """
        found = [self.solve(side, transposed) for side in sides]
        whole = lcm(*(below for _, below in found))
        return np.array([numbers * (whole // below) for numbers, below in found]), whole


def solve_exactly(matrix: IntegerMatrix, rhs: Exact) -> tuple[Exact, int]:
    """Return the solution of ``matrix @ x = rhs`` as numerators and their denominator.

    Numerators are object (n,); the denominator is positive and in lowest terms.

    Examples
    --------
    >>> rows, columns = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> matrix = IntegerMatrix.from_entries(rows, columns, np.array([2, 1, 5]), (2, 2))
    >>> solve_exactly(matrix, np.array([1, 1]))
    (array([2, 1], dtype=object), 5)

    Raises
    ------
    SolverError
        If the matrix is not square, or singular; or, if it is large, too near to a singular one for
        floats, or beyond their range.
    """
    return ExactSystem(matrix).solve(rhs)


def _factorize(matrix: IntegerMatrix) -> _Solve:
    """Return what solves systems with the matrix or its transpose in floats.

    Rows and columns are scaled by powers of two first.
    """
    invert = _dense_inverse if matrix.shape[0] <= DENSE_UP_TO else _sparse_inverse
    inverted, rows, columns = invert(matrix)

    def solve(vector: Floats, transposed: bool) -> Floats:
        before, after = (columns, rows) if transposed else (rows, columns)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite ends the search
            return after * inverted(before * vector, transposed)

    return solve


def _dense_inverse(matrix: IntegerMatrix) -> tuple[_Solve, Floats, Floats]:
    """Return what multiplies with the inverse of the scaled matrix, and its scales."""
    dense = matrix.spread(matrix.entries.astype(np.float64))
    rows = _scales(np.abs(dense).max(axis=1, initial=0.0))
    dense *= rows[:, None]
    columns = _scales(np.abs(dense).max(axis=0, initial=0.0))
    inverse = np.linalg.inv(dense * columns)

    def apply(vector: Floats, transposed: bool) -> Floats:
        return np.dot(inverse.T if transposed else inverse, vector)  # type: ignore[no-any-return]

    return apply, rows, columns


def _sparse_inverse(matrix: IntegerMatrix) -> tuple[_Solve, Floats, Floats]:
    """Return what solves systems with the scaled matrix by its factors, and its scales."""
    from scipy.sparse.linalg import splu

    floats = matrix.to_float()
    rows = _scales(abs(floats).max(axis=1).toarray())
    scaled = sp.diags_array(rows) @ floats
    columns = _scales(abs(scaled).max(axis=0).toarray())
    factors = splu((scaled @ sp.diags_array(columns)).tocsc())

    def apply(vector: Floats, transposed: bool) -> Floats:
        return factors.solve(vector, "T" if transposed else "N")  # type: ignore[no-any-return]

    return apply, rows, columns


def _scales(largest: Floats) -> Floats:
    """Return powers of two that bring the largest entries of rows or columns near to 1."""
    return 0.5 ** np.frexp(largest)[1].astype(np.float64)


class _Digits:
    """The binary digits of one solution, and what they leave of the right-hand side."""

    def __init__(
        self, matrix: IntegerMatrix, rhs: Exact, solve: Callable[[Floats], Floats], step: int
    ) -> None:
        self.matrix, self.rhs, self.step = matrix, rhs.astype(object), step
        self._solve = solve
        self._whole = np.zeros(len(rhs), dtype=object)
        self._digits: list[Index] = []
        self._rest = self.rhs
        self._wraps = False
        self._times: Any = matrix

    def fractions(self) -> tuple[Exact, int] | None:
        """Return the solution, or None if the digits do not converge."""
        if not self._find_whole():
            return None
        if max(self.matrix.norm, largest(self._rest)) < ROOM:
            self._wraps = True
            self._times = self.matrix.to_residues(dense=len(self.rhs) <= DENSE_UP_TO)
            self._rest = self._rest.astype(np.int64)
        bits = FIRST
        while bits <= MOST_BITS:
            while len(self._digits) * self.step < bits:
                check_time("finding the digits of an equilibrium")
                if not self._add():
                    return None
            found = common_denominator(
                self._numbers(), len(self._digits) * self.step, self._error()
            )
            if found is not None:
                numerators, denominator = np.array(found[0], dtype=object), found[1]
                if ((self.matrix @ numerators) == denominator * self.rhs).all():
                    return numerators, denominator
            bits = int(GROWTH * bits)
        return None

    def _find_whole(self) -> bool:
        """Find integers so near to the solution that digits can follow; return whether any are."""
        before = inf
        while True:
            check_time("finding the digits of an equilibrium")
            shift = max(0, largest(self._rest).bit_length() - FLOAT_BITS)
            estimate = self._solve((self._rest >> shift).astype(np.float64))
            size = float(np.abs(estimate).max(initial=0.0))
            if shift == 0 and size < WHOLE:
                return True
            if not shift + log2(size) < before - 1:  # not even one digit better, or not finite
                return False
            before = shift + log2(size)
            step = np.array(
                [int(entry) << shift for entry in np.rint(estimate).tolist()], dtype=object
            )
            self._whole, self._rest = self._whole + step, self._rest - self.matrix @ step

    def _add(self) -> bool:
        """Find the next digits; return whether the residual is small enough to go on."""
        estimate = self._solve(self._rest.astype(np.float64)) * 2.0**self.step
        if not (np.abs(estimate) < ROOM).all():
            return False
        digits = np.rint(estimate).astype(np.int64)
        self._digits.append(digits)
        if not self._wraps:
            self._rest = (self._rest << self.step) - self._times @ digits.astype(object)
            return True
        # modulo 2**64, which is exact for what lies in the range of int64
        shifted = self._rest.view(np.uint64) << np.uint64(self.step)
        self._rest = (shifted - self._times @ digits.view(np.uint64)).view(np.int64)
        return largest(self._rest) < ROOM

    def _error(self) -> int:
        """Bound how far the digits are from the solution, in units of the last one.

        The bound is four times what would come next.
        """
        left = np.abs(self._solve(self._rest.astype(np.float64))).max(initial=0.0)
        return 2 + int(4 * left)

    def _numbers(self) -> Iterator[int]:
        """Put the digits of each entry together."""
        digits = np.array(self._digits)
        for row in range(len(digits) - 1, 0, -1):
            digits[row - 1] += digits[row] >> self.step
        # modulo 2**step, by their type
        lower = digits[:0:-1].astype(f"<u{self.step // 8}").T.copy()
        shift = self.step * (len(digits) - 1)
        some = (digits.any(axis=0) | (self._whole != 0)).tolist()
        heads = zip(self._whole.tolist(), digits[0].tolist(), strict=True)
        for (whole, high), low, is_any in zip(heads, lower, some, strict=True):
            if not is_any:
                yield 0
                continue
            yield (((whole << self.step) + high) << shift) + int.from_bytes(low.tobytes(), "little")


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
