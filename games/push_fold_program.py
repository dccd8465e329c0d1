"""The linear program of push or fold in floats, for one stack after another.

The small blind maximizes ``gain x - sum t`` with ``t >= -x pays``, ``t >= 0``, ``0 <= x <= 1``: a
class of the big blind calls where that costs the small blind something. What the rows are worth is
how often it does. The basis of one stack is a good one to begin the next with: from 25 big blinds
to 1 by steps of a tenth a stack takes one or two iterations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
import scipy.sparse as sp

from games.hand_classes import NUM_CLASSES
from games.preflop_equities import class_pairs
from games.push_fold_matrix import PushFoldMatrix
from seqform.base.arrays import Floats, Ints
from seqform.base.errors import SolverError
from seqform.solvers.linear.highs import FEASIBILITY_TOLERANCE
from seqform.solvers.linear.highs_model import pass_model, set_option
from seqform.solvers.linear.turn import SilentHighs, highs_turn

OPTIONS = {
    "presolve": "off",
    "parallel": "off",
    "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
    "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
}


class Frequencies(NamedTuple):
    """How often classes push and call: float64 (169,) each."""

    push: Floats
    call: Floats


class PushFoldProgram:
    """Solves one game after another, each from where the one before it ended."""

    def __init__(self) -> None:
        self._highs: Any = SilentHighs()  # type: ignore[no-untyped-call]
        for name, value in OPTIONS.items():
            set_option(self._highs, name, value)
        self._basis: Any = None

    def solve(self, game: PushFoldMatrix) -> Frequencies:
        """Return an equilibrium, as exact as floats are.

        Raises
        ------
        SolverError
            If the program is not solved.
        """
        highs = self._highs
        with highs_turn():
            _give(highs, game)
            if self._basis is not None:
                highs.setBasis(self._basis)
            highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(
                f"the program of push or fold was not solved: {highs.modelStatusToString(status)}"
            )
        self._basis, found = highs.getBasis(), highs.getSolution()
        return Frequencies(np.array(found.col_value)[:NUM_CLASSES], -np.array(found.row_dual))


def _give(highs: Any, game: PushFoldMatrix) -> None:
    """Give HiGHS the program; amounts are big blinds, added up over pairs of hands."""
    scale = game.unit / int(class_pairs().deals.sum())
    pays = np.asarray(game.pays / scale, dtype=float)
    ones, endless = np.ones(NUM_CLASSES), np.full(NUM_CLASSES, np.inf)
    matrix = sp.csc_array((np.append(pays, ones), ROWS, STARTS), shape=SHAPE)
    objective = np.append(np.asarray(game.gain / scale, dtype=float), -ones)
    columns = np.zeros(SHAPE[1]), np.append(ones, endless)
    pass_model(highs, matrix, objective, columns, (np.zeros(SHAPE[0]), endless))


SHAPE = NUM_CLASSES, 2 * NUM_CLASSES
STARTS: Ints = np.append(
    NUM_CLASSES * np.arange(NUM_CLASSES), NUM_CLASSES**2 + np.arange(NUM_CLASSES + 1)
).astype(np.int32)
ROWS: Ints = np.tile(np.arange(NUM_CLASSES), NUM_CLASSES + 1).astype(np.int32)
"""The places of the entries: columns of pushes are full, and those of t have one entry each."""
