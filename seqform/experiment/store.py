"""Store: the table of an experiment on the disk, rows added as they are made.

``rows.csv`` is appended to and written down to the disk after each point, so that a process that is
killed loses the row in flight and no other. What it was writing then is recognised: a point is
there if all rows of it are, each whole. The rest is dropped when the table is opened again. Rows
with new columns have the table written anew, as a whole. Each row has a checksum of its cells and
their columns, so that what was changed is noticed.
"""

from __future__ import annotations

import csv
import errno
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO
from pathlib import Path

from seqform.base.errors import ResultFileError
from seqform.base.whole_file import locked, reason, replacing, write_text
from seqform.experiment.point import Point
from seqform.experiment.row import (
    CHECKSUM,
    TABLE_VERSION,
    TEXT,
    Cell,
    Row,
    checksum_of,
    column_of,
    in_order,
    is_whole,
    of_this_version,
    read,
    written,
)
from seqform.experiment.spec import ExperimentSpec
from seqform.experiment.task import inputs_of

TABLE, PARQUET, LOCK = "rows.csv", "rows.parquet", ".lock"


def read_table(path: Path | str) -> list[Row]:
    """Return the rows of a table, as far as their points are whole.

    Parameters
    ----------
    path
        The folder of an experiment, or a file of such rows.

    Raises
    ------
    ResultFileError
        If there is none, or it is no table of an experiment, or a row is not as it was written.
    """
    path = Path(path)
    path = path / TABLE if os.path.isdir(path) else path
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist: run the experiment first") from None
    except OSError as error:
        raise ResultFileError(f"{path} cannot be read: {reason(error)}") from None
    try:
        return _whole(path, text)
    except csv.Error as error:
        raise ResultFileError(f"{path} is no table of an experiment: {error}") from None


def _whole(path: Path, text: str) -> list[Row]:
    """Return the rows of the points that are all there, one time each."""
    text = text[: text.rfind("\n") + 1]
    lines = csv.reader(StringIO(text, newline=""))
    header = next(lines, [])
    if header and (lines.line_num > 1 or not {"key", "part"} <= set(header)):
        raise ResultFileError(
            f"{path} is no table of an experiment, or damaged: it has no columns key and part; "
            "give another folder, out="
        )
    points: dict[str, dict[str, Row]] = {}
    number, physical = lines.line_num, text.split("\n")
    for cells in lines:
        if len(cells) == len(header):
            row = _row(path, number + 1, dict(zip(header, cells, strict=True)))
            points.setdefault(str(row["key"]), {})[str(row["part"])] = of_this_version(row)
        elif not points or len(cells) > len(header) or _has_row(header, physical[number + 1 :]):
            raise _altered(path, number + 1)  # what was half written is short, and the end
        number = lines.line_num
    return [row for parts in points.values() if _all_there(parts) for row in parts.values()]


def _row(path: Path, line: int, cells: dict[str, str]) -> Row:
    """Return a row, after comparing it with its checksum."""
    if not is_whole(cells):
        raise _altered(path, line)
    return {name: read(name, cell) for name, cell in cells.items() if name != CHECKSUM}


