"""Plays of a recursive game drawn at random: which stages they go through, and what they pay."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError, InvalidParameterError, ResultFileError
from seqform.base.number import amount
from seqform.base.summary import Rows, Summarized
from seqform.base.whole_file import reason, replacing_table
from seqform.recursive.stationary import StationaryProfile
from seqform.strategies.play.sampled import mean_of

MOST_STEPS = 1_000_000
"""Stages after which a play counts as endless, and is refused."""


@dataclass(frozen=True, eq=False, repr=False)
class StageSample(Summarized):
    """Plays of a recursive game.

    Parameters
    ----------
    profile
        What everybody did.
    plays
        For each play the numbers of its stages.
    payoffs
        float64 (num_plays, num_players): what each player got, by the seats of the first stage.
    """

    profile: StationaryProfile
    plays: tuple[tuple[int, ...], ...]
    payoffs: Floats

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield a head, and for each play its number, length, payoffs and stages."""
        graph = self.profile.graph
        players = [f"player {player}" for player in range(graph.num_players)]
        yield ("play", "stages", *players, "through")
        for number, (play, paid) in enumerate(zip(self.plays, self.payoffs.tolist(), strict=True)):
            through = "; ".join(graph.label(stage) for stage in play)
            yield (number, len(play), *paid, through)

    def save(self, path: Path | str) -> None:
        """Write the rows as CSV.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        """
        path = Path(path)
        try:
            with replacing_table(path) as file:
                csv.writer(file, lineterminator="\n").writerows(self.rows())
        except OSError as error:
            raise ResultFileError(f"cannot write {path}: {reason(error)}") from None

    def summary(self) -> Rows:
        """Return how many plays there were, how long, and the means with intervals of 95%."""
        lengths = np.array([len(play) for play in self.plays])
        longest = f"{lengths.mean():.3g} on average, {lengths.max():,} the longest"
        means = [
            (f"player {player}", amount(self._mean(paid), self.profile.graph.unit))
            for player, paid in enumerate(self.payoffs.T)
        ]
        return [("plays", f"{len(self.plays):,}"), ("stages", longest), *means]

    def _mean(self, paid: Floats) -> str:
        found = mean_of(paid)
        return str(found) if len(paid) > 1 else f"{found.mean:.6g} (of one play)"

    def record(self) -> dict[str, Any]:
        """Return the means as JSON values."""
        lengths = [len(play) for play in self.plays]
        return {
            "plays": len(self.plays),
            "mean_stages": float(np.mean(lengths)),
            "means": self.payoffs.mean(axis=0).tolist(),
        }


def sample_stages(profile: StationaryProfile, plays: int, seed: int = 0) -> StageSample:
    """Play a recursive game from its start, stage by stage.

    Within a stage the chances of all leads are known, so that one is drawn by them: no hands are
    dealt.

    Parameters
    ----------
    plays
        How many.
    seed
        Of the random numbers.

    Raises
    ------
    InvalidParameterError
        If there is to be no play.
    GameTooLargeError
        If a play does not end within `MOST_STEPS` stages.
    """
    if isinstance(plays, bool) or plays < 1:
        raise InvalidParameterError(f"plays={plays}: play 1 or more")
    rng = np.random.default_rng(seed)
    chances = _Chances(profile)
    found = [_play(chances, rng) for _ in range(plays)]
    paid = np.array([payoffs for _, payoffs in found])
    return StageSample(profile, tuple(stages for stages, _ in found), paid)


class _Chances:
    """How likely each lead of a stage is, added up in order."""

    def __init__(self, profile: StationaryProfile) -> None:
        self.profile, self.graph = profile, profile.graph
        self._known: dict[int, Floats] = {}

    def of(self, stage: int) -> Floats:
        """Return the chances of a stage's leads, added up: float64 (num_leads,)."""
        if stage not in self._known:
            plans = self.profile.plans[stage]
            against = self.graph.meetings(stage, 0).against(plans)
            likely = against.of_plan(plans[0], len(self.graph.stages[stage].leads))
            self._known[stage] = np.cumsum(likely)
        return self._known[stage]


def _play(chances: _Chances, rng: np.random.Generator) -> tuple[tuple[int, ...], Floats]:
    """Return the stages of a play, and what each player got."""
    graph = chances.graph
    stages, stage = [0], 0
    seats = np.arange(graph.num_players)  # where each player sits
    paid = np.zeros(graph.num_players)
    while True:
        check_time("playing")
        sums = chances.of(stage)
        lead = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        payoffs, following, seat = graph.arrays(stage)
        lead = min(lead, len(following) - 1)
        paid += payoffs[lead, seats]
        if following[lead] < 0:
            return tuple(stages), paid
        seats, stage = seat[lead, seats], int(following[lead])
        stages.append(stage)
        if len(stages) > MOST_STEPS:
            raise GameTooLargeError(
                f"a play did not end within {MOST_STEPS:,} stages: these strategies may go on for "
                "ever"
            )
