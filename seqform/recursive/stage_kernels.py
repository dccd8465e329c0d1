"""Compiled loops over stages side by side, in which the players learn; see `stage_batch`.

All vectors are matrices with a row for each sequence of all seats, the empty ones included, and a
column for each stage: float64 (num_sequences, num_stages). `layout` says where what is, `Layout`.
"""

from __future__ import annotations

from numba import njit

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import rules
from seqform.solvers.iterative.regret.rules import TIE

Entries = tuple[Ints, Floats, Ints]
"""Where sequences meet: their rows, int32 (num_seats, num_entries), the chance float64
(num_entries,), the leaf int32 (num_entries,)."""

Layout = tuple[Index, Index, Index, Index, Index]
"""The first row of each seat and where the last one's end, and likewise of information sets, int64
(num_seats + 1,). For each information set the rows of its actions, from the one up to the other,
and the row that leads to it, int64 (num_infosets,)."""

jit = kept_with(rules)

part = njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""What loops call: compiled within them by LLVM."""


@jit
def pay(
    entries: Entries, seat: int, worth: Floats, plans: Floats, product: Floats, paid: Floats
) -> None:
    """Add what each sequence of a seat is paid against the others' plans.

    `worth` is what leaves are worth to the seat, float64 (num_leaves, num_stages); `product` is
    room for a row.
    """
    places, shares, leaves = entries
    stages = plans.shape[1]
    for entry in range(len(shares)):
        share, leaf, own = shares[entry], leaves[entry], places[seat, entry]
        for stage in range(stages):
            product[stage] = share * worth[leaf, stage]
        for other in range(len(places)):
            if other != seat:
                row = places[other, entry]
                for stage in range(stages):
                    product[stage] *= plans[row, stage]
        for stage in range(stages):
            paid[own, stage] += product[stage]


@part  # type: ignore[untyped-decorator]
def extend(layout: Layout, seat: int, behavior: Floats, plans: Floats) -> None:
    """Write the plans of a seat's behaviours."""
    first, infosets, begin, end, parent = layout
    for stage in range(plans.shape[1]):
        plans[first[seat], stage] = 1.0
    for infoset in range(infosets[seat], infosets[seat + 1]):
        above = parent[infoset]
        for row in range(begin[infoset], end[infoset]):
            for stage in range(plans.shape[1]):
                plans[row, stage] = behavior[row, stage] * plans[above, stage]


@part  # type: ignore[untyped-decorator]
def regret(
    layout: Layout,
    seat: int,
    step: Floats,
    prediction: float,
    paid: Floats,
    regrets: Floats,
    behavior: Floats,
) -> None:
    """Add what a seat regrets where sequences are paid so much, which is spent; choose by it.

    `step` is a row of a rule's schedule, float64 (5,).
    """
    _, infosets, begin, end, parent = layout
    for infoset in range(infosets[seat + 1] - 1, infosets[seat] - 1, -1):
        start, stop, above = begin[infoset], end[infoset], parent[infoset]
        for stage in range(paid.shape[1]):
            value = 0.0
            for row in range(start, stop):
                value += behavior[row, stage] * paid[row, stage]
            paid[above, stage] += value
            total = 0.0
            for row in range(start, stop):
                newest = paid[row, stage] - value
                if abs(newest) <= TIE * (abs(value) + abs(paid[row, stage])):
                    newest = 0.0
                before = regrets[row, stage]
                now = before * (step[0] if before > 0.0 else step[1]) + newest
                regrets[row, stage] = now
                if prediction != 0.0:
                    now = now * (step[3] if now > 0.0 else step[4]) + prediction * newest
                behavior[row, stage] = max(0.0, now)
                total += behavior[row, stage]
            for row in range(start, stop):
                if total > 0.0:
                    behavior[row, stage] /= total
                else:
                    behavior[row, stage] = 1.0 / (stop - start)


@part  # type: ignore[untyped-decorator]
def answer(layout: Layout, seat: int, paid: Floats, behavior: Floats) -> None:
    """Choose the best actions of a seat where sequences are paid so much, which is spent."""
    _, infosets, begin, end, parent = layout
    for infoset in range(infosets[seat + 1] - 1, infosets[seat] - 1, -1):
        start, stop, above = begin[infoset], end[infoset], parent[infoset]
        for stage in range(paid.shape[1]):
            best = start
            for row in range(start, stop):
                behavior[row, stage] = 0.0
                if paid[row, stage] > paid[best, stage]:
                    best = row
            behavior[best, stage] = 1.0
            paid[above, stage] += paid[best, stage]


@part  # type: ignore[untyped-decorator]
def mix(layout: Layout, seat: int, share: float, plans: Floats, average: Floats) -> None:
    """Move the averages of a seat by a share of the way to its plans."""
    rows = layout[0]
    for row in range(rows[seat], rows[seat + 1]):
        for stage in range(plans.shape[1]):
            average[row, stage] += share * (plans[row, stage] - average[row, stage])


@jit
def learn_from_regrets(
    layout: Layout,
    seat: int,
    step: Floats,
    prediction: float,
    share: float,
    paid: Floats,
    regrets: Floats,
    behavior: Floats,
    plans: Floats,
    average: Floats,
) -> None:
    """Have a seat learn from what it regrets, after its plans went into the averages by a share.

    `step` is a row of a rule's schedule, float64 (5,).
    """
    mix(layout, seat, share, plans, average)
    regret(layout, seat, step, prediction, paid, regrets, behavior)
    extend(layout, seat, behavior, plans)


@jit
def answer_best(layout: Layout, seat: int, paid: Floats, behavior: Floats, plans: Floats) -> None:
    """Have a seat choose its best actions where sequences are paid so much, which is spent."""
    answer(layout, seat, paid, behavior)
    extend(layout, seat, behavior, plans)


@jit
def mix_all(layout: Layout, share: float, plans: Floats, average: Floats) -> None:
    """Move the averages of all seats by a share of the way to their plans."""
    for seat in range(len(layout[0]) - 1):
        mix(layout, seat, share, plans, average)
