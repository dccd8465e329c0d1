"""The loops of regret minimization over laid-out signal games, compiled by numba.

See `signal_layout` for the words.

What is kept of a group has a row for each action, in which classes come one after the other, each
with its entries. So one block of classes is a stretch of each row, over which inner loops run: long
enough that starting a loop costs nothing, short enough to stay in the cache while the block is
taken through a whole round. All numbers are of the arrays' own type: constants come in `numbers`,
since a literal would be a float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba

ZERO, ONE, POSITIVE, NEGATIVE, WEIGHT, NEXT_POSITIVE, NEXT_NEGATIVE = range(7)
PREDICTION, TIE, ROOT = range(7, 10)
"""What `numbers` holds: 0, 1, the discounts of positive and negative regrets, the weight in the
average, both discounts of the next iteration, how often the newest regret counts once more, what
counts as a tie, and the opponent's reach of the game's root."""

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"contract", "nsz", "nnan", "arcp"},
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # nobody calls these from C, and making it possible takes a while
}

jit = numba.njit(cache=True, **OPTIONS)
shared = numba.njit(no_cpython_wrapper=True, **OPTIONS)
"""What several loops call: compiled once for all of them."""

part = numba.njit(inline="always")
"""What one loop calls: compiled within it, which takes half as long."""


class Side(NamedTuple):
    """One player in a group of a stage, by position of its classes.

    `regret`, `basis`, `average` and `earlier` are (actions, classes * entries). Strategies are
    computed from `basis`: the regrets, or a prediction of them. Sums over iterations are `average`,
    times a unit, and `earlier`, which has no row where `average` has all iterations. `above` is the
    player's reach at the ends of the stage before, (classes there, columns there); `parent`
    (classes,) and `column` (entries,) index its rows and columns. `blocks` holds the start of each
    block.
    """

    nodes: Any
    blocks: Any
    regret: Any
    basis: Any
    average: Any
    earlier: Any
    above: Any
    parent: Any
    column: Any


class Scratch(NamedTuple):
    """Working arrays for the largest block.

    `reached` is the opponent's reach of its slots and `utility` what own slots are paid, both
    (slots, classes * entries); `met` and `paid` are views of the same, (slots, classes, entries).
    """

    reached: Any
    met: Any
    utility: Any
    paid: Any
    prefix: Any
    sigma: Any
    other_sigma: Any
    slots: Any
    total: Any


class Payoffs(NamedTuple):
    """What one player is paid in a group: `signal_layout.Outcomes` and two more.

    `stakes` is (terminals, entries); `terminals` has own slot, other's slot, row. `fixed` is what
    each action is paid whatever the opponent does, (actions, classes * entries), and empty where
    nothing is.
    """

    terminals: Any
    stakes: Any
    fixed: Any
    structured: Any
    flat: Any
    u: Any
    v: Any
    lo: Any
    hi: Any
    start: Any
    other: Any
    value: Any


@part
def choose(nodes, basis, first_cell, count, sigma, total, numbers):
    """Write the strategy of `count` cells of each row, (actions, count), by regret matching."""
    zero, one = numbers[ZERO], numbers[ONE]
    end = first_cell + count
    total = total[:count]
    for node in range(len(nodes)):
        first, actions = nodes[node, 0], nodes[node, 1]
        uniform = one / actions
        total[:] = zero
        for a in range(first, first + actions):
            kept = basis[a, first_cell:end]
            for i in range(count):
                total[i] += max(kept[i], zero)
        for a in range(first, first + actions):
            kept, chosen = basis[a, first_cell:end], sigma[a]
            for i in range(count):
                chosen[i] = max(kept[i], zero) / total[i] if total[i] > zero else uniform


@part
def reach(nodes, sigma, slots, count):
    """Write the reach of `count` cells of all slots but the first from the strategy."""
    for node in range(len(nodes)):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        before = slots[above]
        for a in range(first, first + actions):
            chosen, reached = sigma[a], slots[1 + a]
            for i in range(count):
                reached[i] = before[i] * chosen[i]


@part
def enter(side, start, stop, slot):
    """Write the reach of the first slot of classes `start` to `stop`."""
    entries = len(side.column)
    for c in range(stop - start):
        above, cells = side.above[side.parent[start + c]], slot[c * entries : (c + 1) * entries]
        for e in range(entries):
            cells[e] = above[side.column[e]]


@shared
def play(side, start, stop, slots, sigma, total, numbers):
    """Write a player's strategy in classes `start` to `stop`, and its reach of all slots."""
    first_cell, count = start * len(side.column), (stop - start) * len(side.column)
    enter(side, start, stop, slots[0])
    choose(side.nodes, side.basis, first_cell, count, sigma, total, numbers)
    reach(side.nodes, sigma, slots, count)


