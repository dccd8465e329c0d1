"""Tables that readers sort by a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Head(NamedTuple):
    """A column's name, whether it holds numbers, and what becomes of it on a phone.

    There `on_phone` is ``kept`` for a column that is always in sight, and ``less`` for one that is
    left out.
    """

    name: str
    is_number: bool = False
    on_phone: str = ""

    @property
    def classes(self) -> str | None:
        """The classes of its cells."""
        words = ["number"] * self.is_number + [self.on_phone] * bool(self.on_phone)
        return " ".join(words) or None


class Cell(NamedTuple):
    """What stands in a cell, and the number by which it is sorted where that is not its text."""

    content: object
    number: float | None = None


class Table(NamedTuple):
    """A table, the first cell of each row its header.

    Parameters
    ----------
    rows
        Cells: text, markup, or `Cell` where a number says where it belongs.
    """

    caption: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[object]]

    def cells(self, row: Sequence[object]) -> Iterator[tuple[Head, Cell]]:
        """Yield the cells of a row, each with the head of its column."""
        for head, cell in zip(self.heads, row, strict=True):
            yield head, cell if isinstance(cell, Cell) else Cell(cell)
