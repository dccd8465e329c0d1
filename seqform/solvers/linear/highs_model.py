"""A HiGHS object that holds a linear program, given array by array."""

from __future__ import annotations

from typing import Any

import highspy
import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.solvers.linear.program import NamedProgram, Program
from seqform.solvers.linear.turn import SilentHighs

SMALLEST_ENTRY = 1e-12
"""HiGHS drops entries below its threshold, and allows none lower; here they are an error."""


def keeps_entries(program: Program) -> bool:
    """Return whether no entry of a program is so small that HiGHS would drop it."""
    return smallest(program) >= SMALLEST_ENTRY


def smallest(program: Program) -> float:
    """Return the size of the smallest entry of a program."""
    return float(np.abs(program.matrix.data).min(initial=np.inf))


def highs_model(program: Program, named: NamedProgram | None = None) -> Any:
    """Return a HiGHS object that holds the program; its lines are named as `named` does."""
    if not keeps_entries(program):
        raise SolverError(
            "payoffs span too many magnitudes for HiGHS: "
            f"after scaling the smallest entry is {smallest(program):.1e} and would be dropped; "
            "bring payoffs closer together, or try solver='clarabel'"
        )
    highs = SilentHighs()  # type: ignore[no-untyped-call]
    set_option(highs, "small_matrix_value", SMALLEST_ENTRY)
    columns = program.column_lower, np.full(program.num_columns, np.inf)
    rows = program.row_lower, program.row_upper
    status = pass_model(highs, program.matrix, program.objective, columns, rows)
    if named is not None:
        for name_line, names in (
            (highs.passColName, named.column_names()),
            (highs.passRowName, named.row_names()),
        ):
            for number, name in enumerate(names):
                name_line(number, name)
    if status == highspy.HighsStatus.kError:
        raise SolverError("HiGHS refused the model; use another solver")
    if highs.getNumNz() != program.num_nonzeros:
        raise SolverError(
            f"HiGHS kept {highs.getNumNz()} of {program.num_nonzeros} entries; bring payoffs "
            "closer together, or try solver='clarabel'"
        )
    return highs


def pass_model(
    highs: Any,
    matrix: sp.csc_array,
    objective: Floats,
    columns: tuple[Floats, Floats],
    rows: tuple[Floats, Floats],
) -> Any:
    """Give HiGHS a program to maximise, array by array; return its status.

    The members of its own `HighsLp` would be copied number by number, which takes longer than HiGHS
    takes to solve many a program.

    Parameters
    ----------
    columns, rows
        Lower and upper bounds of each.
    """
    highs.clearModel()
    none = np.zeros(0, dtype=np.int32)
    highs.addRows(matrix.shape[0], *rows, 0, np.zeros(matrix.shape[0], np.int32), none, np.zeros(0))
    highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
    starts, places = (part.astype(np.int32, copy=False) for part in (matrix.indptr, matrix.indices))
    return highs.addCols(
        matrix.shape[1], objective, *columns, matrix.nnz, starts[:-1], places, matrix.data
    )


def set_option(highs: Any, name: str, value: object) -> None:
    """Set an option of a HiGHS object, which has to take it."""
    if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
        if name == "solver":
            raise SolverError(
                f"this build of HiGHS has no engine {value!r}; use engine='simplex' or 'ipx'"
            )
        raise SolverError(f"HiGHS refused the option {name}={value!r}")
