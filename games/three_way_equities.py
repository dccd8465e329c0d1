"""How three hands of two cards are ordered when all five cards of the board are dealt, sampled.

Three classes of hands meet in up to 1,728 ways, on 1,370,754 boards each: all of them are too many
to be gone through. So for each three classes some deals are drawn, every one as likely as any
other: three hands without a common card, and a board. Counted is in which of 13 orders the hands
come out, as they may tie. How many ways there are to be dealt three classes is counted exactly.

What is counted is a game of its own, in which each deal that was drawn is as likely as any other of
these classes. Another seed gives another one, near to it.

Two hands of which the third one folds are ordered as they are among the three. So the cards of the
third hand are missing from the board, too.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from games.all_in_pots import Ranking
from games.hand_classes import CLASS_OF, HANDS, NUM_CLASSES
from games.hand_ranks import strength_tables
from games.playing_cards import DECK
from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.deadline import check_time

ORDERS: tuple[Ranking, ...] = (
    ((0,), (1,), (2,)),
    ((0,), (2,), (1,)),
    ((1,), (0,), (2,)),
    ((1,), (2,), (0,)),
    ((2,), (0,), (1,)),
    ((2,), (1,), (0,)),
    ((0, 1), (2,)),
    ((0, 2), (1,)),
    ((1, 2), (0,)),
    ((0,), (1, 2)),
    ((1,), (0, 2)),
    ((2,), (0, 1)),
    ((0, 1, 2),),
)
"""All orders of three hands, the strongest first; those in one group tie."""

ALL = tuple(range(NUM_CLASSES))
"""All classes."""

MOST_DEALS = 2**12
"""Of three classes: then how often three classes come in an order is below 2**24."""


AT_ONCE = 4 * 10**6
"""Deals that are drawn between looks at the clock: some second."""

FIRST = 2_000
"""Triples of classes whose deals show which orders come: a tenth of a second, of forty seconds."""


class ThreeWayCounts(NamedTuple):
    """How deals of three classes come out.

    Parameters
    ----------
    classes
        The classes.
    deals
        In how many ways hands of three of them without a common card are dealt: int64
        (num_classes, num_classes, num_classes).
    counts
        uint16 (num_triples, 13): of the deals that were drawn of three classes, how many came in
        each of `ORDERS`. Three of them, i <= j <= k, are in row `triple_row(i, j, k)`.
    """

    classes: tuple[int, ...]
    deals: Index
    counts: Numbers

    def weights(self) -> Numbers:
        """Return how likely classes are dealt and hands are in an order, in integers.

        float32 (13, num_classes, num_classes, num_classes): for every three classes the ways to
        deal them, times how many of the drawn deals came in that order.
        """
        from games.three_way_kernels import spread  # noqa: PLC0415

        size = len(self.classes)
        found = np.empty((len(ORDERS), size, size, size), dtype=np.float32)
        spread(self.counts, self.deals, order_images(), found)
        return found


def triple_row(one: int, other: int, third: int) -> int:
    """Return the row of three classes in rising order.

    Examples
    --------
    >>> triple_row(0, 0, 0), triple_row(0, 0, 1), triple_row(0, 1, 1), triple_row(1, 1, 1)
    (0, 1, 2, 3)
    """
    return third * (third + 1) * (third + 2) // 6 + other * (other + 1) // 2 + one


def three_way_counts(
    deals: int = 200, seed: int = 1, classes: tuple[int, ...] = ALL, first_rows: int | None = None
) -> ThreeWayCounts:
    """Return how often three classes come in each order.

    They are the same on all machines.

    Parameters
    ----------
    deals
        How many are drawn of each three classes.
    seed
        Of the draws, from 0 on.
    classes
        Of which classes.
    first_rows
        How many rows are made, the first ones; by default all.
    """
    from games.three_way_kernels import draw  # noqa: PLC0415

    ways, rows = ways_to_deal(classes), _triples(len(classes))[:first_rows]
    first, hands = _hands_of(classes)
    of = strength_tables()
    held = (of.key, of.low, of.high, of.strength, of.in_suit, of.flush)
    counts = np.zeros((len(rows), len(ORDERS)), dtype=np.uint16)
    at_once = max(1, AT_ONCE // deals)
    for begin in range(0, len(rows), at_once):
        check_time("drawing deals")
        part = slice(begin, begin + at_once)
        draw(rows[part], begin, ways, first, hands, held, order_codes(), deals, seed, counts[part])
    return ThreeWayCounts(classes, ways, counts)


def all_orders_come(deals: int, seed: int, classes: tuple[int, ...] = ALL) -> bool:
    """Return whether the first deals that are drawn show already that all orders come.

    If not, nothing is said: they may come later. Parameters are those of `three_way_counts`.
    """
    counts = three_way_counts(deals, seed, classes, FIRST).counts
    rows, images = _triples(len(classes))[:FIRST], order_images()
    differ = (rows[:, 0] < rows[:, 1]) & (rows[:, 1] < rows[:, 2])  # they stand in all places, too
    came = counts[differ].any(axis=0)
    found = {int(order) for to in permutations(range(3)) for order in images[to][came]}
    return len(found) == len(ORDERS)


def _triples(size: int) -> Index:
    """Return the places of three classes in rising order, row by row: int64 (num_triples, 3)."""
    places = np.indices((size, size, size)).reshape(3, -1)[::-1].T  # the last place comes first
    found: Index = places[(places[:, 0] <= places[:, 1]) & (places[:, 1] <= places[:, 2])]
    return np.ascontiguousarray(found)


def _hands_of(classes: tuple[int, ...]) -> tuple[Index, Ints]:
    """Return where the hands of each class begin and end, and their cards, int16 (num_hands, 2)."""
    hands = [HANDS[of == CLASS_OF] for of in classes]
    return np.cumsum([0, *map(len, hands)]), np.concatenate(hands)


def ways_to_deal(classes: tuple[int, ...] = ALL) -> Index:
    """Return in how many ways three players are dealt hands of classes, without a common card.

    int64 (num_classes, num_classes, num_classes). Suits may be exchanged, so each hand of the first
    class leaves equally many. Of the others, those that meet in a card are left out, once for each
    card; two hands alike share both.
    """
    first, hands = _hands_of(classes)
    has = (hands[:, :, None] == np.arange(len(DECK))).any(axis=1)
    size = len(classes)
    found = np.zeros((size, size, size), dtype=np.int64)
    for number in range(size):
        free = ~has[:, hands[first[number]]].any(axis=1)
        count = np.add.reduceat(free.astype(np.int64), first[:-1])
        by_card = np.add.reduceat((has & free[:, None]).astype(np.int64), first[:-1], axis=0)
        pairs = np.outer(count, count) - by_card @ by_card.T + np.diag(count)
        found[number] = (first[number + 1] - first[number]) * pairs
    return found


@cache
def order_codes() -> Index:
    """Return the number of an order by how pairs of hands compare.

    int64 (27,): at ``9 * a + 3 * b + c``, where a, b and c say of hands 0 and 1, 0 and 2, 1 and 2
    whether the first one is weaker (0), as strong (1), or stronger (2); -1 where that cannot be.
    """
    found = np.full(27, -1, dtype=np.int64)
    for number, order in enumerate(ORDERS):
        place = {seat: at for at, group in enumerate(order) for seat in group}
        a, b, c = (
            1 + (place[one] < place[other]) - (place[one] > place[other])
            for one, other in ((0, 1), (0, 2), (1, 2))
        )
        found[9 * a + 3 * b + c] = number
    return found


@cache
def order_images() -> Index:
    """Return what an order of three hands becomes when these stand in other places.

    int64 (3, 3, 3, 13): at [i, j, k], where hand 0 is moved to place i, and so on.
    """
    found = np.zeros((3, 3, 3, len(ORDERS)), dtype=np.int64)
    numbers = {order: number for number, order in enumerate(ORDERS)}
    for i in range(3):
        for j in range(3):
            if i != j:
                to = (i, j, 3 - i - j)
                for number, order in enumerate(ORDERS):
                    image = tuple(tuple(sorted(to[seat] for seat in group)) for group in order)
                    found[(*to, number)] = numbers[image]
    return found
