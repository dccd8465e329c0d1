"""How strong hands of poker are: the best five of 5, 6 or 7 cards.

Without flushes only the ranks of the cards count, and how many there are of each. There are 73,775
such multisets of 5 to 7 ranks. A multiset is written in base 5, one digit a rank; low and high
digits apart are looked up in a table each, which say together where its strength is. Keys of cards
add up, so a hand on a known board takes a sum and three look-ups. A flush is found by the set of
ranks of its suit. Tables are made when they are first needed, in some milliseconds.

Cards are numbered as in `games.playing_cards`: 4 * rank + suit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from games.playing_cards import DECK, NUM_RANKS, NUM_SUITS
from seqform.base.arrays import Index, Ints
from seqform.base.errors import InvalidParameterError

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
) = range(9)

NUM_STRENGTHS = 7462
"""Strengths are 0, of 7-5-4-3-2, to 7,461, of the royal flushes."""

FEWEST, MOST, SAME = 5, 7, 4
"""Cards of a hand with its board, and how many are of one rank at most."""

LOW, HIGH_BITS = 6, 16
"""Ranks whose digits are the lower part of a key, and where the digits of the others begin."""

BASE = SAME + 1


def hand_strength(hands: Ints, board: Ints) -> Ints:
    """Return how strong hands are together with a board: int32 (num_hands,), the more, the better.

    Parameters
    ----------
    hands
        Cards of each hand, int16 (num_hands, k).
    board
        Cards that all hands share, int16 (m,); k + m is 5, 6 or 7. What is returned of hands that
        meet the board means nothing.

    Raises
    ------
    InvalidParameterError
        If there are fewer than 5 cards, or more than 7.
    """
    hands, shared = np.asarray(hands), np.asarray(board, dtype=np.int64)
    if not FEWEST <= hands.shape[1] + len(shared) <= MOST:
        raise InvalidParameterError(
            f"poker ranks 5, 6 or 7 cards, and hands of {hands.shape[1]} on a board of "
            f"{len(shared)} have {hands.shape[1] + len(shared)}"
        )
    tables = strength_tables()
    key = np.full(len(hands), tables.key[shared].sum())
    for column in hands.T:
        key += tables.key.take(column)
    place = tables.high.take(key >> HIGH_BITS) + tables.low.take(key & (1 << HIGH_BITS) - 1)
    found: Ints = tables.strength.take(place, mode="clip")
    held = np.bincount(shared % NUM_SUITS, minlength=NUM_SUITS)
    for suit in np.flatnonzero(held + hands.shape[1] >= FEWEST):
        of_suit = tables.in_suit[suit]
        ranks = np.full(len(hands), np.bitwise_or.reduce(of_suit[shared], initial=0))
        for column in hands.T:
            ranks |= of_suit.take(column)
        np.maximum(found, tables.flush.take(ranks), out=found)
    return found


def category(strength: Ints) -> Ints:
    """Return the category of strengths, as numbered in `CATEGORIES`: int32, of the same shape."""
    found: Ints = (
        np.searchsorted(strength_tables().first, strength, side="right").astype(np.int32) - 1
    )
    return found


class StrengthTables(NamedTuple):
    """Tables by which hands are ranked; see `hand_strength` for how."""

    key: Index  # of each card
    low: Ints  # place of the lower digits of a key
    high: Ints  # what the higher digits add to it
    strength: Ints  # by place; flushes apart
    in_suit: Index  # [suit, card]: the bit of its rank, if it is of the suit
    flush: Ints  # by the set of ranks of one suit; -1 without a flush
    first: Index  # strength with which each category begins


@cache
def strength_tables() -> StrengthTables:
    """Return the tables, made when they are first needed."""
    low, high = _Half(range(LOW)), _Half(range(LOW, NUM_RANKS))
    # with each multiset of high ranks those of low ones that make 5 to 7 cards, ordered by size
    begin = np.searchsorted(low.size, FEWEST - high.size)
    count = np.searchsorted(low.size, MOST - high.size, side="right") - begin
    offset = np.cumsum(count) - count - begin
    above = np.repeat(np.arange(len(count)), count)
    below = np.arange(count.sum()) - offset[above]
    planes = [a[above] | b[below] for a, b in zip(high.planes, low.planes, strict=True)]
    codes, flushes = _codes(*planes), _flush_codes()
    is_five = high.size[above] + low.size[below] == FEWEST
    is_one = np.bitwise_count(np.arange(len(flushes))) == FEWEST
    known = np.unique(np.concatenate([codes[is_five], flushes[is_one]]))
    rank = np.arange(len(DECK)) // NUM_SUITS
    is_of = np.arange(len(DECK)) % NUM_SUITS == np.arange(NUM_SUITS)[:, None]
    return StrengthTables(
        key=np.where(rank < LOW, BASE**rank, BASE ** np.maximum(rank - LOW, 0) << HIGH_BITS),
        low=low.lookup(np.arange(len(low.size))),
        high=high.lookup(offset),
        strength=np.searchsorted(known, codes).astype(np.int32),
        in_suit=np.where(is_of, 1 << rank, 0),
        flush=np.where(flushes > 0, np.searchsorted(known, flushes), -1).astype(np.int32),
        first=np.searchsorted(known, np.arange(len(CATEGORIES)) << CATEGORY_BITS),
    )


class _Half:
    """All multisets of at most 7 of some ranks, at most 4 of each, ordered by size."""

    def __init__(self, ranks: range) -> None:
        size = np.zeros(1, dtype=np.int64)
        for _ in ranks:
            size = np.add.outer(np.arange(BASE), size).ravel()
        self.room = 2 * len(size)
        self.code = np.argsort(size, kind="stable")[: np.count_nonzero(size <= MOST)]
        self.size = size[self.code]
        digits = self.code[:, None] // BASE ** np.arange(len(ranks)) % BASE
        bits = 1 << np.array(ranks)
        self.planes = [(digits >= count) @ bits for count in range(1, SAME + 1)]

    def lookup(self, values: Index) -> Ints:
        """Return a table by code; too many of one rank are beyond it, or another's."""
        found = np.zeros(self.room, dtype=np.int32)
        found[self.code] = values
        return found


