"""From an iterative engine to an answer: search, checkpoints, rounding, polishing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from seqform.base.contract import whole
from seqform.base.deadline import overtime
from seqform.game import needs
from seqform.methods.method import Answer
from seqform.results.status import Status
from seqform.solvers.iterative.checkpoint import open_checkpoint
from seqform.solvers.iterative.search import Engine, Found, Limits, Progress, search

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.methods.search_options import SearchOptions

logger = logging.getLogger(__name__)

ROUNDING_ERROR = 5e-8
"""How much a gap may grow, as a share of the largest payoff, when a profile is rounded to the
digits of single precision (1.5e-8 on Leduc)."""

SAFETY = 0.98
"""The engine aims at this share of the gap: the certificate adds what rounding may hide."""


def search_equilibrium(
    problem: Problem,
    method: str,
    engine: Engine,
    options: SearchOptions,
    clock: Clock,
) -> Answer:
    """Run an engine to the gap of the options, and polish its plans if they say so."""
    from seqform.methods.on_support import polished_on_support
    from seqform.methods.polish import polished

    form, engine = problem.form, whole(engine, Engine)
    margin = ROUNDING_ERROR if engine.single else 0.0
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
    engine.finish()
    logger.info("%s claims a gap of %.3g after %s iterations", method, found.gap, found.iterations)
    with overtime(), clock.phase("certify"):
        single = engine.single and not options.polishes(form)
        answer = _answer(form, method, engine, found, tolerance, single)
    if not options.polishes(form) or found.interrupted or form.merged:
        return answer
    polish = polished if needs.is_zero_sum(form) else polished_on_support
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
    # where regrets had no more digits, it can be saved in half the space
    profile = engine.profile(form, found.plans, rounded=single)
    if found.reached:
        message = "stopped at the gap"
    else:
        message = "the gap stopped shrinking" if found.stalled else "stopped by a limit"
    if remarks := "; ".join(filter(None, (engine.remark(), _of_joint_play(form, engine)))):
        message += f": {remarks}"
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


def _of_joint_play(form: SequenceForm, engine: Engine) -> str:
    """Return what the joint play of all iterations proves, for people."""
    from seqform.base.number import decimal
    from seqform.concepts.joint_regret import regret_bound

    play = engine.joint_play()
    if play is None:
        return ""
    most = decimal(Fraction(max(0.0, regret_bound(form, play))), 3)
    return (
        "the joint play of all iterations is a coarse correlated equilibrium up to "
        f"{most} {form.unit}, rounding errors included"
    )
