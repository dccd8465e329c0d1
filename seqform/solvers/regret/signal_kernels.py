"""The loops of regret minimization over laid-out signal games, compiled by numba; see `signal_layout` for the words.

Vectors of a group have the entries last, so that every inner loop runs over neighbours in memory. One block of classes is taken through a whole
round at a time and stays in the cache. All numbers are of the arrays' own type: constants come in `numbers`, since a literal would be a float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba

ZERO, ONE, POSITIVE, NEGATIVE, WEIGHT, TIE = range(6)
"""What `numbers` holds: 0, 1, the discounts of positive and negative regrets, the weight in the average, and what counts as a tie."""

jit = numba.njit(cache=True, nogil=True, fastmath={"contract", "nsz", "nnan", "arcp"}, error_model="numpy")


class Side(NamedTuple):
    """One player in a group of a stage, by position of its classes.

    `regret`, `basis` (what strategies are made from: the regrets, or a prediction of them) and `average` are (classes, actions, entries);
    `above` is the player's reach at the ends of the stage before, (classes there, columns there), `parent` (classes,) and `column`
    (entries,) say where in it; `blocks` says where blocks start.
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
    """What one player is paid in a group: `signal_layout.Outcomes` with `stakes` (terminals, entries) and `terminals` as (own slot, other's, row)."""

    terminals: Any
    stakes: Any
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
def choose(nodes, basis, sigma, total, numbers):  # type: ignore[no-untyped-def]
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
def reach(nodes, sigma, slots):  # type: ignore[no-untyped-def]
    """Write the reach of all slots but the first from the strategy of one class."""
    for node in range(len(nodes)):
        first, count, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for a in range(first, first + count):
            for e in range(sigma.shape[1]):
                slots[1 + a, e] = slots[above, e] * sigma[a, e]


@jit
def enter(side, c, slots):  # type: ignore[no-untyped-def]
    """Write the reach of the first slot of a class."""
    above = side.above[side.parent[c]]
    for e in range(slots.shape[1]):
        slots[0, e] = above[side.column[e]]


@jit
def descend(side, ends, player, out, first_column, averaged, slots, sigma, total, numbers):  # type: ignore[no-untyped-def]
    """Write a player's reach at the ends of a group's rounds, by the current strategy or by the average."""
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
def evaluate(payoffs, block, mine, theirs, reached, prefix, utility, numbers):  # type: ignore[no-untyped-def]
    """Add what the terminals of a block pay to the utilities of own slots, given the opponent's reach of its slots."""
    zero = numbers[ZERO]
    entries = prefix.shape[1]
    size = theirs[1] - theirs[0]
    for z in range(len(payoffs.terminals)):
        own, other, row = payoffs.terminals[z, 0], payoffs.terminals[z, 1], payoffs.terminals[z, 2]
        stakes = payoffs.stakes[z]
        if payoffs.structured[row, block]:
            for e in range(entries):
                prefix[0, e] = zero
            if payoffs.flat[row, block]:
                for i in range(size):
                    v = payoffs.v[row, theirs[0] + i]
                    for e in range(entries):
                        prefix[0, e] += v * reached[i, other, e]
                for e in range(entries):
                    prefix[0, e] *= stakes[e]
                for j in range(mine[1] - mine[0]):
                    u = payoffs.u[row, mine[0] + j]
                    for e in range(entries):
                        utility[j, own, e] += u * prefix[0, e]
            else:
                for i in range(size):
                    v = payoffs.v[row, theirs[0] + i]
                    for e in range(entries):
                        prefix[i + 1, e] = prefix[i, e] + v * reached[i, other, e]
                for j in range(mine[1] - mine[0]):
                    c = mine[0] + j
                    u, lo, hi = payoffs.u[row, c], payoffs.lo[row, c], payoffs.hi[row, c]
                    for e in range(entries):
                        utility[j, own, e] += u * stakes[e] * (prefix[lo, e] + prefix[hi, e] - prefix[size, e])
        for j in range(mine[1] - mine[0]):
            c = mine[0] + j
            for entry in range(payoffs.start[row, c], payoffs.start[row, c + 1]):
                value, i = payoffs.value[entry], payoffs.other[entry] - theirs[0]
                for e in range(entries):
                    utility[j, own, e] += value * stakes[e] * reached[i, other, e]


@jit
def after(ends, player, below, first_column, start, stop, utility):  # type: ignore[no-untyped-def]
    """Add what the ends of the round are worth to the utilities of own slots."""
    entries = utility.shape[2]
    for c in range(start, stop):
        for k in range(len(ends)):
            for e in range(entries):
                utility[c - start, ends[k, player], e] += below[c, first_column + k * entries + e]


@jit
def learn(nodes, sigma, utility, regret, basis, floor, predictive, total, numbers):  # type: ignore[no-untyped-def]
    """Add regrets of one class against the utilities of its slots, which are spent."""
    zero, positive, negative, tie = numbers[ZERO], numbers[POSITIVE], numbers[NEGATIVE], numbers[TIE]
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
                kept = max(kept, zero) if floor else kept
                regret[a, e] = kept
                if predictive:
                    basis[a, e] = kept + now


@jit
def update(me, other, payoffs, ends, player, below, first_column, out, blocks, flags, scratch, numbers):  # type: ignore[no-untyped-def]
    """Take blocks ``blocks[0]:blocks[1]`` of a group through one iteration of one player; write what its entries are worth to `out`."""
    floor, predictive = flags
    reached, utility, prefix, sigma, other_sigma, slots, total = scratch
    weight, zero = numbers[WEIGHT], numbers[ZERO]
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine, theirs = (me.blocks[block], me.blocks[block + 1]), (other.blocks[block], other.blocks[block + 1])
        for i in range(theirs[1] - theirs[0]):
            enter(other, theirs[0] + i, reached[i])
            choose(other.nodes, other.basis[theirs[0] + i], other_sigma, total, numbers)
            reach(other.nodes, other_sigma, reached[i])
        utility[: mine[1] - mine[0]] = zero
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
            learn(me.nodes, sigma, utility[j], me.regret[c], me.basis[c], floor, predictive, total, numbers)
            for e in range(entries):
                out[c, e] = utility[j, 0, e]


@jit
def respond(me, other, payoffs, ends, player, below, first_column, out, blocks, scratch, numbers):  # type: ignore[no-untyped-def]
    """Do the same as `update`, but answer the opponent's average with a best response, and learn nothing."""
    reached, utility, prefix, sigma, other_sigma, slots, total = scratch
    entries = out.shape[1]
    for block in range(blocks[0], blocks[1]):
        mine, theirs = (me.blocks[block], me.blocks[block + 1]), (other.blocks[block], other.blocks[block + 1])
        for i in range(theirs[1] - theirs[0]):
            enter(other, theirs[0] + i, reached[i])
            for a in range(other_sigma.shape[0]):
                for e in range(entries):
                    reached[i, 1 + a, e] = other.average[theirs[0] + i, a, e]
        utility[: mine[1] - mine[0]] = numbers[ZERO]
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
def ascend(out, parent, column, below):  # type: ignore[no-untyped-def]
    """Add what entries are worth to the ends of the stage before at which they begin."""
    for c in range(out.shape[0]):
        row = below[parent[c]]
        for e in range(out.shape[1]):
            row[column[e]] += out[c, e]
