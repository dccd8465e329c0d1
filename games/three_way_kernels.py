"""Compiled loops that draw deals of three hands and a board, and count how the hands are ordered.

Random numbers are those of splitmix64 (Steele, Lea & Flood, OOPSLA 2014), begun anew for each three
classes: all is in integers, so it is the same on every machine.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from games import hand_ranks, playing_cards
from games.hand_ranks import HIGH_BITS
from games.playing_cards import DECK, NUM_SUITS
from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.kept_loops import kept_with

Tables = tuple[Index, Ints, Ints, Ints, Index, Ints]
"""Those of `games.hand_ranks`: key, low, high, strength, in_suit, flush."""

CARDS, SUITS, BOARD = len(DECK), NUM_SUITS, 5
FLUSHED = 3
"""Cards of one suit that a board has if somebody may have a flush."""

LOW_MASK = (1 << HIGH_BITS) - 1
STEP, ONE, OTHER = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
HALF = np.uint64(32)

jit = kept_with(hand_ranks, playing_cards)

part = njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@part  # type: ignore[untyped-decorator]
def mixed(state: np.uint64) -> np.uint64:
    """Return the random number of a state."""
    state = (state ^ (state >> np.uint64(30))) * ONE
    state = (state ^ (state >> np.uint64(27))) * OTHER
    return state ^ (state >> np.uint64(31))


@part  # type: ignore[untyped-decorator]
def below(state: np.uint64, count: int) -> np.int64:
    """Return a number from 0 to below `count`, each as likely but for one in millions."""
    return np.int64(((mixed(state) >> HALF) * np.uint64(count)) >> HALF)


@part  # type: ignore[untyped-decorator]
def strength(tables: Tables, one: int, other: int, shared: int, suit: int, ranks: int) -> int:
    """Return how strong two cards are with a board.

    `shared` is the key of the board, `suit` the one of which it has three cards or more, else -1,
    and `ranks` the set of these.
    """
    key, low, high, strengths, in_suit, flush = tables
    total = shared + key[one] + key[other]
    found: int = strengths[high[total >> HIGH_BITS] + low[total & LOW_MASK]]
    if suit >= 0:
        found = max(found, flush[ranks | in_suit[suit, one] | in_suit[suit, other]])
    return found


@part  # type: ignore[untyped-decorator]
def compared(one: int, other: int) -> int:
    """Return whether a strength is less than another (0), the same (1) or more (2)."""
    return 1 + (one > other) - (one < other)


@part  # type: ignore[untyped-decorator]
def deal_hands(state: np.uint64, of: Index, first: Index, hands: Ints, cards: Index) -> np.uint64:
    """Write the cards of three hands without a common card, one of each class; return the state."""
    while True:
        for player in range(3):
            state += STEP
            begin, end = first[of[player]], first[of[player] + 1]
            hand = begin + below(state, end - begin)
            cards[2 * player], cards[2 * player + 1] = hands[hand, 0], hands[hand, 1]
        same = 0
        for place in range(6):
            for earlier in range(place):
                same += cards[place] == cards[earlier]
        if same == 0:
            return state


@part  # type: ignore[untyped-decorator]
def deal_board(state: np.uint64, cards: Index) -> np.uint64:
    """Write the cards of a board beyond those of the hands; return the state."""
    for place in range(6, 6 + BOARD):
        same = 1
        while same > 0:
            state += STEP
            cards[place] = below(state, CARDS)
            same = 0
            for earlier in range(place):
                same += cards[place] == cards[earlier]
    return state


@part  # type: ignore[untyped-decorator]
def rank(tables: Tables, cards: Index, found: Index) -> None:
    """Write how strong each of three hands is with the board."""
    key, in_suit = tables[0], tables[4]
    shared, held = 0, 0  # four bits for each suit: how many cards it has
    for place in range(6, 6 + BOARD):
        shared += key[cards[place]]
        held += 1 << 4 * (cards[place] % SUITS)
    suit, ranks = -1, 0
    for of in range(SUITS):
        if held >> 4 * of & 15 >= FLUSHED:
            suit = of
    if suit >= 0:
        for place in range(6, 6 + BOARD):
            ranks |= in_suit[suit, cards[place]]
    for player in range(3):
        one, other = cards[2 * player], cards[2 * player + 1]
        found[player] = strength(tables, one, other, shared, suit, ranks)


@jit
def draw(
    rows: Index,
    begin: int,
    ways: Index,
    first: Index,
    hands: Ints,
    tables: Tables,
    codes: Index,
    deals: int,
    seed: int,
    counts: Numbers,
) -> None:
    """Add deals of three classes to the counts, as many of each as are to be drawn.

    Parameters
    ----------
    rows
        int64 (num_triples, 3): the classes of each row; none is dealt where `ways` is 0.
    begin
        The number of the first of these rows among all, which says what is drawn.
    first, hands
        Where the hands of each class begin and end, and their cards.
    codes
        See `games.three_way_equities.order_codes`.
    counts
        (num_triples, 13).
    """
    cards, found = np.empty(6 + BOARD, dtype=np.int64), np.empty(3, dtype=np.int64)
    for row in range(len(rows)):
        if ways[rows[row, 0], rows[row, 1], rows[row, 2]] == 0:
            continue
        state = mixed(mixed(np.uint64(seed) + STEP) + np.uint64(begin + row + 1) * STEP)
        for _ in range(deals):
            state = deal_hands(state, rows[row], first, hands, cards)
            state = deal_board(state, cards)
            rank(tables, cards, found)
            code = (
                9 * compared(found[0], found[1])
                + 3 * compared(found[0], found[2])
                + compared(found[1], found[2])
            )
            counts[row, codes[code]] += 1


@jit
def spread(counts: Numbers, deals: Index, images: Index, found: Numbers) -> None:
    """Write for all three classes in any places the ways to deal them times the counts.

    Parameters
    ----------
    images
        See `games.three_way_equities.order_images`.
    found
        float32 (13, num_classes, num_classes, num_classes).
    """
    size = len(deals)
    for i in range(size):
        for j in range(size):
            for k in range(size):
                # of classes in rising order the places; equal ones stay in their order
                a, b, c = 0, 1, 2
                low, middle, top = i, j, k
                if low > middle:
                    a, b, low, middle = b, a, middle, low
                if middle > top:
                    b, c, middle, top = c, b, top, middle
                if low > middle:
                    a, b, low, middle = b, a, middle, low
                row = top * (top + 1) * (top + 2) // 6 + middle * (middle + 1) // 2 + low
                for order in range(counts.shape[1]):
                    found[images[a, b, c, order], i, j, k] = counts[row, order] * deals[i, j, k]
