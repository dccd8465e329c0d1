"""What does a method of a sweep run: an engine that iterates, or one call of `solve`?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError, SolverError
from seqform.experiment import Point, changed_rule, named_method

if TYPE_CHECKING:
    from seqform import SequenceForm, Solution
    from seqform.solvers.iterative.search import Engine

MakeEngine = Callable[["SequenceForm", bool], "Engine"]
"""Makes an engine of a game; the second says whether single precision will do."""

LIMITS = ("gap", "iterations", "time_limit")
"""Options of an iterative method that say when it stops."""


def engine_maker(point: Point) -> MakeEngine | None:
    """Return what makes the engine of a point's method; None if the method has no engine.

    Options are those that end a search, and the fields of a regret rule.

    Raises
    ------
    SeqformError
        If there is no such method, or it has no such option.
    """
    from seqform.methods.iterative_method import IterativeMethod
    from seqform.methods.regret import RegretMinimization
    from seqform.solvers.iterative.regret.engine import regret_engine

    method = None if point.method == "auto" else named_method(point.method)
    changes = {name: value for name, value in point.options.items() if name not in LIMITS}
    if isinstance(method, RegretMinimization) and changes:
        rule = changed_rule(method.rule, changes)
        return lambda form, single: regret_engine(form, rule, single)
    if not isinstance(method, IterativeMethod):
        return None
    if changes:
        raise InvalidParameterError(
            f"{point.method} takes {', '.join(LIMITS)} here, and not {', '.join(changes)}"
        )
    return method.engine


def solution_of(point: Point, form: SequenceForm, **options: Any) -> Solution:
    """Solve a game by a point's method.

    Raises
    ------
    SeqformError
        If the method refuses the game or the options, finds nothing, or its answers are no
        profiles, which have a nash_gap.
    """
    from seqform import solve

    if point.method != "auto":
        concept = named_method(point.method).concept
        if concept != "nash":
            raise InvalidParameterError(
                f"answers of {point.method} are of the concept {concept}, and have no nash_gap to "
                "compare: leave it out"
            )
    solution = solve(form, method=point.method, **{**options, **point.options})
    if solution.profile is None:
        raise SolverError(f"{point.method}: {solution.status.value}; {solution.message}")
    return solution
