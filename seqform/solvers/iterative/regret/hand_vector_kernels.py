"""The loops of `hand_regret_kernels` by vectors of 16 numbers, in single precision.

Betting goes by vectors of hands, and sums over hands by vectors of lanes; between the two, squares
of 16 by 16 numbers are transposed. A place in an array is counted in numbers from its start. What
hands reach and are paid is kept as (lanes / 16, places + 1, 16), a lane's place behind the last one
being zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from seqform.solvers.iterative.regret.hand_regret_kernels import (
    NEGATIVE,
    ONE,
    POSITIVE,
    TIE,
    WEIGHT,
    ZERO,
    jit,
    part,
)
from seqform.solvers.iterative.regret.hand_rounds import WIDTH
from seqform.solvers.iterative.regret.hand_vectors import (
    every,
    larger,
    load,
    positive,
    prefetch,
    size,
    store,
    transpose,
    transpose_chosen,
    where_positive,
)

SQUARE = WIDTH * WIDTH


class Scratch(NamedTuple):
    """Working arrays of one thread.

    `lines` is the reach of a vector's lines, and a last row of zeros; `sigma` its strategy,
    `utility` what its lines are paid. `reached` is the opponent's reach by lane and place; `mass`
    and `duel` what a lane's middles and swings count. `lanes` is the same for one vector of hands,
    (lanes, width), and `sums` by card for one vector of lanes, (cards + 2, width).
    """

    lines: Any
    sigma: Any
    utility: Any
    reached: Any
    mass: Any
    duel: Any
    lanes: Any
    sums: Any


def scratch(lines: int, actions: int, places: int, lanes: int, cards: int, zeros: Any) -> Scratch:
    """Return working arrays for so many of each; `zeros` makes them."""
    of_places = lanes // WIDTH, places + 1, WIDTH
    return Scratch(
        zeros(lines, WIDTH), zeros(actions, WIDTH), zeros(lines, WIDTH), zeros(*of_places),
        zeros(*of_places), zeros(*of_places), zeros(max(lanes, WIDTH), WIDTH),
        zeros(cards + 2, WIDTH),
    )  # fmt: skip


@part
def enter(player, parent, place, entries, lines):
    """Write the reach of entries at the places of a vector."""
    columns = player.above.shape[2]
    start = parent * player.above.shape[1] * columns
    for entry in range(0, entries, WIDTH):
        transpose_chosen(
            player.above, start + entry, columns, player.hand, place, lines, entry * WIDTH, WIDTH
        )


@part
def play(nodes, regret, vector, actions, entries, sigma, lines, numbers):
    """Write a vector's strategy by regret matching, and the reach of all lines but the entries."""
    zero, one = every(numbers[ZERO]), numbers[ONE]
    start = vector * actions * WIDTH
    following = start + actions * WIDTH
    for node in range(len(nodes)):
        first, count = WIDTH * nodes[node, 0], WIDTH * nodes[node, 1]
        before = load(lines, WIDTH * nodes[node, 2])
        total = zero
        for a in range(first, first + count, WIDTH):
            prefetch(regret, following + a)
            total = total + positive(load(regret, start + a))
        share = every(one) / where_positive(total, total, every(one))
        uniform = every(one / nodes[node, 1])
        for a in range(first, first + count, WIDTH):
            chosen = where_positive(total, positive(load(regret, start + a)) * share, uniform)
            store(sigma, a, chosen)
            store(lines, WIDTH * entries + a, before * chosen)


@part
def recall(average, vector, actions, entries, lines):
    """Write the average reach of all lines but the entries."""
    start = vector * actions * WIDTH
    for a in range(0, actions * WIDTH, WIDTH):
        store(lines, WIDTH * entries + a, load(average, start + a))


@part
def spread(line, lines, reached, row):
    """Write a vector's reach by lane and place."""
    apart = reached.shape[1] * WIDTH
    for lane in range(0, len(line), WIDTH):
        transpose_chosen(
            lines, 0, WIDTH, line, lane, reached, lane // WIDTH * apart + row * WIDTH, WIDTH
        )


