"""The ultimatum game: one proposes how to share coins, the other accepts or both get nothing.

References
----------
Gueth, Schmittberger & Schwarze, "An experimental analysis of ultimatum bargaining", Journal of
Economic Behavior and Organization 3, 1982.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL, PerfectInformation

State = tuple[int | None, str]

MAX_COINS = 1_000_000
"""Every offer is an action of one state."""


@dataclass(frozen=True)
class Ultimatum(PerfectInformation):
    """A state is (coins offered to player 1, its answer)."""

    coins: int
    num_players: int = 2
    unit: str = "coins"

    def root(self) -> State:
        """Return the state before the offer."""
        return None, ""

    def player(self, state: State) -> int:
        """Return who moves: the proposer, then the responder."""
        offer, answer = state
        return 0 if offer is None else TERMINAL if answer else 1

    def actions(self, state: State) -> tuple[int | str, ...]:
        """Return the possible offers, or answers."""
        return tuple(range(self.coins + 1)) if state[0] is None else ("accept", "reject")

    def child(self, state: State, action: int | str) -> State:
        """Return the state after an offer or an answer."""
        return (int(action), "") if state[0] is None else (state[0], str(action))

    def payoffs(self, state: State) -> tuple[int, int]:
        """Return the shares, or nothing."""
        offer, answer = state
        return (self.coins - offer, offer) if offer is not None and answer == "accept" else (0, 0)


def ultimatum(coins: int = 10) -> Ultimatum:
    """Return the ultimatum game over `coins` coins, offered in whole ones.

    Parameters
    ----------
    coins
        To be divided.
    """
    require("coins", coins, 1, MAX_COINS)
    return Ultimatum(coins)


WHY = (
    "by hand: who gets nothing either way accepts, "
    "so nothing is offered; a second equilibrium offers 1"
)
ULTIMATUM = GameEntry(
    "ultimatum",
    "Ultimatum: an offer, accepted or not; not zero-sum",
    ultimatum,
    (KnownValue(10, WHY),),
)
