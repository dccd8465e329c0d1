"""Leduc hold'em: one private card, one community card, two rounds (Southey et al., "Bayes' bluff", UAI 2005)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.limit_poker import LimitPoker, card_deck
from games.parameters import require


def leduc(
    ranks: int = 3, suits: int = 2, max_bets: int = 2, merge_suits: bool = False
) -> LimitPoker:
    """Return Leduc hold'em: ante 1, bets of 2 then 4, at most `max_bets` bets and raises a round.

    A pair with the community card beats any other hand, then the higher rank wins. With
    `merge_suits` players do not see suits, which never matter; without it suits are told apart, as
    in OpenSpiel.
    """
    require("ranks", ranks, 1)
    require("suits", suits, 1)
    require("max_bets", max_bets, 0)
    require("ranks * suits", ranks * suits, 3)
    per_rank = 1 if merge_suits else suits

    def strength(hands: NDArray[np.int32]) -> NDArray[np.int32]:
        mine, community = (hands // per_rank).T
        return mine + ranks * (mine == community)  # type: ignore[no-any-return]

    return LimitPoker(
        card_deck(ranks, suits, merge_suits),
        strength=strength,
        ante=1,
        bets=(2, 4),
        max_bets=max_bets,
    )