MASK_BITS = NUM_RANKS
CATEGORY_BITS = 2 * MASK_BITS
"""A code is the category, then the set of the ranks that make it, then that of the kickers. Of two
sets of equally many ranks the one with the higher ranks is the larger number."""


def _code(of: int, ranks: Index, kickers: Index | int = 0) -> Index:
    return (of << CATEGORY_BITS) + (ranks << MASK_BITS) + kickers


def _codes(once: Index, twice: Index, thrice: Index, four: Index) -> Index:
    """Return codes of multisets, from the sets of ranks that are there so often or more."""
    top = _tops()
    three, pair, pairs = top[1][thrice], top[1][twice], top[2][twice]
    straight, full = straights()[once], top[1][twice & ~three]
    found = _code(HIGH_CARD, np.zeros_like(once), top[5][once])
    for applies, code in (
        (twice > 0, _code(PAIR, pair, top[3][once & ~pair])),
        (pairs > pair, _code(TWO_PAIR, pairs, top[1][once & ~pairs])),
        (thrice > 0, _code(THREE_OF_A_KIND, three, top[2][once & ~three])),
        (straight > 0, _code(STRAIGHT, straight)),
        ((thrice > 0) & (full > 0), _code(FULL_HOUSE, three, full)),
        (four > 0, _code(FOUR_OF_A_KIND, four, top[1][once & ~four])),
    ):
        found = np.where(applies, code, found)
    return found


def _flush_codes() -> Index:
    """Return the code of each set of ranks of one suit; 0 where there are fewer than five."""
    ranks = np.arange(1 << NUM_RANKS)
    straight = straights()
    found = np.where(straight > 0, _code(STRAIGHT_FLUSH, straight), _code(FLUSH, _tops()[5]))
    return np.where(np.bitwise_count(ranks) >= FEWEST, found, 0)


@cache
def _tops() -> list[Index]:
    """Return for k = 0, ..., 5 a table by sets of ranks: the k highest of them."""
    sets = np.arange(1 << NUM_RANKS)
    found = [np.zeros_like(sets)]
    for _ in range(FEWEST):
        left = sets & ~found[-1]
        highest = np.where(left > 0, 1 << np.log2(np.maximum(left, 1)).astype(np.int64), 0)
        found.append(found[-1] | highest)
    return found


@cache
def straights() -> Index:
    """Return by sets of ranks the highest one of the best straight; 0 without one."""
    sets = np.arange(1 << NUM_RANKS)
    found = np.zeros_like(sets)
    lowest = 1 << NUM_RANKS - 1 | 0b1111  # the ace is below the two
    for top in range(FEWEST - 2, NUM_RANKS):
        run = lowest if top == FEWEST - 2 else 0b11111 << top - 4
        found[sets & run == run] = 1 << top
    return found
