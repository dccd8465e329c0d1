"""Stationary strategies of a two-player constant-sum recursive game, by iteration over stages.

Pollatschek & Avi-Itzhak ("Algorithms for stochastic games with geometrical interpretation",
Management Science 15(7), 1969): solve every stage for the present values; evaluate the optimal
plans of both players, which are a Markov chain; go on with what that is worth. It is Newton's
method where it converges, and it need not. Where the chain may go on for ever, or the values stop
getting nearer, the values of the stages themselves are gone on with (Shapley's value iteration).

Convergence is believed by nobody: what counts is how much less the strategies guarantee than the
others cannot be kept from, over the whole game (`seqform.recursive.deviation`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.clock import Clock
from seqform.base.deadline import check_time
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.stage_program import Kind, StageOptimum, kind, programs
from seqform.recursive.stationary import StationaryProfile

MOST_ITERATIONS = 500
"""Tournaments took 5 to 9; value iteration alone takes more the longer play lasts."""

EVERY, FEW = 4, 32
"""In the first iteration values are rough. So of more than a few alike stages only every fourth is
solved, and the others do what is optimal in the nearest of these. It took no more iterations."""

PATIENCE = 8
"""Iterations without a narrower bracket after which values of stages are gone on with."""


class Step(NamedTuple):
    """What an iteration found, for whoever watches."""

    iteration: int
    width: float
    """The widest bracket of any position, in the game's unit."""

    def __str__(self) -> str:
        return f"iteration {self.iteration}: no bracket is wider than {self.width:.3g}"


@dataclass(frozen=True, eq=False)
class Found:
    """The best strategies that were found.

    Parameters
    ----------
    profile
        Of both players.
    width
        The widest bracket of any position, in floats.
    iterations
        How many were made.
    reached
        Whether the width is what was asked for.
    """

    profile: StationaryProfile
    width: float
    iterations: int
    reached: bool


def iterate(
    graph: StageGraph,
    width: float,
    clock: Clock,
    start: StationaryProfile | None = None,
    iterations: int = MOST_ITERATIONS,
) -> Found:
    """Return stationary strategies between whose guarantees there is at most `width`.

    Parameters
    ----------
    graph
        Stages of a two-player game in which payoffs add up to a constant.
    width
        In the game's unit, at every position.
    clock
        Its deadline ends the search, and what is best so far is returned. An iteration is begun if
        there is time for two that take as long as the longest: it, and a proof of what it finds.
    start
        A profile whose values to begin with; by default all actions are equally likely.
    """
    search = _Search(graph, width, clock.callback)
    try:
        values = Facing(start or StationaryProfile.uniform(graph)).values()
        while True:
            begun = perf_counter()
            values = search.step(values)
            search.longest = max(search.longest, perf_counter() - begun)
            no_time = perf_counter() + 2 * search.longest >= clock.deadline
            if search.is_done or search.iterations >= iterations or no_time:
                break
    except (OutOfTimeError, SolverError):  # HiGHS is told when to end, too
        if not clock.is_over:
            raise
    best = search.best
    return Found(best.profile, best.width, search.iterations, best.width <= width)


class _Best(NamedTuple):
    width: float
    profile: StationaryProfile
    iteration: int


class _Search:
    """The state of a search: solutions of stages to start from, and the best profile so far."""

    def __init__(
        self, graph: StageGraph, width: float, callback: Callable[[Step], None] | None
    ) -> None:
        self.graph, self.width, self.callback = graph, width, callback
        self.constant = float(graph.constant_sum or 0)
        self.programs = programs(graph)
        self.solved = _Solved(graph)
        self.iterations, self.is_newton, self.longest = 0, True, 0.0
        self.best = _Best(np.inf, StationaryProfile.uniform(graph), 0)

    @property
    def is_done(self) -> bool:
        return self.best.width <= self.width

    def step(self, values: Floats) -> Floats:
        """Solve all stages for values, look at what the strategies guarantee, and go on."""
        worth, behaviors = self._solve_stages(values)
        self.iterations += 1
        profile = StationaryProfile(self.graph, tuple(behaviors))
        facing = Facing(profile)
        width = float((facing.best().sum(axis=1) - self.constant).max())
        if width < self.best.width / 2:
            self.best = _Best(width, profile, self.iterations)
        elif width < self.best.width:  # better, and no reason for patience
            self.best = self.best._replace(width=width, profile=profile)
        if self.callback is not None:
            self.callback(Step(self.iterations, self.best.width))
        if self.iterations - self.best.iteration > PATIENCE:
            self.is_newton = False
        return facing.values() if self.is_newton and facing.always_ends() else worth

    def _solve_stages(self, values: Floats) -> tuple[Floats, list[tuple[Floats, Floats]]]:
        """Return the value of each stage to both seats, and optimal behaviours."""
        worth, behaviors = np.empty_like(values), {}
        order = self.graph.order()  # stages whose keys are neighbours are most alike
        rough = self.solved.between(order) if self.iterations == 0 else set()
        for number in sorted(order, key=rough.__contains__):
            check_time("solving stages")
            program, leads = self.programs[number], self.graph.worth(number, values)[:, 0]
            optimum = self.solved.near(number, leads)
            if number in rough and optimum is not None:
                value = program.value(leads, optimum.behaviors)
            else:
                optimum = program.solve(leads, optimum)
                value = optimum.value
                self.solved.keep(number, leads, optimum)
            worth[number] = value, self.constant - value
            behaviors[number] = optimum.behaviors
        return worth, [behaviors[number] for number in range(len(behaviors))]


class _Solved:
    """What leads were worth when each stage was last solved, and what was optimal.

    The stage itself may be the nearest one or, while its leads still change much, one beside it.
    """

    def __init__(self, graph: StageGraph) -> None:
        kinds: dict[Kind, list[int]] = {}
        for number, stage in enumerate(graph.stages):
            kinds.setdefault(kind(stage), []).append(number)
        groups = list(kinds.values())
        self.place = {
            number: (of, row) for of, alike in enumerate(groups) for row, number in enumerate(alike)
        }
        self.leads = [
            np.full((len(alike), len(graph.stages[alike[0]].leads)), np.inf) for alike in groups
        ]
        self.optima: dict[tuple[int, int], StageOptimum] = {}

    def between(self, order: list[int]) -> set[int]:
        """Return the stages that are left out where of many alike ones only some are solved."""
        seen: dict[int, int] = {}
        left_out = set()
        for number in order:
            of, _ = self.place[number]
            place = seen[of] = seen.get(of, -1) + 1
            if place % EVERY and len(self.leads[of]) > FEW:
                left_out.add(number)
        return left_out

    def near(self, number: int, leads: Floats) -> StageOptimum | None:
        """Return what is optimal in the alike stage whose leads were worth most alike, if any."""
        of, _ = self.place[number]
        apart = np.abs(self.leads[of] - _in_shape(leads)).max(axis=1, initial=0.0)
        return self.optima.get((of, int(apart.argmin())))

    def keep(self, number: int, leads: Floats, optimum: StageOptimum) -> None:
        """Keep how a stage was solved."""
        of, row = self.place[number]
        self.leads[of][row], self.optima[of, row] = _in_shape(leads), optimum


def _in_shape(leads: Floats) -> Floats:
    """Return what leads are worth, from 0 to 1: other units change no plan."""
    least, most = leads.min(initial=np.inf), leads.max(initial=-np.inf)
    return (leads - least) / (most - least) if most > least else 0 * leads
