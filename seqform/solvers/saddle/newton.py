"""Newton's equations for the conditions of a proximal program, by a sparse factorisation.

With D the positive diagonal W + s/z, an iteration needs dz and dv of

    (M - D) dz - C' dv = f,   -C dz = g.

M is skew. Once the rows of player 1 change their sign, the matrix is symmetric, with positive and
negative blocks on its diagonal: quasidefinite, if small numbers (of the sign of their block) are
added to the diagonal. Then it has factors L D L' in any order of its rows (Vanderbei, SIAM J.
Optim. 5(1), 1995), so one order that keeps L sparse serves all iterations. What was added is taken
back by iterative refinement, but for a part on the values: there it is a proximal term of its own.
"""

from __future__ import annotations

import logging

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.errors import SolverError
from seqform.solvers.saddle.factors import Factors, QdldlFactors
from seqform.solvers.saddle.proximal_program import SaddleProgram

logger = logging.getLogger(__name__)

ADDED, MOST_ADDED, MORE = 1e-9, 1e-6, 100.0
"""What is added to the diagonal: at first, at most, and by how much more when factors fail."""

REFINEMENTS, EXACT, USELESS = 8, 1e-10, 1e-3
"""Steps of refinement at most, and residuals, next to the right side: that ends it, and with which
a direction is not worth taking."""


class NewtonEquations:
    """The equations of one program, for one diagonal after the other.

    Parameters
    ----------
    program
        The program.
    factors
        What factors their matrix.
    exact
        Which residual, next to the right side, is small enough.
    scalings
        Rounds of equilibration of their matrix; each brings the logarithms of the largest entries
        of rows half as near to 0.
    """

    def __init__(
        self,
        program: SaddleProgram,
        factors: Factors | None = None,
        exact: float = EXACT,
        scalings: int = 0,
    ) -> None:
        self.program, self.added, self.exact = program, ADDED, exact
        self.factors = QdldlFactors() if factors is None else factors
        own, rows = program.num_own, len(program.totals)
        own_rows = program.treeplexes[0].num_infosets + 1
        sequences = len(program.near)
        self.signs = np.ones(sequences + rows)
        self.signs[own:sequences] = self.signs[sequences + own_rows :] = -1.0
        self.fixed_part = np.concatenate([-np.ones(sequences), np.ones(rows)]) * self.signs
        matrix = _upper_triangle(program, self.signs)
        self.matrix = matrix.tocsr() if self.factors.by_rows else matrix
        self.places = _places_of_the_diagonal(self.matrix, self.factors.by_rows)
        self.scale = _equilibrated(self.matrix, self.places, scalings)
        self.diagonal = np.ones(sequences)

    def factor(self, diagonal: Floats) -> None:
        """Take a positive diagonal D, float64 (sequences of both,)."""
        self.diagonal = diagonal
        self._factor()

    def _factor(self) -> None:
        sequences = len(self.diagonal)
        while True:
            size = np.full(len(self.signs), self.added)
            size[:sequences] += self.diagonal * self.scale[:sequences] ** 2
            self.matrix.data[self.places] = self.fixed_part * size
            try:
                return self.factors.take(self.matrix)
            except SolverError:
                if not self._add_more():
                    raise

    @property
    def added_to_values(self) -> Floats:
        """What stays added to the diagonal of the values, float64 (values of both,)."""
        scale: Floats = self.scale[len(self.diagonal) :]
        return self.added / scale**2

    def _add_more(self) -> bool:
        """Add more to the diagonal from now on, and return whether more is allowed."""
        if self.added >= MOST_ADDED:
            return False
        self.added *= MORE
        logger.debug("adding %.1e to the diagonal", self.added)
        return True

    def solve(self, right: Floats) -> Floats | None:
        """Return the solution, float64 (sequences and values of both,), or None if it is useless.

        Where factors are not good enough more is added to the diagonal, for good.
        """
        while True:
            found, residual = self._refined(right)
            if residual <= USELESS * np.abs(right).max():
                return found
            if not self._add_more():
                return None
            self._factor()

    def _refined(self, right: Floats) -> tuple[Floats, float]:
        """Return the best solution of some steps of refinement, and its largest residual."""
        found = best = self._by_factors(right)
        least, enough = np.inf, self.exact * np.abs(right).max()
        for _ in range(REFINEMENTS):
            residuals = right - self._times(found)
            residual = float(np.abs(residuals).max())
            if not residual < least:
                break
            slow, best, least = residual > least / 2, found, residual
            if residual <= enough or slow:
                break
            found = found + self._by_factors(residuals)
        return best, least

    def _by_factors(self, right: Floats) -> Floats:
        return self.scale * self.factors.solve(self.signs * self.scale * right)

    def _times(self, direction: Floats) -> Floats:
        program = self.program
        plans, values = np.split(direction, [len(self.diagonal)])
        return np.concatenate(
            [
                program.gains(plans)
                - self.diagonal * plans
                - program.constraints_transposed @ values,
                self.added_to_values * values - program.constraints @ plans,
            ]
        )


def _upper_triangle(program: SaddleProgram, signs: Floats) -> sp.csc_matrix:
    """Return the upper triangle of the symmetric matrix, with ones on its diagonal for now."""
    sequences, rows = len(program.near), len(program.totals)
    own = program.num_own
    payoff = program.payoff.tocoo()
    above = (-program.constraints_transposed).tocoo()
    everywhere = np.arange(sequences + rows, dtype=np.int32)
    entries = np.concatenate([payoff.data, signs[above.row] * above.data, np.ones(len(signs))])
    places = (
        np.concatenate([payoff.row, above.row, everywhere]),
        np.concatenate([payoff.col + own, above.col + sequences, everywhere]),
    )
    matrix = sp.csc_matrix((entries, places), shape=(len(signs), len(signs)))
    matrix.sort_indices()
    return matrix


def _places_of_the_diagonal(matrix: sp.csc_matrix | sp.csr_matrix, by_rows: bool) -> Index:
    """Return where the diagonal's entries are: last in columns, first in rows."""
    starts: Index = matrix.indptr
    return starts[:-1].copy() if by_rows else starts[1:] - 1


def _equilibrated(matrix: sp.csc_matrix | sp.csr_matrix, places: Index, rounds: int) -> Floats:
    """Scale a symmetric matrix in place, and return the scale of each row.

    Afterwards the largest entries off the diagonal are about 1 in each row: what is added to the
    diagonal is then as little next to rare sequences as to the others.

    References
    ----------
    Ruiz, "A scaling algorithm to equilibrate both rows and columns norms in matrices", RAL-TR
    2001-034.
    """
    scale = np.ones(matrix.shape[0])
    matrix.data[places] = 0.0
    for _ in range(rounds):
        entries = abs(matrix)
        largest = np.maximum(*(entries.max(axis=k).toarray().ravel() for k in (0, 1)))
        factor = 1 / np.sqrt(np.where(largest > 0, largest, 1.0))
        along, across = np.diff(matrix.indptr), matrix.indices
        matrix.data *= np.repeat(factor, along) * factor[across]
        scale *= factor
    return scale
