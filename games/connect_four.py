"""Connect Four on any board: stones fall down a column, and the first line of four wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL, PerfectInformation

LARGEST = 100
"""Columns, rows, and stones in a line."""

OUTCOMES = ((0, 0), (1, -1), (-1, 1))
"""Payoffs of a draw, and of a line of player 0 and of player 1."""


@dataclass(frozen=True)
class ConnectFour(PerfectInformation):
    """A board of `columns` by `rows`; player 0, x, moves first.

    Actions are columns, counted from 1. A state is one int. Its lowest bits are the stones of x,
    column by column from the left and each from the bottom up. Above each column is an empty
    square, so that lines do not run over the edge. Then come the stones of o. The highest bit is
    set when the last move made a line.
    """

    columns: int
    rows: int
    connect: int
    start: int = 0
    num_players: int = 2
    unit: str = "games"
    methods: ClassVar[Mapping[str, str]] = {"bitboard": "games.connect_four_solver:solve"}

    def root(self) -> int:
        """Return the position in which the game begins."""
        return self.start

    def player(self, state: int) -> int:
        """Return whose turn it is: x on an even number of stones."""
        stones = state.bit_count()
        over = state >= self._line_made or stones == self.columns * self.rows
        return TERMINAL if over else stones & 1

    def actions(self, state: int) -> list[int]:
        """Return the columns that are not full, from the left."""
        taken = state | state >> self._bits
        return [column for column in range(1, self.columns + 1) if not taken & self._top(column)]

    def child(self, state: int, action: int) -> int:
        """Return the position after a stone in a column."""
        first, second = self.stones(state)
        column = (1 << self.rows) - 1 << (action - 1) * (self.rows + 1)
        filled = (first | second) & column
        # adding 1 to a column carries up to its lowest free square
        stone = filled + (column & -column) & ~filled
        mover = state.bit_count() & 1
        after = state | stone << mover * self._bits
        mine = (second if mover else first) | stone
        return after | self._line_made if self._has_line(mine) else after

    def payoffs(self, state: int) -> tuple[int, int]:
        """Return 1 to who made a line, -1 to the other."""
        if state < self._line_made:
            return OUTCOMES[0]
        return OUTCOMES[1 + (state.bit_count() & 1)]  # the bit that says so is counted too

    def search_order(self, state: int) -> list[int]:
        """Return the columns that are not full, those in the middle first."""
        taken = state | state >> self._bits
        return [column for column in self.middle_first if not taken & self._top(column)]

    def draw(self, state: int) -> str:
        """Return the board, a line for each row."""
        first, second = self.stones(state)

        def square(column: int, row: int) -> str:
            bit = 1 << column * (self.rows + 1) + row
            return "x" if first & bit else "o" if second & bit else "."

        return "\n".join(
            " ".join(square(c, r) for c in range(self.columns)) for r in reversed(range(self.rows))
        )

    def stones(self, state: int) -> tuple[int, int]:
        """Return the squares of x and of o, in `columns * (rows + 1)` bits each."""
        squares = (1 << self._bits) - 1
        return state & squares, state >> self._bits & squares

    @cached_property
    def middle_first(self) -> tuple[int, ...]:
        """All columns, those in the middle first: most lines pass there."""
        columns = range(1, self.columns + 1)
        return tuple(sorted(columns, key=lambda column: abs(2 * column - self.columns - 1)))

    def _top(self, column: int) -> int:
        return 1 << column * (self.rows + 1) - 2

    def _has_line(self, squares: int) -> bool:
        steps = 1, self.rows, self.rows + 1, self.rows + 2
        return any(self._runs(squares, step) for step in steps)

    def _runs(self, squares: int, step: int) -> int:
        """Return the squares with which a line in one direction begins.

        Each pass doubles the length of the runs that are known.
        """
        length = 1
        while length < self.connect:
            more = min(length, self.connect - length)
            squares &= squares >> more * step
            length += more
        return squares

    @cached_property
    def _bits(self) -> int:
        return self.columns * (self.rows + 1)

    @cached_property
    def _line_made(self) -> int:
        return 1 << 2 * self._bits


def connect_four(columns: int = 7, rows: int = 6, connect: int = 4, moves: str = "") -> ConnectFour:
    """Return Connect Four on `columns` by `rows` squares, where a line of `connect` stones wins.

    Parameters
    ----------
    columns
        How wide the board is.
    rows
        How high it is.
    connect
        Stones of a line that wins.
    moves
        Columns played before the game begins: one digit each, such as 4453, or numbers separated by
        commas.

    Examples
    --------
    >>> game = connect_four(5, 4, moves="3342")
    >>> print(game.draw(game.root()))
    . . . . .
    . . . . .
    . . o . .
    . o x x .
    """
    for name, value in (("columns", columns), ("rows", rows), ("connect", connect)):
        require(name, value, 1, LARGEST)
    empty = ConnectFour(columns, rows, connect)
    return ConnectFour(columns, rows, connect, _position(empty, moves))


def _position(game: ConnectFour, moves: str) -> int:
    """Return the state after moves from the empty board."""
    state = game.root()
    for number, word in enumerate(moves.split(",") if "," in moves else moves, 1):
        where = f"moves={moves!r}: move {number}, {word.strip()!r},"
        try:
            column = int(word)
        except ValueError:
            raise InvalidParameterError(
                f"{where} is not a column; "
                "write digits, such as 4453, or numbers separated by commas"
            ) from None
        if not 1 <= column <= game.columns:
            raise InvalidParameterError(
                f"{where} is not on the board; use columns 1 to {game.columns}"
            )
        if game.player(state) == TERMINAL:
            raise InvalidParameterError(f"{where} comes after the end of the game; leave it out")
        if column not in game.actions(state):
            raise InvalidParameterError(f"{where} is a full column; it has {game.rows} squares")
        state = game.child(state, column)
    return state


ALLEN_ALLIS = (
    "Allen, and Allis, A knowledge-based approach of Connect-Four, "
    "both 1988; this program's own search"
)
TROMP = (
    "Tromp, John's Connect Four Playground (tromp.github.io/c4/c4.html), "
    "2006; this program's own search"
)
DRAWN = ((4, 4), (5, 4), (7, 4), (4, 5), (5, 5), (6, 5), (4, 6), (5, 6))
"""Columns and rows of boards on which neither player can win."""
LOST = ((6, 4), (8, 4), (6, 6))
"""Columns and rows of boards on which player 1 wins."""

CONNECT_FOUR = GameEntry(
    "connect-four",
    "Connect Four: stones fall down a column, the first line of four wins",
    connect_four,
    (
        KnownValue(1, ALLEN_ALLIS),
        *(KnownValue(0, TROMP, {"columns": c, "rows": r}) for c, r in DRAWN),
        *(KnownValue(-1, TROMP, {"columns": c, "rows": r}) for c, r in LOST),
    ),
)
