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
    `utility` what its lines are paid. `reached` is the opponent's reach by lane and place, and
    `duel` what a lane's swings count, but for what all hands together count. That is in `sums`,
    (lanes / 16, 1 + cards + 2, 16): over all hands, and over those with each card. `sources` is what
    payoffs of one vector of hands come from, (sources, width), and `rows` the same by hand.
    """

    lines: Any
    sigma: Any
    utility: Any
    reached: Any
    duel: Any
    sums: Any
    sources: Any
    rows: Any
    worth: Any


def scratch(
    lines: int, actions: int, places: int, lanes: int, exits: int, cards: int, zeros: Any
) -> Scratch:
    """Return working arrays for so many of each; `zeros` makes them."""
    of_places = lanes // WIDTH, places + 1, WIDTH
    return Scratch(
        zeros(lines, WIDTH), zeros(actions, WIDTH), zeros(lines, WIDTH), zeros(*of_places),
        zeros(*of_places), zeros(lanes // WIDTH, cards + 3, WIDTH),
        zeros(2 * lanes + max(exits, WIDTH), WIDTH), zeros(WIDTH, 2 * lanes),
        zeros(max(actions, 1), WIDTH),
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
def play(player, vector, entries, work, numbers, own):
    """Write a vector's reach of all lines but the entries, by regret matching.

    `own` says whether to write the strategy, too.
    """
    zero, one = every(numbers[ZERO]), every(numbers[ONE])
    nodes, regret, lines, sigma = player.nodes, player.regret, work.lines, work.sigma
    start = vector * regret.shape[1] * WIDTH
    following = start + regret.shape[1] * WIDTH
    for node in range(len(nodes)):
        first, count = WIDTH * nodes[node, 0], nodes[node, 1]
        before, even = load(lines, WIDTH * nodes[node, 2]), every(player.even[node])
        at, to = start + first, WIDTH * entries + first
        prefetch(regret, following + first)
        prefetch(regret, following + first + WIDTH)
        if count == 2:
            one_kept, two_kept = positive(load(regret, at)), positive(load(regret, at + WIDTH))
            total = one_kept + two_kept
            share = one / where_positive(total, total, one)
            chosen = where_positive(total, one_kept * share, even)
            other = where_positive(total, two_kept * share, even)
            if own:
                store(sigma, first, chosen)
                store(sigma, first + WIDTH, other)
            store(lines, to, before * chosen)
            store(lines, to + WIDTH, before * other)
        else:
            total = zero
            for a in range(0, count * WIDTH, WIDTH):
                prefetch(regret, following + first + a)
                total = total + positive(load(regret, at + a))
            share = one / where_positive(total, total, one)
            for a in range(0, count * WIDTH, WIDTH):
                chosen = where_positive(total, positive(load(regret, at + a)) * share, even)
                if own:
                    store(sigma, first + a, chosen)
                store(lines, to + a, before * chosen)


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
def add(other, board, work, lane, count):
    """Sum up all hands in a vector of lanes."""
    sums, start = work.sums, other.start[board]
    rows = lane * sums.shape[1]
    at = lane * work.reached.shape[1]
    total = load(sums, rows)
    for added in range(count):
        reached = load(work.reached, at + added * WIDTH)
        c = rows + other.adds[start + added, 0] * WIDTH
        d = rows + other.adds[start + added, 1] * WIDTH
        total = total + reached
        store(sums, c, load(sums, c) + reached)
        store(sums, d, load(sums, d) + reached)
    store(sums, rows, total)


@part
def sweep(me, other, board, work, lane, count):
    """Sum up hands in a pair of vectors of lanes, from the weakest to the strongest.

    For each own hand the sum of what is weaker and of what is not stronger is written.
    """
    sums, reached, duel = work.sums, work.reached, work.duel
    weaker, matched, cards, adds = me.weaker, me.matched, me.cards, other.adds
    apart, rows = reached.shape[1] * WIDTH, lane * sums.shape[1]
    beside = rows + sums.shape[1] * WIDTH
    at, start = lane * reached.shape[1], other.start[board]
    first, stop = me.start[board], me.start[board + 1]
    low, high = load(sums, rows), load(sums, beside)
    own, added = first, 0
    while own < stop or added < count:
        below = within = count
        if own < stop:
            below, within = weaker[own], matched[own]
        end = own
        for upper in (False, True):
            until = within if upper else below
            while added < until:
                place = at + added * WIDTH
                one, two = load(reached, place), load(reached, place + apart)
                c, d = adds[start + added, 0] * WIDTH, adds[start + added, 1] * WIDTH
                low, high = low + one, high + two
                store(sums, rows + c, load(sums, rows + c) + one)
                store(sums, beside + c, load(sums, beside + c) + two)
                store(sums, rows + d, load(sums, rows + d) + one)
                store(sums, beside + d, load(sums, beside + d) + two)
                added += 1
            end = own
            while end < stop and weaker[end] == below and matched[end] == within:
                c, d = cards[end, 0] * WIDTH, cards[end, 1] * WIDTH
                place = at + (end - first) * WIDTH
                one = low - load(sums, rows + c) - load(sums, rows + d)
                two = high - load(sums, beside + c) - load(sums, beside + d)
                if upper:
                    one, two = one + load(duel, place), two + load(duel, place + apart)
                store(duel, place, one)
                store(duel, place + apart, two)
                end += 1
        own = end
    store(sums, rows, low)
    store(sums, beside, high)


@part
def meet(me, other, pays, board, work, numbers):
    """Sum up the opponent's reach by place and lane: see the plain version."""
    zero, apart = every(numbers[ZERO]), work.reached.shape[1] * WIDTH
    count, lanes = other.start[board + 1] - other.start[board], len(pays.line)
    for row in range(lanes // WIDTH * work.sums.shape[1]):
        store(work.sums, row * WIDTH, zero)
    for lane in range(0, lanes, WIDTH):
        store(work.reached, lane // WIDTH * apart + count * WIDTH, zero)
    for lane in range(0, pays.first_duel, WIDTH):
        add(other, board, work, lane, count)
    for lane in range(pays.first_duel, lanes, 2 * WIDTH):
        sweep(me, other, board, work, lane, count)


@part
def gather(me, pays, board, place, work):
    """Write what payoffs of a vector come from: who is met, and how many more are beaten."""
    sums, rows, reached, duel = work.sums, work.rows, work.reached, work.duel
    columns, of_cards, of_places = rows.shape[1], sums.shape[1], reached.shape[1]
    shift, row = pays.num_mass - pays.first_duel, (place - me.start[board]) * WIDTH
    sources = len(pays.line) + shift
    for i in range(WIDTH):
        c, d = me.cards[place + i, 0] * WIDTH, me.cards[place + i, 1] * WIDTH
        again, at = me.same[place + i] * WIDTH, row + i * WIDTH
        for lane in range(0, pays.num_mass, WIDTH):
            total = lane * of_cards
            met = load(sums, total) - load(sums, total + c) - load(sums, total + d)
            store(rows, i * columns + lane, met + load(reached, lane * of_places + again))
        for lane in range(pays.first_duel, len(pays.line), WIDTH):
            total = lane * of_cards
            met = load(sums, total) - load(sums, total + c) - load(sums, total + d)
            beaten = load(duel, lane * of_places + at)
            store(rows, i * columns + lane + shift, beaten - met)
    for lane in range(0, sources, WIDTH):
        transpose(rows, lane, columns, work.sources, lane * WIDTH, WIDTH)


@part
def pay(me, pays, worth, board, place, work, numbers):
    """Write what the lines of a vector are paid by ends and exits."""
    sources, columns = work.sources, worth.shape[2]
    gather(me, pays, board, place, work)
    start = board * worth.shape[1] * columns
    behind = WIDTH * (len(pays.line) + pays.num_mass - pays.first_duel)
    for entry in range(0, len(me.exits), WIDTH):
        transpose_chosen(
            worth, start + entry, columns, me.paid_as, place,
            sources, behind + entry * WIDTH, WIDTH,
        )  # fmt: skip
    for line in range(len(pays.start) - 1):
        paid = every(numbers[ZERO])
        for k in range(pays.start[line], pays.start[line + 1]):
            paid = paid + every(pays.factor[k]) * load(sources, pays.source[k] * WIDTH)
        store(work.utility, line * WIDTH, paid)


@part
def learn(me, vector, entries, work, numbers):
    """Add regrets against what the lines are paid, and pay the entries what they are worth.

    The average moves towards the reach. Memory is gone through once, and upwards.
    """
    zero, tie, weight = every(numbers[ZERO]), every(numbers[TIE]), every(numbers[WEIGHT])
    gain, loss = every(numbers[POSITIVE]), every(numbers[NEGATIVE])
    nodes, utility, actions = me.nodes, work.utility, me.regret.shape[1]
    regret, averages, start = me.regret, me.average, vector * actions * WIDTH
    following = start + actions * WIDTH
    for node in range(len(nodes) - 1, -1, -1):
        first, count = WIDTH * nodes[node, 0], WIDTH * nodes[node, 1]
        above, total = WIDTH * nodes[node, 2], zero
        for a in range(first, first + count, WIDTH):
            total = total + load(work.sigma, a) * load(utility, WIDTH * entries + a)
        store(utility, above, load(utility, above) + total)
        store(work.worth, node * WIDTH, total)
    for node in range(len(nodes)):
        first, count = WIDTH * nodes[node, 0], WIDTH * nodes[node, 1]
        total = load(work.worth, node * WIDTH)
        for a in range(first, first + count, WIDTH):
            prefetch(averages, following + a)
            got, kept = load(utility, WIDTH * entries + a), load(regret, start + a)
            now = got - total
            now = where_positive(size(now) - tie * (size(total) + size(got)), now, zero)
            store(regret, start + a, kept * where_positive(kept, gain, loss) + now)
            average, reach = load(averages, start + a), load(work.lines, WIDTH * entries + a)
            store(averages, start + a, average + weight * (reach - average))


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
    for board in range(boards[0], boards[1]):
        parent = parents[board]
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            enter(other, parent, place, entries, work.lines)
            play(other, place // WIDTH, entries, work, numbers, False)
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            pay(me, pays, worth, board, place, work, numbers)
            enter(me, parent, place, entries, work.lines)
            play(me, place // WIDTH, entries, work, numbers, True)
            learn(me, place // WIDTH, entries, work, numbers)
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
            pay(me, pays, worth, board, place, work, numbers)
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
                play(me, vector, entries, work, numbers, False)
            for e in range(0, columns, WIDTH):
                transpose_chosen(work.lines, 0, WIDTH, me.exits, e, work.sources, 0, WIDTH)
                for i in range(WIDTH):
                    row = board * hands + me.hand[place + i]
                    store(reach, row * columns + e, load(work.sources, i * WIDTH))


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
