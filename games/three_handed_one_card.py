"""A tournament of three players with one card each, who go all in or fold.

The smallest poker tournament in which the prizes of a second and a third place matter. The rules of
stacks are those of `games.three_handed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from games.parameters import require
from games.three_handed import Hand, Line, ThreeHanded, first_stacks, prizes
from games.three_handed_stage import HandOrigin, Turn, block_of, treeplex_of, turns_of
from seqform.base.arrays import Exact, Index, Ints
from seqform.game.catalogue import GameEntry

if TYPE_CHECKING:  # they load scipy, which a list of games does without
    from seqform.recursive.stage_form import StageForm

RANKS = "23456789TJQKA"


def three_handed_one_card(
    chips: int = 27,
    button: int = 0,
    small_blind: int = 0,
    cards: int = 13,
    first: int = 50,
    second: int = 30,
    third: int = 20,
) -> ThreeHanded:
    """Return a tournament of three players with one card each, who go all in or fold.

    Blinds are 1 and 2 chips. The highest card wins.

    Parameters
    ----------
    chips
        All that are on the table.
    button
        Those of the button in the first hand; 0 for a third of all.
    small_blind
        Those of the small blind in the first hand; 0 for a third of all.
    cards
        How many, from the ace down, one of each rank.
    first
        What the winner gets.
    second
        What the second place gets.
    third
        What the third place gets.
    """
    require("chips", chips, 3)
    require("cards", cards, 3, len(RANKS))
    stacks = first_stacks(chips, button, small_blind)
    payouts = prizes(first, second, third)
    return ThreeHanded(lambda hand: one_card_hand(hand, cards), stacks, payouts)


@lru_cache(maxsize=200)
def one_card_hand(hand: Hand, cards: int) -> StageForm:
    """Return a hand with one card each as a stage, whose leaves are named by who stays.

    Parameters
    ----------
    hand
        All lines.
    cards
        How many there are.
    """
    from seqform.recursive.stage_form import outcome_stage  # noqa: PLC0415

    dealt = np.array(list(permutations(range(cards), 3)), dtype=np.int64)
    turns = [turns_of(hand, seat) for seat in range(3)]
    outcomes = []
    for line in hand:
        places = np.stack([_places(line, seat, turns[seat], dealt, cards) for seat in range(3)])
        for ranking in permutations(line.staying):
            strengths = dealt[:, list(ranking)]
            wins = (strengths[:, :-1] > strengths[:, 1:]).all(axis=1)
            outcomes.append((tuple((seat,) for seat in ranking), *_merged(places[:, wins])))
    treeplexes = [treeplex_of(own, cards) for own in turns]
    return outcome_stage(
        treeplexes, HandOrigin(turns, RANKS[-cards:]), outcomes, denominator=len(dealt)
    )


def _places(line: Line, seat: int, turns: Sequence[Turn], dealt: Index, cards: int) -> Index:
    """Return a seat's sequence in a line for each deal."""
    block = block_of(line, seat, turns)
    if block == 0:
        return np.zeros(len(dealt), dtype=np.int64)
    turn, action = divmod(block - 1, 2)
    return 1 + 2 * (turn * cards + dealt[:, seat]) + action


def _merged(places: Index) -> tuple[Ints, Exact]:
    """Return where sequences meet, each place once, and how many deals come there."""
    distinct, counts = np.unique(places, axis=1, return_counts=True)
    return distinct.astype(np.int32), counts.astype(np.int64)


THREE_HANDED_ONE_CARD = GameEntry(
    "three-handed-one-card",
    "A tournament of three players with one card each, all in or fold",
    three_handed_one_card,
)
