"""Leduc hold'em as a tournament: hands of Leduc until one of two players has all the chips."""

from __future__ import annotations

from functools import cache

from games.chip_tournament import ChipTournament, stacks
from games.leduc import leduc_hand
from games.limit_poker import LimitPoker
from games.limit_poker_for_many import LimitPokerForMany
from seqform.game.catalogue import GameEntry

ANTE, BETS = 1, (2, 4)


def leduc_tournament(
    chips: int = 10, first: int = 0, ranks: int = 3, suits: int = 2, max_bets: int = 2
) -> ChipTournament:
    """Return a tournament of Leduc hold'em for two: ante 1, bets of 2 then 4.

    After each hand the players change seats. Nobody puts in more than the shorter stack: who cannot
    pay a bet or a raise in full is all-in, and what the other put in beyond that is returned. Then
    nobody bets any more. Who has all the chips wins 1. Suits, which never matter, are not seen.

    Parameters
    ----------
    chips
        All that are on the table.
    first
        Chips of the player who acts first in the first hand; 0 stands for half of all.
    ranks
        How many there are.
    suits
        Cards of each rank.
    max_bets
        Bets and raises that a round has at most.
    """
    most = ANTE + max_bets * sum(BETS)

    @cache
    def hand(cap: int) -> LimitPoker | LimitPokerForMany:
        return leduc_hand(ranks, suits, max_bets, merge_suits=True, cap=cap)

    hand(most)  # says what is wrong with the parameters
    return ChipTournament(
        lambda mine, theirs: hand(min(mine, theirs, most)), chips, stacks(chips, first)
    )


LEDUC_TOURNAMENT = GameEntry(
    "leduc-tournament", "Hands of Leduc hold'em until one has all the chips", leduc_tournament
)
