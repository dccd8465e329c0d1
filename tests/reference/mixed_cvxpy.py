"""Integer programs by cvxpy, which hands them to solvers of its own: a second opinion.

SCIPY is `scipy.optimize.milp`, which has a build of HiGHS of its own.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import isfinite
from typing import Any

import cvxpy
import highspy
import numpy as np
import pytest

from seqform.base.arrays import Floats, Index
from seqform.solvers.linear import mixed_integer
from seqform.solvers.linear.mixed_integer import GAP, MixedSolution
from seqform.solvers.linear.program import LPStatus, Program
from seqform.solvers.linear.turn import highs_turn, made_silent

ENGINES = ("HIGHS", "SCIPY")

ROOM = 1e-5
"""By how much a point may break a bound; both engines allow about 1e-6 of their scaled rows."""


@contextmanager
def solved_by(engine: str | None) -> Iterator[None]:
    """Within this block, method `mip` asks cvxpy; None changes nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if engine is not None:
            patch.setattr(mixed_integer, "solve_mixed", partial(_in_its_place, engine))
        yield


def _in_its_place(engine: str, program: Program, binary: Index, *about: Any) -> MixedSolution:
    """Take what `solve_mixed` takes: neither a start nor a target is anything to cvxpy."""
    time_limit, _, _, _, tolerance, _ = about
    return solve_mixed_cvxpy(program, binary, engine, time_limit, tolerance)


def solve_mixed_cvxpy(
    program: Program,
    binary: Index,
    engine: str = "HIGHS",
    time_limit: float | None = None,
    tolerance: float = 1e-7,
) -> MixedSolution:
    """Solve a program some columns of which are 0 or 1, as `solve_mixed` does."""
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
