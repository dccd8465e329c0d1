"""HiGHS: simplex, interior point and first-order engines for linear programs.

Huangfu & Hall, "Parallelizing the dual revised simplex method", Math. Prog. Comp. 10, 2018.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import highspy
import numpy as np

from seqform.base.arrays import Floats
from seqform.base.child_process import is_child
from seqform.base.deadline import check_time, time_left
from seqform.base.errors import OutOfTimeError, SolverError, UnknownNameError
from seqform.base.interrupt import Interrupt
from seqform.base.left_behind import leave_behind
from seqform.base.progress import is_listening
from seqform.exact.basis import Basis
from seqform.solvers.linear.highs_log import HighsLog
from seqform.solvers.linear.highs_model import SMALLEST_ENTRY, highs_model, set_option, smallest
from seqform.solvers.linear.payoff_unit import in_unit, payoff_unit
from seqform.solvers.linear.program import (
    LinearProgram,
    LPSolution,
    LPStatus,
    Program,
    stalled,
)
from seqform.solvers.linear.solver import Feature, LPOptions
from seqform.solvers.linear.turn import highs_turn

ENGINES = ("simplex", "ipx", "hipo", "pdlp")

FEASIBILITY_TOLERANCE = 1e-9
"""Of HiGHS's own tests, on rows and reduced costs of the scaled program."""

LOOK_EVERY = 0.1
"""Seconds between two looks for an interrupt while HiGHS runs."""

GRACE = 0.15
"""Seconds that HiGHS has to stop once the time is over, or nobody waits for its answer."""

BRIEF = 1_000
"""Nonzeros up to which a linear program takes HiGHS two milliseconds on one thread: less than a
thread beside it, after which HiGHS has its own threads started anew."""

BRIEF_IF_NEAR = 1_000_000
"""Nonzeros up to which a program that is solved from near its optimum takes so little time that
nobody has to look for an interrupt meanwhile: with 145,000 it is a hundredth of a second."""

PRIMALLY = {"simplex_strategy": 4}

BRIEFLY, MOST_SPAN = {"presolve": "off", **PRIMALLY}, 1e6
"""How the simplex method solves brief programs: the primal one, without a presolve, is quicker
there, and which of several solutions it finds does not change with the presolve of a version. A
presolve is needed where entries span more than this: it removes large payoffs that nobody takes
before they drown the others."""

ITERATIONS = {"simplex": 200, "ipx": 1_000, "hipo": 1_000, "pdlp": 500_000}
"""After so many an engine has stalled; for the simplex method so many for each row and column. From
Kuhn poker to Leduc with 5 ranks the engines took up to 0.7, 30, and 42,000 (pdlp)."""

LIMIT_OPTIONS = {
    "simplex": "simplex_iteration_limit",
    "ipx": "ipm_iteration_limit",
    "hipo": "ipm_iteration_limit",
    "pdlp": "pdlp_iteration_limit",
}

PERTURBATIONS = (
    "dual_simplex_cost_perturbation_multiplier",
    "primal_simplex_bound_perturbation_multiplier",
)
"""HiGHS's options for how much it perturbs a program against ties."""

WORTH_TELLING = 3.0
"""A solve with a shorter time limit is not told of if that takes another process."""


