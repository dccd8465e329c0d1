"""Alarm: Python code of the main thread is ended wherever it is, once its time is over.

What asks for the time ends by itself. This is for what does not: rules of a user that wait for
ever, a compiler, a loop without a look at the clock. The system's timer (SIGALRM) runs a handler of
Python in the main thread, which raises there. Code of other languages is not cut short: the handler
runs when it returns. Systems without such a timer, and other threads, have no alarm.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakSet, finalize

SLACK = 0.15
"""Seconds after the end in which code may end by itself, with a better message than ours."""

REPEAT = 0.25
"""Seconds until it is raised again, where it was caught and the code goes on."""

AGAIN = 0.02
"""Seconds until the next try, where nothing may be raised."""

INSIST_FROM = 3
"""From this time on it is raised as `TimeIsOver`, which ``except Exception`` does not catch."""

COMPILERS = ("numba", "llvmlite")
"""Packages that are at work where loops are compiled."""

LONGEST = 1e6
"""Seconds that the timer is set for at most; it is set again then."""

IMPORTS = "<frozen importlib._bootstrap>"
"""Where modules are imported: libraries cannot be loaded again where that was cut short."""

START = threading.Thread.start.__code__
"""Where two threads write the books of `threading`, until the new one runs: that is soon."""

EXITS = (contextlib.__file__, threading.__file__)
"""Where blocks end, and give back what they hold."""

WEAK = tuple(made.__init__.__code__.co_filename for made in (WeakSet, WeakKeyDictionary))
"""Where sets and dictionaries forget what is freed."""

FINALIZE = finalize.__call__.__code__

UNCALLED = ("__del__", "_raw_object_cache_notify", "_raw_object_cache_getbuffer")
"""Functions that code of other languages calls: where objects are freed, and of llvmlite, where one
was compiled. An alarm that was due before rings there first."""

LIBRARY = sysconfig.get_path("stdlib")


class TimeIsOver(BaseException):
    """The time is over, and code goes on that caught this as an error."""


Called = TypeVar("Called", bound=Callable[..., Any])

_unbroken: set[int] = set()


def unbroken(function: Called) -> Called:
    """Have no alarm raise in a function and what it calls: it sets things right, in no time."""
    code: CodeType = function.__code__
    _unbroken.add(id(code))
    return function


class Alarm:
    """Raises in the main thread when the time is over, within its blocks.

    A handler of SIGALRM and a timer of the user's are kept: they go on within, and stay after.

    Parameters
    ----------
    moment
        Returns when the time is over where it is called, by `time.perf_counter`.
    error
        Makes the error, of words for what was going on.
    """

    def __init__(self, moment: Callable[[], float], error: Callable[[str], Exception]) -> None:
        self._moment, self._error = moment, error
        self._depth = 0
        self._rung = 0  # times, since a block began or ended
        self._outermost: FrameType | None = None
        self._handler: Any = None
        self._others, self._interval = inf, 0.0  # when the user's timer is due, and again after

    @unbroken
    def begin(self, frame: FrameType | None) -> None:
        """Begin a block in a frame; its end has to follow."""
        if not (hasattr(signal, "setitimer") and _is_main_thread()):
            return
        self._depth, self._rung = self._depth + 1, 0
        if self._depth == 1:
            self._outermost = frame
            due, self._interval = signal.setitimer(signal.ITIMER_REAL, 0)
            self._others = time.perf_counter() + due if due else inf
            self._handler = signal.signal(signal.SIGALRM, self._ring)
        self._set()

    @unbroken
    def end(self) -> None:
        """End a block."""
        if not (self._depth and _is_main_thread()):
            return
        self._depth, self._rung = self._depth - 1, 0
        if self._depth:
            self._set()
            return
        self._outermost = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler or signal.SIG_DFL)
        if self._others < inf:
            left = max(self._others - time.perf_counter(), 1e-6)
            signal.setitimer(signal.ITIMER_REAL, left, self._interval)

    def _set(self, least: float = 1e-3) -> None:
        """Set the timer to what comes next; not before so many seconds."""
        due = min(self._moment() + SLACK, self._others) - time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, min(max(due, least), LONGEST) if due < inf else 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        now = time.perf_counter()
        if now >= self._others:
            self._others = now + self._interval if self._interval else inf
            self._set()
            if callable(self._handler):
                self._handler(number, frame)
        if now < self._moment() + SLACK:
            self._set()
        elif self._must_wait(frame):
            self._set(AGAIN)
        else:
            self._rung += 1
            self._set(REPEAT)
            error = self._error(_doing(frame))
            raise error if self._rung < INSIST_FROM else TimeIsOver(*error.args)

    def _must_wait(self, frame: FrameType | None) -> bool:
        """Return whether what is going on in a frame must not be cut short."""
        if frame is not None and frame.f_code.co_filename == contextlib.__file__:
            return True  # between a block and what sets things right after it
        callbacks = {getattr(found, "__code__", None) for found in gc.callbacks}
        while frame is not None and frame is not self._outermost:
            code = frame.f_code
            if id(code) in _unbroken or code is START or code.co_filename == IMPORTS:
                return True
            if code.co_name == "__exit__" and code.co_filename in EXITS:
                return True
            if _is_ignored(code) or code in callbacks:
                return True
            frame = frame.f_back
        return False


def _is_ignored(code: CodeType) -> bool:
    """Return whether what is raised in code is printed and ignored: where nobody called it."""
    if code.co_filename in WEAK:
        return code.co_name in ("remove", "_remove") or code is FINALIZE
    return code.co_name in UNCALLED


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _doing(frame: FrameType | None) -> str:
    """Return what was going on in a frame, for people."""
    place = _place(frame)
    if place in COMPILERS:
        return "loops were compiled, which the first run does and keeps once it is done"
    return f"{place} was at work"


def _place(frame: FrameType | None) -> str:
    """Return what is at work in a frame, for people: a function, or a package."""
    while frame is not None and frame.f_code.co_filename.startswith((LIBRARY, "<frozen")):
        if "site-packages" in frame.f_code.co_filename or frame.f_back is None:
            break
        frame = frame.f_back
    if frame is None:
        return "Python"
    path = Path(frame.f_code.co_filename)
    if "site-packages" in path.parts:
        return path.parts[path.parts.index("site-packages") + 1].removesuffix(".py")
    return f"{frame.f_code.co_name} of {path.name}"


def caller() -> FrameType | None:
    """Return the frame that called the function which calls this."""
    return sys._getframe(2)
