"""play_stages: a person at the table of a recursive game, stage after stage until play ends."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import InvalidParameterError
from seqform.base.interrupt import Interrupt, Interrupted
from seqform.game.labels import which_player
from seqform.recursive.deviation import Facing
from seqform.recursive.stage_table import StageTable
from seqform.recursive.stationary import StationaryProfile
from seqform.strategies.play.play import Ask, Hand, Session, Tell, sit_down, to_the_end
from seqform.strategies.play.table import Verdict


def play_stages(
    profile: StationaryProfile,
    *,
    ask: Ask = input,
    tell: Tell = print,
    plays: int | None = None,
    player: int | str | None = None,
    seed: int | None = None,
) -> Session:
    """Let a person play a recursive game, from its first stage to the end of play.

    A decision is judged by what its leads are worth in the whole game, if everybody does what the
    profile says afterwards.

    Parameters
    ----------
    profile
        What the others do, such as that of a solution, or `StationaryProfile.uniform`.
    ask, tell
        Shows a prompt and returns what was typed; shows a line.
    plays
        How many times play goes to its end; without it, until the person stops. An end of the
        input, and an interrupt from the keyboard, stop too.
    player
        The person's seat in the first stage; without it, all in turn.
    seed
        The same one draws the same plays; None: others every time.

    Returns
    -------
    session
        What was played to its end; each of its hands is a whole play.

    Raises
    ------
    InvalidParameterError
        If there is no such seat, or not at least one play.

    Examples
    --------
    >>> from seqform import make, solve
    >>> solution = solve(make("kuhn-tournament", chips=3))
    >>> session = play_stages(solution.profile, ask=lambda prompt: "1", tell=lambda line: None,
    ...     plays=2, seed=1)
    >>> all(hand.payoffs in ((1, 0), (0, 1)) for hand in session.hands)
    True
    """
    if plays is not None and (type(plays) is not int or plays < 1):
        raise InvalidParameterError(f"plays={plays!r}: use a whole number, at least 1")
    graph = profile.graph
    who = None if player is None else which_player(player, graph)
    session, rng = Session(graph.unit, what="play"), np.random.default_rng(seed)
    person = _Person(profile, rng, ask, tell)

    def one(number: int, stop: Interrupt) -> Hand:
        first = number % graph.num_players if who is None else who
        tell(f"Play {number + 1}. You are player {first}.")
        return person.play(first, stop)

    return sit_down(session, one, plays, tell)


class _Person:
    """Somebody who plays a seat, and what is needed for that."""

    def __init__(
        self, profile: StationaryProfile, rng: np.random.Generator, ask: Ask, tell: Tell
    ) -> None:
        self.profile, self.graph, self.rng = profile, profile.graph, rng
        self.ask, self.tell = ask, tell
        self.values: Floats = Facing(profile).values()
        self._tables: dict[tuple[int, int], StageTable] = {}

    def play(self, first: int, stop: Interrupt) -> Hand:
        """Play from the first stage to the end of play."""
        stage, hands, verdicts = 0, 0, list[Verdict]()
        seats = np.arange(self.graph.num_players)  # where each player sits
        paid = np.zeros(self.graph.num_players)
        while stage >= 0:
            if stop.asked:
                raise Interrupted
            hands, seat = hands + 1, int(seats[first])
            self.tell(f"Stage {hands}: {self.graph.label(stage)}. You are in seat {seat}.")
            table = self._table(stage, seat)
            end, said = to_the_end(table, seat, self.rng, self.ask, self.tell, stop)
            verdicts += said
            payoffs, following, seat_after = self.graph.arrays(stage)
            paid += payoffs[end.lead, seats]
            seats, stage = seat_after[end.lead, seats], int(following[end.lead])
        return Hand(first, tuple(paid.tolist()), tuple(verdicts))

    def _table(self, stage: int, seat: int) -> StageTable:
        if (stage, seat) not in self._tables:
            self._tables[stage, seat] = StageTable(self.profile, stage, seat, self.values)
        return self._tables[stage, seat]
