"""Guests: a user's own code runs in our process, and neither ends it nor reads what is typed.

`sys.exit` and `os._exit` become errors while such code is called, and standard input is at its end.
If the code forks, the child ends where it would go on as a second one of us.
"""

from __future__ import annotations

import os
import posix
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def guest() -> Iterator[None]:
    """Run a block that calls a user's own code.

    Raises
    ------
    SystemExit
        If the code ends the process, in whatever way.
    """
    home, leave = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() == home:
            raise SystemExit(status)
        leave(status)

    os._exit = posix._exit = refuse
    try:
        with _no_input():
            yield
    finally:
        os._exit = posix._exit = leave
        if os.getpid() != home:
            leave(0)


@contextmanager
def _no_input() -> Iterator[None]:
    """Have nothing to read on standard input, for this process and those that it starts."""
    with open(os.devnull, encoding="utf-8") as nothing:
        text, kept = sys.stdin, os.dup(0)
        sys.stdin = nothing
        os.dup2(nothing.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(kept, 0)
            os.close(kept)
            sys.stdin = text
