"""Rhode Island hold'em: one private card, two community cards.

References
----------
Shi & Littman, "Abstraction methods for game theoretic poker", Computers and Games 2000, 2001.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from games.limit_poker import MAX_CARDS, MAX_PLAYERS, LimitPoker, card_deck, limit_poker
from games.limit_poker_for_many import LimitPokerForMany
from games.parameters import require
from games.sources import PROVEN
from seqform.base.arrays import Ints
from seqform.game.catalogue import GameEntry, KnownValue

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)


def rhode_island(
    ranks: int = 13, suits: int = 4, max_bets: int = 3, players: int = 2
) -> LimitPoker | LimitPokerForMany:
    """Return Rhode Island hold'em: ante 5, bets of 10, 20 and 20.

    The best hand of the private and the two community cards takes the pot: straight flush, three of
    a kind, straight, flush, pair, high card, then kickers. The highest rank is also low in the
    lowest straight. With three ranks the only straight is both, so nothing hangs on it; with fewer
    there are none. Equal hands split the pot.

    Sources are of two players. For more, the rules are those of limit poker: the first player who
    has not folded opens each round; it ends when all others who stay have called the last bet or
    raise, or all have checked; who has folded leaves in the pot what was paid; where all others
    have, the last player takes it.

    Parameters
    ----------
    ranks
        Ranks of the deck, which has one card of each rank and suit.
    suits
        Suits of the deck.
    max_bets
        Bets and raises that a round has at most.
    players
        From 2 to 10, player 0 acting first; with three and more take small decks.
    """
    require("players", players, 2, MAX_PLAYERS)
    require("ranks", ranks, 1)
    require("suits", suits, 1)
    require("max_bets", max_bets, 0)
    require("ranks * suits", ranks * suits, players + 2, MAX_CARDS)

    def strength(hands: Ints) -> Ints:
        return three_card_strength(hands // suits, hands % suits, ranks)

    return limit_poker(
        players,
        card_deck(ranks, suits, merge_suits=False),
        strength=strength,
        ante=5,
        bets=(10, 20, 20),
        max_bets=max_bets,
    )


def three_card_strength(rank: Ints, suit: Ints, ranks: int) -> Ints:
    """Return the strength of hands of three cards, int32 (num_hands,).

    Parameters
    ----------
    rank, suit
        Of each card, int32 (num_hands, 3).
    ranks
        How many there are.
    """
    low, middle, high = np.sort(rank, axis=1).T
    flush = (suit[:, 0] == suit[:, 1]) & (suit[:, 1] == suit[:, 2])
    in_a_row = (middle == low + 1) & (high == middle + 1)
    lowest = (low == 0) & (middle == 1) & (high == ranks - 1) & ~in_a_row
    straight = in_a_row | lowest
    three = low == high
    pair = ((low == middle) | (middle == high)) & ~three
    category = np.select(
        [straight & flush, three, straight, flush, pair],
        [STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR],
        HIGH_CARD,
    )
    kickers = (high * ranks + middle) * ranks + low
    # the middle card is of the pair; the third one follows
    kickers = np.where(pair, middle * ranks + low + high - middle, kickers)
    kickers = np.where(straight, np.where(lowest, middle, high), kickers)
    return (category * ranks**3 + kickers).astype(np.int32)  # type: ignore[no-any-return]


VALUE_4X2 = Fraction(
    -4122709480816109494178777189917116357625070822292873075979763457174414793,
    14588221530641817348860392716560596407630911210253109969954028321093772264,
)
"""With 4 ranks, 2 suits and at most one bet a round."""

RHODE_ISLAND = GameEntry(
    "rhode-island",
    "Rhode Island hold'em: three rounds, two community cards; ante 5, bets 10, 20 and 20",
    rhode_island,
    (KnownValue(VALUE_4X2, PROVEN, {"ranks": 4, "suits": 2, "max_bets": 1}),),
)
