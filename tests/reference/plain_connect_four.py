"""Connect Four the obvious way: columns are strings, every line is looked at, every position is
searched to the end."""

from __future__ import annotations

from functools import cache, cached_property

Position = tuple[str, ...]
"""The stones of each column from the bottom up."""


class PlainConnectFour:
    """The rules, and the outcome of perfect play."""

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.outcome = cache(self._outcome)

    def position(self, moves: list[int]) -> Position:
        """Return the position after columns counted from 1."""
        position: Position = ("",) * self.columns
        for move in moves:
            position = self.after(position, move)
        return position

    def mover(self, position: Position) -> str:
        return "xo"[sum(map(len, position)) % 2]

    def legal(self, position: Position) -> list[int]:
        return [column for column, stones in enumerate(position, 1) if len(stones) < self.rows]

    def after(self, position: Position, move: int) -> Position:
        stones = list(position)
        stones[move - 1] += self.mover(position)
        return tuple(stones)

    @cached_property
    def lines(self) -> list[list[tuple[int, int]]]:
        """Every line as squares (column, row)."""
        starts = [
            (c, r, dc, dr)
            for c in range(self.columns)
            for r in range(self.rows)
            for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1))
        ]
        lines = [[(c + k * dc, r + k * dr) for k in range(self.connect)] for c, r, dc, dr in starts]
        return [
            line
            for line in lines
            if all(0 <= c < self.columns and 0 <= r < self.rows for c, r in line)
        ]

    def winner(self, position: Position) -> str | None:
        for line in self.lines:
            marks = {position[c][r : r + 1] for c, r in line}
            if len(marks) == 1 and marks != {""}:
                return marks.pop()
        return None

    def is_over(self, position: Position) -> bool:
        return self.winner(position) is not None or not self.legal(position)

    def _outcome(self, position: Position) -> tuple[int, int]:
        """Return 1, 0 or -1 to who moves, and in how many moves: who wins hurries and who loses
        does not."""
        if self.is_over(position):
            return (0 if self.winner(position) is None else -1), 0
        after = [self.outcome(self.after(position, move)) for move in self.legal(position)]
        best = max(after, key=lambda outcome: (-outcome[0], outcome[0] * outcome[1]))
        return -best[0], best[1] + 1