def solve_highs(
    program: Program,
    engine: str = "simplex",
    time_limit: float | None = None,
    threads: int = 1,
    start: Basis | None = None,
    perturbed: bool = True,
    briefly: bool = True,
    near: bool = False,
) -> LPSolution:
    """Solve a linear program with HiGHS.

    Parameters
    ----------
    program
        The program.
    engine
        'simplex', 'ipx' (interior point with crossover), 'hipo' where the build has it, or 'pdlp'
        (first order, inexact).
    time_limit
        Seconds; None for no limit but that of `time_limited` around the call.
    threads
        Threads that HiGHS may use.
    start
        A basis for the simplex method to start from.
    perturbed
        Whether HiGHS may perturb costs and bounds against ties, as it does by default.
    briefly
        Whether a small program may do without a presolve, which may end at another basis.
    near
        Whether the start is the basis of a program that hardly differs. Though it is neither
        feasible nor optimal, the primal simplex method takes few pivots from there.

    Raises
    ------
    UnknownNameError
        If HiGHS has no such engine.
    SolverError
        If the engine is not in this build of HiGHS, or the program's entries span too many
        magnitudes.
    """
    if engine not in ENGINES:
        raise UnknownNameError.of("highs engine", engine, ENGINES)
    unit, scaled = 1.0, program
    if engine == "pdlp" and isinstance(program, LinearProgram):
        unit = payoff_unit(program, SMALLEST_ENTRY)
        scaled = in_unit(program, unit)
    highs = highs_model(scaled)
    limits = [limit for limit in (time_limit, time_left()) if limit is not None]
    options = _options(program, engine, threads, perturbed, briefly and start is None)
    if near:
        options |= PRIMALLY
    with highs_turn(min(limits, default=None)) as left:
        if "threads" in options:
            # HiGHS keeps one pool for each thread that asks, and would refuse another size; a pool
            # of one leaves no threads here, which a process that is forked would wait for
            highspy.Highs.resetGlobalScheduler(True)
        for name, value in (options | ({} if left is None else {"time_limit": left})).items():
            set_option(highs, name, value)
        if start is not None:
            _set_basis(highs, program, start)
        is_short = program.num_nonzeros <= (BRIEF_IF_NEAR if near else BRIEF)
        run = highs.run if is_short else partial(run_highs, highs)
        try:
            has_failed = run() == highspy.HighsStatus.kError
        except OutOfTimeError as error:
            return LPSolution(LPStatus.LIMIT, None, None, str(error), _label(engine))
    if has_failed:
        message = "HiGHS reported an error while running"
        return LPSolution(LPStatus.FAILED, None, None, message, _label(engine))
    found = _result(highs, engine)
    if found.primal is not None and isinstance(program, LinearProgram):
        found.primal[program.num_columns - program.num_free :] *= unit
    return found


def _options(
    program: Program, engine: str, threads: int, perturbed: bool, briefly: bool
) -> dict[str, object]:
    """Return HiGHS's options; "threads" is one of them where the pool is made anew."""
    is_brief = program.num_nonzeros <= BRIEF
    threads = 1 if is_brief else threads
    options: dict[str, object] = {
        "solver": engine,
        "parallel": "on" if threads > 1 else "off",
        LIMIT_OPTIONS[engine]: _most_iterations(program, engine),
    }
    if engine != "pdlp":  # a first-order method does not get there, and would end without a point
        options |= {
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
        }
    if threads > 1 or is_brief:
        options["threads"] = threads
    if briefly and is_brief and engine == "simplex" and _span(program) <= MOST_SPAN:
        options |= BRIEFLY
    return options if perturbed else options | dict.fromkeys(PERTURBATIONS, 0.0)


def _most_iterations(program: Program, engine: str) -> int:
    """Return after how many iterations an engine has stalled."""
    each = program.num_rows + program.num_columns if engine == "simplex" else 1
    return min(ITERATIONS[engine] * each, 2**31 - 1)


def run_highs(highs: Any, unit: float | None = None) -> Any:
    """Run HiGHS beside this thread, which looks for an interrupt meanwhile; return its status.

    Within `highs_turn`. `unit` is what 1 of the objective of an integer program is, for those who
    listen.
    """
    highs.HandleUserInterrupt = True
    with HighsLog(highs, unit) as log, Interrupt() as user:
        while highs.is_solver_running():  # for somebody who does not take turns
            check_time("waiting for HiGHS, which another thread uses")
            time.sleep(LOOK_EVERY)
        thread = highs.startSolve()
        finished, status = False, None
        try:
            while not finished:
                finished, status = highs.wait(LOOK_EVERY)
                log.tell()
                if user.asked:
                    highs.cancelSolve()
        except OutOfTimeError:
            highs.cancelSolve()
            finished, status = highs.wait(GRACE)
            if not finished:
                raise
        finally:
            if not finished:  # a listener raised, a second signal came, or the time is over
                highs.cancelSolve()
                if not highs.wait(GRACE)[0]:
                    leave_behind(thread)
    return status


class Highs:
    """HiGHS as a solver that can be named."""

    name = "highs"
    engines = ENGINES
    features = frozenset(
        {
            Feature.BASIS,
            Feature.TIME_LIMIT,
            Feature.THREADS,
            Feature.GENERAL,
            Feature.APART,
            Feature.STEPS,
        }
    )

    def solve(self, program: Program, options: LPOptions) -> LPSolution:
        """Solve a program; see `solve_highs`."""
        engine = options.engine or ENGINES[0]
        if engine == "pdlp" and _is_told_apart(options.time_limit):
            from seqform.solvers.linear.child_solver import solve_in_child

            return solve_in_child(program, self.name, options)
        return solve_highs(program, engine, options.time_limit, options.threads)


