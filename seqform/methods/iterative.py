"""From an iterative engine to an answer: search, checkpoints, rounding, polishing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from seqform.base.deadline import overtime
from seqform.methods.method import Answer
from seqform.results.solution import Status
from seqform.solvers.iterative.checkpoint import open_checkpoint
from seqform.solvers.iterative.search import Engine, Found, Limits, Progress, search

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.methods.search_options import SearchOptions

MANY_PLAYERS = "many-players"
"""The name of the engine whose joint play has something to say."""

logger = logging.getLogger(__name__)

SAFETY = 0.98
"""The engine aims at this share of the gap: the certificate adds what rounding may hide."""


def search_equilibrium(
    problem: Problem,
    method: str,
    engine: Engine,
    options: SearchOptions,
    clock: Clock,
    margin: float = 0.0,
) -> Answer:
    """Run an engine to the gap of the options, and polish its plans if they say so.

    Parameters
    ----------
    margin
        How much the gap may grow when the profile is rounded to single precision, as a share of the
        payoff scale. 0 if it is not to be rounded.
    """
    from seqform.form.sequence_form import ZeroSumForm
    from seqform.methods.on_support import polished_on_support
    from seqform.methods.polish import polished

    form = problem.form
    aim, tolerance = options.aims(form)
    iterations = float("inf") if options.iterations is None else options.iterations
    limits = Limits((SAFETY * aim - margin) * form.payoff_scale, iterations, clock.deadline)
    with clock.phase("prepare"):
        saver = kept = None
        if options.checkpoint is not None:
            saver, kept = open_checkpoint(
                options.checkpoint, form, engine, method, options.resume, problem.reduction
            )
    with clock.phase("solve"):
        found = search(engine, limits, _callback(clock), saver, kept)
    logger.info("%s claims a gap of %.3g after %s iterations", method, found.gap, found.iterations)
    with overtime(), clock.phase("certify"):
        single = margin > 0 and not options.polishes(form)
        answer = _answer(form, method, engine, found, tolerance, single)
    if not options.polishes(form) or found.interrupted or form.merged:
        return answer
    polish = polished if isinstance(form, ZeroSumForm) else polished_on_support
    return polish(form, answer, tolerance, clock)


def _callback(clock: Clock) -> Callable[[Progress], None] | None:
    """Return the clock's callback, which is told what follows the search, too."""
    told = clock.callback
    if told is None:
        return None
    return lambda now: told(replace(now, after=clock.reserved))


def _answer(
    form: SequenceForm, method: str, engine: Engine, found: Found, tolerance: float, single: bool
) -> Answer:
    profile = form.profile_of_plans(found.plans)
    if single:  # regrets had no more digits, and so it can be saved in half the space
        profile = profile.rounded(form.treeplexes)
    if found.reached:
        message = "stopped at the gap"
    else:
        message = "the gap stopped shrinking" if found.stalled else "stopped by a limit"
    remark = getattr(engine, "remark", None)
    if remark is not None:
        message += f": {remark()}"
    if engine.name == MANY_PLAYERS:
        message += f": {joint_play_in_words(engine)}"
    status = None if found.reached or found.stalled else Status.LIMIT
    if form.merged and found.stalled:
        status = Status.LIFTED  # as near as these buckets come
    return Answer(
        game=form,
        found=profile,
        engine=f"{method}/{engine.name}",
        tolerance=tolerance,
        status=status,
        message=message,
        iterations=found.iterations,
        history=found.history,
        stands=status is Status.LIFTED,
    )


def joint_play_in_words(engine: Any) -> str:
    """Return what the joint play of all iterations of a `ManyPlayersEngine` proves."""
    from seqform.base.number import decimal
    from seqform.concepts.joint_regret import JointPlay, regret_bound

    heuristic, weight = "a heuristic for Nash equilibria of this game", engine.weight
    if not weight:
        return heuristic
    got = tuple(engine.got.tolist())
    play = JointPlay(engine.plans(), engine.paid, got, weight, engine.iterations)
    most = decimal(Fraction(max(0.0, regret_bound(engine.form, play))), 3)
    return (
        f"{heuristic}; the joint play of all iterations is a coarse correlated equilibrium up to "
        f"{most} {engine.form.unit}, rounding errors included"
    )
