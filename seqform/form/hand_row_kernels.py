"""Compiled loops over the rows of a board, hand by hand: plans, payments, what goes on upwards."""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Floats, Index, Numbers


@njit(cache=True)  # type: ignore[untyped-decorator]
def extend(
    tables: Numbers, alive: Index, above: Index, first: int, near: float, plan: Floats
) -> tuple[float, float]:
    """Multiply what is done at nodes by the chance that the player's own actions lead there.

    Parameters
    ----------
    tables
        float32 or float64 (num_nodes, num_actions, num_hands_of_the_range): probabilities.
    alive
        int64 (num_hands,): the hands that there are on the board.
    above
        int64 (num_nodes,): the row of the plan with the line that leads to each node.
    first
        The row of the first action of the first node; others follow, node by node.
    near
        How far from 1 probabilities may sum that are taken as they are; others are divided by it.
    plan
        float64 (num_rows, num_hands), of which the rows of the actions are filled.

    Returns
    -------
    equation, least
        By how much the actions of a hand add up to something else at most; the least entry, or 0.
    """
    num_nodes, num_actions, _ = tables.shape
    num_hands = len(alive)
    sums, totals = np.empty(num_hands), np.empty(num_hands)
    equation, least = 0.0, 0.0
    for node in range(num_nodes):
        reach, row = plan[above[node]], first + node * num_actions
        sums[:] = 0.0
        totals[:] = 0.0
        for action in range(num_actions):
            entries = plan[row + action]
            for hand in range(num_hands):
                entries[hand] = tables[node, action, alive[hand]]
                sums[hand] += entries[hand]
        for hand in range(num_hands):
            if sums[hand] == 0.0 or abs(sums[hand] - 1.0) <= near:
                sums[hand] = 1.0
        for action in range(num_actions):
            entries = plan[row + action]
            for hand in range(num_hands):
                entry = entries[hand] / sums[hand] * reach[hand]
                entries[hand] = entry
                totals[hand] += entry
                least = min(least, entry)
        for hand in range(num_hands):
            equation = max(equation, abs(totals[hand] - reach[hand]))
    return equation, least


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_scaled(paid: Numbers, rows: Index, scale: Numbers, total: Numbers) -> None:
    """Add to rows what lanes are paid, times what each hand weighs.

    Parameters
    ----------
    paid
        (num_hands, num_lanes): transposed, as `HandProducts` makes it.
    rows
        int64 (num_lanes,): the row of `total` that each lane is added to.
    scale
        (num_hands,).
    total
        (num_rows, num_hands), of one type with the others.
    """
    for lane in range(len(rows)):
        row = total[rows[lane]]
        for hand in range(len(scale)):
            row[hand] += paid[hand, lane] * scale[hand]


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_permuted(values: Numbers, places: Index, total: Numbers) -> None:
    """Add columns to other columns.

    Parameters
    ----------
    values
        (num_rows, num_hands).
    places
        int64 (num_hands,): the column of `total` that each is added to.
    total
        (num_rows, any number).
    """
    for at in range(len(values)):
        row, added = total[at], values[at]
        for hand in range(len(places)):
            row[places[hand]] += added[hand]


@njit(cache=True)  # type: ignore[untyped-decorator]
def weigh(plan: Numbers, rows: Index, weights: Index, lanes: Numbers, totals: Numbers) -> None:
    """Write rows of a plan, times what each hand weighs, side by side; and what they add up to.

    Parameters
    ----------
    plan
        (num_rows, num_hands).
    rows
        int64 (num_lanes,).
    weights
        int64 (num_hands,).
    lanes
        (num_hands, num_lanes), filled.
    totals
        (num_lanes,), filled.
    """
    for lane in range(len(rows)):
        row = plan[rows[lane]]
        totals[lane] = 0
        for hand in range(len(weights)):
            entry = row[hand] * weights[hand]
            lanes[hand, lane] = entry
            totals[lane] += entry
