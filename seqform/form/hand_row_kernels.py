"""Compiled loops over the rows of a board, hand by hand: plans, payments, what goes on upwards.

Rows are lines of betting, one after the other; columns are the hands on the board.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Floats, Index, Ints, Numbers


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
    factors, totals, lows = np.empty(num_hands), np.empty(num_hands), np.zeros(num_hands)
    equation, least = 0.0, 0.0
    for node in range(num_nodes):
        reach, row = plan[above[node]], first + node * num_actions
        factors[:] = 0.0
        totals[:] = 0.0
        for action in range(num_actions):
            entries = plan[row + action]
            for hand in range(num_hands):
                entries[hand] = tables[node, action, alive[hand]]
                factors[hand] += entries[hand]
        for hand in range(num_hands):
            total = factors[hand]
            is_whole = total == 0.0 or abs(total - 1.0) <= near
            factors[hand] = reach[hand] if is_whole else reach[hand] / total
        for action in range(num_actions):
            entries = plan[row + action]
            for hand in range(num_hands):
                entry = entries[hand] * factors[hand]
                entries[hand] = entry
                totals[hand] += entry
                lows[hand] = entry if entry < lows[hand] else lows[hand]
        for hand in range(num_hands):
            equation = max(equation, abs(totals[hand] - reach[hand]))
    for hand in range(num_hands):
        least = min(least, lows[hand])
    return equation, least


@njit(cache=True)  # type: ignore[untyped-decorator]
def weigh(plan: Numbers, rows: Index, weights: Numbers, lanes: Numbers) -> None:
    """Write rows of a plan side by side, times what each hand weighs, and zeros behind them.

    Rows are gone through from end to end: a cache sees them for the first time.

    Parameters
    ----------
    plan
        (num_rows, num_hands).
    rows
        int64: at most as many as there are lanes.
    weights
        (num_hands,).
    lanes
        (num_hands, num_lanes), filled.
    """
    for lane in range(len(rows)):
        row = plan[rows[lane]]
        for hand in range(len(weights)):
            lanes[hand, lane] = row[hand] * weights[hand]
    for hand in range(len(weights)):
        for lane in range(len(rows), lanes.shape[1]):
            lanes[hand, lane] = 0


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_scaled(paid: Numbers, rows: Index, scale: Numbers, total: Numbers) -> None:
    """Add to rows what lanes are paid, times what each hand weighs.

    Parameters
    ----------
    paid
        (num_hands, num_lanes): transposed, as `HandProducts` makes it.
    rows
        int64: the rows of `total` that the first lanes are added to.
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
def add_rows(values: Numbers, rows: Index, total: Numbers) -> None:
    """Add rows to other rows, one after the other.

    Parameters
    ----------
    values
        (num_values, num_hands).
    rows
        int64 (num_values,): the row of `total` that each is added to.
    total
        (num_rows, num_hands).
    """
    for at in range(len(values)):
        row, added = total[rows[at]], values[at]
        for hand in range(len(added)):
            row[hand] += added[hand]


@njit(cache=True)  # type: ignore[untyped-decorator]
def raised(values: Floats, rows: Floats, scale: Floats) -> Floats:
    """Return rows of values, each raised by a number times what each hand weighs."""
    found = np.empty_like(values)
    for at in range(len(values)):
        row, entries, by = found[at], values[at], rows[at]
        for hand in range(len(scale)):
            row[hand] = entries[hand] + by * scale[hand]
    return found


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
def are_images(table: Numbers, moved: Index, first: Index, maps: Ints) -> bool:
    """Tell whether boards of a table have what others have, hands moved.

    Parameters
    ----------
    table
        (num_boards, num_actions, num_hands).
    moved, first
        int64 (num_pairs,): the boards, and which others they are compared with.
    maps
        int32 (num_pairs, num_hands): for each pair, what becomes of each hand of the other board.
    """
    for pair in range(len(moved)):
        here, there, map_ = table[moved[pair]], table[first[pair]], maps[pair]
        for action in range(len(here)):
            for hand in range(len(map_)):
                if here[action, map_[hand]] != there[action, hand]:
                    return False
    return True
