"""Cells of rows that figures of pages stand for: which they are, and what they say.

docs/figures.toml names them. A cell is text: a file of rows, what its row has in some columns, and
the column, with " | " between them:

    benchmarks/results/peers.json | game=kuhn | program=seqform | inside

That has to be one row. "shrink[1]" is the second number of what a column holds, and what stands in
"..." may be anything. A figure that follows from cells is a table with one key, by which they are
put together: ``{ ratio = [CELL, CELL] }``. Numbers may stand for cells there, and for ``least``,
``most``, ``sum`` and ``count`` one text may name many rows. A lower bound is rounded down and an
upper one up: ``{ down = CELL }``, ``{ up = CELL }``.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from tests.imports import ROOT
from tests.numbers import half_a_digit, numbers_of, rounds_to

Row = dict[str, Any]
BETWEEN = " | "
INDEX = re.compile(r"(.*)\[(\d+)\]")

COMBINED: dict[str, Callable[[list[float]], float]] = {
    "ratio": lambda parts: parts[0] / parts[1],
    "difference": lambda parts: parts[0] - parts[1],
    "product": lambda parts: parts[0] * parts[1],
    "sum": sum,
    "least": min,
    "most": max,
    "count": lambda parts: float(len(parts)),
}
"""Ways to put cells together."""


AWAY = {"down": -1, "up": 1}
"""Ways in which bounds are rounded."""


class NoCellError(ValueError):
    """What is named is not one cell with a number."""


def says(cell: Any, figure: str) -> bool:
    """Return whether a cell is what a page shows, once rounded."""
    way = next(iter(cell)) if isinstance(cell, dict) and len(cell) == 1 else ""
    if way not in AWAY:
        return rounds_to(value_of(cell), figure)
    return rounds_to(value_of(cell[way]) + AWAY[way] * half_a_digit(figure), figure)


def value_of(cell: Any) -> float:
    """Return the number of a cell, or of what cells are put together to.

    Raises
    ------
    NoCellError
        If it is not one cell, or holds no number.
    """
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return float(cell)
    if isinstance(cell, str):
        found = list(numbers(cell))
        if len(found) != 1:
            raise NoCellError(f"{cell}: {len(found)} cells")
        return found[0]
    if not isinstance(cell, dict) or len(cell) != 1 or not set(cell) <= set(COMBINED):
        raise NoCellError(f"{cell}: no cell, nor one of {', '.join(COMBINED)}")
    ((way, parts),) = cell.items()
    many = numbers(parts) if isinstance(parts, str) else map(value_of, parts)
    return COMBINED[way](list(many))


def numbers(cell: str) -> Iterator[float]:
    """Yield the numbers of all cells that a text names; empty ones are none."""
    file, *conditions, column = cell.split(BETWEEN)
    wanted = [condition.split("=", 1) for condition in conditions]
    name, place = match.groups() if (match := INDEX.fullmatch(column)) else (column, "0")
    for row in rows_of(file):
        if all(shown_as(row.get(key)) == text for key, text in wanted) and row.get(name) not in (
            None,
            "",
        ):
            yield number(row[name], int(place))


def number(content: Any, place: int) -> float:
    """Return one of the numbers that a cell holds.

    Raises
    ------
    NoCellError
        If it holds none at this place.
    """
    if isinstance(content, str) and re.fullmatch(r"-?\d+/\d+", content):
        return float(Fraction(content))
    found = numbers_of(content)
    if place >= len(found):
        raise NoCellError(f"{content!r} has {len(found)} numbers")
    return found[place]


def shown_as(content: Any) -> str:
    """Return how a condition writes what a row has."""
    return content if isinstance(content, str) else json.dumps(content)


@cache
def rows_of(file: str) -> list[Row]:
    """Return the rows of a file: JSON, CSV, or the table of a Markdown file."""
    text = (ROOT / file).read_text()
    if file.endswith(".json"):
        content = json.loads(text)
        return content["rows"] if isinstance(content, dict) else content
    if file.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], line, strict=False)) for line in lines[2:]]
