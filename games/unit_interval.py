"""Poker on the unit interval, cut into n hands: the models of von Neumann and of Borel.

Each player has one of n hands, independently and all alike; the larger wins, and equal ones share
the pot. Player 0 bets or does not. After a bet player 1 folds or calls. If player 0 does not bet,
hands are shown in von Neumann's model. In Borel's (*la relance*) player 0 has folded.

As n grows, values go to those of hands from [0, 1]. With ante 1 and bet b:

* von Neumann: b / ((b + 1) (b + 4)), largest at the pot, b = 2: 1/9. Player 0 bets with hands above
  (b^2 + 4 b + 2) / ((b + 1) (b + 4)) and below b / ((b + 1) (b + 4)); player 1 calls with hands
  above b (b + 3) / ((b + 1) (b + 4)).
* Borel: -(b / (b + 2))^2. Player 1 calls with hands above c = b / (b + 2). Player 0 bets with
  those, and with a share 1 - c of the others.

References
----------
Ferguson & Ferguson, "On the Borel and von Neumann poker models", Game Theory and Applications 9,
2003. Borel, "Applications aux jeux de hasard", 1938. Von Neumann & Morgenstern, "Theory of games
and economic behavior", 1944, Section 19.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from games.parameters import require
from games.sources import PROVEN
from seqform.base.arrays import Ints
from seqform.base.errors import UnknownNameError
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.catalogue import GameEntry, KnownValue

VON_NEUMANN, BOREL = "von-neumann", "borel"

MOST_HANDS = 10_000


def unit_interval(
    hands: int = 10, model: str = VON_NEUMANN, ante: int = 1, bet: int = 2
) -> HandGame:
    """Return poker on the unit interval, cut into hands.

    Parameters
    ----------
    hands
        Into how many hands the interval is cut.
    model
        von-neumann: without a bet hands are shown. borel: without a bet player 0 has folded.
    ante
        Chips that each player puts in before the deal.
    bet
        Chips of the bet.
    """
    if model not in (VON_NEUMANN, BOREL):
        raise UnknownNameError.of("model", model, (VON_NEUMANN, BOREL))
    require("hands", hands, 1, MOST_HANDS)
    require("ante", ante, 1, 10**9)
    require("bet", bet, 1, 10**9)

    def strength(held: Ints, cards: Ints) -> Ints:
        return held[:, 0].astype(np.int32) % hands

    # two sets of cards, so that no hand of one player blocks one of the other
    each = np.arange(2 * hands).reshape(2, hands, 1)
    equal = np.ones(hands, dtype=np.int64)
    return HandGame(
        deck=tuple(f"{place + 1}/{hands} {name}" for name in "xy" for place in range(hands)),
        board=(),
        ranges=(HandRange(each[0], equal), HandRange(each[1], equal)),
        betting=one_bet_or(model, ante, bet),
        strength=strength,
    )


def one_bet_or(model: str, ante: int, bet: int) -> BettingTree:
    """Return the betting of a model."""
    builder = BettingTreeBuilder()
    passive, active = builder.act(
        builder.root, 0, ["check" if model == VON_NEUMANN else "fold", "bet"]
    )
    if model == VON_NEUMANN:
        builder.showdown(passive, ante)
    else:
        builder.end(passive, (-ante, ante))
    fold, call = builder.act(active, 1, ["fold", "call"])
    builder.end(fold, (ante, -ante))
    builder.showdown(call, ante + bet)
    return builder.build()


def limit(model: str, ante: int, bet: int) -> Fraction:
    """Return the value on the whole interval.

    Examples
    --------
    >>> limit(VON_NEUMANN, 1, 2), limit(BOREL, 1, 2)
    (Fraction(1, 9), Fraction(-1, 4))
    """
    b = Fraction(bet, ante)
    return ante * (b / ((b + 1) * (b + 4)) if model == VON_NEUMANN else -((b / (b + 2)) ** 2))


UNIT_INTERVAL = GameEntry(
    "unit-interval",
    "Poker with hands from [0, 1], cut into n: the models of von Neumann and of Borel",
    unit_interval,
    (
        KnownValue(Fraction(11, 100), PROVEN),
        KnownValue(Fraction(-1, 4), PROVEN, {"model": BOREL}),
    ),
)
