"""The loops of regret minimization over laid-out games of hands, compiled by numba.

See `hand_rounds` and `hand_layout` for the words. This is the plain version, for numbers of any
type; `hand_vector_kernels` does the same in single precision by vectors, and is held to this one.

What is kept of a player is (vectors, actions, width): each board's hands in vectors, one after the
other. Reach and payoffs at the ends of a street are rows by place, a column for each exit, which is
an entry of the next street; the last row is the parent of what fills up vectors there. All
numbers are of the arrays' own type: constants come in `numbers`, since a literal would be a
float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba

from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import hand_rounds
from seqform.solvers.iterative.regret.hand_rounds import WIDTH

ZERO, ONE, POSITIVE, NEGATIVE, WEIGHT, TIE, LEAST, ITERATION, FREE = range(9)
"""What `numbers` holds: 0, 1, the discounts of positive and negative regrets, the share of this
iteration in the average, what counts as a tie, less than anything is worth, how many iterations
were made before, and how often a modelled player is free."""

ANSWER, LEARN, MEAN = range(3)
"""What a player does in a pass: answer the opponent's average by a best response, learn against its
strategy, or play what its regrets say against the opponent's average, and learn nothing."""

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"contract", "nsz", "nnan", "arcp"},
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # nobody calls these from C, and making it possible takes a while
}

jit = kept_with(hand_rounds, **OPTIONS)

ROW = 1
"""By what rows of sums by card are multiplied."""

part = numba.njit(forceinline=True, no_cpython_wrapper=True, **OPTIONS)
"""What loops call: compiled within them by LLVM, which takes four fifths of the time of numba's."""


class Given(NamedTuple):
    """What is locked, as a best response takes it.

    Parameters
    ----------
    row
        int32 (num_decisions,): for each decision 1 + the row of its first action in what follows,
        and 0 where nothing is locked.
    fixed
        (vectors, num_rows, width): probabilities that are locked, 0 where an action is free.
    share
        The same of what all free actions of the decision share, 0 where an action is locked.
    """

    row: Any
    fixed: Any
    share: Any


class Player(NamedTuple):
    """One player on a street.

    `nodes` and `exits` are those of `Side`, `even` is one share of all for each node's actions, and
    what follows is `Held`. `above` is its reach of the exits of the street before, (places there +
    1, columns), and `into` where its places add what they are worth (`hand_returns`); `regret` and
    `average` are (vectors, actions, width). `given` is what is locked, and
    `model` what is added to its reach of lines (`hand_models`), (vectors, lines, width); it has no
    lines where there is no model.
    """

    nodes: Any
    exits: Any
    even: Any
    start: Any
    hand: Any
    size: Any
    parent: Any
    images: Any
    cards: Any
    adds: Any
    counts: Any
    group: Any
    groups: Any
    same: Any
    above: Any
    into: Any
    regret: Any
    average: Any
    given: Any
    model: Any


class Pays(NamedTuple):
    """What ends pay a player: `Lanes`, its factors times the share of the street.

    The line of a lane that fills up a vector is the last of the scratch, whose reach is 0.
    """

    line: Any
    num_mass: Any
    first_duel: Any
    paid: Any
    source: Any
    factor: Any


class Scratch(NamedTuple):
    """Working arrays of one thread.

    `lines` is the reach of a vector's lines, and a last row of zeros; `sigma` its strategy,
    `utility` what its lines are paid, `total` (width,). `reached` is the opponent's reach by place
    and lane, with a row of zeros behind; `mass` and `duel` what a lane's middles and swings count.
    `sums` is (1 + cards + 2, lanes): of all hands so far, and of those with each card.
    """

    lines: Any
    sigma: Any
    utility: Any
    total: Any
    reached: Any
    mass: Any
    duel: Any
    sums: Any


def scratch(
    lines: int, actions: int, places: int, lanes: int, exits: int, cards: int, zeros: Any
) -> Scratch:
    """Return working arrays for so many of each; `zeros` makes them."""
    return Scratch(
        zeros(lines, WIDTH), zeros(actions, WIDTH), zeros(lines, WIDTH), zeros(WIDTH),
        zeros(places + 1, lanes), zeros(places, lanes), zeros(places, lanes),
        zeros(cards + 3, lanes),
    )  # fmt: skip


@part
def enter(player, place, entries, lines):
    """Write the reach of entries at the places of a vector."""
    for i in range(WIDTH):
        above = player.above[player.parent[place + i]]
        for e in range(entries):
            lines[e, i] = above[e]


@part
def choose(nodes, even, regret, sigma, total, numbers):
    """Write a vector's strategy, (actions, width), by regret matching."""
    zero = numbers[ZERO]
    for node in range(len(nodes)):
        first, actions = nodes[node, 0], nodes[node, 1]
        for i in range(WIDTH):
            total[i] = zero
        for a in range(first, first + actions):
            for i in range(WIDTH):
                total[i] += max(regret[a, i], zero)
        for a in range(first, first + actions):
            for i in range(WIDTH):
                kept = max(regret[a, i], zero)
                sigma[a, i] = kept / total[i] if total[i] > zero else even[node]


