"""m,n,k games: two players mark squares in turn, and the first with k in a row wins.

Tic-tac-toe is the 3,3,3 game.
"""

from __future__ import annotations

from games.parameters import require
from games.sources import UITERWIJK
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry, KnownValue
from seqform.game.rules import TERMINAL, PerfectInformation

LARGEST = 100
"""Rows, and marks in a row."""

MARKS, EMPTY = "xo", ".-e_"
OUTCOMES = ((0, 0), (1, -1), (-1, 1))
"""Payoffs of a draw, and of a row of x and of o."""


class MNK(PerfectInformation):
    """A board of `columns` by `rows`; x, player 0, moves first.

    A state is one int. Its lowest bits are the squares of x, row by row from the top. After each
    row is an empty column, so that lines do not run over the edge. Then come the squares of o. The
    highest bit is set when the last move made a row. Squares are called a1, b1, ... along the top
    row.
    """

    num_players, unit = 2, "games"

    def __init__(self, columns: int, rows: int, in_a_row: int, start: int = 0) -> None:
        self.columns, self.rows, self.in_a_row, self.start = columns, rows, in_a_row, start
        places = [(row, column) for row in range(rows) for column in range(columns)]
        self.squares = [
            (f"{chr(ord('a') + c)}{r + 1}", 1 << (r * (columns + 1) + c)) for r, c in places
        ]
        self.bits = (columns + 1) * rows
        self._bit_of = dict(self.squares)
        self._board = (1 << self.bits) - 1
        self.row_made = 1 << 2 * self.bits
        # to the next square to the right, down, and on both diagonals
        self._steps = 1, columns + 1, columns + 2, columns
        self._rows = self._possible_rows()
        self._best_first = sorted(
            self.squares, key=lambda square: -sum(1 for row in self._rows if row & square[1])
        )

    def root(self) -> int:
        """Return the position in which the game begins."""
        return self.start

    def player(self, state: int) -> int:
        """Return whose turn it is: x on an even number of marks."""
        marks = state.bit_count()
        return TERMINAL if state >= self.row_made or marks == len(self.squares) else marks & 1

    def actions(self, state: int) -> list[str]:
        """Return the empty squares from the top left on."""
        taken = state | state >> self.bits
        return [name for name, bit in self.squares if not taken & bit]

    def child(self, state: int, action: str) -> int:
        """Return the position after a mark on a square."""
        shift = self.bits if state.bit_count() & 1 else 0
        mine = (state >> shift) & self._board | self._bit_of[action]
        after = state | self._bit_of[action] << shift
        return after | self.row_made if self.has_row(mine) else after

    def payoffs(self, state: int) -> tuple[int, int]:
        """Return 1 to who made a row, -1 to the other."""
        if state < self.row_made:
            return OUTCOMES[0]
        return OUTCOMES[1 + (state.bit_count() & 1)]  # the bit that says so is counted too

    def search_order(self, state: int) -> list[str]:
        """Return the empty squares, those on the most possible rows first."""
        taken = state | state >> self.bits
        return [name for name, bit in self._best_first if not taken & bit]

    def evaluate(self, state: int) -> float:
        """Return how good a position looks for x, between -1 and 1.

        It is by how many rows more x can still make than o, as a share of all: for searches with a
        depth limit.
        """
        if self.player(state) == TERMINAL:
            return self.payoffs(state)[0]
        sides = state & self._board, state >> self.bits & self._board
        open_to_x, open_to_o = (
            sum(1 for row in self._rows if not row & other) for other in reversed(sides)
        )
        return (open_to_x - open_to_o) / (1 + len(self._rows))

    def canonical(self, state: int) -> tuple[str, ...]:
        """Return the same for positions that turning or reflecting the board makes equal."""
        board = tuple(row.replace(" ", "") for row in self.draw(state).split("\n"))
        return max(_images(board))

    def draw(self, state: int) -> str:
        """Return the board, a line for each row."""
        symbols = [
            "x" if state & bit else "o" if state >> self.bits & bit else "."
            for _, bit in self.squares
        ]
        return "\n".join(
            " ".join(symbols[r : r + self.columns]) for r in range(0, len(symbols), self.columns)
        )

    def has_row(self, squares: int) -> bool:
        """Return whether squares, as bits, hold a row."""
        for step in self._steps:
            run = squares
            for _ in range(self.in_a_row - 1):
                run &= run >> step
            if run:
                return True
        return False

    def _possible_rows(self) -> list[int]:
        """Return the rows that there are on the board, as bits of their squares."""
        everywhere = sum(bit for _, bit in self.squares)
        rows = [
            sum(bit << step * i for i in range(self.in_a_row))
            for _, bit in self.squares
            for step in self._steps
        ]
        return [row for row in rows if row & ~everywhere == 0]


