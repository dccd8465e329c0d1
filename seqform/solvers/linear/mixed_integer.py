"""Integer programs by HiGHS: linear programs of which some columns are 0 or 1."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

import highspy
import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.solvers.linear.highs import LIMITS, run_highs
from seqform.solvers.linear.highs_model import highs_model, set_option
from seqform.solvers.linear.program import LPStatus, Program
from seqform.solvers.linear.turn import highs_turn

TOLERANCE = 1e-7
"""Of HiGHS's own tests: on rows and on integers. At 1e-9 it was seen to cut off equilibria, and to
call programs infeasible that are not."""

GAP = 1e-9
"""Between value and bound, as a share of these."""


ENDS = {
    highspy.HighsModelStatus.kOptimal: LPStatus.OPTIMAL,
    highspy.HighsModelStatus.kObjectiveTarget: LPStatus.OPTIMAL,
}
"""What HiGHS calls it if it came to an end."""


class MixedSolution(NamedTuple):
    """What HiGHS returns of an integer program.

    Parameters
    ----------
    status
        OPTIMAL, LIMIT or FAILED.
    point
        float64 (num_columns,): the best that was found, if anything was.
    bound
        What no point exceeds, by HiGHS's own word, in floats; None without one.
    message
        Its own words.
    nodes
        How many it branched at.
    """

    status: LPStatus
    point: Floats | None
    bound: float | None
    message: str
    nodes: int


def solve_mixed(
    program: Program,
    binary: Index,
    time_limit: float | None = None,
    threads: int = 1,
    start: Floats | None = None,
    unit: float = 1.0,
    tolerance: float = TOLERANCE,
    target: float | None = None,
) -> MixedSolution:
    """Solve a program some columns of which are 0 or 1; errors as for `solve_highs`.

    Parameters
    ----------
    program
        What is maximised; no objective if it is 0 everywhere.
    binary
        int64: the columns that are 0 or 1.
    time_limit
        Seconds; None for no limit.
    threads
        Threads that HiGHS may use.
    start
        float64, of the binary columns: what they are at a point to start from.
    unit
        What 1 of the objective is, for those who listen.
    tolerance
        Of HiGHS's tests of rows and integers.
    target
        A value of the objective that is good enough to end with.
    """
    highs = highs_model(program)
    count = len(binary)
    kinds = np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
    highs.changeColsIntegrality(count, binary.astype(np.int32), kinds)
    highs.changeColsBounds(count, binary.astype(np.int32), np.zeros(count), np.ones(count))
    options: dict[str, object] = {
        "mip_feasibility_tolerance": tolerance,
        "primal_feasibility_tolerance": tolerance,
        "mip_rel_gap": GAP,
        "mip_abs_gap": GAP,
        "parallel": "on" if threads > 1 else "off",
        "threads": threads,
    }
    if target is not None:
        options["objective_target"] = target
    with highs_turn(time_limit) as left:
        highspy.Highs.resetGlobalScheduler(True)  # the search depends on how many threads it has
        for name, value in (options | ({} if left is None else {"time_limit": left})).items():
            set_option(highs, name, value)
        if start is not None:
            highs.setSolution(count, binary.astype(np.int32), start)
        told = unit if program.objective.any() else None
        has_failed = run_highs(highs, told) == highspy.HighsStatus.kError
    if has_failed:
        return MixedSolution(LPStatus.FAILED, None, None, "HiGHS reported an error", 0)
    status, info = highs.getModelStatus(), highs.getInfo()
    found = LPStatus.LIMIT if status in LIMITS else ENDS.get(status, LPStatus.FAILED)
    point = np.array(highs.getSolution().col_value)
    has_point = len(point) == program.num_columns and isfinite(info.objective_function_value)
    is_linear = info.mip_node_count < 0  # nothing is to branch on
    bound = float(info.objective_function_value if is_linear else info.mip_dual_bound)
    return MixedSolution(
        found,
        point if has_point else None,
        bound if isfinite(bound) else None,
        highs.modelStatusToString(status),
        max(0, int(info.mip_node_count)),
    )
