"""Compiled loops over the rows of a board, hand by hand: plans, payments, what goes on upwards.

Rows are lines of betting, one after the other; columns are the hands on the board.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from seqform.base.arrays import Floats, Index, Ints, Numbers
from seqform.form.hand_kernels import lanes_of, part, pay_all
from seqform.form.hand_line_kernels import copy_lanes


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


@part  # type: ignore[untyped-decorator]
def gather(plan: Numbers, rows: Index, begin: int, weights: Numbers, block: Numbers) -> None:
    """Fill lanes with some rows, times what each hand weighs, and with zeros behind them.

    Rows are gone through from end to end: a cache sees them for the first time.
    """
    lanes = block.shape[1]
    count = min(lanes, len(rows) - begin)
    for lane in range(count):
        row = plan[rows[begin + lane]]
        for hand in range(len(weights)):
            block[hand, lane] = row[hand] * weights[hand]
    for hand in range(len(weights)):
        for lane in range(count, lanes):
            block[hand, lane] = 0


@part  # type: ignore[untyped-decorator]
def scatter(paid: Numbers, rows: Index, begin: int, scale: Numbers, total: Numbers) -> None:
    """Add lanes, times what each hand weighs, to some rows."""
    for lane in range(min(paid.shape[1], len(rows) - begin)):
        row = total[rows[begin + lane]]
        for hand in range(len(scale)):
            row[hand] += paid[hand, lane] * scale[hand]


@njit(cache=True)  # type: ignore[untyped-decorator]
def pay_rows(
    plan: Numbers,
    theirs: Index,
    weights: Numbers,
    mine: Index,
    scale: Numbers,
    other: Ints,
    own: Ints,
    signs: Index,
    same: Index,
    num_sets: int,
    moved: Index,
    weaker: Index,
    not_stronger: Index,
    hands: Index,
    stakes: Numbers,
    total: Numbers,
) -> None:
    """Add what ends pay to the own player's rows; see `hand_kernels.pay_all`.

    Parameters
    ----------
    plan
        (num_rows, num_other_hands): the other player's.
    theirs, mine
        int64 (num_ends,): rows of both players.
    weights, scale
        (num_other_hands,) and (num_own_hands,): what each hand weighs.
    stakes
        (3, num_ends).
    total
        (num_rows, num_own_hands), of one type with the others.
    """
    lanes = lanes_of(len(mine))
    block = np.empty((len(weights), lanes), dtype=plan.dtype)
    paid = np.empty((len(scale), lanes), dtype=plan.dtype)
    sums = np.empty((num_sets + 1, lanes), dtype=plan.dtype)
    factors = np.empty((3, lanes), dtype=plan.dtype)
    for begin in range(0, len(mine), lanes):
        gather(plan, theirs, begin, weights, block)
        copy_lanes(stakes, begin, factors)
        pay_all(
            block, other, own, signs, same, moved, weaker, not_stronger, hands, factors, sums, paid
        )
        scatter(paid, mine, begin, scale, total)


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
