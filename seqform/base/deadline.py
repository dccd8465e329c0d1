"""Deadlines: until when a call may work, known to all that it calls without being handed on.

A deadline holds for everything within a `time_limited` block, also for code of other packages.
Whatever may take long asks `check_time` now and then. What cannot be stopped asks `require_time`
before it begins.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import ceil, inf
from numbers import Real

from seqform.base.errors import InvalidParameterError, OutOfTimeError

LONGEST = 1e15
"""Seconds that any longer time limit is taken for: thirty million years."""

OVERTIME = 0.4
"""What certifies, lifts and saves an answer may end so much later, as a share of the time limit."""

LEAST = 0.5
"""Seconds that building a game has under any limit, and that a certificate has; what takes less is
not refused."""


@dataclass(frozen=True)
class _Deadline:
    """Seconds allowed, when searches have to end, and when all else is stopped.

    Both moments are by `time.perf_counter`.
    """

    limit: float = inf
    end: float = inf
    last: float = inf


_NEVER = _Deadline()
_current: ContextVar[_Deadline] = ContextVar("deadline", default=_NEVER)


@contextmanager
def time_limited(seconds: float | None, since: float | None = None) -> Iterator[None]:
    """Limit the time of what is done within; None adds no limit, and of several the first counts.

    Parameters
    ----------
    seconds
        How many.
    since
        When they begin, by `time.perf_counter`; None: now.

    Raises
    ------
    InvalidParameterError
        If the limit is not above 0.
    OutOfTimeError
        Within, soon after so many seconds.

    Examples
    --------
    >>> from seqform import make, build_tree
    >>> with time_limited(60):
    ...     build_tree(make("kuhn")).num_nodes
    58
    """
    end, now = deadline_of(seconds, since), _current.get()
    if seconds is None or end >= now.end:
        yield
        return
    least = time.perf_counter() + LEAST
    with _set(_Deadline(float(min(seconds, LONGEST)), end, max(end, least))):
        yield


@contextmanager
def overtime() -> Iterator[None]:
    """Let what is done within end later than the time limit, by `OVERTIME` of it.

    It is for what an answer is worth nothing without, such as its certificate.
    """
    now, least = _current.get(), time.perf_counter() + LEAST
    with _set(replace(now, last=max(now.last, now.end + OVERTIME * now.limit, least))):
        yield


@contextmanager
def _set(deadline: _Deadline) -> Iterator[None]:
    before = _current.set(deadline)
    try:
        yield
    finally:
        _current.reset(before)


def deadline() -> float:
    """Return when a search has to end, by `time.perf_counter`; infinity without a limit."""
    return _current.get().end


def seconds_left() -> float | None:
    """Return the seconds until a search has to end, at least 0; None without a limit."""
    end = _current.get().end
    return None if end == inf else max(0.0, end - time.perf_counter())


def limit_given() -> float | None:
    """Return the seconds of the time limit that holds, as they were given; None without one."""
    limit = _current.get().limit
    return None if limit == inf else limit


def check_time(doing: str) -> None:
    """Check that the time is not over.

    Parameters
    ----------
    doing
        What is going on, for the error message: "building the tree".

    Raises
    ------
    OutOfTimeError
        If it is over.
    """
    now = _current.get()
    if time.perf_counter() >= now.last:
        raise OutOfTimeError(
            f"the time limit of {now.limit:.3g} s was over while {doing}: raise time_limit="
        )


def require_time(seconds: float, what: str, end: float = inf) -> None:
    """Check, before something that cannot be stopped begins, that there is time for it.

    Parameters
    ----------
    seconds
        How long it takes, by an estimate.
    what
        What takes them, for the error message.
    end
        When it has to be over, by `time.perf_counter`, if that is before the deadline.

    Raises
    ------
    OutOfTimeError
        If less time is left.
    """
    now, start = _current.get(), time.perf_counter()
    left = min(end, now.end) - start
    if seconds <= max(left, LEAST):
        return
    needed = seconds  # and what was used up, and is kept for later
    if now.limit < inf:
        needed += now.limit - left
    raise OutOfTimeError(
        f"{what} takes about {seconds:.2g} s, and {max(left, 0.0):.2g} s are left for it: "
        f"try time_limit={ceil(1.2 * needed)}, or leave it out"
    )


def deadline_of(time_limit: float | None, since: float | None = None) -> float:
    """Return when a time limit of so many seconds is over, which begin at `since`, or now.

    By `time.perf_counter`; infinity without a limit.

    Raises
    ------
    InvalidParameterError
        If the limit is not above 0.
    """
    if time_limit is None:
        return inf
    if not (isinstance(time_limit, (float, Real)) and time_limit > 0):
        raise InvalidParameterError(f"time_limit={time_limit}: use a number of seconds above 0")
    seconds = float(min(time_limit, LONGEST))
    return (time.perf_counter() if since is None else since) + seconds
