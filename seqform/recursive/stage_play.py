"""How long players learn within stages before leads are looked at anew: the inner loop of a search.

Regrets and averages go on from sweep to sweep, each of a few rounds. Fictitious play is as it was
published (see `seqform.recursive.sweeps`): in each sweep averages begin anew, with answers to what
was played last, and go on until nobody in a stage gains much by a deviation there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.interrupt import Interrupt, Interrupted
from seqform.recursive.stage_batch import (
    Batch,
    RegretMinimization,
    most_gained,
    play_fictitiously,
)

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
    """Some rounds by regrets; all that is known of them is kept for the next sweep."""

    def __init__(self, learner: RegretMinimization, rounds: int = ROUNDS) -> None:
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
        self.gain = gain

    def sweep(self, batch: Batch, values: Floats, stop: Interrupt) -> None:
        """Begin averages anew, by answering what was played last, and play on."""
        worth, look = batch.worth(values), FIRST_LOOK
        batch.played, payer = 0, batch.payer(worth)
        while batch.played < MOST_ROUNDS:
            play_fictitiously(batch, payer, look - batch.played, _watch(stop))
            payer = batch.payer(worth)
            if most_gained(batch, payer) <= self.gain:
                break
            look = max(look + 1, int(look * LOOKS))


def _watch(stop: Interrupt) -> Callable[[], None]:
    """Return what stops if the time is over, or if the user asked for that."""

    def look() -> None:
        check_time("learning within stages")
        if stop.asked:
            raise Interrupted

    return look
