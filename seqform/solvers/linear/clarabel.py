"""Clarabel: a primal-dual interior point method, fast on large sequence forms.

Goulart & Chen, "Clarabel: an interior-point solver for conic programs with quadratic objectives",
arXiv 2405.12762.
"""

from __future__ import annotations

from math import inf, log2
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus
from seqform.solvers.linear.solver import Feature, LPOptions

TOLERANCE = 1e-12
"""On gap and feasibility. At the usual 1e-8 the true nash_gap is up to 1e5 times larger than
claimed."""

LARGEST_PAYOFF = 2.0**14
"""Of a game, in the unit that payoffs are given in; a few powers of two off cost digits
(docs/explanation/sparsified-program.md)."""


def solve_clarabel(
    program: LinearProgram,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    threads: int = 1,
) -> LPSolution:
    """Solve a linear program with Clarabel.

    An interior point is not a vertex: no entry of the plans is exactly zero, and the answer is only
    as good as its certificate says.

    Raises
    ------
    SolverError
        If Clarabel is not installed.
    """
    try:
        import clarabel
    except ImportError as error:
        raise SolverError(
            "Clarabel is not installed: pip install clarabel, or use solver='highs'"
        ) from error
    matrix, bounds, cones = _conic(program, clarabel)
    settings = make_settings(clarabel, tolerance, threads, max_iterations=500)
    if time_limit is not None:
        settings.time_limit = time_limit
    size = program.num_columns
    quadratic = sp.csc_matrix((size, size))
    answer = clarabel.DefaultSolver(
        quadratic, -program.objective, matrix, bounds, cones, settings
    ).solve()
    return _result(program, answer)


class Clarabel:
    """Clarabel as a solver that can be named."""

    name = "clarabel"
    engines = ()
    features = frozenset({Feature.TIME_LIMIT, Feature.THREADS})

    def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
        """Solve a program; see `solve_clarabel`."""
        return solve_clarabel(program, time_limit=options.time_limit, threads=options.threads)


CLARABEL = Clarabel()


def make_settings(clarabel: Any, tolerance: float, threads: int, max_iterations: int) -> Any:
    """Return settings for the accuracy that games need."""
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = threads
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_iter = max_iterations
    # by default iterative refinement stops early, and large games end at gaps of 1e-8
    settings.iterative_refinement_max_iter = 30
    settings.iterative_refinement_reltol = settings.iterative_refinement_abstol = 1e-15
    return settings


def _conic(program: LinearProgram, clarabel: Any) -> tuple[sp.csc_matrix, Floats, list[Any]]:
    """Return the program as ``G z + s = b``, with the cones of s.

    Rows are equalities, then the opponent's, then ``x >= 0``; payoffs are divided by
    `payoff_unit`.
    """
    equalities, plan = program.num_equalities, program.num_plan
    matrix = program.matrix.tocoo()
    inequality = matrix.row >= equalities
    payoff = inequality & (matrix.col < program.num_columns - program.num_free)
    values = np.where(inequality, -matrix.data, matrix.data)
    values = values / np.where(payoff, payoff_unit(program), 1.0)
    positive = np.arange(plan)
    rows = np.concatenate([matrix.row, program.num_rows + positive])
    columns = np.concatenate([matrix.col, positive])
    values = np.concatenate([values, np.full(plan, -1.0)])
    shape = (program.num_rows + plan, program.num_columns)
    bounds = np.concatenate([program.row_lower, np.zeros(plan)])
    cones = [clarabel.ZeroConeT(equalities), clarabel.NonnegativeConeT(shape[0] - equalities)]
    return sp.csc_matrix((values, (rows, columns)), shape=shape), bounds, cones


def payoff_unit(program: LinearProgram) -> float:
    """Return the power of two that payoffs are divided by.

    The largest of the game is then near LARGEST_PAYOFF.
    """
    largest = program.scale * program.game.largest_payoff
    return 2.0 ** round(log2(largest / LARGEST_PAYOFF)) if 0 < largest < inf else 1.0


def _result(program: LinearProgram, answer: Any) -> LPSolution:
    message, iterations = str(answer.status), int(answer.iterations)
    limits = ("MaxTime", "MaxIterations")
    if message not in ("Solved", "AlmostSolved", "InsufficientProgress", *limits):
        return LPSolution(LPStatus.FAILED, None, None, message, "clarabel", iterations)
    reached = {"Solved": LPStatus.OPTIMAL} | dict.fromkeys(limits, LPStatus.LIMIT)
    status = reached.get(message, LPStatus.UNPROVEN)
    primal, duals = np.array(answer.x), np.array(answer.z)[: program.num_rows]
    if not (np.isfinite(primal).all() and np.isfinite(duals).all()):
        status = LPStatus.LIMIT if message in limits else LPStatus.FAILED
        message = f"{message}, with infinite entries"
        return LPSolution(status, None, None, message, "clarabel", iterations)
    primal[program.num_columns - program.num_free :] *= payoff_unit(program)
    return LPSolution(status, primal, duals, message, "clarabel", iterations)
