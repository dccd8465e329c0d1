"""Clarabel: a primal-dual interior point method, fast on large sequence forms.

Goulart & Chen, "Clarabel: an interior-point solver for conic programs with quadratic objectives",
arXiv 2405.12762.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.alarm import unbroken
from seqform.base.arrays import Floats
from seqform.base.deadline import deadline, deadline_of, require_time
from seqform.base.errors import SolverError
from seqform.base.interrupt import Interrupt
from seqform.base.progress import tell
from seqform.base.summary import counted
from seqform.solvers.linear.payoff_unit import in_unit, payoff_unit
from seqform.solvers.linear.program import (
    LinearProgram,
    LPSolution,
    LPStatus,
    Program,
    stalled,
)
from seqform.solvers.linear.solver import Feature, LPOptions

TOLERANCE = 1e-12
"""On gap and feasibility. At the usual 1e-8 the true nash_gap is up to 1e5 times larger than
claimed."""

SECONDS_PER_ENTRY = 1.5e-6
"""What setting up and one iteration take on one core, for each nonzero of the program: measured
8e-7 at 40,000 nonzeros and 1.9e-6 at 6,000,000. They cannot be stopped."""

ITERATIONS = 500
"""After so many it has stalled."""


def solve_clarabel(
    program: Program,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    threads: int = 1,
) -> LPSolution:
    """Solve a linear program with Clarabel.

    An interior point is not a vertex: no entry of the plans is exactly zero, and the answer is only
    as good as its certificate says. It stops before an iteration that would last, like the one
    before it, longer than the time limit; and at an interrupt.

    Raises
    ------
    SolverError
        If Clarabel is not installed.
    OutOfTimeError
        If the time limit is too short for one iteration, by an estimate.
    """
    try:
        import clarabel
    except ImportError as error:
        raise SolverError(
            "Clarabel is not installed: pip install clarabel, or use solver='highs'"
        ) from error
    end = min(deadline_of(time_limit), deadline())
    what = f"one iteration of Clarabel on {program.num_nonzeros:,} nonzeros"
    require_time(SECONDS_PER_ENTRY * program.num_nonzeros, what, end)
    unit, scaled = 1.0, program
    if isinstance(program, LinearProgram):
        unit = payoff_unit(program)
        scaled = in_unit(program, unit)
    matrix, bounds, cones = _conic(scaled, clarabel)
    settings = make_settings(clarabel, tolerance, threads, ITERATIONS)
    size = program.num_columns
    quadratic = sp.csc_matrix((size, size))
    with Interrupt(insist=False) as user:
        solver = clarabel.DefaultSolver(
            quadratic, -program.objective, matrix, bounds, cones, settings
        )
        solver.set_termination_callback(_Stop(user, end))
        return _result(program, solver.solve(), unit)


class _Stop:
    """Tells Clarabel, after each iteration, whether to stop: no time for another, or asked to.

    And tells whoever listens how far it has come.
    """

    def __init__(self, user: Interrupt, end: float) -> None:
        self._user, self._end, self._before = user, end, time.perf_counter()

    @unbroken
    def __call__(self, at: Any) -> bool:
        tell(f"Clarabel: {counted(at.iterations, 'iteration')}, gap {at.gap_rel:.2e}")
        now = time.perf_counter()
        took, self._before = now - self._before, now
        return self._user.asked or now + took > self._end


class Clarabel:
    """Clarabel as a solver that can be named."""

    name = "clarabel"
    engines = ()
    features = frozenset(
        {Feature.TIME_LIMIT, Feature.THREADS, Feature.GENERAL, Feature.APART, Feature.STEPS}
    )

    def solve(self, program: Program, options: LPOptions) -> LPSolution:
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


def _equalities(program: Program) -> int:
    """Return how many rows are equations; they come first."""
    return int((program.row_lower == program.row_upper).sum())


def _conic(program: Program, clarabel: Any) -> tuple[sp.csc_matrix, Floats, list[Any]]:
    """Return the program as ``G z + s = b``, with the cones of s.

    Rows are equations, then those that have lower bounds, then ``x >= 0`` for the columns that are
    not free, which come first.
    """
    equalities, plan = _equalities(program), int(np.isfinite(program.column_lower).sum())
    matrix = program.matrix.tocoo()
    inequality = matrix.row >= equalities
    values = np.where(inequality, -matrix.data, matrix.data)
    positive = np.arange(plan)
    rows = np.concatenate([matrix.row, program.num_rows + positive])
    columns = np.concatenate([matrix.col, positive])
    values = np.concatenate([values, np.full(plan, -1.0)])
    shape = (program.num_rows + plan, program.num_columns)
    lower = np.where(np.arange(program.num_rows) < equalities, 1.0, -1.0) * program.row_lower
    bounds = np.concatenate([lower, np.zeros(plan)])
    cones = [clarabel.ZeroConeT(equalities), clarabel.NonnegativeConeT(shape[0] - equalities)]
    return sp.csc_matrix((values, (rows, columns)), shape=shape), bounds, cones


def _result(program: Program, answer: Any, unit: float) -> LPSolution:
    """Return the answer as one of the program whose payoffs were divided by a unit."""
    message, iterations = str(answer.status), int(answer.iterations)
    stopped = message == "CallbackTerminated"
    usable = ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations")
    if not (stopped or message in usable):
        return LPSolution(LPStatus.FAILED, None, None, message, "clarabel", iterations)
    status = LPStatus.LIMIT if stopped else LPStatus.UNPROVEN
    status = LPStatus.OPTIMAL if message == "Solved" else status
    if message == "MaxIterations":
        message = stalled(iterations)
    primal, duals = np.array(answer.x), np.array(answer.z)[: program.num_rows]
    duals[_equalities(program) :] *= -1  # what a row of at least 0 costs
    if not (np.isfinite(primal).all() and np.isfinite(duals).all()):
        status = LPStatus.LIMIT if stopped else LPStatus.FAILED
        message = f"{message}, with infinite entries"
        return LPSolution(status, None, None, message, "clarabel", iterations)
    if isinstance(program, LinearProgram):
        primal[program.num_columns - program.num_free :] *= unit
    return LPSolution(status, primal, duals, message, "clarabel", iterations)
