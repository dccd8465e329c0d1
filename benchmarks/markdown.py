"""How are rows of a benchmark written as tables of a page?"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Table = list[Row]
Layout = Callable[[Table], Table]
"""What makes the lines of a table, cells by heading, of rows."""


def markdown(title: str, lines: Table) -> str:
    """Return a table as markdown, without columns that are empty."""
    filled = {heading for line in lines for heading, value in line.items() if cell(value)}
    headings = [h for h in dict.fromkeys(h for line in lines for h in line) if h in filled]
    texts = [[cell(line.get(heading)) for heading in headings] for line in lines]
    rows = [headings, ["---"] * len(headings), *texts]
    return f"## {title}\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def cell(value: Any) -> str:
    """Return what a table shows: floats with three significant digits, or all before the point.

    Examples
    --------
    >>> [cell(value) for value in (None, 1237238, 0.00049628, 2688.3, 1.9e-12, [175, 175], True)]
    ['', '1,237,238', '0.000496', '2,688', '1.9e-12', '175, 175', 'True']
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(cell, value))
    if isinstance(value, float):
        return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else _short(f"{value:.3g}")
    return f"{value:,}" if type(value) is int else str(value)


def _short(number: str) -> str:
    """Return a number with the shortest exponent."""
    return re.sub(r"e([+-])0", lambda m: "e-" if m[1] == "-" else "e", number)


def whole(rows: Table) -> Table:
    """Return rows as they are."""
    return rows


def columns(headings: dict[str, str], rows: Table) -> Table:
    """Return rows with some columns, under other headings."""
    return [{shown: row.get(column) for shown, column in headings.items()} for row in rows]
