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
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.solvers.saddle.program import SaddleProgram

logger = logging.getLogger(__name__)

ADDED, MOST_ADDED, MORE = 1e-9, 1e-6, 100.0
"""What is added to the diagonal: at first, at most, and by how much more when factors fail."""

REFINEMENTS, EXACT, USELESS = 8, 1e-10, 1e-3
"""Steps of refinement at most, and residuals, next to the right side: that ends it, and with which
a direction is not worth taking."""


class NewtonEquations:
    """The equations of one program, for one diagonal after the other."""

    def __init__(self, program: SaddleProgram) -> None:
        self.program, self.added = program, ADDED
        own, rows = program.num_own, len(program.totals)
        own_rows = program.treeplexes[0].num_infosets + 1
        sequences = len(program.near)
        self.signs = np.ones(sequences + rows)
        self.signs[own:sequences] = self.signs[sequences + own_rows :] = -1.0
        self.fixed_part = np.concatenate([-np.ones(sequences), np.ones(rows)]) * self.signs
        self.matrix = _upper_triangle(program, self.signs)
        self.places = self.matrix.indptr[1:] - 1
        self.diagonal = np.ones(sequences)
        self.factors: Any = None

    def factor(self, diagonal: Floats) -> None:
        """Take a positive diagonal D, float64 (sequences of both,)."""
        self.diagonal = diagonal
        self._factor()

    def _factor(self) -> None:
        while True:
            size = np.full(len(self.signs), self.added)
            size[: len(self.diagonal)] += self.diagonal
            self.matrix.data[self.places] = self.fixed_part * size
            try:
                return self._take(self.matrix)
            except RuntimeError as error:  # a pivot of the wrong sign
                if not self._add_more():
                    raise SolverError(f"QDLDL: {error}") from None

    def _take(self, matrix: sp.csc_matrix) -> None:
        from qdldl import Solver

        if self.factors is None:
            self.factors = Solver(matrix, True)
        else:
            self.factors.update(matrix, True)

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
        least, enough = np.inf, EXACT * np.abs(right).max()
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
        found: Floats = self.factors.solve(self.signs * right)
        return found

    def _times(self, direction: Floats) -> Floats:
        program = self.program
        plans, values = np.split(direction, [len(self.diagonal)])
        return np.concatenate(
            [
                program.gains(plans)
                - self.diagonal * plans
                - program.constraints_transposed @ values,
                self.added * values - program.constraints @ plans,
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
