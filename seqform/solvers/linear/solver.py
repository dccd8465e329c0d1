"""LPSolver: what a linear program is handed to.

A solver is one file beside this one, and one line of pyproject.toml under ``seqform.solvers``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.deadline import deadline_of, seconds_left
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.free_memory import available_bytes
from seqform.base.memory import LITTLE
from seqform.base.registry import Registry

if TYPE_CHECKING:  # the names of solvers are listed without loading numpy
    from seqform.solvers.linear.program import LPSolution, Program


class Feature(Enum):
    """What a solver may be able to do."""

    BASIS = "leaves an optimal basis, from which an answer can be made exact"
    TIME_LIMIT = "stops at a time limit"
    THREADS = "uses several threads"
    GENERAL = "takes any program, also one that is of no zero-sum game"
    PLAIN = "takes the plain program only"
    STEPS = "works in steps that only ending its process cuts short"
    APART = "asks nothing of the program's game, so that it can run in a process of its own"


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
    gap
        The nash_gap that is enough, in the game's unit, for solvers that can stop there; None: as
        near as the solver comes.
    """

    engine: str | None = None
    time_limit: float | None = None
    threads: int = 1
    gap: float | None = None


APART_SHARE = 0.25
"""Of the memory that is available: a program that by its estimate needs more is solved in a process
of its own, where the solver allows it. To start one and hand the program over takes a share of a
second, which is little for programs of that size."""


STEPS_FROM = 100_000
"""Nonzeros of a program from which a step of a solver may take a share of a second. With a time
limit such solvers work in a process of their own from there on."""


class LPSolver(Protocol):
    """A program that solves linear programs."""

    name: str
    features: frozenset[Feature]

    @property
    @abstractmethod
    def engines(self) -> tuple[str, ...]:
        """The engines to choose from, the default first; empty if there is nothing to choose.

        Raises
        ------
        SolverError
            If they can only be known once the solver is installed, and it is not.
        """

    @abstractmethod
    def solve(self, program: Any, options: LPOptions) -> LPSolution:
        """Solve a program, with options that `check_options` returned.

        It is a `LinearProgram`, or with `Feature.GENERAL` any `Program`.

        The solution's `engine` names the solver and what ran, such as ``highs/simplex``.

        Raises
        ------
        SolverError
            If the solver is not installed, or cannot take the program.
        """


SOLVERS: Registry[LPSolver] = Registry("seqform.solvers", "solver", LPSolver)


def solve_program(program: Program, solver_name: str, options: LPOptions) -> LPSolution:
    """Solve a linear program with a solver by name.

    Raises
    ------
    UnknownNameError
        If there is no such solver, or it has no such engine; with the nearest name.
    InvalidParameterError
        If the solver cannot do what an option asks for.
    SolverError
        If the solver is not installed, or cannot take the program.
    """
    solver = SOLVERS.get(solver_name)
    options = check_options(solver, options)
    is_general = not hasattr(program, "game")
    if is_general and Feature.GENERAL not in solver.features:
        raise InvalidParameterError(
            f"this program is of no zero-sum game, and {solver.name} takes no other; "
            f"use solver={_with_feature(Feature.GENERAL)}"
        )
    size = program.size.solver_bytes
    is_large = size > LITTLE and size > APART_SHARE * available_bytes()
    is_limited = options.time_limit is not None or seconds_left() is not None
    is_slow = program.num_nonzeros >= STEPS_FROM and Feature.STEPS in solver.features
    if (is_large or (is_limited and is_slow)) and Feature.APART in solver.features:
        from seqform.solvers.linear.child_solver import solve_in_child

        return solve_in_child(program, solver_name, options)
    return solver.solve(program, options)


def check_options(solver: LPSolver, options: LPOptions) -> LPOptions:
    """Return the options with the engine spelled as the solver spells it.

    Call it before a program is built, so that a mistake is reported at once.

    Raises
    ------
    UnknownNameError
        If the solver has no such engine; with the nearest name.
    InvalidParameterError
        If the solver cannot do what an option asks for, or a number is out of range.
    """
    deadline_of(options.time_limit)  # raises unless it is above 0
    if options.threads < 1:
        raise InvalidParameterError(f"threads={options.threads}: use 1 or more")
    asked = {
        Feature.TIME_LIMIT: (options.time_limit is not None, f"time_limit={options.time_limit}"),
        Feature.THREADS: (options.threads > 1, f"threads={options.threads}"),
    }
    for feature, (wanted, argument) in asked.items():
        if wanted and feature not in solver.features:
            raise InvalidParameterError(
                f"{argument} needs a solver that {feature.value}, which {solver.name} does not; "
                f"leave it out, or use solver={_with_feature(feature)}"
            )
    return options if options.engine is None else replace(options, engine=_engine(solver, options))


def _engine(solver: LPSolver, options: LPOptions) -> str:
    """Return the engine asked for, in whatever case it is written."""
    name, engines = str(options.engine), solver.engines
    if not engines:
        raise InvalidParameterError(
            f"engine={name!r}: the solver {solver.name!r} "
            "has no engines to choose from; leave it out"
        )
    by_lower_case = {engine.lower(): engine for engine in engines}
    if name.lower() not in by_lower_case:
        raise UnknownNameError.of(f"{solver.name} engine", name, engines)
    return by_lower_case[name.lower()]


def _with_feature(feature: Feature) -> str:
    """Return the names of the solvers that have a feature, for people."""
    able = (solver.name for solver in SOLVERS.at_hand() if feature in solver.features)
    return " or ".join(map(repr, able))
