"""AKQ: an ace, a king and a queen, one card each, one bet.

In the game of *half a street* player 0 bets or checks, and after a check hands are shown. In that
of a *full street* player 1 may bet after a check; with ante 1 and bet 1 it is Kuhn poker.

With ante a and bet b < 2 a, half a street: an ace bets, and a king checks. A queen bets with
probability q = b / (2 a + b), so that a king may call or fold. A king calls with probability
c = (2 a - b) / (2 a + b), so that a queen may bet or check. The cards alone
win nothing. So over the six deals player 0 gains c b + q (2 a - b) - q c (2 a + b), and the value
is b (2 a - b) / (6 (2 a + b)). Where b is 2 a or more kings fold, queens check, and it is 0.

References
----------
Chen & Ankenman, "The mathematics of poker", 2006, Chapters 11 and 13.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from games.parameters import require
from seqform.base.arrays import Ints
from seqform.base.errors import UnknownNameError
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.catalogue import GameEntry, KnownValue

HALF, FULL = "half", "full"


def akq(street: str = HALF, ante: int = 1, bet: int = 1) -> HandGame:
    """Return the game with three cards and one bet.

    Parameters
    ----------
    street
        half: only player 0 may bet. full: player 1 may bet after a check.
    ante
        Chips that each player puts in before the deal.
    bet
        Chips of a bet.
    """
    if street not in (HALF, FULL):
        raise UnknownNameError.of("street", street, (HALF, FULL))
    require("ante", ante, 1, 10**9)
    require("bet", bet, 1, 10**9)
    held = HandRange(np.array([[0], [1], [2]]), np.ones(3, dtype=np.int64))
    return HandGame(
        deck=("A", "K", "Q"),
        board=(),
        ranges=(held, held),
        betting=one_bet(ante, bet, may_answer=street == FULL),
        strength=_first_is_best,
    )


def one_bet(ante: int, bet: int, *, may_answer: bool) -> BettingTree:
    """Return the betting of one bet, by player 0, or after a check by player 1 if that may be."""
    builder = BettingTreeBuilder()
    check, first = builder.act(builder.root, 0, ["check", "bet"])
    _answer(builder, first, 1, ante, bet)
    if may_answer:
        check, second = builder.act(check, 1, ["check", "bet"])
        _answer(builder, second, 0, ante, bet)
    builder.showdown(check, ante)
    return builder.build()


def _answer(builder: BettingTreeBuilder, node: int, player: int, ante: int, bet: int) -> None:
    """Let a player fold or call."""
    fold, call = builder.act(node, player, ["fold", "call"])
    builder.end(fold, (-ante, ante) if player == 0 else (ante, -ante))
    builder.showdown(call, ante + bet)


def _first_is_best(hands: Ints, cards: Ints) -> Ints:
    return -hands[:, 0].astype(np.int32)


SOURCE = "by hand: bluff with b/(2a+b), call with (2a-b)/(2a+b)"

AKQ = GameEntry(
    "akq",
    "An ace, a king and a queen, one card each, one bet",
    akq,
    (
        KnownValue(Fraction(1, 18), "Chen & Ankenman, The mathematics of poker, 2006"),
        KnownValue(0, SOURCE, {"bet": 2}),
        KnownValue(Fraction(1, 9), SOURCE, {"ante": 2, "bet": 2}),
        KnownValue(Fraction(-1, 18), "Kuhn, A simplified two-person poker, 1950", {"street": FULL}),
    ),
)
