"""How long players learn within stages before leads are looked at anew: the inner loop of a search.

Regrets and averages go on from sweep to sweep, each of a few rounds. Fictitious play is as it was
published (see `seqform.recursive.sweeps`): in each sweep averages begin anew, with answers to what
was played last, and go on until nobody in a stage gains much by a deviation there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.interrupt import Interrupt, Interrupted
from seqform.recursive.stage_batch import Batch, FictitiousPlay, Learner

ROUNDS = 32
"""Of a sweep. With many more the strategies leap from sweep to sweep, and gains stay larger."""

FIRST_LOOK = 8
"""After so many rounds it is first looked at what is gained within stages."""

LOOKS = 1.25
"""Between two looks at what is gained within stages, rounds grow by this factor."""

MOST_ROUNDS = 20_000
"""Of fictitious play in a sweep, which need not settle where there are three players."""


class StagePlay(Protocol):
    """What players do within the stages of a batch in a sweep."""

    def sweep(self, batch: Batch, values: Floats, stop: Interrupt) -> None:
        """Let them learn where positions are worth so much, float64 (num_stages, num_players).

        Raises
        ------
        OutOfTimeError, Interrupted
            If the time is over, or the user asked to stop.
        """


class FewRounds:
    """Some rounds, by whatever learner; all that it knows is kept for the next sweep."""

    def __init__(self, learner: Learner, rounds: int = ROUNDS) -> None:
        self.learner, self.rounds = learner, rounds

    def sweep(self, batch: Batch, values: Floats, stop: Interrupt) -> None:
        """Go on for so many rounds."""
        self.learner.learn(batch, batch.worth(values), self.rounds, _watch(stop))


class UntilNobodyGains:
    """Fictitious play until nobody gains more than so much within a stage.

    Parameters
    ----------
    gain
        In the game's unit.
    """

    def __init__(self, gain: float) -> None:
        self.gain, self.learner = gain, FictitiousPlay()

    def sweep(self, batch: Batch, values: Floats, stop: Interrupt) -> None:
        """Begin averages anew, by answering what was played last, and play on."""
        worth, look = batch.worth(values), FIRST_LOOK
        batch.played = 0
        while batch.played < MOST_ROUNDS:
            self.learner.learn(batch, worth, look - batch.played, _watch(stop))
            if most_gained(batch, values) <= self.gain:
                break
            look = max(look + 1, int(look * LOOKS))


def _watch(stop: Interrupt) -> Callable[[], None]:
    """Return what stops if the time is over, or if the user asked for that."""

    def look() -> None:
        check_time("learning within stages")
        if stop.asked:
            raise Interrupted

    return look


def most_gained(batch: Batch, values: Floats) -> float:
    """Return the most that anybody gains by a deviation within one stage of a batch.

    Parameters
    ----------
    values
        What positions are worth, float64 (num_stages, num_players).
    """
    graph, most = batch.graph, -np.inf
    treeplexes = batch.form.treeplexes
    plans = [
        [t.to_plan(own) for t, own in zip(treeplexes, behaviors, strict=True)]
        for behaviors in batch.behaviors()
    ]
    for seat, treeplex in enumerate(treeplexes):
        at = [graph.meetings(number, seat) for number in batch.numbers]
        every = batch.form.all_against(at, plans)
        for number, against, own in zip(batch.numbers, every, plans, strict=True):
            gradient = against.gradient(graph.worth(number, values)[:, seat])
            most = max(most, treeplex.best_value(gradient) - float(gradient @ own[seat]))
    return float(most)
