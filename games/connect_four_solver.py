"""Connect Four solved on bitboards: null-window searches by compiled loops.

The loops are suspended now and then to look at the clock.
"""

from __future__ import annotations

import time
from math import inf

import numpy as np

from games import connect_four_kernels as kernels
from games.connect_four import ConnectFour
from seqform.base.deadline import deadline_of
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.base.memory import require_memory
from seqform.game.rules import TERMINAL
from seqform.perfect_information.result import ProgressCallback, SearchProgress, SearchResult

WORD = 64
"""Bits of a position."""

ENTRY = 8
"""Bytes of a position in the table."""

BUDGET = 1 << 20
"""Nodes between two looks at the clock: a tenth of a second."""

TELL_EVERY = 0.2
"""Seconds between two calls of the callback."""


def solve(
    game: ConnectFour,
    *,
    distance: bool = False,
    table_bits: int = 25,
    callback: ProgressCallback | None = None,
    time_limit: float | None = None,
) -> SearchResult:
    """Prove who wins Connect Four, and by which first move.

    Parameters
    ----------
    game
        The board and the position to begin from.
    distance
        Whether to find the quickest win too, or the slowest loss; `moves_to_end` of the statistics
        is its length.
    table_bits
        The table keeps 2**table_bits positions of 8 bytes each, or fewer if there are not so many.
    callback
        Called with the progress of the search.
    time_limit
        Seconds, after which the result is what was proven so far; an interrupt from the keyboard
        has the same effect.

    Raises
    ------
    UnsupportedGameError
        If the board has more than 64 squares, with one more row than it has.
    InvalidParameterError
        For a table that is too small to distinguish positions, and for no time.
    GameTooLargeError
        If the table does not fit into memory.

    References
    ----------
    Tromp, "John's Connect Four Playground", https://tromp.github.io/c4/c4.html (bitboards, values
    of small boards).

    Examples
    --------
    >>> from games.connect_four import connect_four
    >>> result = solve(connect_four(6, 4), distance=True)
    >>> result.value, result.statistics["moves_to_end"]
    (-1, 24)
    """
    deadline = deadline_of(time_limit)
    shape = make_shape(game, table_bits)
    root = game.root()
    if game.player(root) == TERMINAL:
        return _at_end(game, root, None)
    for action in game.search_order(root):
        after = game.child(root, action)
        if game.player(after) == TERMINAL:  # a win, or the last free square
            return _at_end(game, after, action)
    search = Search(game, shape, deadline, callback)
    message = ""
    try:
        with Interrupt(First.RAISE):
            search.run(distance)
    except OutOfTimeError:
        message = "stopped by the time limit"
    except (Interrupted, KeyboardInterrupt):
        message = "interrupted"
    return search.result(message)


def make_shape(game: ConnectFour, table_bits: int) -> kernels.Shape:
    """Return what the kernels need to know of a board and of a table.

    The table holds 2**table_bits positions at most.

    Raises
    ------
    UnsupportedGameError
        If a position does not fit into a word.
    InvalidParameterError
        If an entry has no room for what its place does not say of a position.
    """
    columns, rows = game.columns, game.rows
    bits = columns * (rows + 1)
    board = f"the board of {columns} columns and {rows} rows"
    if bits > WORD:
        raise UnsupportedGameError(
            f"{board} takes {bits} bits, and this method has {WORD}: columns * (rows + 1) must "
            "not be larger; use method='alphabeta'"
        )
    tag_bits = max(bits + 1 - table_bits, 0)
    most = WORD - kernels.KNOWN_BITS
    if tag_bits > most or table_bits < 1:
        smallest = max(bits + 1 - most, 1)
        raise InvalidParameterError(
            f"table_bits={table_bits} is too small for {board}: use {smallest} or more"
        )
    bottom = sum(1 << column * (rows + 1) for column in range(columns))
    # what is longer than the board is no line, however long
    line = (0,) * min(game.connect, max(columns, rows) + 1)
    return kernels.Shape(columns, rows, line, bottom, bottom * ((1 << rows) - 1), tag_bits)


def _at_end(game: ConnectFour, end: int, action: int | None) -> SearchResult:
    """Return the result of a position that is over, or is by one move."""
    payoff = game.payoffs(end)[0]
    line = () if action is None else (action,)
    return SearchResult(
        "bitboard",
        payoff,
        payoff,
        action,
        line,
        statistics={"nodes": 1 + len(line), "moves_to_end": len(line)},
    )


class OutOfTimeError(Exception):
    """The time limit is over."""


