"""Kuhn poker for three players and more (Abou Risk & Szafron, AAMAS 2010, Section 2).

Everybody antes a chip and is dealt a card. In turn they check until somebody bets one chip; then
each of the others calls or folds, once around the table. The highest card among those who did not
fold takes the pot. The rules are OpenSpiel's ``kuhn_poker(players=n)``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from games.limit_poker import rank_names
from seqform.game.rules import CHANCE, TERMINAL


class Hand(NamedTuple):
    """What was dealt, and what was done, in turn."""

    cards: tuple[int, ...] = ()
    """Each player's, the lowest being 0."""
    moves: tuple[str, ...] = ()

    @property
    def bettor(self) -> int | None:
        """Who has bet, if anybody has: the first to do so has done it on the first round."""
        return self.moves.index("bet") if "bet" in self.moves else None


@dataclass(frozen=True)
class KuhnForMany:
    """Kuhn poker; ante 1, one bet of 1.

    Parameters
    ----------
    cards
        How many there are, one of each rank.
    num_players
        Who sits at the table, player 0 acting first.
    """

    cards: int
    num_players: int
    unit: str = "chips"

    def root(self) -> Hand:
        """Return the state before the deal."""
        return Hand()

    def player(self, state: Hand) -> int:
        """Return who acts: once around, and after a bet once more up to the one who has bet."""
        if len(state.cards) < self.num_players:
            return CHANCE
        last = self.num_players if state.bettor is None else self.num_players + state.bettor
        return TERMINAL if len(state.moves) == last else len(state.moves) % self.num_players

    def chance(self, state: Hand) -> tuple[tuple[Hashable, Fraction], ...]:
        """Return the cards left, each as likely."""
        names = rank_names(self.cards)
        left = [card for card in range(self.cards) if card not in state.cards]
        return tuple((names[card], Fraction(1, len(left))) for card in left)

    def actions(self, state: Hand) -> tuple[str, ...]:
        """Return the legal actions."""
        return ("check", "bet") if state.bettor is None else ("fold", "call")

    def child(self, state: Hand, action: Hashable) -> Hand:
        """Return the state after an action, or after a card."""
        if len(state.cards) < self.num_players:
            return Hand((*state.cards, rank_names(self.cards).index(str(action))))
        return Hand(state.cards, (*state.moves, str(action)))

    def infoset(self, state: Hand) -> str:
        """Return the card that the player to act holds, and the moves so far."""
        card = rank_names(self.cards)[state.cards[self.player(state)]]
        return " ".join((card, *state.moves))

    def payoffs(self, state: Hand) -> tuple[int, ...]:
        """Return what each player wins, net of what it paid in."""
        paid = [1] * self.num_players
        staying = set(range(self.num_players))
        if state.bettor is not None:
            staying = {state.bettor}
            for turn in range(state.bettor + 1, len(state.moves)):
                if state.moves[turn] == "call":
                    staying.add(turn % self.num_players)
            for player in staying:
                paid[player] += 1
        winner = max(staying, key=state.cards.__getitem__)
        return tuple(
            sum(paid) - chips if player == winner else -chips for player, chips in enumerate(paid)
        )
