"""One task of a sweep: a point is measured, whatever happens becomes rows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from seqform.base.deadline import time_limited
from seqform.base.errors import CrashError, OutOfTimeError, SeqformError, SolverError
from seqform.base.memory import peak_rss_mb
from seqform.base.provenance import PACKAGES, provenance
from seqform.experiment.point import Point
from seqform.experiment.row import Row

DONE, REFUSED, LIMIT, FAILED, KILLED = "done", "refused", "limit", "failed", "killed"
"""Statuses of rows besides those of solutions: of a measure that says none, and of errors."""

UNFINISHED = (REFUSED, LIMIT, FAILED, KILLED)
"""Statuses of rows that hold no answer."""


def measured(
    measure: Callable[[Point], Any], point: Point, time_limit: float | None, commit: str
) -> list[Row]:
    """Return the rows of a point; an error is one row with its reason.

    Parameters
    ----------
    measure
        Makes the cells of one row or of several.
    point
        Is handed to it.
    time_limit
        Seconds that it may take.
    commit
        Of the programs, for the rows.
    """
    _forget_peak()
    start, cpu = time.perf_counter(), time.process_time()
    try:
        with time_limited(time_limit):
            found = measure(point)
        rows = [dict(found)] if isinstance(found, dict) else [dict(row) for row in found]
    except Exception as error:  # an experiment goes on, and says what happened
        rows = [failure(error)]
    spent: Row = {
        "seconds": round(time.perf_counter() - start, 6),
        "cpu_seconds": round(time.process_time() - cpu, 6),
        "peak_mb": round(peak_rss_mb(), 1),
        "commit": commit,
    }
    return labelled(point, [{"status": DONE} | row | spent for row in rows])


def labelled(point: Point, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the point's inputs, what they were made with, and their key."""
    inputs: Row = {
        **dict(point.values),
        "game": point.game or None,
        "parameters": _json(point.parameters),
        "reduction": _reduction(point),
        "method": point.method or None,
        "options": _json(point.options),
        "seed": point.seed,
    }
    inputs |= {name: value for name, value in point.values.items() if name not in inputs}
    made = {
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
        return {"status": LIMIT, "reason": words}
    if isinstance(error, SeqformError) and not isinstance(error, (SolverError, CrashError)):
        return {"status": REFUSED, "reason": words}
    if isinstance(error, MemoryError):
        return {"status": FAILED, "reason": f"out of memory: {words}".rstrip(": ")}
    return {"status": FAILED, "reason": f"{type(error).__name__}: {words}".rstrip(": ")}


def versions() -> str:
    """Return what a row is made with, in one line."""
    found = provenance()
    return " ".join(f"{name}={found[name]}" for name in ("python", *PACKAGES))


def _reduction(point: Point) -> str | None:
    threshold = f"(threshold={point.threshold})" if point.threshold else ""
    return f"{point.reduction}{threshold}" or None


def _json(options: Any) -> str | None:
    return json.dumps(dict(options), sort_keys=True) if options else None


def _forget_peak() -> None:
    """Have the system count the largest memory from now on, where it can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
