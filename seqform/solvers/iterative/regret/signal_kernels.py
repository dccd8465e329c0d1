"""The loops of regret minimization over laid-out signal games, compiled by numba.

See `signal_layout` for the words.

Vectors of a group have the entries last, so that every inner loop runs over neighbours in memory.
One block of classes is taken through a whole round at a time and stays in the cache. All numbers
are of the arrays' own type: constants come in `numbers`, since a literal would be a float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba

ZERO, ONE, POSITIVE, NEGATIVE, WEIGHT, TIE, ROOT = range(7)
"""What `numbers` holds: 0, 1, the discounts of positive and negative regrets, the weight in the
average, what counts as a tie, and the opponent's reach of the game's root."""

jit = numba.njit(
    cache=True, nogil=True, fastmath={"contract", "nsz", "nnan", "arcp"}, error_model="numpy"
)


class Side(NamedTuple):
    """One player in a group of a stage, by position of its classes.

    `regret`, `basis` and `average` are (classes, actions, entries). Strategies are computed from
    `basis`: the regrets, or a prediction of them. `above` is the player's reach at the ends of the
    stage before, (classes there, columns there); `parent` (classes,) and `column` (entries,) index
    its rows and columns. `blocks` holds the start of each block.
    """

    nodes: Any
    blocks: Any
    regret: Any
    basis: Any
    average: Any
    above: Any
    parent: Any
    column: Any


class Payoffs(NamedTuple):
    """What one player is paid in a group: `signal_layout.Outcomes` and two more.

    `stakes` is (terminals, entries); `terminals` has own slot, other's slot, row. `fixed` is what
    each action is paid whatever the opponent does, (classes, actions, entries), and empty where
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


@jit
def choose(nodes, basis, sigma, total, numbers):
    """Write the strategy of one class, (actions, entries), by regret matching."""
    zero, one = numbers[ZERO], numbers[ONE]
    entries = sigma.shape[1]
    for node in range(len(nodes)):
        first, count = nodes[node, 0], nodes[node, 1]
        uniform = one / count
        for e in range(entries):
            total[e] = zero
        for a in range(first, first + count):
            for e in range(entries):
                total[e] += max(basis[a, e], zero)
        for a in range(first, first + count):
            for e in range(entries):
                sigma[a, e] = max(basis[a, e], zero) / total[e] if total[e] > zero else uniform


@jit
def reach(nodes, sigma, slots):
    """Write the reach of all slots but the first from the strategy of one class."""
    for node in range(len(nodes)):
        first, count, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for a in range(first, first + count):
            for e in range(sigma.shape[1]):
                slots[1 + a, e] = slots[above, e] * sigma[a, e]


@jit
def enter(side, c, slots):
    """Write the reach of the first slot of a class."""
    above = side.above[side.parent[c]]
    for e in range(slots.shape[1]):
        slots[0, e] = above[side.column[e]]


@jit
def descend(side, ends, player, out, first_column, averaged, slots, sigma, total, numbers):
    """Write a player's reach at the ends of a group's rounds.

    It is that of the current strategy, or of the average.
    """
    entries = sigma.shape[1]
    for c in range(len(side.parent)):
        enter(side, c, slots)
        if averaged:
            for a in range(sigma.shape[0]):
                for e in range(entries):
                    slots[1 + a, e] = side.average[c, a, e]
        else:
            choose(side.nodes, side.basis[c], sigma, total, numbers)
            reach(side.nodes, sigma, slots)
        for k in range(len(ends)):
            for e in range(entries):
                out[c, first_column + k * entries + e] = slots[ends[k, player], e]


@jit
def begin(fixed, mine, utility, numbers):
    """Write what own slots of a block are paid whatever the opponent does, or zeros."""
    utility[: mine[1] - mine[0]] = numbers[ZERO]
    if len(fixed):
        for j in range(mine[1] - mine[0]):
            for a in range(fixed.shape[1]):
                for e in range(fixed.shape[2]):
                    utility[j, 1 + a, e] = numbers[ROOT] * fixed[mine[0] + j, a, e]


