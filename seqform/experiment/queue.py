"""The queue of a sweep: where points are measured, which run now, and what becomes of crashes.

Executors have `submit` as `concurrent.futures`, loky and Dask have it. There are three: this
process, processes of this machine, and the workers of a cluster (`seqform.experiment.cluster`).
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from math import inf
from typing import Any

from seqform.base.child_process import die_with_parent
from seqform.base.deadline import seconds_left
from seqform.base.errors import SolverError
from seqform.base.free_memory import available_bytes
from seqform.base.machine import check_workers
from seqform.base.memory import refuse_more_than_available
from seqform.experiment.point import Point
from seqform.experiment.row import Row
from seqform.experiment.task import KILLED, REFUSED, labelled

LOOK_EVERY = 1.0
"""Seconds between two looks at what cannot begin, and at the time."""

CRASHED = (
    "the process that measured it was ended twice, by the system for want of memory or by a fault "
    "of a library: declare more memory for it, or use a smaller game"
)

Task = Callable[[Point], Any]


class Executor:
    """Measures each point at once, in this process; others measure many at a time.

    Attributes
    ----------
    width
        How many points it is given at a time.
    memory
        Bytes that these may need together; one point is always taken.
    died
        The error of a future whose worker died.
    retries
        Whether such a point was tried again already.
    """

    width: int = 1
    memory: float = inf
    died: type[BaseException] | tuple[()] = ()
    retries: bool = False

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Begin a task."""
        future: Future[Any] = Future()
        future.set_result(task(point))  # what it raises is raised here
        return future

    def refused(self, points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
        """Yield which of the points that were submitted can never begin, and why."""
        yield from ()

    def close(self) -> None:
        """Stop what runs, and let the workers go."""


class Processes(Executor):
    """Measures points in processes of this machine, one at a time in each.

    Each process is a pool of its own, so that one that dies takes nothing down with it.

    Parameters
    ----------
    jobs
        How many processes.

    Raises
    ------
    InvalidParameterError
        If that is no number from 1 on, or beyond what `check_workers` allows.
    """

    died = BrokenProcessPool

    def __init__(self, jobs: int) -> None:
        check_workers("jobs", jobs)
        self.width, self.memory = jobs, float(available_bytes())
        self._pools = dict[Future[Any], Any]()

    def submit(self, task: Task, point: Point) -> Future[Any]:
        """Begin a task in a process that has nothing to do, or in a new one."""
        for done in [future for future in self._pools if future.done()]:
            pool = self._pools.pop(done)
            try:
                return self._began(pool, pool.submit(task, point))
            except BrokenProcessPool:
                _end(pool)
        from loky import ProcessPoolExecutor

        pool = ProcessPoolExecutor(1, initializer=begin_worker)
        return self._began(pool, pool.submit(task, point))

    def _began(self, pool: Any, future: Future[Any]) -> Future[Any]:
        self._pools[future] = pool
        return future

    def close(self) -> None:
        """End all processes."""
        for pool in self._pools.values():
            _end(pool)


def _end(pool: Any) -> None:
    pool.shutdown(wait=True, kill_workers=True)


def begin_worker() -> None:
    """Make a process one that only works: it ends with the one that gives it tasks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for that one, which ends this one
    die_with_parent()
    refuse_more_than_available()


class Queue:
    """Points that are measured by an executor, each once, in any order.

    One whose worker dies is measured again, alone and after all others. If that is the end of the
    worker too, a row says so.

    Parameters
    ----------
    executor
        Where they are measured.
    task
        Makes the rows of a point.
    points
        With different keys.
    """

    def __init__(self, executor: Executor, task: Task, points: Sequence[Point]) -> None:
        self._executor, self._task = executor, task
        self._waiting, self._suspects = list(points), list[Point]()
        self._running: dict[Future[Any], Point] = {}
        self._died = set[str]()

    def __iter__(self) -> Iterator[tuple[Point, list[Row]]]:
        """Yield each point with its rows, as it ends; those that the time ends are left out."""
        while (self._waiting or self._suspects or self._running) and seconds_left() != 0:
            self._begin()
            ended = wait(self._running, _pause(), FIRST_COMPLETED).done
            for future in ended:
                point = self._running.pop(future)
                rows = self._rows(future, point)
                if rows:
                    yield point, rows
            if not ended:
                yield from self._refused()

    def _begin(self) -> None:
        """Submit what fits beside what runs; at the end, suspects one by one."""
        while (place := self._next()) is not None:
            self._submit(self._waiting.pop(place))
        if self._suspects and not self._running:
            self._submit(self._suspects.pop())

    def _next(self) -> int | None:
        """Return which of those that wait fits beside what runs; the first is never kept long."""
        if len(self._running) >= self._executor.width:
            return None
        left = self._executor.memory - sum(point.memory for point in self._running.values())
        fitting = (n for n, point in enumerate(self._waiting) if point.memory <= left)
        return next(fitting, 0 if self._waiting and not self._running else None)

    def _submit(self, point: Point) -> None:
        self._running[self._executor.submit(self._task, point)] = point

    def _rows(self, future: Future[Any], point: Point) -> list[Row] | None:
        """Return the rows of what has ended; None where it is to be measured again.

        Raises
        ------
        SolverError
            If no worker can run tasks, or the cluster is gone.
        """
        try:
            error = future.exception()
        except CancelledError:
            raise gone("the cluster") from None
        if error is None:
            return future.result()  # type: ignore[no-any-return]
        if not isinstance(error, self._executor.died):
            words = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise SolverError(
                f"a worker could not begin with {point}: {words:.300}; "
                "it needs the same packages as this process, and the files of your own"
            ) from error
        if self._executor.retries or point.key in self._died:
            return labelled(point, [{"status": KILLED, "reason": CRASHED}])
        self._died.add(point.key)
        self._suspects.append(point)
        return None

    def _refused(self) -> Iterator[tuple[Point, list[Row]]]:
        """Yield what can never begin."""
        for point, why in self._executor.refused([*self._running.values()]):
            future = next(future for future, of in self._running.items() if of is point)
            if future.cancel():
                del self._running[future]
                yield point, labelled(point, [{"status": REFUSED, "reason": why}])


def gone(what: str) -> SolverError:
    """Return the error of a cluster that went away."""
    return SolverError(
        f"{what} is gone: finished rows are kept, and the same call goes on from there"
    )


def _pause() -> float:
    """Return for how long to wait for something to end."""
    left = seconds_left()
    return LOOK_EVERY if left is None else min(LOOK_EVERY, left)
