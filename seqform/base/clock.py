"""Clock: the limits of one call, the seconds of its phases, and where to report progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from seqform.base.deadline import deadline, deadline_of, require_time
from seqform.base.machine import check_workers, processors
from seqform.base.progress import tell

DOING = {
    "build": "building the game",
    "reduce": "shrinking the game",
    "prepare": "preparing the solver",
    "solve": "solving",
    "certify": "certifying",
    "complete": "completing the answer",
    "polish": "polishing the answer",
    "exact": "proving in fractions",
    "prove": "proving an interval",
}
"""What whoever listens is told of phases."""

MOST_BUSY, WORTH_MEASURING = 4.0, 0.2
"""By how much estimates grow at most where others use the processor, which is measured from so many
seconds of our own on."""


def _now() -> tuple[float, float]:
    """Return the time, and this thread's processor time, in seconds."""
    return time.perf_counter(), time.thread_time()


class Clock:
    """Limits of a call to `solve`, and the seconds of its phases.

    Parameters
    ----------
    time_limit
        Seconds from now on; None for no limit but that of `time_limited` around the call.
    threads
        How many a solver may use; no more than there are processors are used.
    callback
        Called with the progress of a search; the type of its argument depends on the method.

    Attributes
    ----------
    deadline
        When a method has to stop, by `time.perf_counter`; infinity without a limit.
    reserved
        Seconds that are kept for what follows the method, by estimates, and more where others use
        the processor too.
    seconds
        Wall-clock seconds by phase: build, reduce, solve, certify, ...

    Raises
    ------
    InvalidParameterError
        If the limit is not above 0, or `threads` is below 1 or beyond what `check_workers` allows.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        threads: int = 1,
        callback: Callable[[Any], None] | None = None,
    ) -> None:
        if threads != 1 or isinstance(threads, bool):
            check_workers("threads", threads)
        self.deadline = min(deadline_of(time_limit), deadline())
        # counting cores takes a twentieth of a millisecond
        self.threads = 1 if threads == 1 else min(int(threads), processors())
        self.callback = callback
        self.reserved, self.seconds = 0.0, dict[str, float]()
        self._start = _now()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the seconds of what is done within to those of a phase, and tell its name."""
        tell(DOING.get(name, name), every=0)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def reserve(self, seconds: float, what: str) -> None:
        """Keep time for what follows the method: it has to stop so much earlier.

        Parameters
        ----------
        seconds
            How long that takes, by an estimate.
        what
            What it is, for the error message.

        Raises
        ------
        OutOfTimeError
            If less time is left.
        """
        require_time(seconds, what, self.deadline)
        if self.deadline < inf:  # more where the processor is busy, but half of what is left stays
            spare = (self.deadline - time.perf_counter() - seconds) / 2
            seconds += min(max(0.0, spare), (self._busy() - 1) * seconds)
        self.deadline -= seconds
        self.reserved += seconds

    def _busy(self) -> float:
        """Return how much longer than its processor time this thread's work took until now."""
        wall, own = (now - then for now, then in zip(_now(), self._start, strict=True))
        return min(max(1.0, wall / max(own, 1e-9)), MOST_BUSY) if own > WORTH_MEASURING else 1.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, above 0; None without a limit."""
        if self.deadline == inf:
            return None
        return max(self.deadline - time.perf_counter(), 1e-9)

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.perf_counter() >= self.deadline
