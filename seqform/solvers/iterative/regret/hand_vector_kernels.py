"""The loops of `hand_regret_kernels` by vectors of 16 numbers, in single precision.

Betting goes by vectors of hands, and sums over hands by vectors of lanes; between the two, squares
of 16 by 16 numbers are transposed. A place in an array is counted in numbers from its start. What
hands reach and are paid is kept as (lanes / 16, places + 1, 16), a lane's place behind the last one
being zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import hand_regret_kernels, hand_rounds, hand_vectors
from seqform.solvers.iterative.regret.hand_regret_kernels import (
    ANSWER,
    FREE,
    LEARN,
    LEAST,
    NEGATIVE,
    ONE,
    OPTIONS,
    POSITIVE,
    TIE,
    WEIGHT,
    ZERO,
    part,
)
from seqform.solvers.iterative.regret.hand_rounds import WIDTH
from seqform.solvers.iterative.regret.hand_vectors import (
    every,
    fill,
    kept,
    larger,
    load,
    peek,
    positive,
    prefetch,
    size,
    store,
    transpose,
    transpose_beaten,
    transpose_chosen,
    transpose_into,
    transpose_met,
    where_positive,
)

jit = kept_with(hand_regret_kernels, hand_rounds, hand_vectors, **OPTIONS)

ROW = WIDTH
"""By what rows of sums by card are multiplied."""

INVERTIBLE = np.float32(1e-36)
"""Regrets that add up to less count as none: one divided by that would be infinite. Rules that
forget fast come there where nothing is gained any more."""


class Scratch(NamedTuple):
    """Working arrays of one thread.

    `lines` is the reach of a vector's lines, and a last row of zeros; `sigma` its strategy,
    `utility` what its lines are paid. `reached` is the opponent's reach by lane and place, and
    `duel` what a lane's swings count, but for what all hands together count. That is in `sums`,
    (lanes / 16, 1 + cards + 2, 16): of all hands, and of those with each card. `sources` is what
    payoffs of a vector of hands come from, (sources, width); `worth` is of its nodes.
    """

    lines: Any
    sigma: Any
    utility: Any
    reached: Any
    duel: Any
    sums: Any
    sources: Any
    worth: Any


def scratch(
    lines: int, actions: int, places: int, lanes: int, exits: int, cards: int, zeros: Any
) -> Scratch:
    """Return working arrays for so many of each; `zeros` makes them."""
    of_places = lanes // WIDTH, places + 1, WIDTH
    return Scratch(
        zeros(lines, WIDTH), zeros(actions, WIDTH), zeros(lines, WIDTH), zeros(*of_places),
        zeros(*of_places), zeros(lanes // WIDTH, cards + 3, WIDTH),
        zeros(2 * lanes + max(exits, WIDTH), WIDTH), zeros(max(actions, 1), WIDTH),
    )  # fmt: skip


@part
def enter(player, place, entries, lines):
    """Write the reach of entries at the places of a vector."""
    columns = player.above.shape[1]
    for entry in range(0, entries, WIDTH):
        transpose_chosen(
            player.above, entry, columns, player.parent, place, lines, entry * WIDTH, WIDTH
        )


@part
def play(player, vector, entries, work, numbers, own):
    """Write a vector's reach of all lines but the entries, by regret matching.

    `own` says whether to write the strategy, too.
    """
    zero, one, least = fill(numbers, ZERO), fill(numbers, ONE), every(INVERTIBLE)
    nodes, regret, lines, sigma = player.nodes, player.regret, work.lines, work.sigma
    start = vector * regret.shape[1] * WIDTH
    following = start + regret.shape[1] * WIDTH
    for node in range(len(nodes)):
        first, count = WIDTH * peek(nodes, 3 * node), peek(nodes, 3 * node + 1)
        before, even = load(lines, WIDTH * peek(nodes, 3 * node + 2)), fill(player.even, node)
        at, to = start + first, WIDTH * entries + first
        prefetch(regret, following + first)
        prefetch(regret, following + first + WIDTH)
        if count == 2:
            left, right = positive(kept(regret, at)), positive(kept(regret, at + WIDTH))
            total = left + right
            some = total - least
            share = one / where_positive(some, total, one)
            left = where_positive(some, left * share, even)
            right = where_positive(some, right * share, even)
            if own:
                store(sigma, first, left)
                store(sigma, first + WIDTH, right)
            store(lines, to, before * left)
            store(lines, to + WIDTH, before * right)
        else:
            total = zero
            for a in range(0, count * WIDTH, WIDTH):
                prefetch(regret, following + first + a)
                total = total + positive(kept(regret, at + a))
            some = total - least
            share = one / where_positive(some, total, one)
            for a in range(0, count * WIDTH, WIDTH):
                chosen = where_positive(some, positive(kept(regret, at + a)) * share, even)
                if own:
                    store(sigma, first + a, chosen)
                store(lines, to + a, before * chosen)


@part
def recall(average, vector, entries, lines):
    """Write the average reach of all lines but the entries."""
    actions = average.shape[1]
    start = vector * actions * WIDTH
    for a in range(0, actions * WIDTH, WIDTH):
        prefetch(average, start + actions * WIDTH + a)
        store(lines, WIDTH * entries + a, load(average, start + a))


@part
def mix(model, vector, lines, numbers):
    """Mix a vector's reach with that of a model, where there is one."""
    free, start = fill(numbers, FREE), vector * model.shape[1] * WIDTH
    for line in range(0, model.shape[1] * WIDTH, WIDTH):
        store(lines, line, free * load(lines, line) + load(model, start + line))


