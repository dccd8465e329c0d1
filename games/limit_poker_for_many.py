"""Limit poker for three players and more as a signal game.

With two players the loser pays a stake, and few outcomes say who loses. With more, those who
folded have left different amounts in the pot; so what everybody paid, and who is left, are the
outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.limit_betting import Betting, LimitBetting
from seqform.base.arrays import Ints


class Pot(NamedTuple):
    """How a hand ended."""

    paid: tuple[int, ...]
    """What each player has put in, over the greatest common divisor."""
    staying: tuple[int, ...]
    """Who has not folded."""


@dataclass(frozen=True)
class LimitPokerForMany(LimitBetting):
    """Limit poker for any number of players; the best hand of those who stay takes the pot.

    Where several are best they split it evenly, in fractions of a chip.
    """

    def outcome(self, state: Betting) -> Pot:
        """Return who is left, and the proportions in which everybody paid."""
        unit = _unit(state)
        return Pot(tuple(paid // unit for paid in state.paid), state.staying)

    def stake(self, state: Betting) -> Fraction:
        """Return the chips that one unit of `payoffs` is."""
        return Fraction(_unit(state), _parts(len(state.staying)))

    def payoffs(self, outcome: Pot, signals: Ints) -> NDArray[np.int64]:
        """Return what each player wins, net of what it paid in, in units of the stake.

        int64 (num_deals, num_players). As many units make a chip as the pot has parts.
        """
        paid, staying = outcome
        parts = _parts(len(staying))
        won = np.zeros((len(signals), self.num_players), dtype=np.int64)
        won[:, staying] = 1
        if len(staying) > 1:
            hands = np.stack([self.hand_strengths(signals, player) for player in staying], axis=1)
            won[:, staying] = hands == hands.max(axis=1, keepdims=True)
        won *= sum(paid) * (parts // won.sum(axis=1, keepdims=True))
        won -= parts * np.array(paid)
        return won


def _unit(state: Betting) -> int:
    """Return the greatest common divisor of what everybody paid; 1 where nobody did."""
    return gcd(*state.paid) or 1


def _parts(players: int) -> int:
    """Return the least number of parts that any of so many players can share evenly."""
    return lcm(*range(1, players + 1))
