"""The loops of the Connect Four search, compiled by numba.

Boards are bits of int64, and the stack is an array. A board is read as in `games.connect_four`:
column by column from the left, each from the bottom up, with an empty square above it. Shifting all
stones by 1, rows, rows + 1 or rows + 2 moves them up, or along a row or a diagonal. So a few shifts
find all squares of the board that complete a line.

The score of a position is for the player to move. A draw scores 0. A win scores half of the squares
that are empty before the winning move, rounded up. A loss scores minus what the opponent scores. So
quick wins score more, and the sign shows a win, a draw or a loss.

The stack has a row for each move made since the root, with the columns named below. `registers`
holds what else a suspended search needs in order to go on.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
from numba import types
from numba.extending import intrinsic


class Shape(NamedTuple):
    """A board, and the size of the table."""

    columns: int
    rows: int
    line: tuple[int, ...]
    """As many entries as a line has stones: numba compiles for each length of a tuple anew, and
    unrolls the loops over it."""
    bottom: int
    """The lowest square of each column."""
    board: int
    """All squares."""
    tag_bits: int
    """Bits of a position that its place in the table does not tell."""


OWN, MASK, ANSWERS, LOWER, UPPER, CANDIDATES, BEST, CHOICE, NEXT, COUNT, ENTERED, MOVES = range(12)
"""Columns of the stack: stones of who is to move, and all stones; squares where the other would
complete a line; bounds of the score; moves that do not lose at once; the largest score so far, and
its move; the move to try next, and how many there are; the nodes entered before. From `MOVES` on:
the square of each move, and then where each would let who makes it complete a line."""

DEPTH, ENTERING, SCORE, NODES, HITS, CUTOFFS, KEPT, NUM_REGISTERS = range(8)
"""Registers: the last row of the stack, whether it is new, the score that was returned, and counts;
and how many these are."""

UNSETTLED = -128
"""Stands for a score below all others, and for none."""

SMALLEST_KEPT = 10
"""With fewer empty squares a position is searched again rather than fetched: memory is slower."""

MULTIPLIER = -7046029254386353131
"""Odd, so that multiplication by it permutes the numbers below a power of two: 2**64 over the
golden ratio, as an int64."""

FIELD, EFFORT = 7, 6
"""Bits in a table's entry of a bound on a score, and of the logarithm of the nodes that it took."""

KNOWN_BITS = 2 * FIELD + EFFORT
ZERO = 1 << FIELD - 1
"""Stands for a score of 0 in a table, so that no entry is 0."""

# a board and a stack consist of so much that a call costs as much as what it does
_inlined = numba.njit(cache=True, forceinline=True, no_cfunc_wrapper=True)


