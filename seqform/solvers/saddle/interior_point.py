"""An interior point method for proximal programs of two plans.

Mehrotra's predictor and corrector (SIAM J. Optim. 2(4), 1992) on the conditions of
`seqform.solvers.saddle.proximal_program`, with s z = mu instead of 0: each iteration goes towards a
smaller mu. Plans and losses take the same step. Both players' plans come from one factorisation an
iteration.

The answer is a point, not a proof: best responses in the whole game judge it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.solvers.saddle.newton import NewtonEquations
from seqform.solvers.saddle.path import direction, room
from seqform.solvers.saddle.proximal_program import SaddleProgram
from seqform.solvers.saddle.starting_point import InteriorPoint, start

logger = logging.getLogger(__name__)

MAX_ITERATIONS = 300
"""It takes 60 to 100."""

TO_THE_BOUNDARY = 0.99
"""Which share of the way to the boundary a step goes."""

LEAST_CENTERING = 1e-4
"""By how much mu falls at most in one iteration."""


def saddle_plans(program: SaddleProgram, gap: float, stop: Callable[[], bool]) -> Floats:
    """Return the plans of a proximal program, float64 (sequences of both,).

    Parameters
    ----------
    program
        What to solve.
    gap
        Up to what sum of s z, in the unit of the payoffs, to go on; it is no less than what
        rounding does to the players' gains.
    stop
        Asked in each iteration; the plans so far are returned then, and also when rounding lets no
        iteration come further.

    Raises
    ------
    SolverError
        If not even the first iteration succeeds.
    """
    begun = time.perf_counter()
    point, equations = start(program), NewtonEquations(program)
    stakes = np.abs(program.gains(point.plans)) @ point.plans
    gap = max(gap, UNIT_ROUNDOFF * (1 + float(stakes)))
    why, iteration = "iterations", 0
    while iteration < MAX_ITERATIONS:
        left = float(point.plans @ point.losses)
        if left <= gap or stop():
            why = "gap" if left <= gap else "stopped"
            break
        further = _iteration(program, equations, point)
        if further is None:
            why = "rounding"
            break
        point, iteration = further, iteration + 1
    logger.info(
        "a program of %s payoffs: %.2e left after %s iterations (%s), %.3f s",
        program.payoff.nnz,
        point.plans @ point.losses,
        iteration,
        why,
        time.perf_counter() - begun,
    )
    if why == "rounding" and iteration == 0:
        raise SolverError("the interior point method found no direction")
    return point.plans


def _iteration(
    program: SaddleProgram, equations: NewtonEquations, point: InteriorPoint
) -> InteriorPoint | None:
    """Return the next point, or None if rounding leaves no good direction."""
    plans, _, losses = point
    equations.factor(program.pull + losses / plans)
    products = losses * plans
    mu = products.mean()
    ahead = direction(program, equations, point, -products)
    if ahead is None:
        return None
    then = _moved(point, ahead, _step(point, ahead, 1.0))
    centering = max(min((then.plans @ then.losses / (mu * len(plans))) ** 3, 1.0), LEAST_CENTERING)
    target = centering * mu - products - ahead.plans * ahead.losses
    change = direction(program, equations, point, target)
    if change is None:
        return None
    return _moved(point, change, _step(point, change, TO_THE_BOUNDARY))


def _step(point: InteriorPoint, change: InteriorPoint, share: float) -> float:
    """Return how far a direction can go: up to 1, and to a share of the way to the boundary."""
    way = min(room(point.plans, change.plans), room(point.losses, change.losses))
    return min(1.0, share * way)


def _moved(point: InteriorPoint, change: InteriorPoint, step: float) -> InteriorPoint:
    """Return the point some steps further."""
    return InteriorPoint(*(value + step * by for value, by in zip(point, change, strict=True)))
