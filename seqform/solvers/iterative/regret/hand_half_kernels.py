"""The loops of `hand_vector_kernels` where regrets and averages have 16 bits, on the last street.

Regrets are short floats (`hand_vectors`). Of an average what is kept is its behaviour: for each
action of a hand how many of 65,535 parts it gets, which always add up to all of them. An iteration
moves it towards the strategy by its weight as a share of all that the hand's reach of the node was
worth so far, and that is the product of what is kept of the nodes before.

Nothing is rounded to nearest: an iteration may be worth less than half of the last bit, and would
be lost for ever. Numbers go up with the probability that is their distance from the one below, so
that they are right on average. What is to be rounded of a node are the running sums over its
actions, all by the same chance. So an action that is not played stays at 0, and what did not change
stays as it is.

Chance is a hash of iteration, board and action, plus one of the hand: the same whatever the number
of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import (
    hand_regret_kernels,
    hand_rounds,
    hand_vector_kernels,
    hand_vectors,
)
from seqform.solvers.iterative.regret.hand_regret_kernels import (
    ANSWER,
    ITERATION,
    LEARN,
    MEAN,
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
from seqform.solvers.iterative.regret.hand_vector_kernels import (
    best_actions,
    enter,
    expect,
    hand_up,
    meet,
    mix,
    pay,
    play,
    spread,
)
from seqform.solvers.iterative.regret.hand_vectors import (
    chance,
    every,
    fill,
    floor,
    keep_short,
    kept,
    load,
    load_whole,
    peek,
    prefetch,
    size,
    smaller,
    store,
    store_whole,
    where_positive,
)

jit = kept_with(hand_regret_kernels, hand_rounds, hand_vectors, hand_vector_kernels, **OPTIONS)

PARTS = 65_535
"""Of what an average is kept in."""

MANY, SHARE, TINY = np.float32(PARTS), np.float32(1 / PARTS), np.float32(1e-30)
"""`PARTS`, one of them as a share, and a reach that counts as none."""


class Half(NamedTuple):
    """What is known of the player who learns beside `Player`.

    `above` is its average reach of the exits of the street before, as in `Player`, `parent` the
    same as there, and `scatter` int32 (places,), a random number for each hand.
    """

    above: Any
    parent: Any
    scatter: Any


class Scratch(NamedTuple):
    """Working arrays of one thread: those of `hand_vector_kernels`, and two more.

    `means` is the average reach of a vector's lines, and `dithers` int32 (actions + nodes,), a
    random number for each.
    """

    lines: Any
    sigma: Any
    utility: Any
    reached: Any
    duel: Any
    sums: Any
    sources: Any
    worth: Any
    means: Any
    dithers: Any


def scratch(
    lines: int, actions: int, places: int, lanes: int, exits: int, cards: int, zeros: Any
) -> Scratch:
    """Return working arrays for so many of each; `zeros` makes them."""
    given = hand_vector_kernels.scratch(lines, actions, places, lanes, exits, cards, zeros)
    return Scratch(*given, zeros(lines, WIDTH), zeros(2 * max(actions, 1)).view(np.int32))


@part
def roll(dithers, count, iteration, board):
    """Write `count` random numbers for a board and an iteration."""
    for k in range(count):
        mixed = (iteration * 0x9E3779B1 + board * 0x85EBCA77 + k * 0xC2B2AE3D) & 0xFFFFFFFF
        mixed = ((mixed ^ (mixed >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        mixed = ((mixed ^ (mixed >> 15)) * 0x846CA68B) & 0xFFFFFFFF
        dithers[k] = mixed ^ (mixed >> 16)


@part
def recall(player, vector, entries, lines, sigma, own):
    """Write the average reach of all lines but the entries, from that of these.

    `own` says whether to write the average strategy, too.
    """
    nodes, average, share = player.nodes, player.average, every(SHARE)
    start = vector * average.shape[1] * WIDTH
    for node in range(len(nodes)):
        first, count = WIDTH * peek(nodes, 3 * node), WIDTH * peek(nodes, 3 * node + 1)
        before = load(lines, WIDTH * peek(nodes, 3 * node + 2))
        for a in range(first, first + count, WIDTH):
            prefetch(average, start + average.shape[1] * WIDTH + a)
            chosen = load_whole(average, start + a) * share
            if own:
                store(sigma, a, chosen)
            store(lines, WIDTH * entries + a, before * chosen)


@part
def learn(me, half, place, entries, work, numbers):
    """Add regrets against what the lines are paid, and move the average towards the strategy."""
    zero, one, tie = fill(numbers, ZERO), fill(numbers, ONE), fill(numbers, TIE)
    gain, loss, weight = fill(numbers, POSITIVE), fill(numbers, NEGATIVE), fill(numbers, WEIGHT)
    many, share, tiny = every(MANY), every(SHARE), every(TINY)
    nodes, actions, utility, means = me.nodes, me.regret.shape[1], work.utility, work.means
    regret, average, start = me.regret, me.average, place * actions
    scatter, dithers, following = half.scatter, work.dithers, start + actions * WIDTH
    for node in range(len(nodes)):
        number = peek(nodes, 3 * node)
        first, count = WIDTH * number, WIDTH * peek(nodes, 3 * node + 1)
        above, total = WIDTH * peek(nodes, 3 * node + 2), load(work.worth, node * WIDTH)
        mean = load(means, above)
        played = weight * load(work.lines, above)
        now = mean - weight * mean + played
        reached = now - tiny
        by = where_positive(reached, played / where_positive(reached, now, one), zero)
        by = smaller(by, one)
        up = chance(scatter, place, dithers, actions + node)
        running, before = zero, zero
        for a in range(first, first + count, WIDTH):
            got, was = load(utility, WIDTH * entries + a), kept(regret, start + a)
            more = got - total
            more = where_positive(size(more) - tie * size(got), more, zero)
            more = was * where_positive(was, gain, loss) + more
            keep_short(regret, start + a, more, scatter, place, dithers, number)
            number += 1
            prefetch(average, following + a)
            parts = load_whole(average, start + a)
            store(means, WIDTH * entries + a, mean * parts * share)
            running = running + (parts + by * (many * load(work.sigma, a) - parts))
            behind = many
            if a + WIDTH < first + count:
                behind = floor(smaller(running, many) + up)
            store_whole(average, start + a, behind - before)
            before = behind


@jit
def ascend_street(
    me, other, half, pays, entries, worth, out, how, boards, work, numbers
):  # fmt: skip
    """Take boards ``boards[0]:boards[1]`` of a street from ends to entries, as `how` says."""
    iteration = int(numbers[ITERATION])
    for board in range(boards[0], boards[1]):
        if how == LEARN:
            roll(work.dithers, me.regret.shape[1] + len(me.nodes), iteration, board)
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            enter(other, place, entries, work.lines)
            if how == LEARN:
                play(other, place // WIDTH, entries, work, numbers, False)
            else:
                recall(other, place // WIDTH, entries, work.lines, work.sigma, False)
            mix(other.model, place // WIDTH, work.lines, numbers)
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            pay(me, pays, worth, board, place, entries, work, numbers)
            if how == ANSWER:
                best_actions(me.nodes, me.given, place // WIDTH, entries, work.utility, numbers)
            elif how == MEAN:
                recall(me, place // WIDTH, entries, work.lines, work.sigma, True)
                expect(me, entries, work, numbers)
            else:
                enter(half, place, entries, work.means)
                enter(me, place, entries, work.lines)
                play(me, place // WIDTH, entries, work, numbers, True)
                expect(me, entries, work, numbers)
                learn(me, half, place, entries, work, numbers)
            hand_up(me, work.utility, entries, out, place)
