"""Goofspiel with imperfect information: prizes in descending order, bids secret.

Only who won a round is announced. The variant is OpenSpiel's ``goofspiel(imp_info=True,
points_order=descending)`` with win-loss payoffs.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.parameters import require
from games.sources import SYMMETRIC
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL

MAX_CARDS = 1000
"""Of a player; every state holds those left, and nine a player make ten billion nodes."""


class Bids(NamedTuple):
    """What was bid so far."""

    bids: tuple[tuple[int, ...], tuple[int, ...]]
    """Each player's."""
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    """Each player's cards left."""
    results: tuple[int, ...] = ()
    """Of each round: 1 if player 0 won it, -1 if player 1 did, 0 for a tie."""
    lead: int = 0
    """Player 0's, in points."""


@dataclass(frozen=True)
class Goofspiel:
    """Each player bids one of the cards 1..cards for each prize; the higher bid takes it.

    A tie discards the prize. Bids are simultaneous: player 1 does not see the bid of the current
    round. The last card is forced and plays itself. The higher total of prizes wins one point.
    """

    cards: int
    num_players: int = 2
    unit: str = "points"

    def root(self) -> Bids:
        """Return the state before the first bid."""
        hand = tuple(range(1, self.cards + 1))
        return Bids(((), ()), (hand, hand))

    def player(self, state: Bids) -> int:
        """Return who bids."""
        if len(state.hands[1]) == 1:
            return TERMINAL
        return len(state.bids[0]) - len(state.results)

    def actions(self, state: Bids) -> tuple[int, ...]:
        """Return the cards still in hand."""
        return state.hands[len(state.bids[0]) - len(state.results)]

    def chance(self, state: Bids) -> tuple[tuple[Hashable, int], ...]:
        """There is no chance in this variant."""
        return ()

    def child(self, state: Bids, action: int) -> Bids:
        """Return the state after a bid."""
        (first, second), (hand0, hand1), results, lead = state
        if len(first) == len(results):
            return Bids(((*first, action), second), (_without(hand0, action), hand1), results, lead)
        sign = (first[-1] > action) - (first[-1] < action)
        prize = self.cards - len(results)
        return Bids(
            (first, (*second, action)),
            (hand0, _without(hand1, action)),
            (*results, sign),
            lead + sign * prize,
        )

    def infoset(self, state: Bids) -> Hashable:
        """Return the player, its own bids, and who won each round so far."""
        player = len(state.bids[0]) - len(state.results)
        return player, state.bids[player], state.results

    def information_set_label(self, player: int, key: Any) -> str:
        """Return the player's bids so far, and how they went: "3 tied, 1 lost"."""
        _, bids, results = key
        ends = ("tied", "won", "lost") if player == 0 else ("tied", "lost", "won")
        rounds = [f"{bid} {ends[result]}" for bid, result in zip(bids, results, strict=True)]
        return ", ".join(rounds) or "start"

    def payoffs(self, state: Bids) -> tuple[int, int]:
        """Return +1 to the player with more points, 0 for a draw.

        The last cards compete for the last prize, 1.
        """
        ((mine,), (theirs,)) = state.hands
        lead = state.lead + (mine > theirs) - (mine < theirs)
        return OUTCOMES[(lead > 0) - (lead < 0)]


OUTCOMES = ((0, 0), (1, -1), (-1, 1))
"""Payoffs by the sign of player 0's lead: 0, 1, and -1 from the end."""


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    position = hand.index(card)
    return hand[:position] + hand[position + 1 :]


def goofspiel(cards: int = 4) -> Goofspiel:
    """Return goofspiel with `cards` cards a player.

    Parameters
    ----------
    cards
        Of each player, and as many prizes.
    """
    require("cards", cards, 2, MAX_CARDS)
    return Goofspiel(cards)


GOOFSPIEL = GameEntry(
    "goofspiel",
    "Goofspiel, imperfect information, prizes descending, win or lose",
    goofspiel,
    (KnownValue(0, SYMMETRIC),),
)
