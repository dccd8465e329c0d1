"""Sweeps over the stages of a recursive game, in which players learn for what leads are worth.

In each sweep all stages are played for some time while leads keep their worth. Then that is made
anew: by *value iteration* it is what the stage's plans get, with leads worth what they were; by
*policy iteration* what they are worth in the whole game, a Markov chain of stages. With fictitious
play within stages the former is VI-FP (Ganzfried & Sandholm, "Computing an approximate jam/fold
equilibrium for 3-player no-limit Texas hold'em tournaments", AAMAS 2008), and the latter PI-FP
("Computing equilibria in multiplayer stochastic games of imperfect information", IJCAI 2009). VI-FP
can converge to what is no equilibrium; if PI-FP converges, it is to one. Neither need converge.
With rules of regrets instead, regrets and averages go on from sweep to sweep, each of a few rounds
(`seqform.recursive.stage_play`).

So convergence is believed by nobody. What counts is by how much any player gains at any position by
the best deviation in the whole game (`seqform.recursive.deviation`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.clock import Clock
from seqform.base.deadline import For, overtime
from seqform.base.errors import OutOfTimeError
from seqform.base.interrupt import Interrupt, Interrupted
from seqform.recursive.checkpoint import SweepsFile
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.stage_batch import batches
from seqform.recursive.stage_play import StagePlay
from seqform.recursive.stationary import StationaryProfile

MOST_SWEEPS = 200
"""Tournaments of three players took 8 to 20 by policy iteration."""

PROOF = 6.0
"""A proof in integers takes up to about so many times as long as a look at deviations in floats."""

SAME = 1e-3
"""Values that are as near to earlier ones as this share of the largest step between have come round
again."""


class Sweep(NamedTuple):
    """What a sweep found, for whoever watches."""

    sweep: int
    gain: float
    """The most that any player gains at any position, in floats, in the game's unit."""
    change: float
    """The most by which the worth of a position differs from that of the sweep before."""
    profile: StationaryProfile
    """The strategies of this sweep."""

    def __str__(self) -> str:
        return f"sweep {self.sweep}: by no deviation anybody gains more than {self.gain:.3g}"


class Swept(NamedTuple):
    """What a search found.

    Parameters
    ----------
    profile
        The strategies with the least gain.
    gain
        The most that any player gains by a deviation at any position, in floats.
    sweeps
        How many were made.
    cycle
        After how many sweeps values came round again, at last; 0 if they never did.
    """

    profile: StationaryProfile
    gain: float
    sweeps: int
    cycle: int


def sweep_stages(
    graph: StageGraph,
    play: StagePlay,
    *,
    by_policy: bool,
    gain: float,
    clock: Clock,
    start: StationaryProfile,
    values: Floats,
    sweeps: int = MOST_SWEEPS,
    saver: SweepsFile | None = None,
    resume: bool = False,
) -> Swept:
    """Return strategies by which nobody gains more than so much, or the best that were found.

    The first interrupt ends the search too, if there was a sweep.

    Parameters
    ----------
    play
        What players do within stages in a sweep.
    by_policy
        Whether leads are made worth what the strategies are, instead of by value iteration.
    gain
        In the game's unit, at every position.
    clock
        Its deadline ends the search, and what is best so far is returned. A sweep is begun if there
        is time for one that takes as long as the longest, and for a proof.
    start
        What players do in the beginning.
    values
        What positions are worth in the beginning, float64 (num_stages, num_players).
    sweeps
        The most that are made, with those before the search was saved.
    saver
        Is given the search after each sweep.
    resume
        Whether to go on from what was saved.

    Raises
    ------
    OutOfTimeError
        If the time is over before the first sweep is.
    ResultFileError
        If there is nothing to go on from, or nothing can be saved.
    """
    search = Search(graph, play, by_policy, clock.callback, start, values)
    if saver is not None and resume:
        saver.resume(search)
    with Interrupt() as stop:
        while search.found.gain > gain and search.found.sweeps < sweeps:
            try:
                search.sweep(stop)
                if saver is not None:
                    saver.keep(search)
            except (OutOfTimeError, Interrupted) as error:
                if search.found.sweeps:
                    break
                if isinstance(error, Interrupted):
                    stop.end()
                raise
            if stop.asked or perf_counter() + search.needed >= clock.deadline:
                break
        if saver is not None:
            with overtime(For.MAKING):
                saver.finish()
    return search.found


class Search:
    """The state of a search: what stages learned, what leads are worth, and the best so far."""

    def __init__(
        self,
        graph: StageGraph,
        play: StagePlay,
        by_policy: bool,
        callback: Callable[[Sweep], None] | None,
        start: StationaryProfile,
        values: Floats,
    ) -> None:
        self.graph, self.play, self.by_policy = graph, play, by_policy
        self.callback = callback
        self.batches = batches(graph, start)
        self.history = [values]
        self.found = Swept(start, np.inf, 0, 0)
        self.needed = 0.0
        """Seconds that another sweep takes, and a proof of what it finds, by those until now."""

    def sweep(self, stop: Interrupt) -> None:
        """Let the players learn, look at what they gain by deviations, and go on."""
        begun, values = perf_counter(), self.history[-1]
        for batch in self.batches:
            self.play.sweep(batch, values, stop)
        learned = perf_counter()
        profile = self._profile()
        facing = Facing(profile)
        worth = facing.values()
        gain = float((facing.best() - worth).max())
        self.history.append(worth if self.by_policy else stage_values(facing, values))
        count, cycle = self.found.sweeps + 1, comes_round(self.history)
        found = self.found._replace(sweeps=count, cycle=cycle)
        self.found = found._replace(profile=profile, gain=gain) if gain < found.gain else found
        if self.callback is not None:
            self.callback(Sweep(count, gain, _distance(self.history[-1], values), profile))
        now = perf_counter()
        self.needed = max(self.needed, now - begun + PROOF * (now - learned))

    def _profile(self) -> StationaryProfile:
        behaviors: list[tuple[Floats, ...]] = [()] * len(self.graph.stages)
        for batch in self.batches:
            for number, own in zip(batch.numbers, batch.behaviors(), strict=True):
                behaviors[number] = own
        return StationaryProfile(self.graph, tuple(behaviors))


def stage_values(facing: Facing, values: Floats) -> Floats:
    """Return what plans get in each stage where leads are worth so much.

    Both float64 (num_stages, num_players).
    """
    graph = facing.graph
    found = np.empty_like(values)
    for (stage, seat), against in zip(facing.positions, facing.against, strict=True):
        worth = graph.worth(stage, values)[:, seat]
        likely = against.of_plan(facing.profile.plans[stage][seat], len(worth))
        found[stage, seat] = likely @ worth
    return found


def comes_round(history: list[Floats]) -> int:
    """Return after how many sweeps values have come round again; 0 if they have not.

    They have if they are nearer to those of two or more sweeps before than `SAME` of the largest
    step that was made between.
    """
    step = 0.0
    last = history[-1]
    for back in range(1, len(history)):
        step = max(step, _distance(history[-back], history[-back - 1]))
        if back > 1 and step > 0 and _distance(last, history[-back - 1]) <= SAME * step:
            return back
    return 0


def _distance(one: Floats, other: Floats) -> float:
    return float(np.abs(one - other).max())
