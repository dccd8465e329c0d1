"""Push or fold for three: a tournament of hold'em, all in before the flop or not at all.

The rules of stacks are those of `games.three_handed`. Each player knows the class of the own hand,
one of 169. While there are three players, how hands come out is sampled, once for all stages
(`games.three_way_equities`): what is solved, and proven, is the tournament with the deals that were
drawn. With two players left it is exact (`games.preflop_equities`).

How far that is from hold'em is seen when strategies are judged with deals of another seed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from games.all_in_pots import Ranking
from games.hand_classes import CLASS_GRID, class_name
from games.parameters import require
from games.preflop_equities import class_pairs
from games.three_handed import Hand, ThreeHanded, first_stacks, prizes
from games.three_handed_stage import dense_hand
from games.three_way_equities import (
    ALL,
    MOST_DEALS,
    ORDERS,
    all_orders_come,
    three_way_counts,
    ways_to_deal,
)
from seqform.base.arrays import Numbers
from seqform.game.catalogue import GameEntry

if TYPE_CHECKING:
    from seqform.recursive.chance_tensor import ChanceTensor

ORDERS_OF_TWO: tuple[Ranking, ...] = (((0,), (1,)), ((1,), (0,)), ((0, 1),))
"""All orders of two hands, the strongest first; those in one group tie."""


def three_handed_holdem(
    chips: int = 27,
    button: int = 0,
    small_blind: int = 0,
    deals: int = 200,
    seed: int = 1,
    first: int = 50,
    second: int = 30,
    third: int = 20,
) -> ThreeHanded:
    """Return a tournament of hold'em for three who push all chips before the flop, or fold.

    Blinds are 1 and 2 units.

    Parameters
    ----------
    chips
        All units on the table.
    button
        Those of the button in the first hand; 0 for a third of all.
    small_blind
        Those of the small blind in the first hand; 0 for a third of all.
    deals
        How many deals are drawn of each three classes of hands.
    seed
        Which deals are drawn.
    first
        What the winner gets.
    second
        What the second place gets.
    third
        What the third place gets.
    """
    require("chips", chips, 3)
    require("deals", deals, 1, MOST_DEALS)
    require("seed", seed, 0, 2**62)
    stacks = first_stacks(chips, button, small_blind)
    return ThreeHanded(hands_dealt(deals, seed), stacks, prizes(first, second, third))


def hands_dealt(deals: int, seed: int, classes: tuple[int, ...] = ALL) -> Callable[[Hand], Any]:
    """Return what makes a hand a stage, in which players hold some classes only."""
    names = tuple(map(class_name, classes))

    @cache
    def stage(hand: Hand) -> Any:
        if any(2 in line.staying for line in hand):
            return dense_hand(hand, of_three(deals, seed, classes), ORDERS, names, CLASS_GRID)
        return dense_hand(hand, of_two(classes), ORDERS_OF_TWO, names, CLASS_GRID)

    return stage


@lru_cache(maxsize=2)
def of_three(deals: int, seed: int, classes: tuple[int, ...]) -> ChanceTensor:
    """Return how likely three players are dealt classes, and in which order they come out.

    Deals are drawn when somebody multiplies by the chances. To count stages, which orders come is
    enough.
    """
    from seqform.recursive.chance_tensor import ChanceTensor  # noqa: PLC0415
    from seqform.recursive.later_tensor import LaterTensor  # noqa: PLC0415

    def weights() -> Numbers:
        return three_way_counts(deals, seed, classes).weights()

    if not all_orders_come(deals, seed, classes):
        return ChanceTensor(weights())
    size, total = len(classes), deals * int(ways_to_deal(classes).sum())
    return LaterTensor(weights, (len(ORDERS), size, size, size), total)


@cache
def of_two(classes: tuple[int, ...]) -> ChanceTensor:
    """Return the same of two players, exactly, with a third seat that nobody sits in."""
    from seqform.recursive.chance_tensor import ChanceTensor  # noqa: PLC0415

    of, there = class_pairs(), np.ix_(classes, classes)
    return ChanceTensor(np.stack([of.wins[there], of.losses[there], of.ties[there]])[..., None])


THREE_HANDED_PUSH_FOLD = GameEntry(
    "three-handed-push-fold",
    "Hold'em for three who push or fold, a tournament with sampled deals",
    three_handed_holdem,
)
