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

from numba import njit

from seqform.base.arrays import Index, Ints, Numbers

LANES = 64
"""Lines that are summed up at once: numba unrolls shorter loops, and makes no vectors of them."""


@njit(cache=True, no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
def pay_all(
    vectors: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    added: Index,
    after: Index,
    hands: Index,
    rows: Index,
    stakes: Numbers,
    sums: Numbers,
    paid: Numbers,
) -> None:
    """Write for each own hand what ends pay, in one sweep through the hands of the other.

    Each loop is written once, so that there is little to compile.

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
    added, after, hands, rows
        A `Sweep`.
    stakes
        (3, LANES): what the sums of weaker hands, of those not stronger, and of all hands are
        multiplied by.
    sums, paid
        (num_sets + 1, LANES) and (num_own_hands, LANES): written over.
    """
    sums[:] = 0
    paid[:] = 0
    found, done = sums[len(sums) - 1], 0
    for payment in range(len(after)):
        while done < after[payment]:
            one = added[done]
            done += 1
            for place in range(other.shape[1]):
                of = other[one, place]
                for lane in range(LANES):
                    sums[of, lane] += vectors[one, lane]
        hand, row = hands[payment], rows[payment]
        for lane in range(LANES):
            found[lane] = sums[0, lane]
        for place in range(1, own.shape[1]):
            of, sign = own[hand, place], signs[place]
            for lane in range(LANES):
                found[lane] += sign * sums[of, lane]
        if row and same[hand] >= 0:
            itself, sign = same[hand], signs[own.shape[1]]
            for lane in range(LANES):
                found[lane] += sign * vectors[itself, lane]
        for lane in range(LANES):
            paid[hand, lane] += stakes[row, lane] * found[lane]
