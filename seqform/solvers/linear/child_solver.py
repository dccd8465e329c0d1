"""A solver in a process of its own: one that runs out of memory ends that process only.

Solvers are written in other languages. They abort the process where an allocation fails, and how
much they need depends on how the factors of a matrix fill in, which nobody knows beforehand.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record, run_in_child
from seqform.base.deadline import seconds_left, time_limited
from seqform.base.errors import CrashError, OutOfTimeError, SolverError
from seqform.exact.basis import Basis
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus, Program

if TYPE_CHECKING:
    from seqform.solvers.linear.solver import LPOptions

INSTEAD = "use regret minimization (method='dcfr') or a coarser abstraction (abstract=)"

STOPPED = "the time was over, and its process was ended"
"""What is said of a solver that did not stop by itself."""

TASK = "seqform.solvers.linear.child_solver_task:solve_here"

VECTORS = ("objective", "row_lower", "row_upper", "column_lower")
NUMBERS = ("player", "num_equalities", "num_plan", "num_free", "largest_payoff", "scale")
"""What a program is made of, beside its matrix and the game; the numbers only that of a game."""


def solve_in_child(program: Program, solver_name: str, options: LPOptions) -> LPSolution:
    """Solve a program with a solver by name, in a process of its own.

    Only numbers are handed over, not the game that they come from. The time limit begins here. A
    signal has the solver stop, and hand over the point that it has. One that is at work when the
    time is over is ended, without a point.

    Raises
    ------
    SolverError
        If the solver ends its process; or as the solver does.
    """
    request, arrays = request_of(program, solver_name, options), arrays_of(program)
    doing = f"{solver_name} was solving"
    with time_limited(options.time_limit):
        try:
            record, found = run_in_child(TASK, request, arrays, doing, stops=True)
        except OutOfTimeError:
            if seconds_left():  # it was refused before it began
                raise
            return LPSolution(LPStatus.LIMIT, None, None, STOPPED, solver_name)
        except CrashError as error:
            raise SolverError(f"{solver_name} failed: its process {error}; {INSTEAD}") from None
        except MemoryError:
            why = f"{solver_name} needs more memory than there is"
            raise SolverError(f"{why}; {INSTEAD}") from None
    basis = Basis(found["columns"], found["rows"]) if "columns" in found else None
    status = LPStatus(record.pop("status"))
    return LPSolution(status, found.get("primal"), found.get("duals"), basis=basis, **record)


def request_of(program: Program, solver_name: str, options: LPOptions) -> Record:
    """Return what the other process is asked for, beside arrays."""
    of_game = isinstance(program, LinearProgram)
    request = {name: getattr(program, name) for name in NUMBERS} if of_game else {}
    shape = program.matrix.shape
    request |= {"shape": shape, "solver": solver_name, "options": asdict(options)}
    return request | {"since": time.time()}


def arrays_of(program: Program) -> Arrays:
    """Return the numbers of a program."""
    matrix = program.matrix
    arrays = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    return arrays | {name: getattr(program, name) for name in VECTORS}
