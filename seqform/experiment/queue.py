"""The queue of a sweep: which points run now, which wait, and what becomes of those that crash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any

from seqform.base.deadline import seconds_left
from seqform.base.errors import SolverError
from seqform.experiment.executors import GONE, Executor, Fate, Task
from seqform.experiment.point import Point
from seqform.experiment.row import Row
from seqform.experiment.task import KILLED, REFUSED, labelled

LOOK_EVERY = 1.0
"""Seconds between two looks at what cannot begin, and at the time."""

CRASHED = (
    "the process that measured it was ended twice, by the system for want of memory or by a fault "
    "of a library: declare more memory for it, or use a smaller game"
)


class Queue:
    """Points that are measured by an executor, each once, in any order.

    A worker that dies takes down what it was measuring, and maybe others. All these are measured
    again, one by one; one that is taken down then is a row that says so.

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
        self._tried_alone = set[str]()

    def __iter__(self) -> Iterator[tuple[Point, list[Row]]]:
        """Yield each point with its rows, as it ends; those that the time ends are left out."""
        while (self._waiting or self._suspects or self._running) and seconds_left() != 0:
            self._begin()
            ended = wait(self._running, _pause(), FIRST_COMPLETED).done
            if ended:
                yield from self._rows(ended)
            else:
                yield from self._refused()

    def _begin(self) -> None:
        """Submit what fits beside what runs; after a death, suspects one by one."""
        if self._suspects or self._tried_alone & {point.key for point in self._running.values()}:
            if self._suspects and not self._running:
                self._tried_alone.add(self._suspects[0].key)
                self._submit(self._suspects.pop(0))
            return
        while (place := self._next()) is not None:
            self._submit(self._waiting.pop(place))

    def _next(self) -> int | None:
        """Return which of those that wait fits beside what runs; the first is never kept long."""
        if len(self._running) >= self._executor.width:
            return None
        left = self._executor.memory - sum(point.memory for point in self._running.values())
        fitting = (n for n, point in enumerate(self._waiting) if point.memory <= left)
        return next(fitting, 0 if self._waiting and not self._running else None)

    def _submit(self, point: Point) -> None:
        self._running[self._executor.submit(self._task, point)] = point

    def _rows(self, ended: set[Future[Any]]) -> Iterator[tuple[Point, list[Row]]]:
        """Yield the rows of what has ended, and see to what was lost."""
        lost = list[Point]()
        for future in ended:
            point = self._running.pop(future)
            fate = self._fate(future, point)
            if fate is Fate.LOST:
                lost.append(point)
            else:
                yield point, future.result() if fate is None else _killed(point)
        if lost:
            yield from self._after_death(lost)

    def _fate(self, future: Future[Any], point: Point) -> Fate | None:
        """Return what became of a point; None if it has rows.

        Raises
        ------
        SolverError
            If no worker can run tasks, or the cluster is gone.
        """
        try:
            error = future.exception()
        except CancelledError:
            raise SolverError(f"the cluster {GONE}") from None
        fate = None if error is None else self._executor.fate(error)
        if fate is Fate.RAISED:
            words = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise SolverError(
                f"a worker could not begin with {point}: {words:.300}; "
                "it needs the same packages as this process, and the files of your own"
            ) from error
        return fate

    def _after_death(self, lost: list[Point]) -> Iterator[tuple[Point, list[Row]]]:
        """Have what was in flight measured one by one, and yield what was so already."""
        lost += self._running.values()
        self._running.clear()
        self._executor.repair()
        for point in lost:
            if point.key in self._tried_alone:
                yield point, _killed(point)
            else:
                self._suspects.append(point)

    def _refused(self) -> Iterator[tuple[Point, list[Row]]]:
        """Yield what can never begin."""
        for point, why in self._executor.refused([*self._running.values()]):
            future = next(future for future, of in self._running.items() if of is point)
            if future.cancel():
                del self._running[future]
                yield point, labelled(point, [{"status": REFUSED, "reason": why}])


def _pause() -> float:
    """Return for how long to wait for something to end."""
    left = seconds_left()
    return LOOK_EVERY if left is None else min(LOOK_EVERY, left)


def _killed(point: Point) -> list[Row]:
    return labelled(point, [{"status": KILLED, "reason": CRASHED}])
