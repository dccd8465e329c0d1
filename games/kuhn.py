"""Kuhn poker: one card each, one bet (Kuhn, "A simplified two-person poker", 1950)."""

from __future__ import annotations

from fractions import Fraction

from games.limit_poker import MAX_CARDS, LimitPoker, card_deck
from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue


def kuhn(cards: int = 3) -> LimitPoker:
    """Return Kuhn poker with `cards` ranks, one card of each; ante 1, one bet of 1."""
    require("cards", cards, 2, MAX_CARDS)
    return LimitPoker(
        card_deck(cards, 1, merge_suits=False),
        strength=lambda hands: hands[:, 0],
        ante=1,
        bets=(1,),
        max_bets=1,
    )


KUHN = GameEntry(
    "kuhn",
    "Kuhn poker: one card each, one bet",
    kuhn,
    (KnownValue(Fraction(-1, 18), "Kuhn, A simplified two-person poker, 1950"),),
)
