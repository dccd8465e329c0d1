"""efce, efcce, nfcce: a best correlated equilibrium of a two-player game.

One linear program on relevant pairs of sequences (docs/explanation/correlated-equilibria.md). Its
basis leads to a plan in fractions and to a proof that none is better. Where there is no basis, or
it would take long, the solver's floats are rounded to a plan that satisfies all constraints
exactly, and to multipliers that prove a bound.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    OutOfTimeError,
    SolverError,
    UnknownNameError,
)
from seqform.base.objectives import OBJECTIVES
from seqform.game import needs
from seqform.methods.method import Answer, Method, option
from seqform.methods.search_options import check_tolerance

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.concepts.correlated import CorrelatedAnswer
    from seqform.concepts.correlated_bound import Weights
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.results.correlated_task import CorrelatedTask
    from seqform.results.status import Status
    from seqform.solvers.linear.program import LPSolution

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CorrelatedOptions:
    """What is to be best, and how it is found.

    Parameters
    ----------
    optimize
        One of OBJECTIVES, or two numbers that the players' payoffs are multiplied by.
    solver
        The name of a solver, or 'auto': HiGHS for small programs, Clarabel for larger ones.
    engine
        One of the solver's engines; None for its default.
    tolerance
        The gain from a deviation, as a share of the payoff scale, up to which the status is SOLVED.
    exact
        Whether to lift the basis to fractions. None: where that costs little.
    """

    optimize: str | tuple[Any, Any] = option(
        "welfare", f"What is to be best in a correlated equilibrium: {', '.join(OBJECTIVES)}."
    )
    solver: str = option("auto", "Which program solves it: auto, {solvers}.")
    engine: str | None = option(
        None, "One of the solver's engines, such as simplex or ipx of highs."
    )
    tolerance: float = option(
        1e-6, "The gap that counts as solved, as a share of the largest payoff."
    )
    exact: bool | None = option(
        None, "Lift the answer to fractions. Default: where it costs little."
    )

    def __post_init__(self) -> None:
        _ = self.weights
        check_tolerance(self.tolerance)
        if self.engine is not None and self.solver == "auto":
            raise InvalidParameterError(
                f"engine={self.engine!r} needs the solver that it is of, such as solver='highs'"
            )
        if self.exact and self.solver not in ("auto", "highs"):
            raise InvalidParameterError("exact=True needs a basis: use solver='highs'")

    @property
    def weights(self) -> Weights | None:
        """What each player's payoff counts for; None without an objective."""
        if isinstance(self.optimize, str):
            if self.optimize not in OBJECTIVES:
                raise UnknownNameError.of("objective", self.optimize, OBJECTIVES)
            found = OBJECTIVES[self.optimize]
            return None if found is None else (Fraction(found[0]), Fraction(found[1]))
        try:
            first, second = map(Fraction, self.optimize)
        except (TypeError, ValueError, OverflowError):
            raise InvalidParameterError(
                f"optimize={self.optimize!r}: give a name, or what each of the two players' "
                "payoffs counts for"
            ) from None
        return first, second


class CorrelatedEquilibrium(Method):
    """A kind of correlated equilibrium, by a linear program.

    Parameters
    ----------
    name
        The method's name, and that of its concept.
    summary
        One line for people.
    """

    parallel = True
    records = False
    Options = CorrelatedOptions

    def __init__(self, name: str, summary: str) -> None:
        self.name = self.concept = name
        self.summary = summary

    def accepts(self, problem: Problem) -> str | None:
        """Return None for games of two players that have a tree."""
        if problem.form.num_players == 2 and problem.form.tree is None:
            return (
                f"method {self.name!r} needs the game's tree, which this sequence form has not: "
                "give the game itself"
            )
        return needs.two_players(f"method {self.name!r} is for", problem.form)

    def need(self, form: SequenceForm) -> Need:
        """Return what the program takes."""
        from seqform.results.correlated_task import correlated_need

        return correlated_need(form, self.name)

    def run(self, problem: Problem, options: CorrelatedOptions, clock: Clock) -> Answer:
        """Build the program, solve it, and make its answer one in fractions."""
        from seqform.base.deadline import overtime
        from seqform.form.triangles import find_triangle
        from seqform.results.correlated_task import correlated_task
        from seqform.results.status import Status
        from seqform.solvers.linear.program import LPStatus

        form = problem.form
        with clock.phase("build"):
            task = correlated_task(form, self.name, options.weights)
            if options.exact and not task.payoffs.is_exact:
                raise InvalidParameterError(
                    "exact=True needs probabilities and payoffs that are int or Fraction, and this "
                    "game has floats: leave it out"
                )
        size = task.program.size
        with clock.phase("solve"):
            found = _found(task, options, clock)
        logger.info("%s says %r after %.3f s", found.engine, found.message, clock.seconds["solve"])
        status = {LPStatus.LIMIT: Status.LIMIT, LPStatus.FAILED: Status.FAILED}.get(found.status)
        answer, message = None, found.message
        if status is None or (status is Status.LIMIT and found.primal is not None):
            try:
                with clock.phase("exact"), overtime():
                    answer, message = task.answer(found, options.exact)
                if status is None and find_triangle(task.pairs):
                    answer, message, status = _drawn(problem, task, options, clock, answer, message)
            except OutOfTimeError as error:  # what the solver found satisfies no constraint exactly
                status, message = Status.LIMIT, f"{message}; {error}"
        return Answer(
            game=form,
            found=answer,
            engine=f"{self.name}/{found.engine}",
            tolerance=options.tolerance,
            status=status,
            message=message,
            iterations=found.iterations,
            sizes={"relevant_pairs": task.pairs.num_pairs, **size.of_solver},
        )


def _found(task: CorrelatedTask, options: CorrelatedOptions, clock: Clock) -> LPSolution:
    """Return the program's solution, with a basis if that is asked for and found in time."""
    from seqform.base.deadline import limit_given
    from seqform.methods.basis_in_time import basis_in_time

    def solved_by(solver: str) -> LPSolution:
        return task.solve(solver, options.engine, clock.seconds_left, clock.threads)

    if not options.exact:
        return solved_by(options.solver)
    if options.solver == "auto" and task.default_solver != "highs" and limit_given() is not None:
        return basis_in_time(partial(solved_by, "auto"), partial(solved_by, "highs"))
    return solved_by("highs")


def _drawn(
    problem: Problem,
    task: CorrelatedTask,
    options: CorrelatedOptions,
    clock: Clock,
    relaxed: CorrelatedAnswer,
    message: str,
) -> tuple[CorrelatedAnswer, str, Status | None]:
    """Return an answer that is one of a distribution; if none is found, the relaxed one and why."""
    from seqform.methods.correlated_mixture import search_from_nash
    from seqform.results.status import Status

    try:
        if options.exact is False:
            raise SolverError("it would be exact, which exact=False excludes")
        with clock.phase("distribution"):
            return search_from_nash(problem.form, task, clock).best(task), message, None
    except (GameTooLargeError, SolverError, OutOfTimeError) as error:
        return relaxed, f"{message}; no distribution: {error}", Status.RELAXED


EFCE = CorrelatedEquilibrium(
    "efce", "a best correlated equilibrium, moves recommended one by one; two players"
)
EFCCE = CorrelatedEquilibrium(
    "efcce", "a best coarse correlated equilibrium, to obey or not at each information set"
)
NFCCE = CorrelatedEquilibrium(
    "nfcce", "a best coarse correlated equilibrium, to obey or not before the game"
)
