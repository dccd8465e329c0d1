"""A basis that changes by one column at a time: sparse LU factors and product-form updates.

After a pivot the inverse is multiplied by a matrix that differs from the identity in one column
(Dantzig & Orchard-Hays 1954). When there are many of these, the basis is factorized anew.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from seqform.base.arrays import Floats, Index
from seqform.base.errors import SolverError

MOST_UPDATES = 64
"""Updates after which the basis is factorized anew."""


class BasisFactors:
    """The factors of a square sparse matrix whose columns are replaced one by one.

    Raises
    ------
    SolverError
        If the matrix is singular in floating point.
    """

    def __init__(self, matrix: sp.csc_array) -> None:
        try:
            self._factors = splu(matrix)
        except RuntimeError:
            raise SolverError("a basis is singular, or too near to it for floats") from None
        self._updates: list[tuple[int, float, Index, Floats]] = []

    @property
    def num_updates(self) -> int:
        """Columns replaced since the matrix was factorized."""
        return len(self._updates)

    @property
    def is_worn(self) -> bool:
        """Whether to factorize anew."""
        return len(self._updates) >= MOST_UPDATES

    def solve(self, rhs: Floats) -> Floats:
        """Return the solution of the system with the matrix as it is now."""
        solution: Floats = self._factors.solve(rhs)
        for position, pivot, places, entries in self._updates:
            size = solution[position]
            if size:
                size /= pivot
                solution[places] -= size * entries
                solution[position] = size
        return solution

    def replace(self, position: int, column: Floats) -> None:
        """Replace a column.

        Parameters
        ----------
        position
            Which one.
        column
            The solution of the system with the new column as right-hand side.
        """
        places = np.flatnonzero(column)
        places = places[places != position]
        self._updates.append((position, float(column[position]), places, column[places]))