@jit
def evaluate(payoffs, block, mine, theirs, reached, prefix, utility, numbers):
    """Add what the terminals of a block pay to the utilities of own slots.

    `reached` is the opponent's reach of its slots.
    """
    for z in range(len(payoffs.terminals)):
        row = payoffs.terminals[z, 2]
        if payoffs.structured[row, block]:
            if payoffs.flat[row, block]:
                pay_flat(payoffs, z, mine, theirs, reached, prefix[0], utility, numbers)
            else:
                pay_ordered(payoffs, z, mine, theirs, reached, prefix, utility, numbers)
        correct(payoffs, z, mine, theirs, reached, utility)


@jit
def pay_flat(payoffs, z, mine, theirs, reached, total, utility, numbers):
    """Pay where nobody compares hands: to every class what the opponent's reach adds up to."""
    own, other, row = payoffs.terminals[z, 0], payoffs.terminals[z, 1], payoffs.terminals[z, 2]
    entries = len(total)
    for e in range(entries):
        total[e] = numbers[ZERO]
    for d in range(theirs[0], theirs[1]):
        for e in range(entries):
            total[e] += payoffs.v[row, d] * reached[d - theirs[0], other, e]
    for e in range(entries):
        total[e] *= payoffs.stakes[z, e]
    for c in range(mine[0], mine[1]):
        for e in range(entries):
            utility[c - mine[0], own, e] += payoffs.u[row, c] * total[e]


@jit
def pay_ordered(payoffs, z, mine, theirs, reached, prefix, utility, numbers):
    """Pay a showdown.

    Sums over the opponent's classes, from the worst up, say how much each class beats, and how much
    beats it.
    """
    own, other, row = payoffs.terminals[z, 0], payoffs.terminals[z, 1], payoffs.terminals[z, 2]
    entries, size = prefix.shape[1], theirs[1] - theirs[0]
    for e in range(entries):
        prefix[0, e] = numbers[ZERO]
    for i in range(size):
        for e in range(entries):
            prefix[i + 1, e] = prefix[i, e] + payoffs.v[row, theirs[0] + i] * reached[i, other, e]
    for c in range(mine[0], mine[1]):
        u, lo, hi = payoffs.u[row, c], payoffs.lo[row, c], payoffs.hi[row, c]
        for e in range(entries):
            utility[c - mine[0], own, e] += (
                u * payoffs.stakes[z, e] * (prefix[lo, e] + prefix[hi, e] - prefix[size, e])
            )


@jit
def correct(payoffs, z, mine, theirs, reached, utility):
    """Pay what the structure of a block leaves over, such as that both cannot hold one card."""
    own, other, row = payoffs.terminals[z, 0], payoffs.terminals[z, 1], payoffs.terminals[z, 2]
    for c in range(mine[0], mine[1]):
        for k in range(payoffs.start[row, c], payoffs.start[row, c + 1]):
            value, i = payoffs.value[k], payoffs.other[k] - theirs[0]
            for e in range(utility.shape[2]):
                utility[c - mine[0], own, e] += value * payoffs.stakes[z, e] * reached[i, other, e]


@jit
def after(ends, player, below, first_column, start, stop, utility):
    """Add what the ends of the round are worth to the utilities of own slots."""
    entries = utility.shape[2]
    for c in range(start, stop):
        for k in range(len(ends)):
            for e in range(entries):
                utility[c - start, ends[k, player], e] += below[c, first_column + k * entries + e]