@part
def follow(nodes, sigma, entries, lines):
    """Write the reach of all lines but the entries from the strategy."""
    for node in range(len(nodes)):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for a in range(first, first + actions):
            for i in range(WIDTH):
                lines[entries + a, i] = lines[above, i] * sigma[a, i]


@part
def recall(average, entries, lines):
    """Write the average reach of all lines but the entries."""
    for a in range(len(average)):
        for i in range(WIDTH):
            lines[entries + a, i] = average[a, i]


@part
def mix(model, lines, numbers):
    """Mix a vector's reach with that of a model, where there is one."""
    for line in range(len(model)):
        for i in range(WIDTH):
            lines[line, i] = numbers[FREE] * lines[line, i] + model[line, i]


@part
def spread(line, lines, reached, row):
    """Write a vector's reach by place and lane."""
    for lane in range(len(line)):
        for i in range(WIDTH):
            reached[row + i, lane] = lines[line[lane], i]


@part
def meet(me, other, pays, board, work, numbers):
    """Sum up the opponent's reach: for each own place and lane who is met, and who is beaten.

    One sweep from the weakest hand to the strongest serves all lanes. A hand with the same cards as
    one's own cannot be met. Sums by card have it once too often: in what is beaten that cancels
    out, and in what is met it is added again.
    """
    first, stop = me.start[board], me.start[board + 1]
    start, count = other.start[board], other.start[board + 1] - other.start[board]
    lanes, sums, reached = len(pays.line), work.sums, work.reached
    sums[:, :] = numbers[ZERO]
    duels, masses = pays.first_duel, pays.num_mass
    for lane in range(lanes):
        reached[count, lane] = numbers[ZERO]
    added, begin = 0, first
    for group in range(me.group[board], me.group[board + 1]):
        below, within = me.groups[group, 0], me.groups[group, 1]
        end = first + me.groups[group, 2]
        add(reached, other, start, added, below, sums)
        for own in range(begin, end):
            c, d, duel = me.cards[own, 0], me.cards[own, 1], work.duel[own - first]
            for lane in range(duels, lanes):
                duel[lane] = sums[0, lane] - sums[c, lane] - sums[d, lane]
        add(reached, other, start, below, within, sums)
        for own in range(begin, end):
            c, d, duel = me.cards[own, 0], me.cards[own, 1], work.duel[own - first]
            for lane in range(duels, lanes):
                duel[lane] += sums[0, lane] - sums[c, lane] - sums[d, lane]
        added, begin = within, end
    add(reached, other, start, added, count, sums)
    for own in range(first, stop):
        c, d = me.cards[own, 0], me.cards[own, 1]
        mass, duel, again = work.mass[own - first], work.duel[own - first], reached[me.same[own]]
        for lane in range(masses):
            met = sums[0, lane] - sums[c, lane] - sums[d, lane]
            mass[lane] = met + again[lane]
        for lane in range(duels, lanes):
            duel[lane] -= sums[0, lane] - sums[c, lane] - sums[d, lane]


@part
def add(reached, other, start, begin, end, sums):
    """Add the reach of hands, and of those that are alike, to the sums."""
    for place in range(begin, end):
        c, d = other.adds[start + place, 0], other.adds[start + place, 1]
        counts = other.counts[start + place]
        for lane in range(reached.shape[1]):
            sums[0, lane] += counts[0] * reached[place, lane]
        for lane in range(reached.shape[1]):
            sums[c, lane] += counts[1] * reached[place, lane]
        for lane in range(reached.shape[1]):
            sums[d, lane] += counts[2] * reached[place, lane]


@part
def pay(pays, worth, place, row, work, numbers):
    """Write what the lines of a vector are paid by ends and exits."""
    utility, shift = work.utility, pays.first_duel - pays.num_mass
    behind = len(pays.line) - shift
    utility[:] = numbers[ZERO]
    for k in range(len(pays.paid)):
        line, source, factor = pays.paid[k], pays.source[k], pays.factor[k]
        for i in range(WIDTH):
            if source < pays.num_mass:
                paid = work.mass[row + i, source]
            elif source < behind:
                paid = work.duel[row + i, source + shift]
            else:
                paid = worth[place + i, source - behind]
            utility[line, i] += factor * paid


@part
def average_in(average, entries, lines, weight):
    """Move the average towards the reach."""
    for a in range(len(average)):
        for i in range(WIDTH):
            average[a, i] += weight * (lines[entries + a, i] - average[a, i])