@part
def meet(me, other, pays, board, work, numbers):
    """Sum up the opponent's reach: for each own place and lane who is met, and who is beaten.

    See the plain version; one vector of lanes after the other is taken through all hands.
    """
    zero = every(numbers[ZERO])
    apart, sums = work.reached.shape[1] * WIDTH, work.sums
    first, stop = me.start[board], me.start[board + 1]
    start, count = other.start[board], other.start[board + 1] - other.start[board]
    for lane in range(0, len(pays.line), WIDTH):
        at = lane // WIDTH * apart
        store(work.reached, at + count * WIDTH, zero)
        for card in range(len(sums)):
            store(sums, card * WIDTH, zero)
        total, added = zero, 0
        is_duel, is_mass = lane >= pays.first_duel, lane < pays.num_mass
        own = first if is_duel else stop
        while own < stop:
            below, within = me.weaker[own], me.matched[own]
            while added < below:
                reached = load(work.reached, at + added * WIDTH)
                c, d = other.adds[start + added, 0] * WIDTH, other.adds[start + added, 1] * WIDTH
                total = total + reached
                store(sums, c, load(sums, c) + reached)
                store(sums, d, load(sums, d) + reached)
                added += 1
            end = own
            while end < stop and me.weaker[end] == below and me.matched[end] == within:
                c, d = me.cards[end, 0] * WIDTH, me.cards[end, 1] * WIDTH
                duel = total - load(sums, c) - load(sums, d)
                store(work.duel, at + (end - first) * WIDTH, duel)
                end += 1
            while added < within:
                reached = load(work.reached, at + added * WIDTH)
                c, d = other.adds[start + added, 0] * WIDTH, other.adds[start + added, 1] * WIDTH
                total = total + reached
                store(sums, c, load(sums, c) + reached)
                store(sums, d, load(sums, d) + reached)
                added += 1
            for tied in range(own, end):
                c, d = me.cards[tied, 0] * WIDTH, me.cards[tied, 1] * WIDTH
                place = at + (tied - first) * WIDTH
                duel = total - load(sums, c) - load(sums, d)
                store(work.duel, place, load(work.duel, place) + duel)
            own = end
        while added < count:
            reached = load(work.reached, at + added * WIDTH)
            c, d = other.adds[start + added, 0] * WIDTH, other.adds[start + added, 1] * WIDTH
            total = total + reached
            store(sums, c, load(sums, c) + reached)
            store(sums, d, load(sums, d) + reached)
            added += 1
        for own in range(first, stop):
            c, d = me.cards[own, 0] * WIDTH, me.cards[own, 1] * WIDTH
            place = at + (own - first) * WIDTH
            met = total - load(sums, c) - load(sums, d)
            if is_mass:
                again = load(work.reached, at + me.same[own] * WIDTH)
                store(work.mass, place, met + again)
            if is_duel:
                store(work.duel, place, load(work.duel, place) - met)
        for own in range(first, stop):
            if me.twin[own] != own - first:
                place, of = at + (own - first) * WIDTH, at + me.twin[own] * WIDTH
                store(work.mass, place, load(work.mass, of))
                store(work.duel, place, load(work.duel, of))


@part
def pay(pays, work, row, numbers):
    """Write what ends pay the lines of a vector."""
    zero, utility, lanes = every(numbers[ZERO]), work.utility, work.lanes
    apart = work.mass.shape[1] * WIDTH
    for line in range(len(utility)):
        store(utility, line * WIDTH, zero)
    for lane in range(0, pays.num_mass, WIDTH):
        at = lane // WIDTH * apart + row * WIDTH
        transpose(work.mass, at, WIDTH, lanes, lane * WIDTH, WIDTH)
    for k in range(len(pays.middle)):
        own, lane = pays.mass[k, 0] * WIDTH, pays.mass[k, 1] * WIDTH
        paid = every(pays.middle[k]) * load(lanes, lane)
        store(utility, own, load(utility, own) + paid)
    for lane in range(pays.first_duel, len(pays.line), WIDTH):
        at = lane // WIDTH * apart + row * WIDTH
        transpose(work.duel, at, WIDTH, lanes, lane * WIDTH, WIDTH)
    for k in range(len(pays.swing)):
        own, lane = pays.duel[k, 0] * WIDTH, pays.duel[k, 1] * WIDTH
        paid = every(pays.swing[k]) * load(lanes, lane)
        store(utility, own, load(utility, own) + paid)


@part
def after(me, worth, board, place, work):
    """Add what the exits are worth to the lines of a vector."""
    utility, lanes, columns = work.utility, work.lanes, worth.shape[2]
    start = board * worth.shape[1] * columns
    for entry in range(0, len(me.exits), WIDTH):
        transpose_chosen(worth, start + entry, columns, me.paid_as, place, lanes, 0, WIDTH)
        for e in range(entry, min(entry + WIDTH, len(me.exits))):
            own = me.exits[e] * WIDTH
            store(utility, own, load(utility, own) + load(lanes, (e - entry) * WIDTH))


