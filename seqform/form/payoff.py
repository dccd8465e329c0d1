"""Payoff operators: expected payoffs as a bilinear (for n players multilinear) function of realization plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

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
