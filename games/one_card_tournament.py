"""Push or fold with one card each as a tournament, which is small enough for tests."""

from __future__ import annotations

import numpy as np

from games.blinds import Blinds
from games.chip_tournament import ChipTournament
from games.limit_poker import MAX_CARDS, rank_names
from games.parameters import require
from games.push_fold_stages import HandPairs
from seqform.game.catalogue import GameEntry


def one_card_tournament(
    chips: int = 8, cards: int = 5, small_blind: int = 1, big_blind: int = 2, first: int = 0
) -> ChipTournament:
    """Return a tournament for two who are dealt one card each, and push all chips or fold.

    Player 0 has the small blind in the first hand; then the blinds alternate. The higher card wins;
    no two are equal. Otherwise the rules are those of `push-fold-tournament`.

    Parameters
    ----------
    chips
        All that are on the table.
    cards
        Of the deck, all different.
    small_blind
        Chips.
    big_blind
        Chips.
    first
        Chips of player 0 in the first hand; 0 stands for half of all.
    """
    require("cards", cards, 2, MAX_CARDS)
    return Blinds(small_blind, big_blind).tournament(one_card_hands(cards), chips, first)


def one_card_hands(cards: int) -> HandPairs:
    """Return so many cards against each other."""
    one = np.ones((cards, cards), dtype=np.int64)
    lower, higher = np.tril(one, -1), np.triu(one, 1)
    return HandPairs(rank_names(cards), lower + higher, lower, higher, 0 * one)


ONE_CARD_TOURNAMENT = GameEntry(
    "one-card-tournament",
    "Push or fold with one card each, until one has all the chips",
    one_card_tournament,
)