@part
def average_of(side, first_cell, count, slots, numbers):
    """Write the average of `count` cells to all slots but the first; the weight is the unit."""
    unit, end = numbers[WEIGHT], first_cell + count
    for a in range(len(side.average)):
        average, slot = side.average[a, first_cell:end], slots[1 + a]
        for i in range(count):
            slot[i] = unit * average[i]
    for a in range(len(side.earlier)):
        earlier, slot = side.earlier[a, first_cell:end], slots[1 + a]
        for i in range(count):
            slot[i] += earlier[i]


@jit
def descend(side, ends, player, out, first_column, scratch, numbers):
    """Write the reach of a player's current strategy at the ends of a group's rounds."""
    sigma, slots, total = scratch.sigma, scratch.slots, scratch.total
    entries = len(side.column)
    for block in range(len(side.blocks) - 1):
        start, stop = side.blocks[block], side.blocks[block + 1]
        play(side, start, stop, slots, sigma, total, numbers)
        for k in range(len(ends)):
            slot, column = slots[ends[k, player]], first_column + k * entries
            for c in range(stop - start):
                for e in range(entries):
                    out[start + c, column + e] = slot[c * entries + e]


@part
def begin(fixed, first_cell, count, utility, numbers):
    """Write what own slots of a block are paid whatever the opponent does, or zeros."""
    for slot in range(len(utility)):
        utility[slot, :count] = numbers[ZERO]
    for a in range(len(fixed)):
        paid, got = fixed[a, first_cell : first_cell + count], utility[1 + a]
        for i in range(count):
            got[i] = numbers[ROOT] * paid[i]


@part
def evaluate(payoffs, block, mine, theirs, reached, prefix, utility, numbers):
    """Add what the terminals of a block pay to the utilities of own slots.

    Both `utility` and the opponent's reach of its slots, `reached`, are (slots, classes, entries).
    """
    for z in range(len(payoffs.terminals)):
        own, other, row = payoffs.terminals[z, 0], payoffs.terminals[z, 1], payoffs.terminals[z, 2]
        stakes, paid, met = payoffs.stakes[z], utility[own], reached[other]
        if payoffs.structured[row, block]:
            if payoffs.flat[row, block]:
                pay_flat(payoffs, row, stakes, mine, theirs, met, prefix[0], paid, numbers)
            else:
                pay_ordered(payoffs, row, stakes, mine, theirs, met, prefix, paid, numbers)
        correct(payoffs, row, stakes, mine, theirs, met, paid)


@part
def pay_flat(payoffs, row, stakes, mine, theirs, reached, total, utility, numbers):
    """Pay where nobody compares hands: to every class what the opponent's reach adds up to."""
    entries = len(total)
    for e in range(entries):
        total[e] = numbers[ZERO]
    for d in range(theirs[1] - theirs[0]):
        v = payoffs.v[row, theirs[0] + d]
        for e in range(entries):
            total[e] += v * reached[d, e]
    for e in range(entries):
        total[e] *= stakes[e]
    for c in range(mine[1] - mine[0]):
        u = payoffs.u[row, mine[0] + c]
        for e in range(entries):
            utility[c, e] += u * total[e]


@part
def pay_ordered(payoffs, row, stakes, mine, theirs, reached, prefix, utility, numbers):
    """Pay a showdown.

    Sums over the opponent's classes, from the worst up, say how much each class beats, and how much
    beats it.
    """
    entries, size = prefix.shape[1], theirs[1] - theirs[0]
    for e in range(entries):
        prefix[0, e] = numbers[ZERO]
    for d in range(size):
        v = payoffs.v[row, theirs[0] + d]
        for e in range(entries):
            prefix[d + 1, e] = prefix[d, e] + v * reached[d, e]
    for c in range(mine[1] - mine[0]):
        at = mine[0] + c
        u, lo, hi = payoffs.u[row, at], payoffs.lo[row, at], payoffs.hi[row, at]
        for e in range(entries):
            utility[c, e] += u * stakes[e] * (prefix[lo, e] + prefix[hi, e] - prefix[size, e])


@part
def correct(payoffs, row, stakes, mine, theirs, reached, utility):
    """Pay what the structure of a block leaves over, such as that both cannot hold one card."""
    for c in range(mine[1] - mine[0]):
        at = mine[0] + c
        for k in range(payoffs.start[row, at], payoffs.start[row, at + 1]):
            value, d = payoffs.value[k], payoffs.other[k] - theirs[0]
            for e in range(utility.shape[1]):
                utility[c, e] += value * stakes[e] * reached[d, e]


@part
def after(ends, player, below, first_column, mine, utility):
    """Add what the ends of the round are worth to the utilities of own slots."""
    entries = utility.shape[2]
    for k in range(len(ends)):
        paid, column = utility[ends[k, player]], first_column + k * entries
        for c in range(mine[1] - mine[0]):
            worth = below[mine[0] + c, column : column + entries]
            for e in range(entries):
                paid[c, e] += worth[e]


