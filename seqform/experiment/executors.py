"""Executors: where the points of a sweep are measured, behind what `concurrent.futures` offers.

There are three: this process, processes of this machine (loky's), and the workers of a Dask
cluster. Each declares the memory of a point, so that what runs at the same time fits.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from math import inf
from typing import Any, Protocol

from seqform.base.apart import die_with_parent
from seqform.base.errors import InvalidParameterError
from seqform.base.free_memory import available_bytes
from seqform.base.memory import refuse_more_than_available
from seqform.base.processors import check_workers
from seqform.experiment.point import Point

Task = Callable[[Point], Any]

GONE = "is gone: finished rows are kept, and the same call goes on from there"
"""What became of a cluster."""


class Fate(Enum):
    """What became of a point that has no rows."""

    RAISED = "its task raised an error, which tasks do not: the worker cannot run them"
    LOST = "its worker died, or another one that it shared its fate with"
    KILLED = "its worker died of it, and others after that"


class Executor(Protocol):
    """Measures points, many at a time.

    Attributes
    ----------
    width
        How many points it is given at a time.
    memory
        Bytes that these may need together; one point is always taken.
    """

    width: int
    memory: float

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Begin a task."""

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Yield which of the points that were submitted can never begin, and why."""

    def fate(self, error: BaseException) -> Fate:
        """Return what an error of a future means."""

    def repair(self) -> None:
        """Replace workers that died, and forget what they were given."""

    def close(self) -> None:
        """Stop what runs, and let the workers go."""


class InProcess:
    """Measures each point at once, in this process."""

    width, memory = 1, inf

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Run a task; what it raises is raised here."""
        future: Future[Any] = Future()
        future.set_result(task(point))
        return future

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Refuse nothing."""
        yield from ()

    def fate(self, error: BaseException) -> Fate:
        """Return that the task raised: whoever asks is alive."""
        return Fate.RAISED

    def repair(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Processes:
    """Measures points in processes of this machine, one at a time in each.

    Parameters
    ----------
    jobs
        How many processes.

    Raises
    ------
    InvalidParameterError
        If that is no number from 1 on, or beyond what `check_workers` allows.
    """

    def __init__(self, jobs: int) -> None:
        check_workers("jobs", jobs)
        self.width, self.memory = jobs, float(available_bytes())
        self._pool: Any = None

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Begin a task in one of the processes, which are started by the first."""
        if self._pool is None:
            from loky import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(self.width, initializer=begin_worker)
        try:
            return self._pool.submit(task, point)  # type: ignore[no-any-return]
        except BrokenProcessPool as error:
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Refuse nothing: one point alone is always tried."""
        yield from ()

    def fate(self, error: BaseException) -> Fate:
        """Return whether a process ended; nobody knows which of them."""
        return Fate.LOST if isinstance(error, BrokenProcessPool) else Fate.RAISED

    def repair(self) -> None:
        """End all processes; the next task starts new ones."""
        self.close()
        self._pool = None

    def close(self) -> None:
        """End all processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=True)


def begin_worker() -> None:
    """Make a process one that only works: it ends with the one that gives it tasks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for that one, which ends this one
    die_with_parent()
    refuse_more_than_available()


def executor_of(jobs: int | None, scheduler: str | None) -> Executor:
    """Return where points are measured: in this process if nothing else is asked for.

    Raises
    ------
    InvalidParameterError
        If both are asked for, or `jobs` is below 1.
    SolverError
        If there is no such scheduler.
    """
    if jobs is not None and scheduler is not None:
        raise InvalidParameterError(
            "jobs= is for this machine, and scheduler= for others: give one"
        )
    if scheduler is not None:
        from seqform.experiment.cluster import Cluster

        return Cluster(scheduler)
    return InProcess() if jobs is None else Processes(jobs)
