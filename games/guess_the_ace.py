"""Guess the ace: an equilibrium that is fair, and still lets a mistake of the other go unpunished.

Player 0 may stop at once, and nobody pays. If it goes on, player 1 guesses whether the top card of
a shuffled deck is the ace of spades, and wins a coin from player 0 if the guess is right. Going on
is a mistake that player 0 never makes. So in an equilibrium player 1 may guess "ace" for ever, by
which most of what the mistake is worth is lost. Quasi-perfect is only the guess "other".

References
----------
Miltersen & Sorensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory
42, 2010, Section 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import CHANCE, TERMINAL

State = tuple[str, ...]

MAX_CARDS = 10**9
"""The deck is two outcomes of chance, of any size."""


@dataclass(frozen=True)
class GuessTheAce:
    """A state is what happened so far: (stop or play, the top card, the guess)."""

    cards: int
    num_players: int = 2
    unit: str = "coins"

    def root(self) -> State:
        """Return the state before player 0 decides."""
        return ()

    def player(self, state: State) -> int:
        """Return who moves: player 0, then chance, then player 1."""
        if state == ("stop",) or len(state) == 3:
            return TERMINAL
        return (0, CHANCE, 1)[len(state)]

    def chance(self, state: State) -> list[tuple[str, Fraction]]:
        """Return what the top card may be."""
        ace = Fraction(1, self.cards)
        return [("ace", ace), ("other", 1 - ace)]

    def actions(self, state: State) -> tuple[str, ...]:
        """Return whether to play, or what to guess."""
        return ("ace", "other") if state else ("stop", "play")

    def child(self, state: State, action: str) -> State:
        """Return the state after a decision, a card or a guess."""
        return (*state, action)

    def infoset(self, state: State) -> str:
        """Return what the mover knows: nothing of the card."""
        return "guess" if state else "stop or play"

    def payoffs(self, state: State) -> tuple[int, int]:
        """Return a coin for a right guess."""
        paid = len(state) == 3 and state[1] == state[2]
        return (-1, 1) if paid else (0, 0)


def guess_the_ace(cards: int = 52) -> GuessTheAce:
    """Return the game with a deck of so many cards, one of them the ace of spades.

    Parameters
    ----------
    cards
        Of the deck.
    """
    require("cards", cards, 2, MAX_CARDS)
    return GuessTheAce(cards)


GUESS_THE_ACE = GameEntry(
    "guess-the-ace",
    "Player 0 may stop, or let player 1 guess the top card: mistakes off the path of play",
    guess_the_ace,
    known=(KnownValue(0, "Miltersen & Sorensen, Economic Theory 42, 2010"),),
)
