"""Compiled loops over the hands of one board: sums by the cards that hands share.

Lines of betting are the lanes of a vector, and the innermost loops go over them: so these become
vector instructions. Matrices are float64 or int64; integers wrap around
modulo 2**64.

References
----------
Johanson, Waugh, Bowling & Zinkevich, "Accelerating best response calculation in large extensive
games", IJCAI 2011, Section 3.3, have the sweep through ranked hands; sums by sets of cards take
hands out that cannot be held together.
"""

from __future__ import annotations

from numba import njit

from seqform.base.arrays import Index, Ints, Numbers

MOST_LANES = 192
"""Lines that are summed up at once: so many sums of all sets of cards fit into a cache."""

FILLED = 16
"""Lanes are filled up to a multiple of so many, which loops take in one step."""

part = njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""What loops call: compiled within them by LLVM."""


@part  # type: ignore[untyped-decorator]
def lanes_of(count: int) -> int:
    """Return how many lanes are summed up at once, of so many lines."""
    passes = max(1, -(-count // MOST_LANES))
    each = -(-count // passes)
    return each + -each % FILLED


@part  # type: ignore[untyped-decorator]
def add_weighed(
    vectors: Numbers,
    one: int,
    stakes: Numbers,
    row: int,
    other: Ints,
    weighed: Numbers,
    sums: Numbers,
) -> None:
    """Add a hand, times a row of stakes, to the sums of its sets of cards."""
    lanes = vectors.shape[1]
    for lane in range(lanes):
        weighed[lane] = stakes[row, lane] * vectors[one, lane]
    for place in range(other.shape[1]):
        of = other[one, place]
        for lane in range(lanes):
            sums[of, lane] += weighed[lane]


@njit(cache=True, no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
def pay_all(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    moved: Index,
    weaker: Index,
    not_stronger: Index,
    hands: Index,
    stakes: Numbers,
    sums: Numbers,
    paid: Numbers,
) -> None:
    """Write for each own hand what ends pay, in one sweep through the hands of the other.

    All of these count as stronger at first, then as equal, at last as weaker.

    Parameters
    ----------
    vectors
        (num_other_hands, num_lanes).
    other, own
        int32 (num_hands, num_sets_of_a_hand): the numbers of the sets of cards of each hand.
    signs
        int64: 1 or -1 for the sets of an own hand; that of the empty set, the first, is 1. At last
        that of the hand itself.
    same
        int64 (num_own_hands,): the other's hand with the same cards, -1 if there is none.
    moved, weaker, not_stronger, hands
        A `Sweep`.
    stakes
        (3, num_lanes): ``win - tie``, ``tie - loss`` and ``loss``, as an own hand is paid.
    sums, paid
        (num_sets + 1, num_lanes) and (num_own_hands, num_lanes): written over.
    """
    sums[:] = 0
    lanes, weighed, caught, passed = vectors.shape[1], sums[len(sums) - 1], 0, 0
    for one in range(len(vectors)):
        add_weighed(vectors, one, stakes, 2, other, weighed, sums)
    for payment in range(len(hands)):
        while caught < not_stronger[payment]:
            add_weighed(vectors, moved[caught], stakes, 1, other, weighed, sums)
            caught += 1
        while passed < weaker[payment]:
            add_weighed(vectors, moved[passed], stakes, 0, other, weighed, sums)
            passed += 1
        hand = hands[payment]
        for lane in range(lanes):
            paid[hand, lane] = sums[0, lane]
        for place in range(1, own.shape[1]):
            of, sign = own[hand, place], signs[place]
            for lane in range(lanes):
                paid[hand, lane] += sign * sums[of, lane]
        if same[hand] >= 0:
            itself, sign = same[hand], signs[own.shape[1]]
            for lane in range(lanes):
                tie = stakes[1, lane] + stakes[2, lane]
                paid[hand, lane] += sign * (tie * vectors[itself, lane])
