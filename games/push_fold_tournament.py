"""Push or fold as a tournament: all in before the flop or not at all, until one has all the chips.

`games.push_fold_stages` has the rules of a hand, also for stacks below the blinds.

References
----------
Miltersen & Sorensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker
tournament", AAMAS 2007: 8,000 chips, blinds of 300 and 600.
"""

from __future__ import annotations

from functools import cache

from games.blinds import Blinds
from games.chip_tournament import ChipTournament
from games.hand_classes import CLASS_GRID, NUM_CLASSES, class_name
from games.preflop_equities import class_pairs
from games.push_fold_stages import HandPairs
from seqform.game.catalogue import GameEntry


def push_fold_tournament(
    chips: int = 8000, small_blind: int = 300, big_blind: int = 600, unit: int = 100, first: int = 0
) -> ChipTournament:
    """Return a tournament of hold'em for two who push all chips before the flop, or fold.

    Player 0 has the small blind in the first hand; then the blinds alternate. Who has all the chips
    wins 1. Where the smaller stack is at most the big blind, only the small blind decides. Where it
    is at most the small blind nobody does: both hands are shown. Ties return all chips.

    Parameters
    ----------
    chips
        All that are on the table.
    small_blind
        Chips of the small blind.
    big_blind
        Chips of the big blind.
    unit
        What stacks and blinds are multiples of.
    first
        Chips of player 0 in the first hand; 0 stands for half of all.
    """
    blinds = Blinds(small_blind, big_blind, unit)
    return blinds.tournament(holdem_hands(), chips, first)


@cache
def holdem_hands() -> HandPairs:
    """Return the 169 classes of hold'em against each other, with the cards that hands share."""
    names = tuple(class_name(number) for number in range(NUM_CLASSES))
    return HandPairs(names, *class_pairs(), grid=CLASS_GRID)


PUSH_FOLD_TOURNAMENT = GameEntry(
    "push-fold-tournament",
    "Hold'em for two who push or fold, until one has all the chips",
    push_fold_tournament,
)