@part
def spread(line, lines, reached, row):
    """Write a vector's reach by lane and place."""
    apart = reached.shape[1] * WIDTH
    for lane in range(0, len(line), WIDTH):
        transpose_chosen(
            lines, 0, WIDTH, line, lane, reached, lane // WIDTH * apart + row * WIDTH, WIDTH
        )


@part
def add(other, board, work, lane, count, two):
    """Sum up all hands in one or `two` vectors of lanes."""
    sums, begin = work.sums, other.start[board]
    apart, rows = work.reached.shape[1] * WIDTH, sums.shape[1] * WIDTH
    first, at = lane * sums.shape[1], lane * work.reached.shape[1]
    low = high = load(sums, first)
    for place in range(count):
        here = at + place * WIDTH
        low = low + add_in(sums, first, other, begin + place, load(work.reached, here))
        if two:
            reached = load(work.reached, here + apart)
            high = high + add_in(sums, first + rows, other, begin + place, reached)
    store(sums, first, low)
    if two:
        store(sums, first + rows, high)


@part
def sweep(me, other, board, work, lane, count, two):
    """Sum up hands in one or `two` vectors of lanes, from the weakest to the strongest.

    For each own hand the sum of what is weaker and of what is not stronger is written.
    """
    sums, reached, duel, cards = work.sums, work.reached, work.duel, me.cards
    apart, rows = reached.shape[1] * WIDTH, sums.shape[1] * WIDTH
    first, at = lane * sums.shape[1], lane * reached.shape[1]
    mine, theirs = 2 * me.start[board], other.start[board]
    low = high = load(sums, first)
    begin, added, behind = 0, 0, me.group[board + 1]
    for group in range(me.group[board], behind + 1):
        below = within = count
        end = begin
        if group < behind:
            below, within = peek(me.groups, 3 * group), peek(me.groups, 3 * group + 1)
            end = peek(me.groups, 3 * group + 2)
        for upper in (False, True):
            for place in range(added, within if upper else below):
                here, hand = at + place * WIDTH, theirs + place
                low = low + add_in(sums, first, other, hand, load(reached, here))
                if two:
                    upon = load(reached, here + apart)
                    high = high + add_in(sums, first + rows, other, hand, upon)
            added = within if upper else below
            for place in range(begin, end):
                c = first + peek(cards, mine + 2 * place)
                d = first + peek(cards, mine + 2 * place + 1)
                here = at + place * WIDTH
                compare(sums, c, d, low, duel, here, upper)
                if two:
                    compare(sums, c + rows, d + rows, high, duel, here + apart, upper)
        begin = end
    store(sums, first, low)
    if two:
        store(sums, first + rows, high)


