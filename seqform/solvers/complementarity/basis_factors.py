"""A basis that changes by one column at a time: sparse LU factors and product-form updates.

After a pivot the inverse is multiplied by a matrix that differs from the identity in one column
(Dantzig & Orchard-Hays 1954). When there are many of these, the basis is factorized anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError

MOST_UPDATES = 64
"""Updates after which the basis is factorized anew."""


class BasisFactors:
    """The factors of a square sparse matrix whose columns are replaced one by one.

    Updates are kept in two long arrays, which are there once. As arrays of their own, of all sizes
    and between factors that come and go, they left holes: twice as much memory as is in use.

    Parameters
    ----------
    matrix
        The first basis.

    Raises
    ------
    SolverError
        If the matrix is singular in floating point.
    """

    def __init__(self, matrix: sp.csc_array) -> None:
        room = (MOST_UPDATES + 1) * matrix.shape[0]
        self._places, self._entries = np.empty(room, dtype=np.int64), np.empty(room)
        self.factorize(matrix)

    def factorize(self, matrix: sp.csc_array) -> None:
        """Begin anew, with another basis of the same size; errors as for the first."""
        self._factors: Any = None  # the old ones need no room beside the new
        self._updates: list[tuple[int, float, slice]] = []
        self._used = 0
        try:
            self._factors = splu(matrix)
        except RuntimeError:
            raise SolverError("a basis is singular, or too near to it for floats") from None

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
        for position, pivot, part in self._updates:
            size = solution[position]
            if size:
                size /= pivot
                solution[self._places[part]] -= size * self._entries[part]
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
        part = slice(self._used, self._used + len(places))
        self._places[part], self._entries[part] = places, column[places]
        self._updates.append((position, float(column[position]), part))
        self._used = part.stop
