"""A solver in a process of its own: what that process does."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.linear.child_solver import NUMBERS, VECTORS
from seqform.solvers.linear.program import LinearProgram, Program
from seqform.solvers.linear.solver import SOLVERS, LPOptions

WAY_BACK = 0.2
"""Seconds that a solver stops before the time limit, so that its point arrives in time."""

LEAST_SECONDS = 1e-3
"""What a solver is given where starting its process took all the time."""


def solve_here(record: Record, arrays: Arrays) -> tuple[Record, Arrays]:
    """Solve the program, as the task of the other process."""
    solver, options = SOLVERS.get(record["solver"]), LPOptions(**record["options"])
    if options.time_limit is not None:
        left = options.time_limit - (time.time() - record["since"]) - WAY_BACK
        options = replace(options, time_limit=max(left, LEAST_SECONDS))
    found = solver.solve(_program(record, arrays), options)
    points: dict[str, Any] = {"primal": found.primal, "duals": found.duals}
    if found.basis is not None:
        points |= asdict(found.basis)
    answer = {
        "status": found.status.value,
        "message": found.message,
        "engine": found.engine,
        "iterations": found.iterations,
    }
    return answer, {name: np.asarray(v) for name, v in points.items() if v is not None}


def _program(record: Record, arrays: Arrays) -> Program:
    matrix = sp.csc_array(
        (arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(record["shape"])
    )
    others: dict[str, Any] = {name: arrays[name] for name in VECTORS}
    if not record.keys() >= set(NUMBERS):
        return Program(matrix=matrix, **others)
    others |= {name: record[name] for name in NUMBERS}
    # only names come from the game
    return LinearProgram(game=cast("SequenceForm", None), matrix=matrix, **others)
