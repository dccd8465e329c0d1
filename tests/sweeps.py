"""Experiments for tests: measures that log, wait, fail, or end their process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from seqform.base.errors import UnsupportedGameError
from seqform.experiment import Axis, ExperimentSpec, Point, Row

SQUARES = tuple(range(12))


def log(folder: object, words: str) -> None:
    """Add a line to a log that several processes write to."""
    handle = os.open(Path(str(folder)) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{words}\n".encode())
    os.close(handle)


def logged(folder: Path) -> list[list[str]]:
    """Return the words of each line of the log."""
    return [line.split() for line in (folder / "log").read_text().splitlines()]


def squared(point: Point) -> list[Row]:
    """Return two rows after some time, and log when that began and ended."""
    number = point["number"]
    log(point["folder"], f"begin {number} {os.getpid()} {time.time()}")
    if point["seconds"] is None:
        wait_for_another(point["folder"])
    else:
        time.sleep(point["seconds"])
    log(point["folder"], f"end {number} {os.getpid()} {time.time()}")
    return [{"power": power, "found": number**power} for power in (1, 2)]


def wait_for_another(folder: object) -> None:
    """Wait until a second point has begun in this process, for at most a minute."""
    late = time.monotonic() + 60
    while time.monotonic() < late:
        begun = [word for word in logged(Path(str(folder))) if word[0] == "begin"]
        if sum(word[2] == str(os.getpid()) for word in begun) > 1:
            return
        time.sleep(0.01)


def failing(point: Point) -> Row:
    """Fail, refuse, take too much time, die at once or once, or return what is no row."""
    how = point["how"]
    log(point["folder"], f"begin {how}")
    if how == "refused":
        raise UnsupportedGameError("it is not\nfor this")
    if how == "failed":
        raise ZeroDivisionError("in the measure")
    if how == "memory":
        raise MemoryError
    if how == "no row":
        return {"cell": [1, 2]}  # type: ignore[dict-item]
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "killed once":
        mark = Path(point["folder"]) / "killed"
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return {"found": 1}


def squares(folder: Path, seconds: float | None = 0.0, memory: float = 1.0) -> ExperimentSpec:
    """Return an experiment of a dozen points that take some time each.

    None: as long as it takes until there are two in a process.
    """
    axes = (
        Axis("folder", (str(folder),)),
        Axis("seconds", (seconds,), plural="seconds"),
        Axis("number", SQUARES, quick=(1, 2)),
    )
    return ExperimentSpec("squares", "What are the squares?", axes, squared, memory=memory)


def failures(folder: Path, *how: str) -> ExperimentSpec:
    """Return an experiment whose points fail in different ways."""
    axes = (Axis("folder", (str(folder),)), Axis("how", how))
    return ExperimentSpec("failures", "What fails?", axes, failing)
