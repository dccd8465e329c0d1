"""One task of a sweep: a point is measured, whatever happens becomes rows."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from seqform.base.deadline import on_time, time_limited
from seqform.base.errors import CrashError, OutOfTimeError, SeqformError, SolverError
from seqform.base.free_memory import forget_peak
from seqform.base.memory import peak_rss_mb
from seqform.base.provenance import PACKAGES, provenance
from seqform.experiment.point import Point
from seqform.experiment.row import TABLE_VERSION, Row, column_of

DONE = "done"
"""The status of a row whose measure says none; those of solutions are `Status` in small letters."""

REFUSED, OUT_OF_TIME, FAILED, KILLED = "refused", "out of time", "failed", "killed"
UNFINISHED = (REFUSED, OUT_OF_TIME, FAILED, KILLED)
"""Statuses of rows that hold no answer."""


@dataclass(frozen=True)
class Measuring:
    """Turns a point into rows, wherever that is done; an error is one row with its reason.

    Parameters
    ----------
    measure
        Makes the cells of one row or of several.
    prepare
        What is done before, and is not timed.
    time_limit
        Seconds that a point may take.
    commit
        Of the programs, for the rows.
    """

    measure: Callable[[Point], Any]
    prepare: Callable[[Point], object] | None = None
    time_limit: float | None = None
    commit: str = ""

    def __call__(self, point: Point) -> list[Row]:
        """Return the rows of a point."""
        try:
            if self.prepare is not None:
                self.prepare(point)
            gc.collect()  # of earlier points in this process
            is_own = forget_peak()
            start, cpu = time.perf_counter(), time.process_time()
            rows = self._rows(point)
        except Exception as error:  # of what prepares
            return labelled(point, [failure(error) | {"commit": self.commit}])
        spent: Row = {
            "seconds": round(time.perf_counter() - start, 6),
            "cpu_seconds": round(time.process_time() - cpu, 6),
            "peak_mb": round(peak_rss_mb(), 1) if is_own else None,
            "commit": self.commit,
        }
        return labelled(point, [{"status": DONE} | row | spent for row in rows])

    def _rows(self, point: Point) -> list[Row]:
        """Return the cells that the measure makes, or that of its error."""
        try:
            with time_limited(self.time_limit), on_time():
                found = self.measure(point)
            rows = [found] if isinstance(found, Mapping) else list(found)
            return [_checked(row) for row in rows] or [{"reason": "the measure found no row"}]
        except Exception as error:  # an experiment goes on, and says what happened
            return [failure(error)]


def _checked(row: Mapping[str, Any]) -> Row:
    """Return a row as a dict whose cells are scalars; numpy's are made Python's.

    Raises
    ------
    TypeError
        If one is none.
    """
    cells = {name: cell.item() if hasattr(cell, "item") else cell for name, cell in row.items()}
    for name, cell in cells.items():
        if cell is not None and not isinstance(cell, (str, int, float)):
            raise TypeError(f"cell {name} is no text or number, but {cell!r:.60}")
    return cells


def inputs_of(point: Point) -> Row:
    """Return the cells that say what was asked for: axes by their columns, names and options."""
    named: Row = {
        "game": point.game or None,
        "parameters": _json(point.bracketed.parameters),
        "reduction": _reduction(point),
        "method": point.method or None,
        "options": _json(point.bracketed.options),
        "seed": point.seed,
    }
    return {column_of(axis): value for axis, value in point.values.items()} | named


def labelled(point: Point, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the point's inputs, what they were made with, and their key."""
    inputs = inputs_of(point)
    made = {
        "experiment": point.experiment,
        "versions": versions(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "key": point.key,
    }
    return [
        {**inputs, **row, **made, "part": f"{number}/{len(rows)}"}
        for number, row in enumerate(rows, start=1)
    ]


def failure(error: BaseException) -> Row:
    """Return status and reason of an error, in one line."""
    words = " ".join(str(error).split())
    if isinstance(error, OutOfTimeError):
        return {"status": OUT_OF_TIME, "reason": words}
    if isinstance(error, SeqformError) and not isinstance(error, (SolverError, CrashError)):
        return {"status": REFUSED, "reason": words}
    if isinstance(error, MemoryError):
        return {"status": FAILED, "reason": f"out of memory: {words}".rstrip(": ")}
    return {"status": FAILED, "reason": f"{type(error).__name__}: {words}".rstrip(": ")}


def versions() -> str:
    """Return what a row is made with, in one line."""
    found = provenance()
    made = (f"{name}={found[name]}" for name in ("python", *PACKAGES))
    return " ".join((*made, TABLE_VERSION))


def _reduction(point: Point) -> str | None:
    threshold = f"(threshold={point.threshold})" if point.threshold else ""
    return f"{point.reduction}{threshold}" or None


def _json(options: Any) -> str | None:
    return json.dumps(dict(options), sort_keys=True) if options else None