@intrinsic
def num_set(typing_context, bits):
    """Count the bits that are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@_inlined
def completing(shape, stones):
    """Return the squares with which `stones` would be a line, whether they are free or not."""
    found = 0
    for direction in range(4):
        step = 1 if direction == 0 else shape.rows + direction - 1
        if (len(shape.line) - 1) * step >= shape.columns * (shape.rows + 1):
            continue  # longer than the board: shifts might be longer than a word
        for below in range(len(shape.line)):
            line = shape.board
            for distance in range(1, below + 1):
                line &= stones << distance * step
            for distance in range(1, len(shape.line) - below):
                line &= stones >> distance * step
            found |= line
    return found


@_inlined
def mirrored(shape, position):
    """Return a position with left and right exchanged."""
    height = shape.rows + 1
    column = (2 << shape.rows) - 1
    result = 0
    for c in range(shape.columns):
        result |= ((position >> c * height) & column) << (shape.columns - 1 - c) * height
    return result


@_inlined
def place(shape, stack, depth):
    """Return where a position is kept in the table, and the part of it that this does not tell.

    Stones of the mover plus all stones differ for any two positions. That number is multiplied,
    modulo its own range, by an odd number, which loses nothing. The upper bits are a place and the
    lower ones are kept, so that two positions are never mistaken for each other.
    """
    position = stack[depth, OWN] + stack[depth, MASK]
    # later on, hardly any position meets its mirror image
    if 2 * num_set(stack[depth, MASK]) < shape.columns * shape.rows:
        position = min(position, mirrored(shape, position))
    bits = shape.columns * (shape.rows + 1)
    scattered = position * MULTIPLIER
    bucket = (scattered >> shape.tag_bits) & ((1 << bits - shape.tag_bits) - 1)
    return 2 * bucket, (scattered & ((1 << shape.tag_bits) - 1)) << KNOWN_BITS


@_inlined
def fetch(shape, table, stack, depth):
    """Put what the table knows of a position into its row; return whether it knows anything."""
    first, tag = place(shape, stack, depth)
    for slot in (first, first + 1):
        known = table[slot] ^ tag
        if 0 < known < 1 << KNOWN_BITS:
            stack[depth, LOWER] = max(stack[depth, LOWER], (known & ((1 << FIELD) - 1)) - ZERO)
            upper = ((known >> FIELD) & ((1 << FIELD) - 1)) - ZERO
            stack[depth, UPPER] = min(stack[depth, UPPER], upper)
            return True
    return False


@_inlined
def keep(shape, table, stack, depth, nodes):
    """Put the bounds of a row into the table; return whether this adds an entry.

    Of each pair of entries, the first took more nodes.
    """
    first, tag = place(shape, stack, depth)
    effort = 0
    while nodes >> effort > 1:
        effort += 1
    before = table[first]
    same = 0 < (before ^ tag) < 1 << KNOWN_BITS
    replaced = same or effort >= (before >> 2 * FIELD) & ((1 << EFFORT) - 1)
    slot = first if replaced else first + 1
    was_free = table[slot] == 0
    table[slot] = (
        tag
        | (effort << 2 * FIELD)
        | ((stack[depth, UPPER] + ZERO) << FIELD)
        | (stack[depth, LOWER] + ZERO)
    )
    return was_free


@_inlined
def lay_out(shape, order, stack, depth):
    """Put the moves into a row: those that threaten most first, then in the order given."""
    own, free, candidates = stack[depth, OWN], ~stack[depth, MASK], stack[depth, CANDIDATES]
    moves, threats = MOVES, MOVES + shape.columns
    column = (1 << shape.rows) - 1
    count = 0
    for c in order:
        move = candidates & column << c * (shape.rows + 1)
        if not move:
            continue
        threat = completing(shape, own | move)
        weight = num_set(threat & free)
        slot = count
        while slot > 0 and num_set(stack[depth, threats + slot - 1] & free) < weight:
            stack[depth, moves + slot] = stack[depth, moves + slot - 1]
            stack[depth, threats + slot] = stack[depth, threats + slot - 1]
            slot -= 1
        stack[depth, moves + slot], stack[depth, threats + slot] = move, threat
        count += 1
    stack[depth, COUNT] = count
    stack[depth, NEXT] = 0
    stack[depth, BEST] = UNSETTLED
    stack[depth, CHOICE] = 0


@_inlined
def arrive(shape, table, stack, depth, goal):
    """Return a bound that settles whether the score is at least `goal`.

    It is `UNSETTLED` if moves must be tried. Return also whether the table knew of it. The player
    to move cannot win at once. The root is chosen so, with two empty squares or more, and no move
    that lets the opponent win at once is tried.
    """
    free = shape.board & ~stack[depth, MASK]
    empty = num_set(free)
    answers = stack[depth, ANSWERS] & free
    moves = (stack[depth, MASK] + shape.bottom) & shape.board
    forced = moves & answers
    if forced:
        moves = forced if forced & (forced - 1) == 0 else 0
    moves &= ~(answers >> 1)  # a stone below a square where the other wins
    if moves == 0:
        return -(empty // 2), False
    stack[depth, LOWER], stack[depth, UPPER] = min(1 - empty // 2, 0), (empty - 1) // 2
    stack[depth, CANDIDATES] = moves
    if depth == 0:
        return UNSETTLED, False
    hit = (
        stack[depth, LOWER] < goal <= stack[depth, UPPER]
        and empty >= SMALLEST_KEPT
        and fetch(shape, table, stack, depth)
    )
    if stack[depth, LOWER] >= goal:
        return stack[depth, LOWER], hit
    return (stack[depth, UPPER] if stack[depth, UPPER] < goal else UNSETTLED), hit


@_inlined
def descend(shape, stack, depth):
    """Make the next move of a row: write the position after it into the next row."""
    slot = MOVES + stack[depth, NEXT]
    stack[depth + 1, OWN] = stack[depth, OWN] ^ stack[depth, MASK]
    stack[depth + 1, MASK] = stack[depth, MASK] | stack[depth, slot]
    stack[depth + 1, ANSWERS] = stack[depth, slot + shape.columns]
    stack[depth, NEXT] += 1


@numba.njit(cache=True, no_cfunc_wrapper=True)
def advance(shape, order, table, stack, registers, goal, budget):
    """Search whether the root's score is at least `goal`, or at most `goal - 1`.

    The search goes on until this is settled or `budget` more nodes were entered. Return whether it
    is settled; then the register `SCORE` is a bound that says so. A search is
    begun by the position in the first row of the stack, with `DEPTH` 0 and `ENTERING` 1, and
    resumed by calling again.

    Parameters
    ----------
    shape
        The board.
    order
        int64 (columns,): columns in the order in which they are tried.
    table
        int64: what is known of positions, in pairs of entries.
    stack
        int64 (squares + 1, MOVES + 2 * columns).
    registers
        int64 (NUM_REGISTERS,).
    goal, budget
        The score in question; the number of nodes.
    """
    depth, entering, score = registers[DEPTH], registers[ENTERING], registers[SCORE]
    nodes, hits = registers[NODES], registers[HITS]
    cutoffs, kept = registers[CUTOFFS], registers[KEPT]
    stop = nodes + budget
    while depth >= 0 and not (entering and nodes == stop):
        aim = goal if depth % 2 == 0 else 1 - goal
        if entering:
            nodes += 1
            score, hit = arrive(shape, table, stack, depth, aim)
            hits += hit
            if score != UNSETTLED:
                depth, entering = depth - 1, 0
                continue
            stack[depth, ENTERED] = nodes
            lay_out(shape, order, stack, depth)
        elif -score > stack[depth, BEST]:
            stack[depth, BEST] = -score
            stack[depth, CHOICE] = stack[depth, MOVES + stack[depth, NEXT] - 1]
        score = stack[depth, BEST]
        if score < aim and stack[depth, NEXT] < stack[depth, COUNT]:
            descend(shape, stack, depth)
            depth, entering = depth + 1, 1
            continue
        cutoffs += stack[depth, NEXT] < stack[depth, COUNT]
        stack[depth, LOWER if score >= aim else UPPER] = score
        if num_set(shape.board & ~stack[depth, MASK]) >= SMALLEST_KEPT:
            kept += keep(shape, table, stack, depth, nodes - stack[depth, ENTERED])
        depth, entering = depth - 1, 0
    # one after the other: all at once takes numba seconds to compile
    registers[DEPTH], registers[ENTERING], registers[SCORE] = depth, entering, score
    registers[NODES], registers[HITS] = nodes, hits
    registers[CUTOFFS], registers[KEPT] = cutoffs, kept
    return depth < 0
