"""Kuhn poker: one card each, one bet (Kuhn, "A simplified two-person poker", 1950)."""

from __future__ import annotations

from fractions import Fraction

from games.kuhn_for_many import KuhnForMany
from games.limit_poker import MAX_CARDS, LimitPoker, card_deck
from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue

MAX_PLAYERS = 1_000
"""Each is written into every state; a tree of six players has millions of nodes."""


def kuhn(cards: int = 0, players: int = 2) -> LimitPoker | KuhnForMany:
    """Return Kuhn poker; ante 1, one bet of 1.

    Parameters
    ----------
    cards
        Ranks, one card of each; 0 stands for one more than there are players.
    players
        Two is a signal game; three and more are rules (`games/kuhn_for_many.py`).
    """
    require("players", players, 2, MAX_PLAYERS)
    if cards:
        require("cards", cards, players, MAX_CARDS)
    number = cards or players + 1
    if players > 2:
        return KuhnForMany(number, players)
    return LimitPoker(
        card_deck(number, 1, merge_suits=False),
        strength=lambda hands: hands[:, 0],
        ante=1,
        bets=(1,),
        max_bets=1,
    )


VALUE = Fraction(-1, 18), "Kuhn, A simplified two-person poker, 1950"

KUHN = GameEntry(
    "kuhn",
    "Kuhn poker: one card each, one bet",
    kuhn,
    (KnownValue(*VALUE), KnownValue(*VALUE, {"cards": 3})),
)
