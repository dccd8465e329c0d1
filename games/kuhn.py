"""Kuhn poker: one card each, one bet.

References
----------
Kuhn, "A simplified two-person poker", 1950. For three players: Abou Risk & Szafron, AAMAS 2010,
Section 2. For more the rules are OpenSpiel's ``kuhn_poker(players=n)``.
"""

from __future__ import annotations

from fractions import Fraction

from games.limit_poker import MAX_CARDS, MAX_PLAYERS, LimitPoker, card_deck, limit_poker
from games.limit_poker_for_many import LimitPokerForMany
from games.parameters import require
from seqform.game.catalogue import GameEntry, KnownValue


def kuhn(cards: int = 0, players: int = 2) -> LimitPoker | LimitPokerForMany:
    """Return Kuhn poker; ante 1, one bet of 1.

    In turn players check until somebody bets; then each of the others folds or calls. The highest
    card among those who did not fold takes the pot.

    Parameters
    ----------
    cards
        Ranks, one card of each; 0 stands for one more than there are players.
    players
        From 2 to 10, player 0 acting first.
    """
    require("players", players, 2, MAX_PLAYERS)
    if cards:
        require("cards", cards, players, MAX_CARDS)
    return limit_poker(
        players,
        card_deck(cards or players + 1, 1, merge_suits=False),
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