class Search:
    """A position that is not over nor won by the next move, and bounds on its score.

    These are `lower` and `upper`. The score is to who is to move, and says how soon the game is
    decided too (`games.connect_four_kernels`).

    Parameters
    ----------
    game
        The board and the position.
    shape
        The board as the kernels see it.
    deadline
        When to stop, on the clock of `time.perf_counter`.
    callback
        Called with the progress of the search.
    """

    def __init__(
        self,
        game: ConnectFour,
        shape: kernels.Shape,
        deadline: float = inf,
        callback: ProgressCallback | None = None,
    ) -> None:
        self.start = self._told = time.perf_counter()
        self.game, self.shape, self.deadline, self.callback = game, shape, deadline, callback
        entries = 2 << game.columns * (game.rows + 1) - shape.tag_bits
        table = f"a table of {entries:,} positions"
        require_memory(entries * ENTRY, table, "use a smaller table_bits")
        self.table = np.zeros(entries, np.int64)
        self.order = np.array(game.middle_first) - 1
        self.registers = np.zeros(kernels.NUM_REGISTERS, np.int64)
        height, width = game.columns * game.rows + 1, kernels.MOVES + 2 * game.columns
        self.stack = np.zeros((height, width), np.int64)
        stones = game.stones(game.root())
        taken = sum(stones)
        self.mover = game.player(game.root())
        self.empty = game.columns * game.rows - taken.bit_count()
        self.stack[0, kernels.OWN] = stones[self.mover]
        self.stack[0, kernels.MASK] = taken
        self.stack[0, kernels.ANSWERS] = kernels.completing(shape, stones[1 - self.mover])
        self.lower, self.upper = -(self.empty // 2), (self.empty - 1) // 2
        self.best_action: int | None = None

    def run(self, distance: bool) -> None:
        """Narrow the bounds until the sign of the score is known.

        With `distance`, until the score itself is known.
        """
        while self.lower < self.upper and (distance or self.lower <= 0 <= self.upper):
            if self.lower <= 0 < self.upper:
                goal = 1
            elif self.lower < 0 <= self.upper:
                goal = 0
            else:
                goal = (self.lower + self.upper + 1) // 2
            self._settle(goal)

    def _settle(self, goal: int) -> None:
        """Find out whether the score is at least `goal`."""
        self.registers[[kernels.DEPTH, kernels.ENTERING]] = 0, 1
        while not kernels.advance(
            self.shape, self.order, self.table, self.stack, self.registers, goal, BUDGET
        ):
            now = time.perf_counter()
            if self.callback and now > self._told + TELL_EVERY:
                self._told = now
                nodes = int(self.registers[kernels.NODES])
                self.callback(SearchProgress(now - self.start, nodes, *self.bounds()))
            if now > self.deadline:
                raise OutOfTimeError
        score = int(self.registers[kernels.SCORE])
        if score < goal:
            self.upper = score
        else:
            self.lower = score
            square = int(self.stack[0, kernels.CHOICE]).bit_length() - 1
            self.best_action = square // (self.game.rows + 1) + 1

    def bounds(self) -> tuple[int, int]:
        """Return what is proven of the value to player 0."""
        lower, upper = ((score > 0) - (score < 0) for score in (self.lower, self.upper))
        return (lower, upper) if self.mover == 0 else (-upper, -lower)

    def result(self, message: str) -> SearchResult:
        """Return what was proven."""
        counts = {
            "nodes": kernels.NODES,
            "cutoffs": kernels.CUTOFFS,
            "table_hits": kernels.HITS,
            "table_size": kernels.KEPT,
        }
        statistics = {name: int(self.registers[register]) for name, register in counts.items()}
        if self.lower == self.upper:
            statistics["moves_to_end"] = self._moves_to_end()
        lower, upper = self.bounds()
        action = self.best_action
        if action is None and lower == upper:  # every move loses
            action = self.game.search_order(self.game.root())[0]
        line = () if action is None else (action,)
        seconds = time.perf_counter() - self.start
        return SearchResult(
            "bitboard",
            lower,
            upper,
            action,
            line,
            statistics=statistics,
            seconds=seconds,
            message=message,
        )

    def _moves_to_end(self) -> int:
        """Return how many moves are left when both play for the score."""
        if self.lower == 0:
            return self.empty
        # of the squares that are empty before the winner's last move
        parity = (self.empty + (self.lower < 0)) % 2
        return self.empty - (2 * abs(self.lower) - parity) + 1
