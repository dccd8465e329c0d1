"""The way to a smaller game and back: what a reduction makes, and answers lifted from that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from seqform.base import thresholds
from seqform.base.clock import Clock
from seqform.base.errors import OutOfTimeError
from seqform.links.chain import Step, reduction_of
from seqform.links.link import Inverse, ReductionOptions, SequenceMap, apply
from seqform.methods.automatic import SEARCH_OF_LARGE
from seqform.methods.forecast import announce, lifting_seconds
from seqform.methods.method import METHODS
from seqform.methods.problem import Problem
from seqform.methods.request import Request
from seqform.results.solution import Smaller, Solution
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.links.link import Applied


class Lifting(NamedTuple):
    """The way back from a smaller game, and how many seconds it takes, by an estimate."""

    applied: Applied
    seconds: float


def of_larger(solution: Solution, lifting: Lifting, *, is_whole: bool) -> Solution:
    """Return the solution of a smaller game lifted to the game that was reduced."""
    applied = lifting.applied
    announce(LIFTING, lifting.seconds)
    lifted = _lifted(solution, applied.inverse)
    lifted = replace(lifted, smaller=Smaller(applied.reduction, solution, applied.lock))
    is_solved = applied.lock is not None and solution.status is Status.SOLVED
    is_locked = is_whole and is_solved and lifted.status is Status.LIFTED
    return replace(lifted, status=Status.LOCKED) if is_locked else lifted


def copies_plans(applied: Applied) -> bool:
    """Return whether equilibria in fractions of the smaller game are copied."""
    return isinstance(applied.inverse, SequenceMap) and applied.inverse.copies_plans


def reduction_names(liftings: Sequence[Lifting]) -> str:
    """Return the names of the reductions, one after the other."""
    return ",".join(lifting.applied.reduction for lifting in liftings)


def _lifted(solution: Solution, inverse: Inverse) -> Solution:
    """Return the solution of the whole game; one without an answer if the time is over before."""
    from seqform.results.lift import lift  # it loads numpy

    try:
        return lift(solution, inverse)
    except OutOfTimeError as error:  # what was found of the smaller game is not lost
        run = replace(solution.run, message=str(error))
        bare = replace(solution, answer=None, certificate=None, proofs=(), run=run)
        return replace(bare, status=Status.LIMIT)


COMPILE_FROM = 2_000_000
"""Payoff nonzeros of a signal game from which its classes, too, are many enough to go by rounds."""

LIFTING = "lifting an answer to the whole game and certifying it there"


def reduced(request: Request, step: Step, clock: Clock) -> tuple[Request, Lifting]:
    """Return the request for the smaller game, and the way back."""
    problem, seconds = request.problem, 0.0
    reduction = reduction_of(*step, problem.game)
    if problem.is_signal_game:  # counted before anything is built
        seconds = lifting_seconds(problem.counted_sequences, problem.shows_everybody)
        clock.reserve(seconds, LIFTING)
        _compile_ahead(request)
    with clock.phase("reduce"):
        options = ReductionOptions(step.threshold, problem.max_nodes)
        applied = apply(reduction, problem.game, options)
    if not problem.is_signal_game:
        by_boards = problem.is_form and problem.is_of_hands
        seconds = lifting_seconds(applied.num_sequences, by_boards)
        clock.reserve(seconds, LIFTING)
    announce(LIFTING, seconds)
    made_by = reduction.name if problem.reduction == "none" else f"{problem.reduction},{step.name}"
    smaller = Problem(applied.after, problem.max_nodes, clock, made_by)
    return replace(request, problem=smaller), Lifting(applied, seconds)


def _compile_ahead(request: Request) -> None:
    """Have loops compiled while classes are found, if a search of a large game is to come."""
    if request.is_iterative or request.problem.counted_nonzeros >= thresholds.ITERATE_FROM:
        name = SEARCH_OF_LARGE if request.method == "auto" else request.method
        if request.problem.counted_nonzeros >= COMPILE_FROM:
            METHODS.get(name).compile_ahead()
