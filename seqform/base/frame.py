"""Strategies as data frames of pandas, and as tables for files, a row for each action."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Any, Protocol, TextIO

from seqform.base.errors import ResultFileError, SolverError
from seqform.base.whole_file import reason, replacing_table


class Listed(Protocol):
    """Something with a row for each action."""

    @property
    def columns(self) -> tuple[str, ...]:
        """What a row says, in order."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each action, with the game's own names."""


class Written(Listed, Protocol):
    """The same where names can also be had as they are written."""

    def rows(
        self, player: int | None = None, infosets: Any = None, *, as_text: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Yield a row for each action, of all players, or of some information sets of one."""


def frame_of(listed: Listed) -> Any:
    """Return rows as a `pandas.DataFrame`.

    Raises
    ------
    SolverError
        If pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise SolverError(
            "frames need pandas, which is not installed: pip install 'seqform[pandas]'"
        ) from None
    return pd.DataFrame(list(listed.rows()), columns=list(listed.columns))


def write_rows(columns: Sequence[str], rows: Iterable[dict[str, Any]], file: TextIO) -> None:
    """Write rows as CSV: names as they are written, and nothing where a number is not defined."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = (row[name] for name in columns)
        writer.writerow("" if isinstance(cell, float) and isnan(cell) else cell for cell in cells)


def save_rows(columns: Sequence[str], rows: Iterable[dict[str, Any]], path: Path | str) -> None:
    """Write rows to a table .csv, as pandas would, but without it; see `write_rows`.

    Raises
    ------
    ResultFileError
        If the file cannot be written.
    """
    check_frame_file(path)
    try:
        with replacing_table(path) as file:
            write_rows(columns, rows, file)
    except OSError as error:
        raise ResultFileError(f"cannot write to {path}: {reason(error)}") from None


def check_frame_file(path: Path | str) -> None:
    """Check that a table can be written to a file of that name, before any work is done.

    Raises
    ------
    ResultFileError
        If not.
    """
    path = Path(path)
    if path.suffix.lower() != ".csv":
        raise ResultFileError(f"{path}: a frame is written as a table, whose name ends in .csv")
    if os.path.isdir(path) or not os.path.isdir(path.parent):
        wrong = "it is a folder" if os.path.isdir(path) else f"there is no folder {path.parent}"
        raise ResultFileError(f"cannot write to {path}: {wrong}")