@part
def average_in(average, first_cell, count, slots, weight):
    """Add the reach of `count` cells of all slots but the first to the averages."""
    for a in range(len(average)):
        sums, slot = average[a, first_cell : first_cell + count], slots[1 + a]
        for i in range(count):
            sums[i] += weight * slot[i]


@part
def learn(nodes, sigma, utility, regret, basis, first_cell, count, predictive, total, numbers):
    """Add regrets of `count` cells against the utilities of their slots, which are spent."""
    zero = numbers[ZERO]
    positive = numbers[POSITIVE]
    negative = numbers[NEGATIVE]
    next_positive = numbers[NEXT_POSITIVE]
    next_negative = numbers[NEXT_NEGATIVE]
    prediction = numbers[PREDICTION]
    tie = numbers[TIE]
    end = first_cell + count
    total = total[:count]
    for node in range(len(nodes) - 1, -1, -1):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        total[:] = zero
        for a in range(first, first + actions):
            chosen, got = sigma[a], utility[1 + a]
            for i in range(count):
                total[i] += chosen[i] * got[i]
        before = utility[above]
        for i in range(count):
            before[i] += total[i]
        for a in range(first, first + actions):
            got, kept, shown = utility[1 + a], regret[a, first_cell:end], basis[a, first_cell:end]
            for i in range(count):
                now = got[i] - total[i]
                now = zero if abs(now) <= tie * (abs(total[i]) + abs(got[i])) else now
                kept[i] = kept[i] * (positive if kept[i] > zero else negative) + now
                got[i] = now
            if predictive:
                for i in range(count):
                    later = kept[i] * (next_positive if kept[i] > zero else next_negative)
                    shown[i] = later + prediction * got[i]


@jit
def update(
    me, other, payoffs, ends, player, below, first_column, out, blocks, predictive, scratch, numbers
):
    """Take blocks ``blocks[0]:blocks[1]`` through one iteration of one player.

    What the group's entries are worth is written to `out`.
    """
    reached, utility, sigma, total = scratch.reached, scratch.utility, scratch.sigma, scratch.total
    weight = numbers[WEIGHT]
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine = (me.blocks[block], me.blocks[block + 1])
        theirs = (other.blocks[block], other.blocks[block + 1])
        play(other, theirs[0], theirs[1], reached, scratch.other_sigma, total, numbers)
        cell, count = mine[0] * entries, (mine[1] - mine[0]) * entries
        begin(payoffs.fixed, cell, count, utility, numbers)
        evaluate(payoffs, block, mine, theirs, scratch.met, scratch.prefix, scratch.paid, numbers)
        after(ends, player, below, first_column, mine, scratch.paid)
        play(me, mine[0], mine[1], scratch.slots, sigma, total, numbers)
        average_in(me.average, cell, count, scratch.slots, weight)
        learn(
            me.nodes, sigma, utility, me.regret, me.basis, cell, count, predictive, total, numbers
        )
        keep(scratch.paid[0], mine, out)


@part
def keep(paid, mine, out):
    """Write what a block's classes are paid to `out`."""
    for c in range(mine[1] - mine[0]):
        for e in range(out.shape[1]):
            out[mine[0] + c, e] = paid[c, e]


@jit
def respond(me, other, payoffs, ends, player, below, first_column, out, blocks, scratch, numbers):
    """Answer the opponent's average with a best response, in the passes of `update`.

    Nothing is learned.
    """
    reached, utility = scratch.reached, scratch.utility
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine = (me.blocks[block], me.blocks[block + 1])
        theirs = (other.blocks[block], other.blocks[block + 1])
        cell, count = theirs[0] * entries, (theirs[1] - theirs[0]) * entries
        enter(other, theirs[0], theirs[1], reached[0])
        average_of(other, cell, count, reached, numbers)
        cell, count = mine[0] * entries, (mine[1] - mine[0]) * entries
        begin(payoffs.fixed, cell, count, utility, numbers)
        evaluate(payoffs, block, mine, theirs, scratch.met, scratch.prefix, scratch.paid, numbers)
        after(ends, player, below, first_column, mine, scratch.paid)
        best_actions(me.nodes, utility, count)
        keep(scratch.paid[0], mine, out)


@part
def best_actions(nodes, utility, count):
    """Add what the best action of each node is worth to the slot above it."""
    for node in range(len(nodes) - 1, -1, -1):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        best, before = utility[1 + first], utility[above]
        for a in range(first + 1, first + actions):
            got = utility[1 + a]
            for i in range(count):
                best[i] = max(best[i], got[i])
        for i in range(count):
            before[i] += best[i]


@jit
def ascend(out, parent, column, below):
    """Add what entries are worth to the ends of the stage before at which they begin."""
    for c in range(out.shape[0]):
        row = below[parent[c]]
        for e in range(out.shape[1]):
            row[column[e]] += out[c, e]
