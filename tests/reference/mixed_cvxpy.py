"""Integer programs by cvxpy, which hands them to solvers of its own: a second opinion.

Only solvers that are told of a time limit and that name a bound are used.
"""

from __future__ import annotations

import time
import warnings
from math import isfinite
from typing import Any

import highspy
import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import SolverError, UnknownNameError
from seqform.solvers.linear.cvxpy import CVXPY, cvxpy_module
from seqform.solvers.linear.mixed_integer import GAP, TOLERANCE, MixedSolution
from seqform.solvers.linear.program import LPStatus, Program
from seqform.solvers.linear.silent_highs import made_silent
from seqform.solvers.linear.turn import highs_turn

ENGINES = ("HIGHS", "SCIPY")
"""The default first; SCIPY is `scipy.optimize.milp`, which has a build of HiGHS of its own."""

ROOM = 1e-5
"""By how much a point may break a bound; both engines allow about 1e-6 of their scaled rows."""


def check_engine(name: str | None) -> str:
    """Return the engine as cvxpy spells it.

    Raises
    ------
    UnknownNameError
        If it is none of `ENGINES`.
    SolverError
        If cvxpy, or the engine, is not installed.
    """
    engine = ENGINES[0] if name is None else str(name).upper()
    if engine not in ENGINES:
        raise UnknownNameError.of("cvxpy engine for integer programs", str(name), ENGINES)
    if engine not in CVXPY.engines:
        raise SolverError(f"cvxpy does not find {engine} here: use engine={_others(engine)!r}")
    return engine


def solve_mixed_cvxpy(
    program: Program,
    binary: Index,
    time_limit: float | None = None,
    engine: str | None = None,
    tolerance: float = TOLERANCE,
) -> MixedSolution:
    """Solve a program some columns of which are 0 or 1.

    Parameters
    ----------
    program
        What is maximised; no objective if it is 0 everywhere.
    binary
        int64: the columns that are 0 or 1.
    time_limit
        Seconds; None for no limit.
    engine
        One of `ENGINES`; None for the first.
    tolerance
        Of tests of rows and integers; SCIPY takes none.

    Raises
    ------
    UnknownNameError, SolverError
        As for `check_engine`.
    """
    cvxpy, engine = cvxpy_module(), check_engine(engine)
    since = time.perf_counter()
    try:
        with highs_turn(time_limit) as left:  # cvxpy numbers its variables unguarded, too
            point = cvxpy.Variable(program.num_columns)
            choices = cvxpy.Variable(len(binary), boolean=True)
            constraints = [*_bounds(program, point), point[binary] == choices]
            problem = cvxpy.Problem(cvxpy.Maximize(program.objective @ point), constraints)
            with warnings.catch_warnings(action="ignore"), made_silent():  # the status says it too
                # the search depends on how many threads it has
                highspy.Highs.resetGlobalScheduler(True)
                problem.solve(solver=engine, **_options(engine, left, tolerance))
    except cvxpy.error.SolverError as error:
        if time_limit is not None and time.perf_counter() - since >= time_limit:
            return MixedSolution(LPStatus.LIMIT, None, None, "time limit, and no point", 0)
        return MixedSolution(LPStatus.FAILED, None, None, str(error), 0)
    kinds = {
        cvxpy.OPTIMAL: LPStatus.OPTIMAL,
        cvxpy.OPTIMAL_INACCURATE: LPStatus.LIMIT,  # how cvxpy calls a limit of SCIPY
        cvxpy.USER_LIMIT: LPStatus.LIMIT,
    }
    found = kinds.get(problem.status, LPStatus.FAILED)
    has_point = found is not LPStatus.FAILED and _is_feasible(program, point.value)
    bound, nodes = _statistics(problem)
    return MixedSolution(
        found,
        np.asarray(point.value, dtype=np.float64) if has_point else None,
        bound,
        str(problem.status),
        nodes,
    )


def _bounds(program: Program, point: Any) -> list[Any]:
    """Return the constraints: equations, rows from below and from above, and columns."""
    matrix, lower, upper = program.matrix.tocsr(), program.row_lower, program.row_upper
    equal = lower == upper
    lowest = program.column_lower
    least, most = np.isfinite(lower) & ~equal, np.isfinite(upper) & ~equal
    bounded = np.isfinite(lowest)
    return [
        matrix[equal] @ point == lower[equal],
        matrix[least] @ point >= lower[least],
        matrix[most] @ point <= upper[most],
        point[bounded] >= lowest[bounded],
    ]


def _options(engine: str, time_limit: float | None, tolerance: float) -> dict[str, Any]:
    """Return the arguments by which an engine is told of its limit and its tolerances."""
    limit = {} if time_limit is None else {"time_limit": float(time_limit)}
    if engine == "SCIPY":
        return {"scipy_options": limit | {"mip_rel_gap": GAP}}
    names = ("mip_feasibility_tolerance", "primal_feasibility_tolerance")
    limit |= dict.fromkeys(names, tolerance)
    return limit | dict.fromkeys(("mip_rel_gap", "mip_abs_gap"), GAP) | {"threads": 1}


def _is_feasible(program: Program, point: Floats | None) -> bool:
    """Return whether there is a point: at a limit HiGHS may return one of zeros."""
    if point is None:
        return False
    rows = program.matrix @ point
    low = min((rows - program.row_lower).min(), (point - program.column_lower).min())
    return bool(low >= -ROOM and (program.row_upper - rows).min() >= -ROOM)


def _statistics(problem: Any) -> tuple[float | None, int]:
    """Return the bound, of what is maximised, and how many nodes were branched at."""
    said = problem.solver_stats.extra_stats if problem.solver_stats is not None else None
    if not isinstance(said, dict):  # HiGHS has an object of its own
        said = {name: getattr(said, name, None) for name in ("mip_dual_bound", "mip_node_count")}
    least, nodes = said.get("mip_dual_bound"), said.get("mip_node_count")
    bound = None if least is None or not isfinite(least) else -float(least)
    return bound, max(0, int(nodes or 0))


def _others(engine: str) -> str:
    return next(name for name in ENGINES if name != engine)
