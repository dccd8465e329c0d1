"""HiGHS, one thread at a time, and silent.

Its Python interface has one lock for all of its objects and refuses whoever comes second, and its
pool of threads is one for the whole process. So threads wait for each other here. Whoever waits
keeps to the time limit, and what HiGHS is given then is what is left of it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import highspy
from highspy import Highs

from seqform.base.deadline import check_time
from seqform.base.errors import SolverError

LOOK_EVERY = 0.05
"""Seconds between two looks at the clock while another thread is with HiGHS."""

LEAST = 1e-3
"""Seconds that HiGHS is given at least, unless the whole limit is less: it stops by itself then."""


class _Turn:
    """A lock, and the thread that holds it, if any."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # refuses to be released by a thread that does not hold it
        self.holder: int | None = None

    def renew(self) -> None:
        """Begin anew, in a process that was forked: those who held the lock are not in it."""
        self.__init__()  # type: ignore[misc]


_turn = _Turn()
os.register_at_fork(after_in_child=_turn.renew)


@contextmanager
def highs_turn(time_limit: float | None = None) -> Iterator[float | None]:
    """Wait until no other thread is with HiGHS; the block begins with what is left of the limit.

    Parameters
    ----------
    time_limit
        Seconds that HiGHS may take, the time of waiting included; None for no limit.

    Raises
    ------
    OutOfTimeError
        If the time limit around the call is over before.
    SolverError
        If this thread itself is within such a block.

    Examples
    --------
    >>> with highs_turn() as left:
    ...     print(left)
    None
    """
    since, me = time.perf_counter(), threading.get_ident()
    if _turn.holder == me:
        raise SolverError(
            "HiGHS is at work in this thread, and called what solves another program: do not "
            "solve in a function that listens to its progress"
        )
    try:  # from before the lock is taken: the user may interrupt as soon as it is
        while not _turn.lock.acquire(timeout=LOOK_EVERY):
            check_time("waiting for HiGHS, which another thread uses")
        _turn.holder = me
        waited = time.perf_counter() - since
        yield None if time_limit is None else max(min(LEAST, time_limit), time_limit - waited)
    finally:  # without a call before the release: interrupts are raised after calls
        if _turn.holder == me:
            _turn.holder = None
        try:  # noqa: SIM105 - suppress() is a call
            _turn.lock.release()
        except RuntimeError:  # the wait ended without it
            pass


class SilentHighs(Highs):
    """A HiGHS object that is silent from the start.

    Version 1.16 prints its name as soon as it takes callbacks, before it can be told not to.
    """

    def enableCallbacks(self) -> None:  # noqa: N802
        """Take callbacks, in silence."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


@contextmanager
def made_silent() -> Iterator[None]:
    """Within this block others too, such as cvxpy, make silent ones."""
    highspy.Highs = SilentHighs  # type: ignore[misc]
    try:
        yield
    finally:
        highspy.Highs = Highs  # type: ignore[misc]
