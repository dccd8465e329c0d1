"""Rows: the columns that every table of an experiment has, and how cells are written and read."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from seqform.form.sizes import ABSTRACT_SIZES, GAME_SIZES, LP_SIZES, SOLVER_SIZES

Cell = str | int | float | bool | None
Row = dict[str, Cell]
"""A row by column; a cell that is None is an empty one."""

INPUTS = ("game", "parameters", "reduction", "method", "options", "seed")
"""What was asked for. Parameters and options are those written in brackets after the name of a game
or a method, as JSON; those that are axes have columns of their own."""

PHASES = ("build", "reduce", "solve", "complete", "lift", "certify", "exact", "prove")
"""What the seconds of a solve are of; see `seqform.base.clock`."""

FOUND = (
    *("status", "value", "lower", "upper", "gap", "iterations"),
    *GAME_SIZES,
    *SOLVER_SIZES,
    *(f"abstract_{name}" for name in ABSTRACT_SIZES),
    *(f"seconds_{phase}" for phase in PHASES),
)
"""What the default measure finds; wall-clock seconds by phase."""

RUN = (
    *("seconds", "cpu_seconds", "peak_mb", "reason"),
    *("experiment", "versions", "commit", "date", "part", "key"),
)
"""What the runner adds. `part` is the row's number and how many rows the point has: ``1/3``."""

STANDARD = (*INPUTS, *FOUND, *RUN)

TABLE_VERSION = "table=3"
"""What the cell `versions` of a row has; such a row has a checksum."""

SIZES_OF_GAMES = {"table=2", TABLE_VERSION}
"""In rows of other versions that a solution gave, `lp_rows`, `lp_columns` and `lp_nonzeros` are
those of the program that a solver was given."""

CHECKSUM = "checksum"
"""The last column, of the file alone: SHA-256 of the row's other cells and their columns."""

TEXT = {
    *("game", "parameters", "reduction", "method", "options", "status"),
    *("reason", "experiment", "versions", "commit", "date", "part", "key"),
}
"""Columns whose cells are text, whatever they look like."""

VARYING = {
    *("seconds", "cpu_seconds", "peak_mb", "versions", "commit", "date"),
    *(f"seconds_{phase}" for phase in PHASES),
}
"""Columns that differ from run to run of the same inputs."""


WHOLE = re.compile(r"-?[0-9]+")
REAL = re.compile(r"-?([0-9]+\.[0-9]*(e[+-]?[0-9]+)?|[0-9]+e[+-]?[0-9]+|inf)")
"""How numbers are written in cells; any other text is text."""


def column_of(axis: str) -> str:
    """Return the column of an axis; one that is also found has another name for what was asked.

    Examples
    --------
    >>> column_of("deck"), column_of("gap")
    ('deck', 'asked_gap')
    """
    return f"asked_{axis}" if axis in (*FOUND, *RUN) else axis


def of_this_version(row: Row) -> Row:
    """Return a row whose sizes have the names of today, whenever it was made.

    Examples
    --------
    >>> of_this_version({"engine": "lp/clarabel", "lp_rows": 2, "versions": "seqform=0.1.0"})
    {'engine': 'lp/clarabel', 'solver_rows': 2, 'versions': 'seqform=0.1.0'}
    """
    is_older = SIZES_OF_GAMES.isdisjoint(str(row.get("versions")).split())
    if not is_older or "engine" not in row or any(name in row for name in SOLVER_SIZES):
        return row
    names = dict(zip(LP_SIZES, SOLVER_SIZES, strict=True))
    return {names.get(name, name): cell for name, cell in row.items()}


def checksum_of(cells: Mapping[str, str]) -> str:
    """Return the checksum of all columns of a row, and its cells as they are written.

    Examples
    --------
    >>> checksum_of({"game": "kuhn", "checksum": "0"}) == checksum_of({"game": "kuhn"})
    True
    >>> checksum_of({"game": "kuhn"}) == checksum_of({"gane": "kuhn"})
    False
    """
    said = {name: text for name, text in cells.items() if name != CHECKSUM}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_whole(cells: Mapping[str, str]) -> bool:
    """Return whether a row is as it was written; rows of earlier versions do not say."""
    is_sealed = TABLE_VERSION in cells.get("versions", "").split() or cells.get(CHECKSUM, "") != ""
    return not is_sealed or cells.get(CHECKSUM) == checksum_of(cells)


def in_order(columns: Iterable[str], axes: Sequence[str]) -> list[str]:
    """Return columns in the order of a table: axes, inputs, what was found, the run.

    Columns that only the experiment has stand before those of the run.
    """
    given = list(dict.fromkeys(columns))
    own = [name for name in given if name not in STANDARD and name not in axes]
    wanted = dict.fromkeys((*axes, *INPUTS, *FOUND, *own, *RUN))
    return [name for name in wanted if name in given]


def written(cell: Cell) -> str:
    """Return a cell as the text of a CSV file; floats in full.

    Examples
    --------
    >>> [written(cell) for cell in (None, True, 0.1, float("nan"), "a b")]
    ['', 'true', '0.1', '', 'a b']
    """
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def read(column: str, text: str) -> Cell:
    """Return the cell that a text of a CSV file is.

    Examples
    --------
    >>> [read("deck", text) for text in ("", "true", "0.1", "12", "5x3")]
    [None, True, 0.1, 12, '5x3']
    >>> read("key", "0123")
    '0123'
    """
    if text == "":
        return None
    if column in TEXT:
        return text
    if text in ("true", "false"):
        return text == "true"
    if WHOLE.fullmatch(text):
        return int(text)
    return float(text) if REAL.fullmatch(text) else text