HIGHS = Highs()


def _is_told_apart(time_limit: float | None) -> bool:
    """Return whether to solve in a process of its own what tells its progress only there."""
    is_long = time_limit is None or time_limit >= WORTH_TELLING
    return is_listening() and is_long and not is_child()


def _label(engine: str) -> str:
    return f"{HIGHS.name}/{engine}"


def _span(program: Program) -> float:
    """Return by how much entries differ, as a ratio."""
    return float(np.abs(program.matrix.data).max(initial=0.0)) / smallest(program)


def _set_basis(highs: Any, program: Program, basis: Basis) -> None:
    if highs.setBasis(_highs_basis(program, basis)) == highspy.HighsStatus.kError:
        raise SolverError("HiGHS refused the basis to start from; start without one")


LIMITS = (
    highspy.HighsModelStatus.kTimeLimit,
    highspy.HighsModelStatus.kInterrupt,
)


def _result(highs: Any, engine: str) -> LPSolution:
    status, solution = highs.getModelStatus(), highs.getSolution()
    message, iterations = highs.modelStatusToString(status), _iterations(highs, engine)
    if status in LIMITS:
        return LPSolution(LPStatus.LIMIT, None, None, message, _label(engine), iterations)
    optimal = status == highspy.HighsModelStatus.kOptimal
    has_stalled = status == highspy.HighsModelStatus.kIterationLimit
    if has_stalled:
        message = stalled(iterations)
    usable = optimal or has_stalled or status == highspy.HighsModelStatus.kUnknown
    point = np.array(solution.col_value), np.array(solution.row_dual)
    if not (usable and _is_point(highs, *point)):
        return LPSolution(LPStatus.FAILED, None, None, message, _label(engine), iterations)
    return LPSolution(
        LPStatus.OPTIMAL if optimal else LPStatus.UNPROVEN,
        *point,
        message,
        _label(engine),
        iterations,
        _basis(highs),
    )


def _is_point(highs: Any, primal: Floats, duals: Floats) -> bool:
    """Return whether there is a point, which need not be feasible: a certificate will tell."""
    sizes = len(primal), len(duals)
    finite = np.isfinite(primal).all() and np.isfinite(duals).all()
    return bool(sizes == (highs.getNumCol(), highs.getNumRow()) and finite)


def _iterations(highs: Any, engine: str) -> int:
    """Return the iterations of an engine.

    Raises
    ------
    SolverError
        If another engine ran: HiGHS falls back silently where it lacks one. The simplex method may
        clean up after any of them.
    """
    info = highs.getInfo()
    counts = {
        "simplex": info.simplex_iteration_count,
        "ipx": info.ipm_iteration_count,
        "pdlp": info.pdlp_iteration_count,
    }
    counted_as = "ipx" if engine == "hipo" else engine
    for other in ("ipx", "pdlp"):
        if other != counted_as and counts[other] > 0:
            raise SolverError(
                f"HiGHS ran {other} although {engine} was asked for; "
                "use an engine that this build has"
            )
    return max(0, int(counts[counted_as]))


def _basis(highs: Any) -> Basis | None:
    """Return the basis that HiGHS ended with, if any."""
    found, basic = highs.getBasis(), highspy.HighsBasisStatus.kBasic
    if not found.valid:
        return None
    return Basis(
        np.array([status == basic for status in found.col_status]),
        np.array([status == basic for status in found.row_status]),
    )


def _highs_basis(program: Program, basis: Basis) -> Any:
    """Return a basis as HiGHS wants it."""
    status, given = highspy.HighsBasisStatus, highspy.HighsBasis()
    others = [
        status.kLower if bounded else status.kZero
        for bounded in np.isfinite(program.column_lower).tolist()
    ]
    given.col_status = [
        status.kBasic if basic else other
        for basic, other in zip(basis.columns.tolist(), others, strict=True)
    ]
    given.row_status = [status.kBasic if basic else status.kLower for basic in basis.rows.tolist()]
    given.valid = True
    # of an alien one HiGHS sees first, by a factorization, whether it is a basis at all
    given.alien = int(basis.columns.sum() + basis.rows.sum()) != program.num_rows
    return given
