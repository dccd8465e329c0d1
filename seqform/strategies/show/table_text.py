"""Tables of texts, and how they are written in lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import NamedTuple

from seqform.strategies.analysis import PLAYED_FROM

GAP = "  "
"""Between columns; groups of columns stand two of them apart."""

SMALL = 1e-9
"""Of the largest payoff: what is less is written with one digit."""


class Column(NamedTuple):
    """A column: its head, the group of columns it begins or belongs to, and how texts stand."""

    head: str
    group: str = ""
    is_number: bool = True


class Table(NamedTuple):
    """A title, columns, and a row of texts for each line."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table, none of them wrapped.

        Examples
        --------
        >>> columns = Column("", "", False), Column("check", "first"), Column("bet", "first")
        >>> print(written([Table("player 0", columns, (("K", "0.25", "0.75"),))]))
        player 0
             first
             check   bet
          K   0.25  0.75
        """
        widths = self._widths()
        if self.title:
            yield self.title
        if any(column.group for column in self.columns):
            yield self._group_line(widths)
        if any(column.head for column in self.columns):
            yield self._line(widths, [column.head for column in self.columns])
        for row in self.rows:
            yield self._line(widths, row)

    @property
    def has_brackets(self) -> bool:
        """Whether a number is in brackets."""
        places = [place for place, column in enumerate(self.columns) if column.is_number]
        return any(row[place].startswith("(") for row in self.rows for place in places)

    def _widths(self) -> list[int]:
        """Return the width of each column; the last of a group makes room for the group's name."""
        cells = zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns)
        widths = [
            max(map(len, (column.head, *texts)))
            for column, texts in zip(self.columns, cells, strict=True)
        ]
        for first, last in self._groups():
            room = sum(widths[first:last]) + len(GAP) * (last - first - 1)
            widths[last - 1] += max(0, len(self.columns[first].group) - room)
        return widths

    def _groups(self) -> Iterator[tuple[int, int]]:
        """Yield where neighbours of one group begin and end."""
        start = 0
        for place in range(1, len(self.columns) + 1):
            is_end = place == len(self.columns)
            if is_end or self.columns[place].group != self.columns[start].group:
                yield start, place
                start = place

    def _group_line(self, widths: list[int]) -> str:
        parts = []
        for first, last in self._groups():
            room = sum(widths[first:last]) + len(GAP) * (last - first - 1)
            parts.append(self.columns[first].group.ljust(room) + self._space(last - 1))
        return (GAP + "".join(parts)).rstrip()

    def _line(self, widths: list[int], texts: Sequence[str]) -> str:
        parts = []
        for place, (width, text) in enumerate(zip(widths, texts, strict=True)):
            justify = text.rjust if self.columns[place].is_number else text.ljust
            parts.append(justify(width) + self._space(place))
        return (GAP + "".join(parts)).rstrip()

    def _space(self, place: int) -> str:
        """Return what stands after a column."""
        after = self.columns[place + 1 :]
        is_last_of_group = bool(after) and after[0].group != self.columns[place].group
        return GAP * 2 if is_last_of_group and self.columns[place].group else GAP


def written(tables: Iterable[Table]) -> str:
    """Return tables one below the other."""
    return "\n\n".join("\n".join(table.lines()) for table in tables)


def probability_text(probability: float, is_reached: bool = True) -> str:
    """Write a probability, in brackets where play never comes; below `PLAYED_FROM` it is 0.

    Examples
    --------
    >>> probability_text(1 / 3), probability_text(1 - 1e-9), probability_text(0.5, False)
    ('0.333', '1', '(0.500)')
    >>> probability_text(0.0002), probability_text(0.99998), probability_text(0.9999989)
    ('2e-04', '0.99998', '0.999999')
    """
    text = _probability(float(probability))
    return text if is_reached else f"({text})"


def _probability(number: float) -> str:
    if min(number, 1 - number) < PLAYED_FROM:
        return f"{number:.0f}"
    if number < 0.0005:
        return f"{number:.0e}"
    if number >= 0.9995:
        digits = -int(f"{1 - number:.0e}".partition("e")[2])  # as many as tell it from 1
        return f"{number:.{digits}f}"
    return f"{number:.3f}"


def amount_text(amount: float, scale: float = 1.0) -> str:
    """Write what somebody gets with four digits; nothing where it is not defined.

    What is less than 1e-9 of `scale` has one digit. Only 0 is written as 0.

    Examples
    --------
    >>> amount_text(-0.055555), amount_text(float("nan")), amount_text(-3.21e-13), amount_text(-0.0)
    ('-0.05556', '', '-3e-13', '0')
    >>> amount_text(1.0, scale=1e19)
    '1'
    """
    if isnan(amount):
        return ""
    text = f"{amount:.4g}"
    is_small = 0 < abs(amount) < SMALL * scale
    return f"{amount:.0e}" if is_small and "e" in text else "0" if amount == 0 else text
