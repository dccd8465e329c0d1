"""Rows of an experiment as tables: what is the same stands above, and no result is left out.

Axes say which row it is, and begin each table. Where a line does not take all results, the others
follow in further tables. What goes to a file or a pipe is one table, however wide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from seqform.cli import display
from seqform.experiment import INPUTS, column_of

if TYPE_CHECKING:
    from seqform.experiment import Cell, ExperimentSpec, Finished, Row

DEFAULT = (
    *("status", "value", "gap", "seconds", "lp_rows", "lp_nonzeros"),
    *("abstract_lp_rows", "abstract_lp_nonzeros"),
)
"""Results that are shown if an experiment does not say which."""

IN_BRACKETS = {"game": ("parameters",), "method": ("options",)}
"""Columns that stand beside those of a name."""

SHORT = {"gap": 2, "seconds": 3, "cpu_seconds": 3}
"""Digits of columns that are told apart by their size."""

PADDING = 3
"""Blanks that a column of a table takes."""

BORDER = 1
"""Those that a table takes besides."""


Column = tuple[str, ...]
"""A heading, and below it the cells."""


class Columns(NamedTuple):
    """The columns that are shown.

    Parameters
    ----------
    same
        Inputs that are the same in all rows, with their cell.
    keys
        Inputs that differ: which row it is.
    results
        What was found.
    """

    same: Mapping[str, Cell]
    keys: Sequence[str]
    results: Sequence[str]


def columns_of(spec: ExperimentSpec, rows: Sequence[Row]) -> Columns:
    """Return which columns are shown, and where; those that are empty in all rows are not."""
    shown = spec.shown or DEFAULT
    axes = [column_of(axis.name) for axis in spec.axes]
    asked = [name for axis in axes for name in (axis, *IN_BRACKETS.get(axis, ()))]
    asked += [name for name in ("parameters", "options", *shown) if name in INPUTS]
    cells = {
        name: list(dict.fromkeys(row.get(name) for row in rows))
        for name in dict.fromkeys((*asked, *shown))
    }
    known = [name for name, of in cells.items() if of != [None]]
    asked = [name for name in known if name in asked]
    same = {name: cells[name][0] for name in asked if len(cells[name]) == 1}
    keys = [name for name in asked if name not in same]
    return Columns(same, keys, [name for name in known if name not in asked])


def print_rows(found: Finished) -> None:
    """Print the rows of an experiment by the columns that it shows."""
    rows = last_rows(found.rows) if found.spec.brief else found.rows
    columns = columns_of(found.spec, rows)
    if columns.same:
        same = (f"{words(name)} {written(name, cell)}" for name, cell in columns.same.items())
        print("in all rows:", ", ".join(same))
    keys, results = (
        [(words(n), *(written(n, row.get(n)) for row in rows)) for n in names]
        for names in (columns.keys, columns.results)
    )
    print_folded(keys, results)
    if len(rows) < len(found.rows):
        print(f"the last of each; all {len(found.rows):,} rows are in the file")


def last_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the last row of each point, in their order."""
    return list({row.get("key"): row for row in rows}.values())


def print_folded(keys: Sequence[Column], results: Sequence[Column]) -> None:
    """Print columns as tables that fit a terminal, each with the keys; elsewhere as one table."""
    room = display.room()
    if isfinite(room):  # headings take a line for each word
        keys, results = (
            [(column[0].replace(" ", "\n"), *column[1:]) for column in of] for of in (keys, results)
        )
    for together in folded([*map(_width, keys)], [*map(_width, results)], room):
        _print(keys, [results[number] for number in together], room)


def _width(column: Column) -> int:
    return max(len(line) for text in column for line in text.split("\n")) + PADDING


def _print(keys: Sequence[Column], results: Sequence[Column], room: float) -> None:
    """Print columns as one table."""
    table = display.new_table()
    for column in keys:
        table.add_column(column[0], overflow="fold", no_wrap=not isfinite(room))
    for column in results:
        table.add_column(column[0], no_wrap=_width(column) <= room - BORDER, overflow="fold")
    for row in list(zip(*keys, *results, strict=True))[1:]:
        table.add_row(*row)
    show = display.print_table if isfinite(room) else display.print_whole
    show(table)


def folded(keys: Sequence[int], results: Sequence[int], room: float) -> list[list[int]]:
    """Return the numbers of the results of each table: as many as stand beside the keys.

    Keys are broken where they would leave no room for the widest result.

    Parameters
    ----------
    keys, results
        Letters that each takes.
    room
        Letters of a line.

    Examples
    --------
    >>> folded([8], [9, 6, 7], 24)
    [[0, 1], [2]]
    """
    own = min(sum(keys), room - BORDER - max(results, default=0))
    tables: list[list[int]] = [[]]
    for number in range(len(results)):
        taken = sum(results[other] for other in (*tables[-1], number))
        if tables[-1] and taken > room - BORDER - own:
            tables.append([])
        tables[-1].append(number)
    return tables


def words(column: str) -> str:
    """Return the name of a column for people."""
    return column.replace("_", " ")


def written(column: str, cell: Cell) -> str:
    """Write a cell; parameters and options, which are JSON, as they are typed."""
    if column in ("parameters", "options") and isinstance(cell, str):
        return ",".join(f"{key}={_shown(value)}" for key, value in json.loads(cell).items())
    return _shown(cell, SHORT.get(column, 6))


def _shown(cell: Cell, digits: int = 6) -> str:
    if isinstance(cell, float):
        return f"{cell:.{digits}g}"
    return "" if cell is None else display.grouped(cell)
