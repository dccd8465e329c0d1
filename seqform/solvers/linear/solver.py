"""LPSolver: what a linear program is handed to.

A solver is one file beside this one, and one line of pyproject.toml under ``seqform.solvers``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from seqform.base.registry import Registry
from seqform.solvers.linear.program import LinearProgram, LPSolution


class Feature(Enum):
    """What a solver may be able to do."""

    BASIS = "leaves an optimal basis, from which an answer can be made exact"
    TIME_LIMIT = "stops at a time limit"
    THREADS = "uses several threads"


@dataclass(frozen=True)
class LPOptions:
    """How a linear program is to be solved.

    Parameters
    ----------
    engine
        One of the solver's engines; None for its default.
    time_limit
        Seconds, or None.
    threads
        How many may be used.
    """

    engine: str | None = None
    time_limit: float | None = None
    threads: int = 1


class LPSolver(Protocol):
    """A program that solves linear programs."""

    name: str
    features: frozenset[Feature]

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines to choose from, the default first; empty if there is nothing to choose."""

    def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
        """Solve a program.

        Raises
        ------
        SolverError
            If the solver is not installed, has no such engine, or cannot take the program.
        """


SOLVERS: Registry[LPSolver] = Registry("seqform.solvers", "solver")


def solve_program(program, name, options):
    from seqform.base.errors import InvalidParameterError, UnknownNameError
    from dataclasses import replace as r

    if name == "highs":
        from seqform.solvers.linear.highs import solve_highs

        s = solve_highs(program, options.engine or "simplex", options.time_limit, options.threads)
        return r(s, engine="highs/" + s.engine)
    if name == "clarabel":
        from seqform.solvers.linear.clarabel import solve_clarabel

        return r(
            solve_clarabel(program, time_limit=options.time_limit, threads=options.threads),
            engine="clarabel",
        )
    from seqform.solvers.linear.cvxpy import DEFAULT_ENGINE, solve_cvxpy

    return solve_cvxpy(program, options.engine or DEFAULT_ENGINE)
