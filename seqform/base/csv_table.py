"""Tables of users in CSV files: rows, and the cells under the columns that count, in any order."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from seqform.base.errors import ResultFileError
from seqform.base.summary import counted
from seqform.base.whole_file import reason

Rows = list[list[str]]


def read_rows(path: Path) -> Rows:
    """Return the rows of a table, its header first.

    Cells are parted by commas, or by semicolons where the header has such and no commas.

    Raises
    ------
    ResultFileError
        If the file is missing, or no table.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            header = file.readline()
            file.seek(0)
            parted = ";" if ";" in header and "," not in header else ","
            return list(csv.reader(file, delimiter=parted))
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {reason(error)}") from None


def header_of(rows: Rows) -> list[str]:
    """Return the names of the columns."""
    return [cell.strip() for cell in rows[0]] if rows else []


def cells_under(
    path: Path, rows: Rows, columns: Sequence[str], expected: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield where each line is, for error messages, and its cells under some columns.

    Parameters
    ----------
    path
        Of the table, for error messages.
    rows
        See `read_rows`; empty ones are left out.
    columns
        Names from the header.
    expected
        What such a table has, for error messages.

    Raises
    ------
    ResultFileError
        If a column is missing, or a line too short.
    """
    header = header_of(rows)
    lacking = [column for column in columns if column not in header]
    if lacking:
        raise ResultFileError(
            f"{path} has no column {lacking[0]}: it begins with {','.join(header)!r}; {expected}"
        )
    places = [header.index(column) for column in columns]
    for number, cells in enumerate(rows[1:], start=2):
        if not any(cells):
            continue
        where = f"{path}, line {number}: "
        if len(cells) <= max(places):
            raise ResultFileError(
                f"{where}{counted(len(cells), 'cell')} under {counted(len(header), 'column')}"
            )
        yield where, [cells[place] for place in places]
