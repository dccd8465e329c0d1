"""Compiled loops over the hands of one board: sums by the cards that hands share.

Lines of betting are the lanes of a vector, and the innermost loops go over them: so these become
vector instructions. Matrices are float64 or int64; integers wrap around modulo 2**64.

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


@njit(cache=True, no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
def pay_all(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    added: Index,
    rows: Index,
    after: Index,
    hands: Index,
    stakes: Numbers,
    sums: Numbers,
    paid: Numbers,
) -> None:
    """Write for each own hand what ends pay, in one sweep through the hands of the other.

    All of these count as stronger at first, then as equal, at last as weaker. Each loop is written
    once, so that there is little to compile.

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
    added, rows, after, hands
        A `Sweep`.
    stakes
        (3, num_lanes): ``win - tie``, ``tie - loss`` and ``loss``, as an own hand is paid.
    sums, paid
        (num_sets + 1, num_lanes) and (num_own_hands, num_lanes): written over.
    """
    sums[:] = 0
    lanes, weighed, done = vectors.shape[1], sums[len(sums) - 1], 0
    for payment in range(len(hands)):
        while done < after[payment]:
            one, row = added[done], rows[done]
            done += 1
            for lane in range(lanes):
                weighed[lane] = stakes[row, lane] * vectors[one, lane]
            for place in range(other.shape[1]):
                of = other[one, place]
                for lane in range(lanes):
                    sums[of, lane] += weighed[lane]
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
