"""Compiled loops over the hands of one board: sums by the cards that hands share.

Lines of betting are the lanes of a vector, `LANES` of them at a time: so the innermost loops are of
one length, and become vector instructions. Matrices are float64 or int64; integers wrap around
modulo 2**64.

References
----------
Johanson, Waugh, Bowling & Zinkevich, "Accelerating best response calculation in large extensive
games", IJCAI 2011, Section 3.3, have the sweep through ranked hands; sums by sets of cards take
hands out that cannot be held together.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Index, Ints, Numbers

LANES = 16
"""Lines that are summed up at once: measured, 8 and 32 take longer."""


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_hand(vectors: Numbers, hand: int, sets: Ints, table: Numbers) -> None:
    """Add what a hand weighs to the sum of every set of cards that it holds."""
    for place in range(sets.shape[1]):
        of = sets[hand, place]
        for lane in range(LANES):
            table[of, lane] += vectors[hand, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def look_up(hand: int, sets: Ints, signs: Index, table: Numbers, found: Numbers) -> None:
    """Write the signed sums of a hand's sets of cards to `found`."""
    for lane in range(LANES):
        found[lane] = table[0, lane]
    for place in range(1, sets.shape[1]):
        of = sets[hand, place]
        if signs[place] < 0:
            for lane in range(LANES):
                found[lane] -= table[of, lane]
        else:
            for lane in range(LANES):
                found[lane] += table[of, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def copy_lanes(source: Numbers, first: int, target: Numbers) -> None:
    """Copy so many columns of a matrix from the first one on, and zeros where there are no more."""
    count = min(LANES, source.shape[1] - first)
    for row in range(len(source)):
        for lane in range(count):
            target[row, lane] = source[row, first + lane]
        for lane in range(count, LANES):
            target[row, lane] = 0


@njit(cache=True)  # type: ignore[untyped-decorator]
def disjoint(
    vectors: Numbers, other: Ints, own: Ints, signs: Index, out: Numbers, room: Numbers
) -> None:
    """Write for each own hand what all hands weigh that share no card with it.

    Parameters
    ----------
    vectors
        (num_other_hands, num_lines).
    other, own
        int32 (num_hands, num_sets_of_a_hand): the numbers of the sets of cards of each hand.
    signs
        int64 (num_sets_of_an_own_hand,): 1 or -1; that of the empty set, the first, is 1.
    out
        (num_own_hands, num_lines), filled.
    room
        (num_sets, LANES): written over.
    """
    block = np.empty((len(vectors), LANES), dtype=vectors.dtype)
    found = np.empty(LANES, dtype=vectors.dtype)
    for first in range(0, vectors.shape[1], LANES):
        copy_lanes(vectors, first, block)
        room[:] = 0
        for hand in range(len(block)):
            add_hand(block, hand, other, room)
        for hand in range(len(out)):
            look_up(hand, own, signs, room, found)
            for lane in range(min(LANES, vectors.shape[1] - first)):
                out[hand, first + lane] = found[lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def ranked(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    orders: tuple[Index, Index],
    ends: tuple[Index, Index],
    stakes: Numbers,
    out: Numbers,
    room: Numbers,
) -> None:
    """Write for each own hand what a showdown pays, in one sweep from weak hands to strong ones.

    Parameters
    ----------
    vectors, other, own, signs, out, room
        As in `disjoint`.
    orders
        Own hands and the other's, by strength: int64.
    ends
        For each own hand, in its order, how many of the other's are weaker, and not stronger.
    stakes
        (3, num_lines): what the sums of weaker hands, of those not stronger, and of all hands are
        multiplied by.
    """
    block = np.empty((len(vectors), LANES), dtype=vectors.dtype)
    paid = np.empty((len(out), LANES), dtype=vectors.dtype)
    factors = np.empty((3, LANES), dtype=vectors.dtype)
    for first in range(0, vectors.shape[1], LANES):
        copy_lanes(vectors, first, block)
        copy_lanes(stakes, first, factors)
        room[:] = 0
        sweep(block, other, own, signs, orders, ends, factors, paid, room)
        for hand in range(len(out)):
            for lane in range(min(LANES, vectors.shape[1] - first)):
                out[hand, first + lane] = paid[hand, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def sweep(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    orders: tuple[Index, Index],
    ends: tuple[Index, Index],
    stakes: Numbers,
    paid: Numbers,
    sums: Numbers,
) -> None:
    """Do what `ranked` does, for `LANES` lines."""
    mine, theirs = orders
    weaker, not_stronger = ends
    found = np.empty_like(stakes[0])
    first, done = 0, 0
    while first < len(mine):
        while done < weaker[first]:
            add_hand(vectors, theirs[done], other, sums)
            done += 1
        last, stop = first, not_stronger[first]
        while last < len(mine) and weaker[last] == weaker[first] and not_stronger[last] == stop:
            look_up(mine[last], own, signs, sums, found)
            for lane in range(LANES):
                paid[mine[last], lane] = stakes[0, lane] * found[lane]
            last += 1
        while done < stop:
            add_hand(vectors, theirs[done], other, sums)
            done += 1
        for place in range(first, last):
            look_up(mine[place], own, signs, sums, found)
            for lane in range(LANES):
                paid[mine[place], lane] += stakes[1, lane] * found[lane]
        first = last
    while done < len(theirs):
        add_hand(vectors, theirs[done], other, sums)
        done += 1
    for hand in range(len(own)):
        look_up(hand, own, signs, sums, found)
        for lane in range(LANES):
            paid[hand, lane] += stakes[2, lane] * found[lane]
