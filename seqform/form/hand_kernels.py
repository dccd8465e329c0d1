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

LANES = 64
"""Lines that are summed up at once: numba unrolls shorter loops, and makes no vectors of them."""


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator]
def add_hand(vectors: Numbers, hand: int, sets: Ints, sums: Numbers) -> None:
    """Add what a hand weighs to the sum of every set of cards that it holds."""
    for place in range(sets.shape[1]):
        of = sets[hand, place]
        for lane in range(LANES):
            sums[of, lane] += vectors[hand, lane]


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator]
def pay(
    hand: int,
    own: Ints,
    signs: Index,
    sums: Numbers,
    same: int,
    vectors: Numbers,
    stake: Numbers,
    found: Numbers,
    paid: Numbers,
) -> None:
    """Add a stake times the signed sums of a hand's sets of cards to what it is paid.

    The last of `signs` is that of the hand itself, which is the other's hand `same`, unless < 0.
    """
    for lane in range(LANES):
        found[lane] = sums[0, lane]
    for place in range(1, own.shape[1]):
        of = own[hand, place]
        if signs[place] < 0:
            for lane in range(LANES):
                found[lane] -= sums[of, lane]
        else:
            for lane in range(LANES):
                found[lane] += sums[of, lane]
    if same >= 0:
        sign = signs[own.shape[1]]
        for lane in range(LANES):
            found[lane] += sign * vectors[same, lane]
    for lane in range(LANES):
        paid[hand, lane] += stake[lane] * found[lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def pay_all(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    stakes: Numbers,
    sums: Numbers,
    paid: Numbers,
) -> None:
    """Write for each own hand what all hands weigh that share no card with it, times a stake.

    Parameters
    ----------
    vectors
        (num_other_hands, LANES).
    other, own
        int32 (num_hands, num_sets_of_a_hand): the numbers of the sets of cards of each hand.
    signs
        int64: 1 or -1 for the sets of an own hand; that of the empty set, the first, is 1. At last
        that of the hand itself.
    same
        int64 (num_own_hands,): the other's hand with the same cards, -1 if there is none.
    stakes
        (1, LANES).
    sums, paid
        (num_sets, LANES) and (num_own_hands, LANES): written over.
    """
    found = np.empty_like(stakes[0])
    sums[:] = 0
    paid[:] = 0
    for hand in range(len(vectors)):
        add_hand(vectors, hand, other, sums)
    for hand in range(len(own)):
        pay(hand, own, signs, sums, same[hand], vectors, stakes[0], found, paid)


@njit(cache=True)  # type: ignore[untyped-decorator]
def pay_ranked(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    orders: tuple[Index, Index],
    ends: tuple[Index, Index],
    stakes: Numbers,
    sums: Numbers,
    paid: Numbers,
) -> None:
    """Write for each own hand what a showdown pays, in one sweep from weak hands to strong ones.

    Parameters
    ----------
    vectors, other, own, signs, same, sums, paid
        As in `pay_all`. Hands with the same cards are equally strong.
    orders
        Own hands and the other's, by strength: int64.
    ends
        For each own hand, in its order, how many of the other's are weaker, and not stronger.
    stakes
        (3, LANES): what the sums of weaker hands, of those not stronger, and of all hands are
        multiplied by.
    """
    mine, theirs = orders
    weaker, not_stronger = ends
    found = np.empty_like(stakes[0])
    sums[:] = 0
    paid[:] = 0
    first, done = 0, 0
    while first < len(mine):
        while done < weaker[first]:
            add_hand(vectors, theirs[done], other, sums)
            done += 1
        last, stop = first, not_stronger[first]
        while last < len(mine) and weaker[last] == weaker[first] and not_stronger[last] == stop:
            pay(mine[last], own, signs, sums, -1, vectors, stakes[0], found, paid)
            last += 1
        while done < stop:
            add_hand(vectors, theirs[done], other, sums)
            done += 1
        for place in range(first, last):
            hand = mine[place]
            pay(hand, own, signs, sums, same[hand], vectors, stakes[1], found, paid)
        first = last
    while done < len(theirs):
        add_hand(vectors, theirs[done], other, sums)
        done += 1
    for hand in range(len(own)):
        pay(hand, own, signs, sums, same[hand], vectors, stakes[2], found, paid)


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
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    num_sets: int,
    out: Numbers,
) -> None:
    """Do what `pay_all` does for stakes of 1 and matrices (num_hands, num_lines)."""
    block = np.empty((len(vectors), LANES), dtype=vectors.dtype)
    sums = np.empty((num_sets, LANES), dtype=vectors.dtype)
    paid = np.empty((len(out), LANES), dtype=vectors.dtype)
    stakes = np.ones((1, LANES), dtype=vectors.dtype)
    for first in range(0, vectors.shape[1], LANES):
        copy_lanes(vectors, first, block)
        pay_all(block, other, own, signs, same, stakes, sums, paid)
        write_lanes(paid, out, first)


@njit(cache=True)  # type: ignore[untyped-decorator]
def ranked(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    num_sets: int,
    orders: tuple[Index, Index],
    ends: tuple[Index, Index],
    stakes: Numbers,
    out: Numbers,
) -> None:
    """Do what `pay_ranked` does for matrices (num_hands, num_lines) and stakes (3, num_lines)."""
    block = np.empty((len(vectors), LANES), dtype=vectors.dtype)
    sums = np.empty((num_sets, LANES), dtype=vectors.dtype)
    paid = np.empty((len(out), LANES), dtype=vectors.dtype)
    factors = np.empty((3, LANES), dtype=vectors.dtype)
    for first in range(0, vectors.shape[1], LANES):
        copy_lanes(vectors, first, block)
        copy_lanes(stakes, first, factors)
        pay_ranked(block, other, own, signs, same, orders, ends, factors, sums, paid)
        write_lanes(paid, out, first)