@part
def add_in(sums, first, other, hand, reached):
    """Add a hand's reach, and that of those alike, to the sums of its cards; return it."""
    c, d = first + peek(other.adds, 2 * hand), first + peek(other.adds, 2 * hand + 1)
    store(sums, c, load(sums, c) + fill(other.counts, 3 * hand + 1) * reached)
    store(sums, d, load(sums, d) + fill(other.counts, 3 * hand + 2) * reached)
    return fill(other.counts, 3 * hand) * reached


@part
def compare(sums, c, d, total, duel, here, again):
    """Write what is so far added up and meets a hand; or add it, if `again`."""
    met = total - load(sums, c) - load(sums, d)
    if again:
        met = met + load(duel, here)
    store(duel, here, met)


@part
def meet(me, other, pays, board, work, numbers):
    """Sum up the opponent's reach by place and lane: see the plain version."""
    zero, apart = fill(numbers, ZERO), work.reached.shape[1] * WIDTH
    count, lanes = other.start[board + 1] - other.start[board], len(pays.line)
    for row in range(lanes // WIDTH * work.sums.shape[1]):
        store(work.sums, row * WIDTH, zero)
    for lane in range(0, lanes, WIDTH):
        store(work.reached, lane // WIDTH * apart + count * WIDTH, zero)
    lane = 0
    while lane + WIDTH < pays.first_duel:
        add(other, board, work, lane, count, True)
        lane += 2 * WIDTH
    if lane < pays.first_duel:
        add(other, board, work, lane, count, False)
    lane = pays.first_duel
    while lane + WIDTH < lanes:
        sweep(me, other, board, work, lane, count, True)
        lane += 2 * WIDTH
    if lane < lanes:
        sweep(me, other, board, work, lane, count, False)


@part
def pay(me, pays, worth, board, place, entries, work, numbers):
    """Write what the lines of a vector are paid by ends and exits."""
    sources, of_cards, of_places = work.sources, work.sums.shape[1], work.reached.shape[1]
    row, lines = (place - me.start[board]) * WIDTH, entries + me.regret.shape[1]
    for lane in range(0, pays.num_mass, WIDTH):
        transpose_met(
            work.sums, lane * of_cards, me.cards, place, work.reached, lane * of_places, me.same,
            sources, lane * WIDTH,
        )  # fmt: skip
    shift = pays.num_mass - pays.first_duel
    for lane in range(pays.first_duel, len(pays.line), WIDTH):
        transpose_beaten(
            work.sums, lane * of_cards, me.cards, place, work.duel, lane * of_places + row,
            sources, (lane + shift) * WIDTH,
        )  # fmt: skip
    columns, behind = worth.shape[1], WIDTH * (len(pays.line) + shift)
    for entry in range(0, len(me.exits), WIDTH):
        transpose(worth, place * columns + entry, columns, sources, behind + entry * WIDTH, WIDTH)
    for line in range(lines):
        paid = fill(pays.factor, line) * load(sources, peek(pays.source, line) * WIDTH)
        store(work.utility, line * WIDTH, paid)
    for k in range(lines, len(pays.paid)):
        at = peek(pays.paid, k) * WIDTH
        paid = fill(pays.factor, k) * load(sources, peek(pays.source, k) * WIDTH)
        store(work.utility, at, load(work.utility, at) + paid)


@part
def pay_above(me, node, entries, work, numbers):
    """Pay the line above a node what it is worth; return that."""
    nodes, utility, total = me.nodes, work.utility, fill(numbers, ZERO)
    first, count = WIDTH * peek(nodes, 3 * node), WIDTH * peek(nodes, 3 * node + 1)
    above = WIDTH * peek(nodes, 3 * node + 2)
    for a in range(first, first + count, WIDTH):
        total = total + load(work.sigma, a) * load(utility, WIDTH * entries + a)
    store(utility, above, load(utility, above) + total)
    return total


@part
def expect(me, entries, work, numbers):
    """Pay the lines above each node what it is worth, the last node first; write that down, too."""
    for node in range(len(me.nodes) - 1, -1, -1):
        store(work.worth, node * WIDTH, pay_above(me, node, entries, work, numbers))


@part
def learn(me, vector, entries, work, numbers):
    """Pay the lines above each node as `expect` does, and add regrets; move the average, too."""
    zero, tie, weight = fill(numbers, ZERO), fill(numbers, TIE), fill(numbers, WEIGHT)
    gain, loss = fill(numbers, POSITIVE), fill(numbers, NEGATIVE)
    nodes, utility, actions = me.nodes, work.utility, me.regret.shape[1]
    regret, averages, start = me.regret, me.average, vector * actions * WIDTH
    following = start + actions * WIDTH
    for node in range(len(nodes) - 1, -1, -1):
        first, count = WIDTH * peek(nodes, 3 * node), WIDTH * peek(nodes, 3 * node + 1)
        total = pay_above(me, node, entries, work, numbers)
        for a in range(first, first + count, WIDTH):
            prefetch(averages, following + a)
            got, was = load(utility, WIDTH * entries + a), load(regret, start + a)
            more = got - total
            more = where_positive(size(more) - tie * size(got), more, zero)
            store(regret, start + a, was * where_positive(was, gain, loss) + more)
            average, reach = load(averages, start + a), load(work.lines, WIDTH * entries + a)
            store(averages, start + a, average + weight * (reach - average))


@part
def best_actions(nodes, given, vector, entries, utility, numbers):
    """Pay the entries what the best actions are worth, or what is locked and the best of the rest.

    What all free actions share is that of any of them.
    """
    zero, least = fill(numbers, ZERO), fill(numbers, LEAST)
    start = vector * given.fixed.shape[1] * WIDTH
    for node in range(len(nodes) - 1, -1, -1):
        first, count = WIDTH * (entries + peek(nodes, 3 * node)), WIDTH * peek(nodes, 3 * node + 1)
        above, best = WIDTH * peek(nodes, 3 * node + 2), load(utility, first)
        for a in range(first + WIDTH, first + count, WIDTH):
            best = larger(best, load(utility, a))
        if peek(given.row, node):
            at, fixed, left, best = start + WIDTH * (peek(given.row, node) - 1), zero, zero, least
            for a in range(0, count, WIDTH):
                got, share = load(utility, first + a), load(given.share, at + a)
                fixed = fixed + load(given.fixed, at + a) * got
                left = larger(left, share)
                best = larger(best, where_positive(share, got, least))
            best = fixed + left * best
        store(utility, above, load(utility, above) + best)


@part
def hand_up(me, utility, entries, out, place):
    """Add what the entries are worth at the places of a vector: see the plain version."""
    columns = out.shape[1]
    for entry in range(0, entries, WIDTH):
        transpose_into(
            utility, entry * WIDTH, WIDTH, me.images, me.into, place, out, entry, columns
        )


@jit
def ascend_street(me, other, pays, entries, worth, out, how, boards, work, numbers):
    """Take boards ``boards[0]:boards[1]`` of a street from ends to entries; see the plain one."""
    for board in range(boards[0], boards[1]):
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            enter(other, place, entries, work.lines)
            if how == LEARN:
                play(other, place // WIDTH, entries, work, numbers, False)
            else:
                recall(other.average, place // WIDTH, entries, work.lines)
            mix(other.model, place // WIDTH, work.lines, numbers)
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            pay(me, pays, worth, board, place, entries, work, numbers)
            if how == ANSWER:
                best_actions(me.nodes, me.given, place // WIDTH, entries, work.utility, numbers)
            else:
                enter(me, place, entries, work.lines)
                play(me, place // WIDTH, entries, work, numbers, True)
                if how == LEARN:
                    learn(me, place // WIDTH, entries, work, numbers)
                else:
                    expect(me, entries, work, numbers)
            hand_up(me, work.utility, entries, out, place)


@jit
def descend(me, entries, averaged, reach, boards, work, numbers):
    """Write a player's reach of the exits of a street, (places + 1, columns).

    It is that of its current strategy, or of its average.
    """
    columns = reach.shape[1]
    for place in range(me.start[boards[0]], me.start[boards[1]], WIDTH):
        enter(me, place, entries, work.lines)
        if averaged:
            recall(me.average, place // WIDTH, entries, work.lines)
        else:
            play(me, place // WIDTH, entries, work, numbers, False)
        for e in range(0, columns, WIDTH):
            to = place * columns + e
            transpose_chosen(work.lines, 0, WIDTH, me.exits, e, reach, to, columns)
