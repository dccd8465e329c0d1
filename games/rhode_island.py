"""Rhode Island hold'em: one private card, two community cards (Shi & Littman, "Abstraction methods for game theoretic poker", 2001)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.limit_poker import LimitPoker, card_deck
from games.parameters import require

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)


def rhode_island(ranks: int = 13, suits: int = 4, max_bets: int = 3) -> LimitPoker:
    """Return Rhode Island hold'em: ante 5, bets of 10, 20 and 20, at most `max_bets` bets and raises a round.

    The best hand of the private and the two community cards takes the pot: straight flush, three of
    a kind, straight, flush, pair, high card, then kickers. The highest rank is also low in the
    lowest straight. With three ranks the only straight is both, so nothing hangs on it; with fewer
    there are none.
    """
    require("ranks", ranks, 1)
    require("suits", suits, 1)
    require("max_bets", max_bets, 0)
    require("ranks * suits", ranks * suits, 4)

    def strength(hands: NDArray[np.int32]) -> NDArray[np.int32]:
        return three_card_strength(hands // suits, hands % suits, ranks)

    return LimitPoker(
        card_deck(ranks, suits, merge_suits=False),
        strength=strength,
        ante=5,
        bets=(10, 20, 20),
        max_bets=max_bets,
    )


def three_card_strength(
    rank: NDArray[np.int32], suit: NDArray[np.int32], ranks: int
) -> NDArray[np.int32]:
    """Return the strength of hands of three cards, int32 (num_hands,); both arguments have shape (num_hands, 3)."""
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
    kickers = np.where(
        pair, middle * ranks + low + high - middle, kickers
    )  # the middle card is of the pair; the third one follows
    kickers = np.where(straight, np.where(lowest, middle, high), kickers)
    return (category * ranks**3 + kickers).astype(np.int32)  # type: ignore[no-any-return]
