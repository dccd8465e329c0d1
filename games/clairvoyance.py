"""Clairvoyance: player 0 knows who has the better hand, and bets it, or bluffs, on several streets.

Player 0 holds the nuts or air, and player 1 a bluff catcher between them. On each street player 0
bets a share f of the pot or checks. Player 1 folds or calls. After a check, and after the last
call, hands are shown.

With the nuts player 0 always bets. On the last street it bets f / (1 + f) bluffs for each nuts, so
that player 1 may call or fold. That is (1 + 2 f) / (1 + f) hands for each nuts; and on every street
before, so much again for each hand that goes on. Player 1 calls with probability 1 / (1 + f) on
each street. So with n streets, and a probability P of the nuts, player 0 gets the share

    min(1, P ((1 + 2 f) / (1 + f))^n)

of the pot: all of it, if the nuts are frequent enough. The payoff is that less half of the pot. If
a stack is to be bet over n streets, equal shares of the pot are best, which are geometric bets:
then the product of the factors is largest. A pot of p and a stack of s have
f = ((1 + 2 s / p)^(1 / n) - 1) / 2.

References
----------
Ferguson & Ferguson, "The endgame in poker", in Ethier & Eadington (eds.), Optimal Play, 2007: Basic
Endgame, and several rounds of betting. The name is that of Chen & Ankenman, "The mathematics of
poker", 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

import numpy as np

from games.parameters import require
from seqform.base.arrays import Ints
from seqform.base.errors import InvalidParameterError
from seqform.base.number import ratio
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.catalogue import GameEntry, KnownValue

MOST_STREETS = 20
"""Amounts grow with their power."""

NUTS, CATCHER, AIR = range(3)


def clairvoyance(
    streets: int = 1, bet: str = "100%", nuts: int = 1, air: int = 1, pot: int = 2
) -> HandGame:
    """Return the game in which player 0 has the nuts or air, and bets on several streets.

    Parameters
    ----------
    streets
        Rounds of betting.
    bet
        Each bet, as a share of the pot: 100%, 1/3 or 0.75.
    nuts
        How often player 0 has the nuts, beside air.
    air
        How often player 0 has air, beside the nuts.
    pot
        Chips in the pot before the first bet.
    """
    require("streets", streets, 1, MOST_STREETS)
    require("nuts", nuts, 1, 10**9)
    require("air", air, 1, 10**9)
    require("pot", pot, 1, 10**9)
    clairvoyant = HandRange(np.array([[NUTS], [AIR]]), np.array([nuts, air]))
    catching = HandRange(np.array([[CATCHER]]), np.array([1]))
    return HandGame(
        deck=("nuts", "catcher", "air"),
        board=(),
        ranges=(clairvoyant, catching),
        betting=bets_of_one([_share(bet)] * streets, Fraction(pot)),
        strength=_first_is_best,
    )


def _share(bet: str) -> Fraction:
    try:
        share = ratio(bet)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 100 or share.denominator > 100:
        raise InvalidParameterError(
            f"bet={bet!r}: use a share of the pot above 0, at most 100 times it, in whole percent "
            "or with a denominator up to 100, such as 75%, 1/3 or 1.5"
        )
    return share


def bets_of_one(shares: Sequence[Fraction], pot: Fraction) -> BettingTree:
    """Return the betting in which player 0 may bet a share of the pot on each street."""
    builder = BettingTreeBuilder()
    node, half = builder.root, pot / 2
    for share in shares:
        check, bet = builder.act(node, 0, ["check", "bet"])
        builder.showdown(check, half)
        fold, node = builder.act(bet, 1, ["fold", "call"])
        builder.end(fold, (half, -half))
        half += 2 * half * share
    builder.showdown(node, half)
    return builder.build()


def _first_is_best(hands: Ints, cards: Ints) -> Ints:
    return -hands[:, 0].astype(np.int32)


def value(shares: Sequence[Fraction], probability: Fraction, pot: Fraction) -> Fraction:
    """Return what player 0 wins beyond half of the pot, with a probability of the nuts.

    Examples
    --------
    >>> value([Fraction(1)], Fraction(1, 2), Fraction(2))
    Fraction(1, 2)
    """
    grown = probability * prod((1 + 2 * share) / (1 + share) for share in shares)
    return pot * (min(Fraction(1), grown) - Fraction(1, 2))


SOURCE = "Ferguson & Ferguson, The endgame in poker, 2007"

HALF = Fraction(1, 2)

CLAIRVOYANCE = GameEntry(
    "clairvoyance",
    "Player 0 has the nuts or air, player 1 a bluff catcher; bets on several streets",
    clairvoyance,
    (
        KnownValue(HALF, SOURCE),
        KnownValue(1, SOURCE, {"streets": 2}),
        KnownValue(Fraction(11, 21), SOURCE, {"streets": 2, "bet": "50%", "nuts": 3, "air": 4}),
    ),
)
