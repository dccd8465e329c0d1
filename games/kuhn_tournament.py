"""Kuhn poker as a tournament: hands of Kuhn poker until one of two players has all the chips."""

from __future__ import annotations

from games.chip_tournament import ChipTournament, stacks
from games.limit_poker import MAX_CARDS, card_deck, limit_poker
from games.parameters import require
from seqform.game.catalogue import GameEntry


def kuhn_tournament(chips: int = 8, first: int = 0, cards: int = 3) -> ChipTournament:
    """Return a tournament of Kuhn poker for two: ante 1, one bet of 1.

    After each hand the players change seats. With one chip a player is all-in by the ante, and
    hands are shown. Who has all the chips wins 1.

    Parameters
    ----------
    chips
        All that are on the table.
    first
        Chips of the player who acts first in the first hand; 0 stands for half of all.
    cards
        Ranks, one card of each.
    """
    require("cards", cards, 2, MAX_CARDS)
    bet, shown = (
        limit_poker(
            2,
            card_deck(cards, 1, merge_suits=False),
            strength=lambda hands: hands[:, 0],
            ante=1,
            bets=(1,),
            max_bets=1,
            cap=cap,
        )
        for cap in (2, 1)
    )
    return ChipTournament(
        lambda mine, theirs: bet if min(mine, theirs) > 1 else shown, chips, stacks(chips, first)
    )


KUHN_TOURNAMENT = GameEntry(
    "kuhn-tournament", "Hands of Kuhn poker until one has all the chips", kuhn_tournament
)
