"""Liar's dice for two players, the highest face wild, as in OpenSpiel.

References
----------
Lisy, Lanctot & Bowling, "Online Monte Carlo counterfactual regret minimization for search in
imperfect information games", AAMAS 2015 (the variant).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import NamedTuple

import numpy as np

from games.parameters import require
from games.sources import PROVEN
from seqform.base.arrays import Index, Ints
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.deals import Deck
from seqform.game.rules import CHANCE, TERMINAL

MAX_DICE, MAX_ROLLS = 100, 10_000
"""Of a player. All rolls are written down, order forgotten; two of them make a hundred million
deals."""


class Bidding(NamedTuple):
    """A public state."""

    to_roll: int = 2
    """How many players are still to roll."""
    actor: int = 0
    bid: int = -1
    """The last one; -1 for none."""
    called: bool = False
    """Whether the last bid was called a lie."""


@dataclass(frozen=True)
class LiarsDice:
    """Players roll in secret, then bid ever higher until one calls the other a liar.

    Bids are on the dice of both together.     Bid number ``(quantity - 1) * sides + face - 1``
    claims at least `quantity` dice that show `face` or the highest face. The one who is wrong loses
    one point.
    """

    dice: int
    sides: int
    num_players: int = 2
    unit: str = "points"

    @property
    def deck(self) -> Deck:
        """All rolls of one player's dice, order forgotten, each as often as it comes up."""
        rolls = self._rolls()
        names = tuple(
            "".join(map(str, roll)) if self.sides < 10 else "-".join(map(str, roll))
            for roll in sorted(rolls)
        )
        return Deck(names, tuple(rolls[roll] for roll in sorted(rolls)), replacement=True)

    def _rolls(self) -> Counter[tuple[int, ...]]:
        rolls: Counter[tuple[int, ...]] = Counter()
        for roll in combinations_with_replacement(range(1, self.sides + 1), self.dice):
            orders = factorial(self.dice)
            for repeats in Counter(roll).values():
                orders //= factorial(repeats)
            rolls[roll] = orders
        return rolls

    def root(self) -> Bidding:
        """Return the state before the rolls."""
        return Bidding()

    def player(self, state: Bidding) -> int:
        """Return who bids."""
        if state.called:
            return TERMINAL
        return CHANCE if state.to_roll else state.actor

    def recipient(self, state: Bidding) -> int:
        """Return whose dice are rolled."""
        return 2 - state.to_roll

    def actions(self, state: Bidding) -> tuple[str, ...]:
        """Return all higher bids, such as '2x6', and 'liar' once there is a bid."""
        bids = tuple(
            f"{bid // self.sides + 1}x{bid % self.sides + 1}"
            for bid in range(state.bid + 1, 2 * self.dice * self.sides)
        )
        return bids if state.bid < 0 else (*bids, "liar")

    def child(self, state: Bidding, action: object) -> Bidding:
        """Return the state after a bid, a call, or a roll (None)."""
        if action is None:
            return state._replace(to_roll=state.to_roll - 1)
        if action == "liar":
            return state._replace(called=True)
        quantity, face = map(int, str(action).split("x"))
        return state._replace(actor=1 - state.actor, bid=(quantity - 1) * self.sides + face - 1)

    def outcome(self, state: Bidding) -> tuple[int, int]:
        """Return the bid that was called, and who called it."""
        return state.bid, state.actor

    def stake(self, state: Bidding) -> int:
        """Return 1: a game is won or lost."""
        return 1

    def payoffs(self, outcome: tuple[int, int], signals: Ints) -> Index:
        """Return +1 for the player who was right."""
        bid, caller = outcome
        quantity, face = bid // self.sides + 1, bid % self.sides + 1
        separator = None if self.sides < 10 else "-"
        rolls = [
            [int(die) for die in (str(card).split(separator) if separator else str(card))]
            for card in self.deck.cards
        ]
        matches = np.array([sum(die in (face, self.sides) for die in roll) for roll in rolls])
        liar = matches[signals].sum(axis=1) < quantity
        caller_gains = np.where(liar, 1, -1)
        first = caller_gains if caller == 0 else -caller_gains
        return np.column_stack([first, -first])


def liars_dice(dice: int = 1, sides: int = 6) -> LiarsDice:
    """Return liar's dice with `dice` dice of `sides` sides for each of two players.

    Parameters
    ----------
    dice
        Of each player.
    sides
        Of each of the dice; the highest is wild.
    """
    require("dice", dice, 1, MAX_DICE)
    require("sides", sides, 2, MAX_ROLLS)
    require("rolls of one player's dice", comb(dice + sides - 1, dice), 2, MAX_ROLLS)
    return LiarsDice(dice, sides)


LIARS_DICE = GameEntry(
    "liars-dice",
    "Liar's dice, the highest face wild",
    liars_dice,
    (
        KnownValue(Fraction(-7, 258), f"published to fifteen digits; {PROVEN}"),
        KnownValue(Fraction(1, 9), PROVEN, {"sides": 3}),
        KnownValue(Fraction(1, 16), PROVEN, {"sides": 4}),
        KnownValue(Fraction(1, 125), PROVEN, {"sides": 5}),
    ),
)
