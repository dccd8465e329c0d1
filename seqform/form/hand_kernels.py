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
def add_hand(vectors: Numbers, hand: int, sets: Ints, sums: Numbers) -> None:
    """Add what a hand weighs to the sum of every set of cards that it holds."""
    if sets.shape[1] == 4:  # two cards: in one loop
        one, two, both = sets[hand, 1], sets[hand, 2], sets[hand, 3]
        for lane in range(LANES):
            weight = vectors[hand, lane]
            sums[0, lane] += weight
            sums[one, lane] += weight
            sums[two, lane] += weight
            sums[both, lane] += weight
        return
    for place in range(sets.shape[1]):
        of = sets[hand, place]
        for lane in range(LANES):
            sums[of, lane] += vectors[hand, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def pay(
    hand: int,
    sets: Ints,
    signs: Index,
    sums: Numbers,
    stake: Numbers,
    found: Numbers,
    paid: Numbers,
) -> None:
    """Add a stake, (LANES,), times the signed sums of a hand's sets of cards to what it is paid."""
    if sets.shape[1] == 4 and signs[1] < 0:  # two cards: in one loop
        one, two, both = sets[hand, 1], sets[hand, 2], sets[hand, 3]
        for lane in range(LANES):
            total = sums[0, lane] - sums[one, lane] - sums[two, lane] + sums[both, lane]
            paid[hand, lane] += stake[lane] * total
        return
    found[:] = 0
    for place in range(sets.shape[1]):
        of, sign = sets[hand, place], signs[place]
        for lane in range(LANES):
            found[lane] += sign * sums[of, lane]
    for lane in range(LANES):
        paid[hand, lane] += stake[lane] * found[lane]


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
def write_lanes(source: Numbers, target: Numbers, first: int) -> None:
    """Write lanes to the columns of a matrix from the first one on, as many as there are."""
    for row in range(len(source)):
        for lane in range(min(LANES, target.shape[1] - first)):
            target[row, first + lane] = source[row, lane]


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
    paid = np.empty((len(out), LANES), dtype=vectors.dtype)
    found, one = np.empty(LANES, dtype=vectors.dtype), np.ones(LANES, dtype=vectors.dtype)
    for first in range(0, vectors.shape[1], LANES):
        copy_lanes(vectors, first, block)
        room[:] = 0
        for hand in range(len(block)):
            add_hand(block, hand, other, room)
        paid[:] = 0
        for hand in range(len(out)):
            pay(hand, own, signs, room, one, found, paid)
        write_lanes(paid, out, first)


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
        paid[:] = 0
        sweep(block, other, own, signs, orders, ends, factors, paid, room)
        write_lanes(paid, out, first)


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
            pay(mine[last], own, signs, sums, stakes[0], found, paid)
            last += 1
        while done < stop:
            add_hand(vectors, theirs[done], other, sums)
            done += 1
        for place in range(first, last):
            pay(mine[place], own, signs, sums, stakes[1], found, paid)
        first = last
    while done < len(theirs):
        add_hand(vectors, theirs[done], other, sums)
        done += 1
    for hand in range(len(own)):
        pay(hand, own, signs, sums, stakes[2], found, paid)
