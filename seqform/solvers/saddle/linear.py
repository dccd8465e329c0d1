"""An interior point method for the linear programs of both players, solved as one.

Without a distance to pay for, the conditions of `seqform.solvers.saddle.proximal_program` are those
of player 0's program (its plan x, the values of player 1's information sets, what y loses) and of
player 1's, its dual (y, the values of player 0's, what x loses). Each of the two takes a step of
its own.

It is Mehrotra's predictor and corrector (SIAM J. Optim. 2(4), 1992). One factorisation serves all
directions of an iteration, and on large games takes most of its time. So further correctors pull
products s z that a step would leave far from the others back to them (Gondzio, Comput. Optim. Appl.
6, 1996). Each corrector is added with the weight with which the step is longest (Colombo & Gondzio,
Comput. Optim. Appl. 41, 2008).

The answer is a point, not a proof: best responses in the whole game judge it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.form.treeplex import UNIT_ROUNDOFF
from seqform.solvers.saddle.factors import Factors
from seqform.solvers.saddle.newton import NewtonEquations
from seqform.solvers.saddle.path import correction, direction, room
from seqform.solvers.saddle.proximal_program import SaddleProgram
from seqform.solvers.saddle.starting_point import InteriorPoint, start

MAX_ITERATIONS = 300
"""It takes 40 to 70."""

EXACT, SCALINGS = 1e-6, 5
"""Residuals of Newton's equations, next to their right side, and rounds of their equilibration.
Smaller residuals do not shorten the way, and solving takes time where factors are large."""

TO_THE_BOUNDARY = 0.99
"""Which share of the way to the boundary a step goes."""

LEAST_CENTERING = 1e-4
"""By how much mu falls at most in one iteration."""

CORRECTORS = 4
"""Of Gondzio's at most in an iteration."""

WEIGHTS = np.linspace(0, 1, 9)
"""Of a corrector, on the way from the least that is worth it to 1."""

FARTHER, MORE, WORTH = 1.5, 0.3, 0.02
"""A corrector looks at the products after a step that is this much longer, and has to add that to
the steps of the two programs."""

NEAR = 0.1
"""Products from this share of mu to mu over it are left alone."""

HOPELESS, PATIENCE = 0.99, 5
"""If in so many iterations the gap does not fall to this share, rounding is in the way."""


class Found(NamedTuple):
    """A point, its gap, after how many iterations, and why it went no further."""

    point: InteriorPoint
    gap: float
    iterations: int
    why: str


class Part(NamedTuple):
    """Which plans, values and losses are the variables of one of the two programs."""

    plans: slice
    values: slice
    losses: slice


@dataclass
class Way:
    """A direction, and how far each of the two programs can go along it, at most 1."""

    change: InteriorPoint
    steps: list[float]


def linear_saddle(
    program: SaddleProgram,
    factors: Factors,
    gap: float,
    stop: Callable[[int, float], bool],
) -> Found:
    """Return optimal plans of both players, and the values and losses that go with them.

    Parameters
    ----------
    program
        What to solve; its weights are 0.
    factors
        What factors the matrix of Newton's equations.
    gap
        Up to what gap between the two programs to go on, in the unit of the payoffs: what best
        responses would gain. It is no less than what rounding does to that.
    stop
        Is told the number of each iteration and the gap before it. If it says so, the point so far
        is returned, and so it is when rounding lets no iteration come further.

    Raises
    ------
    SolverError
        If not even the first iteration succeeds, or the factors fail.
    """
    # with what is at stake in rare sets alone, products s z differ too much for long steps
    point = start(program, least_stake=float(np.abs(program.payoff.data).max(initial=1.0)))
    equations = NewtonEquations(program, factors, EXACT, SCALINGS)
    stakes = float(np.abs(program.gains(point.plans)) @ point.plans)
    gap, parts = max(gap, UNIT_ROUNDOFF * (1 + stakes)), _parts(program)
    gaps: list[float] = []
    while True:
        gaps.append(_gap(program, point))
        iterations = len(gaps) - 1
        if gaps[-1] <= gap:
            return Found(point, gaps[-1], iterations, "gap")
        if stop(iterations, gaps[-1]):
            return Found(point, gaps[-1], iterations, "stopped")
        if iterations == MAX_ITERATIONS:
            return Found(point, gaps[-1], iterations, "iterations")
        stalls = iterations >= PATIENCE and gaps[-1] > HOPELESS * gaps[-1 - PATIENCE]
        further = None if stalls else _iteration(program, equations, point, parts)
        if further is None:
            if iterations == 0:
                raise SolverError("the interior point method found no direction")
            return Found(point, gaps[-1], iterations, "rounding")
        point = further