@jit
def learn(nodes, sigma, utility, regret, basis, predictive, total, numbers):
    """Add regrets of one class against the utilities of its slots, which are spent."""
    zero = numbers[ZERO]
    positive = numbers[POSITIVE]
    negative = numbers[NEGATIVE]
    tie = numbers[TIE]
    entries = sigma.shape[1]
    for node in range(len(nodes) - 1, -1, -1):
        first, count, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for e in range(entries):
            total[e] = zero
        for a in range(first, first + count):
            for e in range(entries):
                total[e] += sigma[a, e] * utility[1 + a, e]
        for e in range(entries):
            utility[above, e] += total[e]
        for a in range(first, first + count):
            for e in range(entries):
                now = utility[1 + a, e] - total[e]
                now = zero if abs(now) <= tie * (abs(total[e]) + abs(utility[1 + a, e])) else now
                kept = regret[a, e] * (positive if regret[a, e] > zero else negative) + now
                regret[a, e] = kept
                if predictive:
                    basis[a, e] = kept + now


@jit
def update(
    me, other, payoffs, ends, player, below, first_column, out, blocks, predictive, scratch, numbers
):
    """Take blocks ``blocks[0]:blocks[1]`` through one iteration of one player.

    What the group's entries are worth is written to `out`.
    """
    reached, utility, prefix, sigma, other_sigma, slots, total = scratch
    weight = numbers[WEIGHT]
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine = (me.blocks[block], me.blocks[block + 1])
        theirs = (other.blocks[block], other.blocks[block + 1])
        for i in range(theirs[1] - theirs[0]):
            enter(other, theirs[0] + i, reached[i])
            choose(other.nodes, other.basis[theirs[0] + i], other_sigma, total, numbers)
            reach(other.nodes, other_sigma, reached[i])
        begin(payoffs.fixed, mine, utility, numbers)
        evaluate(payoffs, block, mine, theirs, reached, prefix, utility, numbers)
        after(ends, player, below, first_column, mine[0], mine[1], utility)
        for j in range(mine[1] - mine[0]):
            c = mine[0] + j
            choose(me.nodes, me.basis[c], sigma, total, numbers)
            enter(me, c, slots)
            reach(me.nodes, sigma, slots)
            average = me.average[c]
            for a in range(sigma.shape[0]):
                for e in range(entries):
                    average[a, e] += weight * slots[1 + a, e]
            learn(
                me.nodes, sigma, utility[j], me.regret[c], me.basis[c], predictive, total, numbers
            )
            for e in range(entries):
                out[c, e] = utility[j, 0, e]


@jit
def respond(me, other, payoffs, ends, player, below, first_column, out, blocks, scratch, numbers):
    """Answer the opponent's average with a best response, in the passes of `update`.

    Nothing is learned.
    """
    reached, utility, prefix, _, other_sigma, _, _ = scratch
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine = (me.blocks[block], me.blocks[block + 1])
        theirs = (other.blocks[block], other.blocks[block + 1])
        for i in range(theirs[1] - theirs[0]):
            enter(other, theirs[0] + i, reached[i])
            for a in range(other_sigma.shape[0]):
                for e in range(entries):
                    reached[i, 1 + a, e] = other.average[theirs[0] + i, a, e]
        begin(payoffs.fixed, mine, utility, numbers)
        evaluate(payoffs, block, mine, theirs, reached, prefix, utility, numbers)
        after(ends, player, below, first_column, mine[0], mine[1], utility)
        for j in range(mine[1] - mine[0]):
            for node in range(len(me.nodes) - 1, -1, -1):
                first, count, above = me.nodes[node, 0], me.nodes[node, 1], me.nodes[node, 2]
                for e in range(entries):
                    best = utility[j, 1 + first, e]
                    for a in range(first + 1, first + count):
                        best = max(best, utility[j, 1 + a, e])
                    utility[j, above, e] += best
            for e in range(entries):
                out[mine[0] + j, e] = utility[j, 0, e]


@jit
def ascend(out, parent, column, below):
    """Add what entries are worth to the ends of the stage before at which they begin."""
    for c in range(out.shape[0]):
        row = below[parent[c]]
        for e in range(out.shape[1]):
            row[column[e]] += out[c, e]
