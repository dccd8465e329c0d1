"""Matching coins: player 0 hides a coin, and player 1 guesses which side is up."""

from __future__ import annotations

from fractions import Fraction

from seqform import TERMINAL
from seqform.game.catalogue import GameEntry, KnownValue


class MatchingCoins:
    """The rules; a state is the sides named so far: (hidden, guessed)."""

    num_players, unit = 2, "coins"

    def __init__(self, sides: int = 2) -> None:
        self.sides = sides

    def root(self):
        return ()

    def player(self, state):
        return TERMINAL if len(state) == 2 else len(state)

    def chance(self, state):
        return []  # chance never moves

    def actions(self, state):
        return [f"side {side}" for side in range(self.sides)]

    def child(self, state, action):
        return (*state, action)

    def infoset(self, state):
        return "hides" if state == () else "guesses"  # without seeing what was hidden

    def payoffs(self, state):
        hidden, guessed = state
        return (-1, 1) if hidden == guessed else (1, -1)


MATCHING_COINS = GameEntry(
    "matching-coins",
    "Player 0 hides a coin, and player 1 guesses its side",
    MatchingCoins,
    known=(
        KnownValue(0, "by hand"),
        KnownValue(Fraction(1, 3), "by hand: a guess is right once in three", {"sides": 3}),
    ),
)
