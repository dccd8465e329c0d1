"""Compiled loops from vectors over sequences to vectors over sequences, on one board.

The weights of hands are gathered from where lines have them, summed up by shared cards, and what
they pay is added where the own lines have it: so nothing is kept between.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Index, Ints, Numbers
from seqform.base.kept_loops import kept_with
from seqform.form import hand_kernels
from seqform.form.hand_kernels import MOST_LANES, pay_all

Where = tuple[Index, Index, Numbers]
"""Of one player's hands on a board: the first sequence and the stride of the line of each end,
int64 (2, num_ends); the place of each hand in a line, int64 (num_hands,); and its weight."""

part = njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""What loops call: compiled within them by LLVM."""


@part  # type: ignore[untyped-decorator]
def copy_lanes(source: Numbers, first: int, target: Numbers) -> None:
    """Copy so many columns of a matrix from the first one on, and zeros where there are no more."""
    lanes = target.shape[1]
    count = min(lanes, source.shape[1] - first)
    for row in range(len(source)):
        for lane in range(count):
            target[row, lane] = source[row, first + lane]
        for lane in range(count, lanes):
            target[row, lane] = 0


@part  # type: ignore[untyped-decorator]
def gather(vector: Numbers, where: Where, begin: int, block: Numbers) -> None:
    """Fill lanes with the weighted entries of some ends' lines, and with zeros behind them."""
    (lines, places, weights), lanes = where, block.shape[1]
    count = min(lanes, lines.shape[1] - begin)
    for lane in range(count):
        first, stride = lines[0, begin + lane], lines[1, begin + lane]
        for hand in range(len(places)):
            block[hand, lane] = vector[first + stride * places[hand]] * weights[hand]
    for hand in range(len(places)):
        for lane in range(count, lanes):
            block[hand, lane] = 0


@part  # type: ignore[untyped-decorator]
def scatter(paid: Numbers, where: Where, begin: int, total: Numbers) -> None:
    """Add the weighted lanes to the entries of some ends' lines."""
    lines, places, weights = where
    for lane in range(min(paid.shape[1], lines.shape[1] - begin)):
        first, stride = lines[0, begin + lane], lines[1, begin + lane]
        for hand in range(len(places)):
            total[first + stride * places[hand]] += paid[hand, lane] * weights[hand]


@kept_with(hand_kernels)
def add_ends(
    vector: Numbers,
    theirs: Where,
    mine: Where,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    num_sets: int,
    added: Index,
    rows: Index,
    after: Index,
    hands: Index,
    stakes: Numbers,
    total: Numbers,
) -> None:
    """Add what ends pay, (3, num_ends) `stakes`; see `hand_kernels.pay_all`."""
    lanes = max(1, min(MOST_LANES, stakes.shape[1]))
    block = np.empty((len(theirs[1]), lanes), dtype=vector.dtype)
    paid = np.empty((len(mine[1]), lanes), dtype=vector.dtype)
    sums = np.empty((num_sets + 1, lanes), dtype=vector.dtype)
    factors = np.empty((3, lanes), dtype=vector.dtype)
    for begin in range(0, stakes.shape[1], lanes):
        gather(vector, theirs, begin, block)
        copy_lanes(stakes, begin, factors)
        pay_all(block, other, own, signs, same, added, rows, after, hands, factors, sums, paid)
        scatter(paid, mine, begin, total)
