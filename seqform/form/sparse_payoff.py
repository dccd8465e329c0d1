"""Player 0's payoffs as a matrix with every entry stored, and exact numerators beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix, filled, longest, turned
from seqform.form.payoff_sums import ratios


@dataclass(frozen=True, eq=False)
class SparsePayoff:
    """A payoff matrix kept as CSR, with exact numerators beside the floats where the game is exact.

    Parameters
    ----------
    matrix
        float64 CSR without explicit zeros, except where `entry_errors` are not.
    numerators
        Integers with ``matrix.data == numerators / denominator`` up to rounding: int64, or object
        holding Python ints where int64 is too small; None for a game with floats.
    denominator
        The common denominator, 1 if `numerators` is None.
    entry_errors
        float64 (nnz,), bounds on how far entries are from the true ones; None where each is the
        true one rounded once.
    """

    matrix: sp.csr_array
    numerators: Exact | None = None
    denominator: int = 1
    entry_errors: Floats | None = None

    @classmethod
    def from_sorted(
        cls,
        rows: Ints | Index,
        columns: Ints | Index,
        numbers: Numbers,
        denominator: int | None,
        shape: tuple[int, int],
        errors: Floats | None = None,
    ) -> SparsePayoff:
        """Make a matrix of entries sorted by row and column.

        `numbers` are integers over `denominator`, or float64 if that is None; `errors` bound how
        far they are from the true ones, if they are not these rounded once.
        """
        keep = numbers != 0
        if errors is not None:
            keep |= errors > 0
        rows, columns, numbers = rows[keep], columns[keep].astype(np.int32), numbers[keep]
        ends = np.cumsum(np.bincount(rows, minlength=shape[0]))
        pointers = np.concatenate([[0], ends]).astype(np.int32)
        values = numbers if denominator is None else ratios(numbers, denominator)
        matrix = sp.csr_array((values, columns, pointers), shape=shape)
        if denominator is None:
            return cls(matrix, entry_errors=None if errors is None else errors[keep])
        return cls(matrix, numbers, denominator)

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""
        return self.matrix.shape  # type: ignore[no-any-return]

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries."""
        return int(self.matrix.nnz)

    @cached_property
    def _turned(self) -> sp.csr_array:
        """``A.T`` with, for each entry, its place in A's data."""
        return turned(self.matrix)

    @cached_property
    def _transposed(self) -> sp.csr_array:
        return filled(self._turned, self.matrix.data[self._turned.data])

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        return self.matrix @ y  # type: ignore[no-any-return]

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        return self._transposed @ x  # type: ignore[no-any-return]

    def absolute(self) -> SparsePayoff:
        """Return the operator of ``abs(A)``."""
        return self._with(np.abs(self.matrix.data))

    def errors(self) -> SparsePayoff | None:
        """Return the operator of `entry_errors`."""
        if self.entry_errors is None:
            return None
        return self._with(self.entry_errors)

    def _with(self, data: Floats) -> SparsePayoff:
        """Return the operator of other entries in the same places, which are turned once."""
        other = SparsePayoff(filled(self.matrix, data))
        vars(other)["_turned"] = self._turned
        return other

    def roundings(self, axis: int) -> int:
        """Return the most roundings: a term's entry, its product, and the additions of its row."""
        matrix = self.matrix if axis == 0 else self._turned
        return 1 + longest(matrix)

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]``."""
        return self.matrix[rows][:, columns]

    def to_sparse(self) -> SparsePayoff:
        """Return the operator itself."""
        return self

    def to_csr(self) -> sp.csr_array:
        """Return the matrix itself."""
        return self.matrix

    kronecker_terms = None

    @property
    def stored_csr(self) -> sp.csr_array:
        """The matrix itself."""
        return self.matrix

    def fingerprint(self) -> Iterator[bytes]:
        """Yield the arrays of the matrix as bytes."""
        return matrix_bytes(self.matrix)

    @property
    def is_exact(self) -> bool:
        """Whether there are numerators."""
        return self.numerators is not None

    def as_int64(self) -> sp.csr_array | None:
        """Return the numerators as int64 CSR, or None: of floats, or where sums may not fit."""
        if self.numerators is None or np.abs(self.numerators.astype(np.float64)).sum() >= 2.0**62:
            return None
        return filled(self.matrix, self.numerators.astype(np.int64))

    @cached_property
    def _integers(self) -> IntegerMatrix:
        if self.numerators is None:
            raise UnsupportedGameError(
                "these payoffs are floats and have no numerators: solve them without prove=True"
            )
        return IntegerMatrix(self.matrix, self.numerators, self._turned)

    def numerator_bound(self) -> int:
        """Return the largest numerator times the length of the longest row or column."""
        return max(self._integers.norm, self._integers.transposed.norm)

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``."""
        return self._integers.times(y)

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``."""
        return self._integers.transposed.times(x)


def matrix_bytes(matrix: sp.csr_array) -> Iterator[bytes]:
    """Yield row pointers, columns and entries of a matrix."""
    for array in (matrix.indptr, matrix.indices, matrix.data):
        yield np.ascontiguousarray(array).tobytes()
