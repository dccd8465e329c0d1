"""Goofspiel with imperfect information: prizes in descending order, bids secret, only the winner announced.

The variant is OpenSpiel's ``goofspiel(imp_info=True, points_order=descending)`` with win-loss payoffs.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

from games.limit_poker import require
from seqform.protocol import TERMINAL


class Bids(NamedTuple):
    """The cards bid so far; player 0's list is one longer while player 1 is to bid."""

    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()


@dataclass(frozen=True)
class Goofspiel:
    """Each player bids one of the cards 1..cards for each prize; the higher bid takes it, a tie discards it.

    Bids are simultaneous: player 1 does not see the bid of the current round. The last card is forced
    and plays itself. The higher total of prizes wins one point.
    """

    cards: int
    num_players: int = 2
    unit: str = "points"

    def root(self) -> Bids:
        """Return the state before the first bid."""
        return Bids()

    def player(self, state: Bids) -> int:
        """Return who bids."""
        if len(state.second) >= self.cards - 1:
            return TERMINAL
        return len(state.first) - len(state.second)

    def actions(self, state: Bids) -> tuple[int, ...]:
        """Return the cards still in hand."""
        used = state.second if len(state.first) > len(state.second) else state.first
        return tuple(card for card in range(1, self.cards + 1) if card not in used)

    def chance(self, state: Bids) -> tuple[tuple[Hashable, int], ...]:
        """There is no chance in this variant."""
        return ()

    def child(self, state: Bids, action: int) -> Bids:
        """Return the state after a bid."""
        if len(state.first) > len(state.second):
            return Bids(state.first, (*state.second, action))
        return Bids((*state.first, action), state.second)

    def infoset(self, state: Bids) -> Hashable:
        """Return the player, its own bids, and who won each round so far."""
        player = self.player(state)
        own = state.second if player else state.first
        return player, own, tuple((a > b) - (a < b) for a, b in zip(state.first, state.second, strict=False))

    def payoffs(self, state: Bids) -> tuple[int, int]:
        """Return +1 to the player with more points, 0 for a draw."""
        left = set(range(1, self.cards + 1))
        first = (*state.first, *(left - set(state.first)))
        second = (*state.second, *(left - set(state.second)))
        lead = sum(((a > b) - (a < b)) * (self.cards - turn) for turn, (a, b) in enumerate(zip(first, second, strict=True)))
        sign = (lead > 0) - (lead < 0)
        return sign, -sign


def goofspiel(cards: int = 4) -> Goofspiel:
    """Return goofspiel with `cards` cards a player."""
    require("cards", cards, 2)
    return Goofspiel(cards)
