"""Deadlines: until when a call may work, known to all that it calls without being handed on.

A deadline holds for everything within a `time_limited` block, also for code of other packages.
Whatever may take long asks `check_time` now and then. What cannot be stopped asks `require_time`
before it begins. In the main thread an alarm ends what does neither (`seqform.base.alarm`).

A search ends at the deadline. What was found is certified and handed over in `overtime`.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import Enum
from math import ceil, inf
from numbers import Real
from types import FrameType, TracebackType

from seqform.base.alarm import Alarm, TimeIsOver, caller, unbroken
from seqform.base.errors import InvalidParameterError, OutOfTimeError

LONGEST = 1e15
"""Seconds that any longer time limit is taken for: thirty million years."""

OVERTIME, MORE = 0.1, 0.6
"""What hands an answer over may end later by this share of the time limit, and so many seconds."""

LEAST = 0.5
"""Seconds after the time limit that building a game has, if it takes no longer in all; what takes
less is not refused."""

LAST_RESORT = 0.85
"""Seconds after the limit and `OVERTIME` when a command is ended that nothing else could end."""


class For(Enum):
    """What overtime is for, and its share of all there is: what comes first leaves some."""

    MAKING = 0.4  # an answer of what was found
    CERTIFYING = 0.75  # and lifting, and completing
    SHOWING = 1.0  # and saving


@dataclass(frozen=True)
class _Deadline:
    """Seconds allowed, when searches have to end, and when all else is stopped.

    The last is `usual` outside of `overtime`. All moments are by `time.perf_counter`.
    """

    limit: float = inf
    end: float = inf
    usual: float = inf
    last: float = inf


_NEVER = _Deadline()
_current: ContextVar[_Deadline] = ContextVar("deadline", default=_NEVER)


class _Within:
    """A block in which another deadline holds.

    It is no generator: between the block and a generator's `finally` an alarm could ring.
    """

    def __init__(self, deadline: _Deadline, frame: FrameType | None) -> None:
        self._deadline, self._frame = deadline, frame

    @unbroken
    def __enter__(self) -> None:
        self._before = _current.get()
        _current.set(self._deadline)
        if self._deadline.limit < inf:
            _alarm.begin(self._frame)

    @unbroken
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _current.set(self._before)
        if self._deadline.limit < inf:
            _alarm.end()
        if isinstance(error, TimeIsOver) and self._deadline.end < self._before.end:
            raise OutOfTimeError(*error.args) from None


def time_limited(seconds: float | None, since: float | None = None) -> _Within:
    """Limit the time of a block; None adds no limit, and of several the first counts.

    In the main thread this takes SIGALRM and the system's timer within the block. A handler and a
    timer of yours go on, and stay as they are after it.

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
        return _Within(now, caller())
    last = max(end, min(time.perf_counter(), end) + LEAST)
    return _Within(_Deadline(float(min(seconds, LONGEST)), end, last, last), caller())


def overtime(what: For = For.MAKING) -> _Within:
    """Let a block end later than the time limit; for what an answer is worth nothing without."""
    now = _current.get()
    last = now.end + what.value * (OVERTIME * now.limit + MORE) if now.end < inf else inf
    return _Within(replace(now, last=max(now.last, last)), caller())


def on_time() -> _Within:
    """Have a block within `overtime` end at the time limit nevertheless."""
    now = _current.get()
    return _Within(replace(now, last=now.usual), caller())


def deadline() -> float:
    """Return when a search has to end, by `time.perf_counter`; infinity without a limit."""
    return _current.get().end


def seconds_left() -> float | None:
    """Return the seconds until a search has to end, at least 0; None without a limit."""
    end = _current.get().end
    return None if end == inf else max(0.0, end - time.perf_counter())


def time_left() -> float | None:
    """Return the seconds until `check_time` raises, at least 0; None without a limit."""
    last = _current.get().last
    return None if last == inf else max(0.0, last - time.perf_counter())


def limit_given() -> float | None:
    """Return the seconds of the time limit that holds, as they were given; None without one."""
    limit = _current.get().limit
    return None if limit == inf else limit


def last_resort() -> float:
    """Return when a command is ended whatever it does, by `time.perf_counter`.

    One that begins when its time is over already has some to say so.
    """
    now = _current.get()
    if now.end == inf:
        return inf
    return max(now.end, time.perf_counter()) + OVERTIME * now.limit + LAST_RESORT


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
    if time.perf_counter() >= _current.get().last:
        raise _error(doing)


def _error(doing: str) -> OutOfTimeError:
    limit = _current.get().limit
    return OutOfTimeError(
        f"the time limit of {limit:.3g} s was over while {doing}: raise time_limit="
    )


_alarm = Alarm(lambda: _current.get().last, _error)


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