def _images(board: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return a board after each symmetry that keeps its shape: 8 of a square, 4 of others."""
    flipped = [board, board[::-1]]
    images = [*flipped, *(tuple(row[::-1] for row in image) for image in flipped)]
    if len(board) == len(board[0]):
        images += [tuple(map("".join, zip(*image, strict=True))) for image in images]
    return images


def mnk(columns: int = 4, rows: int = 3, in_a_row: int = 3, board: str = "") -> MNK:
    """Return a game on `columns` by `rows` squares that `in_a_row` marks win.

    Parameters
    ----------
    columns
        m: columns of the board.
    rows
        n: its rows.
    in_a_row
        k: marks in a row that win.
    board
        The position to begin from, if not the empty one: rows from the top, separated by "/". Marks
        are x and o; ".", "-", "_" or "e" is an empty square. x moves if there are as many x as o,
        and o if there is one more x.

    Raises
    ------
    InvalidParameterError
        If a size is below 1, there are more than 26 columns, or the board is not a position.

    Examples
    --------
    >>> game = mnk(3, 3, 3, "xoo/..x/...")
    >>> print(game.draw(game.child(game.root(), "b2")))
    x o o
    . x x
    . . .
    """
    for name, value in (("columns", columns), ("rows", rows), ("in_a_row", in_a_row)):
        require(name, value, 1, LARGEST)
    if columns > 26:
        raise InvalidParameterError(f"columns={columns} is too large: use 26 or less")
    empty = MNK(columns, rows, in_a_row)
    return MNK(columns, rows, in_a_row, _position(empty, board)) if board else empty


def _position(game: MNK, board: str) -> int:
    """Return the state of a position written in rows."""
    rows = board.lower().replace(" ", "").split("/")
    fits = [len(row) for row in rows] == [game.columns] * game.rows
    if not fits or set("".join(rows)) - set(MARKS + EMPTY):
        raise InvalidParameterError(
            f"board={board!r}: write {game.rows} rows of "
            f"{game.columns} squares out of x, o and . separated by /"
        )
    squares = "".join(rows)
    sides = [
        sum(bit for (_, bit), mark in zip(game.squares, squares, strict=True) if mark == side)
        for side in MARKS
    ]
    if not 0 <= sides[0].bit_count() - sides[1].bit_count() <= 1:
        raise InvalidParameterError(
            f"board={board!r}: x moves first, so there are as many x as o, or one more x"
        )
    last = 1 - (sides[0].bit_count() - sides[1].bit_count())
    if game.has_row(sides[1 - last]):
        raise InvalidParameterError(
            f"board={board!r}: {MARKS[1 - last]} has a row already, "
            f"and {MARKS[last]} moved after it"
        )
    state = sides[0] | sides[1] << game.bits
    return state | game.row_made if game.has_row(sides[last]) else state


MNK_GAMES = GameEntry(
    "mnk",
    "m,n,k game: the first with k in a row wins, from any position",
    mnk,
    (
        KnownValue(1, UITERWIJK),
        KnownValue(0, UITERWIJK, {"columns": 3}),
        KnownValue(1, UITERWIJK, {"rows": 4}),
        KnownValue(0, UITERWIJK, {"rows": 4, "in_a_row": 4}),
    ),
)
