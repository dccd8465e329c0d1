"""Progress: what goes on in a call, told to whoever listens without being handed on.

A walk through a large game tells how far it has come. The command line listens and shows it; a
notebook may do so too. Where nobody listens, nothing is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]
"""Called with what goes on, in a few words: 'building the tree: 12,000 nodes'."""

TELL_EVERY = 0.25
"""Seconds between two messages, at least."""


class _Told:
    """A listener, and when it was told last."""

    def __init__(self, listener: Listener) -> None:
        self.listener, self.last = listener, time.perf_counter()


_current: ContextVar[_Told | None] = ContextVar("progress", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a listener told what goes on within.

    Examples
    --------
    >>> with listening(print):
    ...     tell("thinking", every=0)
    thinking
    """
    before = _current.set(_Told(listener))
    try:
        yield
    finally:
        _current.reset(before)


def is_listening() -> bool:
    """Return whether anybody is told what goes on."""
    return _current.get() is not None


def tell(doing: str, every: float | None = None) -> None:
    """Tell the listener what goes on, unless it was told less than `every` seconds ago.

    By default less than `TELL_EVERY`.
    """
    told = _current.get()
    if told is None:
        return
    now = time.perf_counter()
    if now >= told.last + (TELL_EVERY if every is None else every):
        told.last = now
        told.listener(doing)
