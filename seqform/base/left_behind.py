"""Threads of a library that go on when nobody waits for them any more.

They were asked to stop, and do when they next look. Python must not end before: a thread of C++
that comes back to it then aborts the process.
"""

from __future__ import annotations

import atexit
from threading import Thread

_threads: list[Thread] = []


def leave_behind(thread: Thread) -> None:
    """Have Python wait, when it ends, for a thread that nobody waits for now."""
    if not _threads:
        atexit.register(_wait)
    _threads.append(thread)


def is_one_left() -> bool:
    """Return whether one of them is still at work."""
    return any(thread.is_alive() for thread in _threads)


def _wait() -> None:
    for thread in _threads:
        thread.join()