@part
def learn(nodes, sigma, entries, utility, regret, total, numbers):
    """Add regrets against what the lines are paid, and pay the entries what they are worth."""
    zero, tie = numbers[ZERO], numbers[TIE]
    positive, negative = numbers[POSITIVE], numbers[NEGATIVE]
    for node in range(len(nodes) - 1, -1, -1):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for i in range(WIDTH):
            total[i] = zero
        for a in range(first, first + actions):
            for i in range(WIDTH):
                total[i] += sigma[a, i] * utility[entries + a, i]
        for i in range(WIDTH):
            utility[above, i] += total[i]
        for a in range(first, first + actions):
            for i in range(WIDTH):
                got, kept = utility[entries + a, i], regret[a, i]
                now = got - total[i]
                now = zero if abs(now) <= tie * abs(got) else now
                regret[a, i] = kept * (positive if kept > zero else negative) + now


@part
def expect(nodes, sigma, entries, utility, total, numbers):
    """Pay the entries what they are worth by a strategy."""
    for node in range(len(nodes) - 1, -1, -1):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for i in range(WIDTH):
            total[i] = numbers[ZERO]
        for a in range(first, first + actions):
            for i in range(WIDTH):
                total[i] += sigma[a, i] * utility[entries + a, i]
        for i in range(WIDTH):
            utility[above, i] += total[i]


@part
def best_actions(nodes, given, vector, entries, utility, total, numbers):
    """Pay the entries what the best actions are worth, or what is locked and the best of the rest.

    What all free actions share is that of any of them.
    """
    for node in range(len(nodes) - 1, -1, -1):
        first, actions, above = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        for i in range(WIDTH):
            total[i] = utility[entries + first, i]
        for a in range(first + 1, first + actions):
            for i in range(WIDTH):
                total[i] = max(total[i], utility[entries + a, i])
        row = given.row[node] - 1
        if row >= 0:
            for i in range(WIDTH):
                fixed, best, left = numbers[ZERO], numbers[LEAST], numbers[ZERO]
                for a in range(actions):
                    got, share = utility[entries + first + a, i], given.share[vector, row + a, i]
                    fixed += given.fixed[vector, row + a, i] * got
                    left = max(left, share)
                    best = max(best, got if share > numbers[ZERO] else numbers[LEAST])
                total[i] = fixed + left * best
        for i in range(WIDTH):
            utility[above, i] += total[i]


@part
def hand_up(me, utility, entries, out, place):
    """Add what the entries are worth at the places of a vector, as often as that may come."""
    for i in range(WIDTH):
        paid, images = out[me.into[place + i]], me.images[place + i]
        for e in range(entries):
            paid[e] += images * utility[e, i]


@jit
def ascend_street(me, other, pays, entries, worth, out, how, boards, work, numbers):
    """Take boards ``boards[0]:boards[1]`` of a street from ends to entries.

    `worth` is what the exits are worth, (places + 1, columns); what the entries are worth is added
    to `out` (`hand_returns`). The player does what `how` says.
    """
    for board in range(boards[0], boards[1]):
        for place in range(other.start[board], other.start[board + 1], WIDTH):
            vector = place // WIDTH
            enter(other, place, entries, work.lines)
            if how == LEARN:
                choose(
                    other.nodes, other.even, other.regret[vector], work.sigma, work.total, numbers
                )
                follow(other.nodes, work.sigma, entries, work.lines)
            else:
                recall(other.average[vector], entries, work.lines)
            mix(other.model[vector], work.lines, numbers)
            spread(pays.line, work.lines, work.reached, place - other.start[board])
        meet(me, other, pays, board, work, numbers)
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            vector, row = place // WIDTH, place - me.start[board]
            pay(pays, worth, place, row, work, numbers)
            if how == ANSWER:
                best_actions(me.nodes, me.given, vector, entries, work.utility, work.total, numbers)
            elif how == MEAN:
                choose(me.nodes, me.even, me.regret[vector], work.sigma, work.total, numbers)
                expect(me.nodes, work.sigma, entries, work.utility, work.total, numbers)
            else:
                regret, average = me.regret[vector], me.average[vector]
                enter(me, place, entries, work.lines)
                choose(me.nodes, me.even, regret, work.sigma, work.total, numbers)
                follow(me.nodes, work.sigma, entries, work.lines)
                average_in(average, entries, work.lines, numbers[WEIGHT])
                learn(me.nodes, work.sigma, entries, work.utility, regret, work.total, numbers)
            hand_up(me, work.utility, entries, out, place)


@jit
def descend(me, entries, averaged, reach, boards, work, numbers):
    """Write a player's reach of the exits of a street, (places + 1, columns).

    It is that of its current strategy, or of its average.
    """
    for board in range(boards[0], boards[1]):
        for place in range(me.start[board], me.start[board + 1], WIDTH):
            enter(me, place, entries, work.lines)
            if averaged:
                recall(me.average[place // WIDTH], entries, work.lines)
            else:
                choose(
                    me.nodes, me.even, me.regret[place // WIDTH], work.sigma, work.total, numbers
                )
                follow(me.nodes, work.sigma, entries, work.lines)
            for i in range(WIDTH):
                for e in range(len(me.exits)):
                    reach[place + i, e] = work.lines[me.exits[e], i]