def _gap(program: SaddleProgram, point: InteriorPoint) -> float:
    """Return the gap between the two programs: by the values so far, or by best responses.

    It is the larger one. Best responses also see conditions that do not hold yet.
    """
    gains = np.split(program.gains(point.plans), [program.num_own])
    both = zip(program.treeplexes, gains, strict=True)
    best = sum(treeplex.best_response(gain)[0] for treeplex, gain in both)
    return max(float(point.plans @ point.losses), best)


def _parts(program: SaddleProgram) -> tuple[Part, Part]:
    own, rows = program.num_own, program.treeplexes[0].num_infosets + 1
    first, second = slice(own), slice(own, None)
    return Part(first, slice(rows, None), second), Part(second, slice(rows), first)


def _iteration(
    program: SaddleProgram, equations: NewtonEquations, point: InteriorPoint, parts: Sequence[Part]
) -> InteriorPoint | None:
    """Return the next point, or None if rounding leaves no good direction."""
    plans, _, losses = point
    equations.factor(losses / plans)
    ahead = direction(program, equations, point, -losses * plans)
    if ahead is None:
        return None
    way = Way(ahead, [_reach(point, ahead, part) for part in parts])
    mu = _next_mu(point, way, parts)
    second = correction(equations, point, mu - ahead.plans * ahead.losses)
    if second is None:
        return None
    way = _with(point, way, second, parts, float(np.prod(way.steps)))
    way = _recentered(equations, point, way, parts, mu)
    return _moved(point, way.change, [TO_THE_BOUNDARY * step for step in way.steps], parts)


def _next_mu(point: InteriorPoint, ahead: Way, parts: Sequence[Part]) -> float:
    """Return the mu to go for: the smaller, the farther one can go straight ahead."""
    mu = float(point.plans @ point.losses) / len(point.plans)
    then = _moved(point, ahead.change, ahead.steps, parts)
    left = float(then.plans @ then.losses) / len(point.plans)
    return mu * max(min((left / mu) ** 2, 1.0), LEAST_CENTERING)


def _recentered(
    equations: NewtonEquations, point: InteriorPoint, way: Way, parts: Sequence[Part], mu: float
) -> Way:
    """Add correctors as long as each lengthens the step."""
    for _ in range(CORRECTORS):
        longer = [min(1.0, FARTHER * step + MORE) for step in way.steps]
        then = _moved(point, way.change, longer, parts)
        further = correction(equations, point, _pulled_back(then.plans * then.losses, mu))
        if further is None:
            return way
        better = _with(point, way, further, parts, float(np.prod(longer)))
        if sum(better.steps) < sum(way.steps) + WORTH:
            return way
        way = better
    return way


def _pulled_back(products: Floats, mu: float) -> Floats:
    """Return by how much products that are far from mu should change."""
    wanted = np.clip(products, NEAR * mu, mu / NEAR)
    return np.maximum(wanted - products, -mu / NEAR)


def _reach(point: InteriorPoint, change: InteriorPoint, part: Part) -> float:
    """Return how far a program can go: up to 1, and to the boundary."""
    return min(
        1.0,
        room(point.plans[part.plans], change.plans[part.plans]),
        room(point.losses[part.losses], change.losses[part.losses]),
    )


def _with(
    point: InteriorPoint, way: Way, further: InteriorPoint, parts: Sequence[Part], least: float
) -> Way:
    """Add a correction, for each program with the weight with which it can go farthest."""
    change, steps = way.change, []
    for part, step in zip(parts, way.steps, strict=True):
        farthest, weight = step, 0.0
        for other in least + (1 - least) * WEIGHTS:
            reach = _reach(point, _moved(way.change, further, [other], [part]), part)
            if reach >= farthest:
                farthest, weight = reach, float(other)
        change = _moved(change, further, [weight], [part])
        steps.append(farthest)
    return Way(change, steps)


def _moved(
    point: InteriorPoint, change: InteriorPoint, steps: Sequence[float], parts: Sequence[Part]
) -> InteriorPoint:
    """Return the point after a step of each program."""
    moved = InteriorPoint(*map(np.copy, point))
    for step, part in zip(steps, parts, strict=True):
        for values, by, own in zip(moved, change, part, strict=True):
            values[own] += step * by[own]
    return moved