def _has_row(header: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether one of the lines is a row with its checksum."""
    for line in lines:
        with suppress(csv.Error):
            cells = next(csv.reader([line]), [])
            row = dict(zip(header, cells, strict=False))
            if len(cells) == len(header) and row.get(CHECKSUM) and is_whole(row):
                return True
    return False


def _altered(path: Path, line: int) -> ResultFileError:
    return ResultFileError(
        f"{path} was altered: line {line} does not match its checksum. Delete the line to have its "
        "point measured again; or clear the cells versions and checksum of rows that you changed"
    )


def _all_there(parts: Mapping[str, Row]) -> bool:
    count = next(iter(parts)).rpartition("/")[2]
    return count.isdecimal() and [*parts] == [f"{n}/{count}" for n in range(1, int(count) + 1)]


class Store:
    """The rows of a folder, which one process at a time may have open; a context manager.

    Parameters
    ----------
    folder
        Is made if it is not there.
    spec
        The experiment whose rows they are.
    points
        Those asked for, by their keys; the table has their rows first, in this order.

    Attributes
    ----------
    rows
        All rows that are there, by the key of their point.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, is in use, or holds rows of another experiment.
    """

    def __init__(self, folder: Path, spec: ExperimentSpec, points: Mapping[str, Point]) -> None:
        self.path, self._points = folder / TABLE, points
        self._name, self._axes = spec.name, [column_of(axis.name) for axis in spec.axes]
        self.rows: dict[str, list[Row]] = {}
        self._columns: list[str] = []
        self._open = ExitStack()

    def __enter__(self) -> Store:
        with _writing(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open.enter_context(locked(self.path.with_name(LOCK), wait=0.0))
        with self._open.pop_all() as held:
            for row in read_table(self.path) if os.path.exists(self.path) else ():
                self._check(row)
                self.rows.setdefault(str(row["key"]), []).append(self._asked(row))
            with _writing(self.path):
                self._rewrite()
            self._open = held.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Bring the table into order, write it as Parquet too, and let others have it."""
        with _writing(self.path), self._open:
            self.rows = {**self.found, **self.rows}
            self._rewrite()
            if self.rows:
                write_parquet(self.path.with_name(PARQUET), self._all(), self._columns)

    @property
    def asked(self) -> int:
        """How many points are asked for."""
        return len(self._points)

    @property
    def found(self) -> dict[str, list[Row]]:
        """The rows of the points asked for, by key, as far as they are there.

        Each row has all columns of the table.
        """
        empty: Row = dict.fromkeys(self._columns)
        known = (key for key in self._points if key in self.rows)
        return {key: [empty | row for row in self.rows[key]] for key in known}

    def add(self, rows: Sequence[Row]) -> None:
        """Add all rows of a point, down to the disk.

        Raises
        ------
        ResultFileError
            If they cannot be written.
        """
        rows = [{name: read(name, written(cell)) for name, cell in row.items()} for row in rows]
        self.rows[str(rows[0]["key"])] = rows
        with _writing(self.path):
            if all(name in self._columns for row in rows for name in row):
                self._append(_lines(rows, self._columns))
            else:
                self._rewrite()

    def drop(self, statuses: Collection[str]) -> None:
        """Forget the points asked for whose rows have one of these statuses."""
        for key, rows in self.found.items():
            if any(row["status"] in statuses for row in rows):
                del self.rows[key]

    def forget(self) -> None:
        """Forget all points asked for."""
        for key in self.found:
            del self.rows[key]

    def _check(self, row: Row) -> None:
        if row.get("experiment") != self._name:
            raise ResultFileError(
                f"{self.path} holds rows of the experiment {row.get('experiment')!r}, "
                f"and not of {self._name!r}: give another folder, out="
            )

    def _asked(self, row: Row) -> Row:
        """Return a row with what was asked for as it is written today, if its point is known."""
        if row["key"] not in self._points:
            return row
        asked = inputs_of(self._points[str(row["key"])])
        lacking = {name: cell for name, cell in asked.items() if row.get(name) is None}
        return row | lacking | {name: asked[name] for name in ("parameters", "options")}

    def _all(self) -> list[Row]:
        return [row for rows in self.rows.values() for row in rows]

    def _append(self, text: str) -> None:
        with self.path.open("ab") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())

    def _rewrite(self) -> None:
        """Write the whole table anew; the old one is there until the new one is."""
        rows = self._all()
        self._columns = in_order((name for row in rows for name in row), self._axes)
        if rows:
            write_text(self.path, _lines([], self._columns, True) + _lines(rows, self._columns))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        in_use = " (an experiment is under way there)" if error.errno == errno.EBUSY else ""
        raise ResultFileError(f"{path} cannot be written: {reason(error)}{in_use}") from None


def _lines(rows: Sequence[Row], columns: Sequence[str], header: bool = False) -> str:
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    if header:
        table.writerow([*columns, CHECKSUM])
    table.writerows(_cells(row, columns) for row in rows)
    return text.getvalue()


def _cells(row: Row, columns: Sequence[str]) -> list[str]:
    """Return the cells of a row, and its checksum; rows of earlier versions get none."""
    cells = {name: written(row.get(name)) for name in columns}
    is_sealed = TABLE_VERSION in cells.get("versions", "").split()
    return [*cells.values(), checksum_of(cells) if is_sealed else ""]


def write_parquet(path: Path, rows: Sequence[Row], columns: Sequence[str]) -> bool:
    """Write rows as a Parquet file, as a whole; tell whether the library for it is there."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return False
    table = pyarrow.table({name: _column(name, rows) for name in columns})
    with replacing(path) as file:
        parquet.write_table(table, file)
    return True


def _column(name: str, rows: Sequence[Row]) -> list[Cell]:
    """Return a column whose cells are of one type: numbers, truth values, else texts."""
    cells = [row.get(name) for row in rows]
    kinds = {type(cell) for cell in cells if cell is not None}
    is_large = any(isinstance(cell, int) and abs(cell) >= 2**63 for cell in cells)
    if name in TEXT or is_large or (len(kinds) > 1 and kinds != {int, float}):
        return [None if cell is None else written(cell) for cell in cells]
    if kinds == {int, float}:
        return [None if cell is None else float(cell) for cell in cells]
    return cells