@part
def learn(me, vector, actions, entries, work, numbers):
    """Add regrets against what the lines are paid, and pay the entries what they are worth.

    The average moves towards the reach.
    """
    zero, tie, weight = every(numbers[ZERO]), every(numbers[TIE]), every(numbers[WEIGHT])
    gain, loss = every(numbers[POSITIVE]), every(numbers[NEGATIVE])
    nodes, utility, start = me.nodes, work.utility, vector * actions * WIDTH
    following = start + actions * WIDTH
    for node in range(len(nodes) - 1, -1, -1):
        first, count = WIDTH * nodes[node, 0], WIDTH * nodes[node, 1]
        above, total = WIDTH * nodes[node, 2], zero
        for a in range(first, first + count, WIDTH):
            total = total + load(work.sigma, a) * load(utility, WIDTH * entries + a)
        store(utility, above, load(utility, above) + total)
        for a in range(first, first + count, WIDTH):
            got, kept = load(utility, WIDTH * entries + a), load(me.regret, start + a)
            now = got - total
            now = where_positive(size(now) - tie * (size(total) + size(got)), now, zero)
            store(me.regret, start + a, kept * where_positive(kept, gain, loss) + now)
            average = load(me.average, start + a)
            prefetch(me.average, following + a)
            reach = load(work.lines, WIDTH * entries + a)
            store(me.average, start + a, average + weight * (reach - average))


@part
def best_actions(nodes, entries, utility):
    """Pay the entries what the best actions are worth."""
    for node in range(len(nodes) - 1, -1, -1):
        first = WIDTH * (entries + nodes[node, 0])
        above, best = WIDTH * nodes[node, 2], load(utility, first)
        for a in range(first + WIDTH, first + WIDTH * nodes[node, 1], WIDTH):
            best = larger(best, load(utility, a))
        store(utility, above, load(utility, above) + best)


@part
def keep(utility, entries, out, place):
    """Write what the entries are worth at the places of a vector."""
    columns = out.shape[1]
    for entry in range(0, entries, WIDTH):
        transpose(utility, entry * WIDTH, WIDTH, out, place * columns + entry, columns)


@jit
def update(me, other, pays, parents, entries, worth, out, boards, work, numbers):
    """Take boards ``boards[0]:boards[1]`` of a street through one iteration of one player.

    `worth` is what the exits are worth, (boards, hands + 1, columns); what the entries are worth is
    written to `out`, (places, columns).
    """
    mine, theirs = me.regret.shape[1], other.regret.shape[1]
    for board in range(boards[0], boards[1]):
        parent = parents[board]
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            enter(other, parent, place, entries, work.lines)
            play(
                other.nodes, other.regret, place // WIDTH, theirs, entries,
                work.sigma, work.lines, numbers,
            )  # fmt: skip
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            pay(pays, work, place - me.start[board], numbers)
            after(me, worth, board, place, work)
            enter(me, parent, place, entries, work.lines)
            play(
                me.nodes, me.regret, place // WIDTH, mine, entries,
                work.sigma, work.lines, numbers,
            )  # fmt: skip
            learn(me, place // WIDTH, mine, entries, work, numbers)
            keep(work.utility, entries, out, place)


@jit
def respond(me, other, pays, parents, entries, worth, out, boards, work, numbers):
    """Answer the opponent's average with a best response, in the passes of `update`.

    Nothing is learned.
    """
    theirs = other.regret.shape[1]
    for board in range(boards[0], boards[1]):
        parent = parents[board]
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            enter(other, parent, place, entries, work.lines)
            recall(other.average, place // WIDTH, theirs, entries, work.lines)
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            pay(pays, work, place - me.start[board], numbers)
            after(me, worth, board, place, work)
            best_actions(me.nodes, entries, work.utility)
            keep(work.utility, entries, out, place)


@jit
def descend(me, parents, entries, averaged, reach, boards, work, numbers):
    """Write a player's reach of the exits of a street, (boards, hands + 1, columns).

    It is that of its current strategy, or of its average.
    """
    actions, hands, columns = me.regret.shape[1], reach.shape[1], reach.shape[2]
    for board in range(boards[0], boards[1]):
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            vector = place // WIDTH
            enter(me, parents[board], place, entries, work.lines)
            if averaged:
                recall(me.average, vector, actions, entries, work.lines)
            else:
                play(me.nodes, me.regret, vector, actions, entries, work.sigma, work.lines, numbers)
            for e in range(0, columns, WIDTH):
                transpose_chosen(work.lines, 0, WIDTH, me.exits, e, work.lanes, 0, WIDTH)
                for i in range(WIDTH):
                    row = board * hands + me.hand[place + i]
                    store(reach, row * columns + e, load(work.lanes, i * WIDTH))


@jit
def ascend(start, hand, parents, image, symmetry, images, out, worth):
    """Add what entries are worth on all boards to the exits of the boards before.

    A board counts once for each of its images, whose hands are those that a symmetry leads to.
    """
    columns, hands = out.shape[1], worth.shape[1]
    for board in range(len(parents)):
        for k in range(image[board], image[board + 1]):
            leads = images[symmetry[k]]
            for place in range(start[board], start[board + 1]):
                row = (parents[board] * hands + leads[hand[place]]) * columns
                for e in range(0, columns, WIDTH):
                    paid = load(out, place * columns + e)
                    store(worth, row + e, load(worth, row + e) + paid)
