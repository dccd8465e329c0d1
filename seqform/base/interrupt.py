"""Interrupts: the first signal asks to stop with what was found so far, the second ends at once.

Signals are SIGINT, which Ctrl-C sends, and SIGTERM. In a program of yours SIGINT raises
KeyboardInterrupt as ever, and SIGTERM is left alone; `leave` is for command lines.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from types import FrameType, TracebackType
from typing import Any

from seqform.base.alarm import unbroken

SIGNALS = (signal.SIGINT, signal.SIGTERM)

EXIT_SIGNAL = 128
"""Exit statuses of what a signal ended are this and the signal's number."""


class Interrupted(BaseException):
    """The user asked to stop, where there was nothing to wait for."""


class Ended(SystemExit):
    """A signal ended the program; what ends itself raises SystemExit."""


class First(Enum):
    """What is done at the first signal; it is noted in any case."""

    WAIT = "nothing more: what is under way looks at `Interrupt.asked`"
    PASS = "what was to be done before, such as ending the program"
    RAISE = "Interrupted is raised"


class Interrupt:
    """Within its block, signals are taken by these rules; blocks may lie in one another.

    A second signal does what was to be done outside all blocks: it ends the program, or raises
    KeyboardInterrupt. Only the main thread takes signals, and only those that would do this.

    Parameters
    ----------
    first
        What is done at the first signal; it may be changed on the way.
    insist
        Whether a second one is more than the first. Inside the callbacks of a solver nothing can be
        raised.

    Attributes
    ----------
    number
        The signal that was taken first, here or in a block around this one; None without one.
    """

    def __init__(self, first: First = First.WAIT, insist: bool = True) -> None:
        self.first, self._insist = first, insist
        self.number: int | None = None
        self._before: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        """Whether there was a signal."""
        return self.number is not None

    @unbroken
    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():  # only it can set handlers
            for number in SIGNALS:
                handler = signal.getsignal(number)
                outer = _block(handler)
                if outer is not None or handler in (signal.default_int_handler, leave):
                    self.number = outer.number if outer is not None else self.number
                    self._before[number] = signal.signal(number, self._take)
        return self

    @unbroken
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        again, first = self.asked, self.first
        self._note(number)
        if (again and self._insist) or (not again and first is First.PASS):
            self.end(number)
        if not again and first is First.RAISE:
            raise Interrupted

    def _note(self, number: int) -> None:
        """Let this block know of a signal, and those around it."""
        self.number = number
        outer = _block(self._before[number])
        if outer is not None:
            outer._note(number)

    def end(self, number: int | None = None) -> None:
        """Do what is done outside all blocks: end the program, or raise KeyboardInterrupt."""
        number = number or self.number or signal.SIGINT
        handler = self._before.get(number, signal.default_int_handler)
        while (outer := _block(handler)) is not None:
            handler = outer._before[number]
        handler(number, None)


def leave(number: int, frame: FrameType | None) -> None:
    """End a command that has nothing to show: the handler of signals of the command line."""
    name = "interrupted" if number == signal.SIGINT else "terminated"
    print(f"seqform: {name}; {_kept.get()}", file=sys.stderr, flush=True)
    raise Ended(EXIT_SIGNAL + number)


_kept: ContextVar[str] = ContextVar("kept", default="there is no result")


@contextmanager
def kept(words: str) -> Iterator[None]:
    """Have `leave` say what a user has nevertheless, in words that follow "interrupted; "."""
    before = _kept.set(words)
    try:
        yield
    finally:
        _kept.reset(before)


def _block(handler: Any) -> Interrupt | None:
    """Return the block that a handler of signals is of, if any."""
    owner = getattr(handler, "__self__", None)
    return owner if isinstance(owner, Interrupt) else None
