"""Executors: where the points of a sweep are measured, behind what `concurrent.futures` offers.

There are three: this process, processes of this machine (joblib's), and the workers of a Dask
cluster. Each declares the memory of a point, so that what runs at the same time fits.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from enum import Enum
from math import inf
from pathlib import Path
from typing import Any, Protocol

from seqform.base.apart import die_with_parent
from seqform.base.errors import InvalidParameterError, SolverError
from seqform.base.free_memory import available_bytes
from seqform.base.memory import in_words, refuse_more_than_available
from seqform.experiment.point import Point

Task = Callable[[Point], Any]

ANSWERS_WITHIN = 10.0
"""Seconds that a scheduler has to answer at first."""

RESOURCE = "MEMORY"
"""What workers of a cluster call the bytes that they have for points."""

IN_FLIGHT = 1000
"""Points that a cluster is given before it returns the first."""


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
        If that is no number from 1 on.
    """

    def __init__(self, jobs: int) -> None:
        if not (isinstance(jobs, int) and jobs >= 1):
            raise InvalidParameterError(f"jobs={jobs}: use 1 or more")
        self.width, self.memory = jobs, float(available_bytes())
        self._pool: Any = None

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Begin a task in one of the processes, which are started by the first."""
        if self._pool is None:
            from joblib.externals.loky import ProcessPoolExecutor

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


class Cluster:
    """Measures points on the workers of a Dask cluster that is there.

    Each worker says how many bytes it has for points: ``dask worker --resources MEMORY=8e9``. The
    scheduler starts a point where so many are left.

    Parameters
    ----------
    address
        Of the scheduler: ``tcp://host:8786``.

    Raises
    ------
    SolverError
        If Dask is not installed, or no scheduler answers.
    InvalidParameterError
        If the workers do not say what memory they have.
    """

    width, memory = IN_FLIGHT, inf

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise SolverError(
                "scheduler= needs Dask, which is not installed: pip install 'seqform[dask]'"
            ) from None
        self._address, self._folder = address, str(Path.cwd())
        try:
            self._client: Any = Client(  # type: ignore[no-untyped-call]
                address, timeout=ANSWERS_WITHIN, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as error:
            raise SolverError(
                f"scheduler={address}: no Dask scheduler answers there "
                f"({' '.join(str(error).split()) or type(error).__name__:.200}); "
                "start one with `dask scheduler` and give the address that it prints"
            ) from None
        if _most(self._workers()) == 0:
            self.close()
            raise InvalidParameterError(
                f"scheduler={address}: its workers do not say what memory they have for points; "
                f"start them with `dask worker {address} --resources {RESOURCE}=8e9`"
            )

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Hand a task to the scheduler, with the memory that it needs."""
        resources = {RESOURCE: point.memory}
        pool = self._client.get_executor(pure=False, resources=resources)
        return pool.submit(InFolder(self._folder, task), point)  # type: ignore[no-any-return]

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Yield which points are too large for every worker that is there."""
        most = _most(self._workers())
        for point in points:
            if most is not None and point.memory > most:
                yield (
                    point,
                    f"needs {in_words(point.memory)}, and the largest worker of {self._address} "
                    f"has {in_words(most)}: start one with more, or declare less",
                )

    def fate(self, error: BaseException) -> Fate:
        """Return whether the point ended as many workers as the scheduler lets it."""
        from distributed import KilledWorker

        return Fate.KILLED if isinstance(error, KilledWorker) else Fate.RAISED

    def repair(self) -> None:
        """Do nothing: the scheduler knows what has become of the others."""

    def close(self) -> None:
        """Take back what is not done, and leave the cluster as it is."""
        self._client.close(timeout=ANSWERS_WITHIN)

    def _workers(self) -> list[dict[str, Any]]:
        """Return what the scheduler knows of each worker.

        Raises
        ------
        SolverError
            If it does not answer any more.
        """
        try:
            return list(self._client.scheduler_info(n_workers=-1)["workers"].values())
        except (OSError, ValueError) as error:
            raise SolverError(f"{self._address} {GONE}") from error


def _most(workers: Sequence[dict[str, Any]]) -> float | None:
    """Return the bytes of the largest worker; None while there is no worker."""
    return max((worker["resources"].get(RESOURCE, 0) for worker in workers), default=None)


GONE = "does not answer any more: finished rows are kept, and the same call goes on from there"


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
        return Cluster(scheduler)
    return InProcess() if jobs is None else Processes(jobs)


class InFolder:
    """A task that runs in the folder of whoever gave it, where the worker has it too.

    Files and modules of users are named from there.
    """

    def __init__(self, folder: str, task: Task) -> None:
        self.folder, self.task = folder, task

    def __call__(self, point: Point) -> Any:
        """Run the task."""
        with suppress(OSError):
            os.chdir(self.folder)
        return self.task(point)
