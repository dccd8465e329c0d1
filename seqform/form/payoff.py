"""Payoff operators: expected payoffs as a bilinear (for n players multilinear) function of realization plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Exact
from seqform.base.integer_matrix import IntegerMatrix

Floats = NDArray[np.float64]
Index = NDArray[np.int64]


class PayoffOperator(Protocol):
    """Player 0's payoffs in a two-player game: ``x @ A @ y`` without saying how A is kept."""

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of A."""

    @property
    def denominator(self) -> int:
        """What numerators are over; 1 if there are none."""

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""

    def absolute(self) -> PayoffOperator:
        """Return the operator of ``abs(A)``, for bounds on rounding errors."""

    def max_terms(self, axis: int) -> int:
        """Return (a bound on) the most nonzeros of a row (axis 0) or of a column (axis 1): the additions behind one entry of a product."""

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]`` as float64 CSR, for sorted rows and columns."""

    def to_sparse(self) -> SparsePayoff:
        """Return A with every entry stored, exact numerators included where there are any."""

    def to_csr(self) -> sp.csr_array:
        """Return A as a float64 CSR matrix."""

    @property
    def stored_csr(self) -> sp.csr_array | None:
        """The matrix of `to_csr` if every entry is stored already, else None."""

    @property
    def kronecker_terms(self) -> Sequence[Any] | None:
        """What a `KroneckerPayoff` adds up, for methods that use its structure; None without it."""

    def fingerprint(self) -> Iterator[bytes]:
        """Yield all that A is made of, for digests by which saved searches know their game."""

    @property
    def is_exact(self) -> bool:
        """Whether numerators are known, so that products with them can be made in integers."""

    def numerator_bound(self) -> int:
        """Return a bound on what integer products add up.

        Products of ``denominator * A`` or its transpose with entries from 0 to z have entries of at
        most the bound times z, and so has every sum on the way to them.
        """

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``, from int64 to int64 or from Python ints to Python ints.

        That int64 does not overflow is for the caller to see: by `numerator_bound`.
        """

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``; see `integer_times`."""


@dataclass(frozen=True, eq=False)
class SparsePayoff:
    """A payoff matrix kept as CSR, with exact numerators beside the floats where the game is exact.

    Parameters
    ----------
    matrix
        float64 CSR without explicit zeros.
    numerators
        Integers with ``matrix.data == numerators / denominator`` up to rounding: int64, or object
        holding Python ints where int64 is too small; None for a game with floats.
    denominator
        The common denominator, 1 if `numerators` is None.
    """

    matrix: sp.csr_array
    numerators: NDArray[Any] | None = None
    denominator: int = 1

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""
        return self.matrix.shape  # type: ignore[no-any-return]

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries."""
        return int(self.matrix.nnz)

    @cached_property
    def _transposed(self) -> sp.csr_array:
        return self.matrix.T.tocsr()

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        return self.matrix @ y  # type: ignore[no-any-return]

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        return self._transposed @ x  # type: ignore[no-any-return]

    def absolute(self) -> SparsePayoff:
        """Return the operator of ``abs(A)``."""
        return SparsePayoff(abs(self.matrix))

    def max_terms(self, axis: int) -> int:
        """Return the most nonzeros of a row (axis 0) or of a column (axis 1)."""
        matrix = self.matrix if axis == 0 else self._transposed
        return int(np.diff(matrix.indptr).max())

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

    @cached_property
    def _integers(self) -> IntegerMatrix:
        assert self.numerators is not None, "see is_exact"
        return IntegerMatrix(self.matrix, self.numerators)

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


@dataclass(frozen=True, eq=False)
class PayoffTensor:
    """Payoffs of n players as a list of entries: where all players' sequences meet, what each is paid.

    Parameters
    ----------
    sequences
        int32 (num_entries, num_players), rows distinct.
    weights
        float64 (num_entries, num_players): chance weight times payoff of each player.
    """

    sequences: NDArray[np.int32]
    weights: Floats

    def gradient(self, player: int, plans: Sequence[Floats], absolute: bool = False) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan.

        With `absolute`, of the sum of absolute values, for bounds on rounding errors.
        """
        weight = self.weights[:, player]
        weight = np.abs(weight) if absolute else weight.copy()
        for other, plan in enumerate(plans):
            if other != player:
                weight *= plan[self.sequences[:, other]]
        sums: Floats = np.bincount(
            self.sequences[:, player], weight, minlength=len(plans[player])
        ).astype(np.float64)
        return sums

    def max_terms(self, player: int) -> int:
        """Return the most entries that meet in one sequence of the player."""
        return int(np.bincount(self.sequences[:, player]).max()) if len(self.sequences) else 0

    def without_zeros(self) -> PayoffTensor:
        """Return the same payoffs without entries that pay nobody anything."""
        keep = (self.weights != 0).any(axis=1)
        return PayoffTensor(self.sequences[keep], self.weights[keep])
