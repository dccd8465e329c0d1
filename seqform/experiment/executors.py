"""Executors: where the tasks of a sweep run, behind one small protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, Protocol

Task = Callable[[], Any]


class Executor(Protocol):
    """Runs tasks; the part of `concurrent.futures.Executor` that a sweep needs."""

    @property
    def workers(self) -> int:
        """How many tasks run at the same time."""

    def submit(self, task: Task, memory: int) -> Future[Any]:
        """Begin a task that needs so many bytes; a worker that dies makes it a CrashError."""

    def finished(self, running: set[Future[Any]]) -> Iterator[Future[Any]]:
        """Wait until at least one of the tasks has ended, and yield those that have."""

    def close(self) -> None:
        """Stop all tasks, and let the workers go."""


class InProcess:
    """Runs each task at once, here."""

    workers = 1

    def submit(self, task: Task, memory: int) -> Future[Any]:
        """Run a task; what it raises is the future's."""
        future: Future[Any] = Future()
        future.set_result(task())
        return future

    def finished(self, running: set[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield all tasks: they have ended."""
        yield from running

    def close(self) -> None:
        """Do nothing."""
