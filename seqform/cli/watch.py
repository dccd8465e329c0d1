"""The last resort of a time limit: a process beside the command's ends it.

In compiled code that neither returns nor lets other threads run, nothing of the process itself can
end it: no alarm, no thread, no signal that Python handles. So another process waits, and kills.
"""

from __future__ import annotations

import os
import time
from select import select
from signal import SIG_IGN, SIGKILL, signal

from seqform.base.alarm import unbroken
from seqform.base.interrupt import SIGNALS

LONGEST = 1e6
"""Seconds that are waited for in one call."""

_held: list[int] = []
"""Ends of pipes that this process holds open as long as it lives."""


@unbroken  # what is raised within a fork is printed, and leaves locks of the library held
def end_at(moment: float, words: str) -> None:
    """Have this process killed at a moment, by `time.perf_counter`, unless it ends before.

    Its exit status is then 137, or 128 and the number of SIGKILL.

    Parameters
    ----------
    words
        What is printed to standard error before.
    """
    if not hasattr(os, "fork"):
        return
    told, holding = os.pipe()
    watched = os.getpid()
    if os.fork():
        os.close(told)
        _held.append(holding)
        return
    try:
        for number in SIGNALS:
            signal(number, SIG_IGN)  # they are for the other one
        os.close(holding)
        if _outlasts(told, moment) and os.getppid() == watched:
            os.write(2, f"seqform: {words}\n".encode())
            os.kill(watched, SIGKILL)
    finally:
        os._exit(0)


def _outlasts(told: int, moment: float) -> bool:
    """Wait until a moment, or until nobody holds the other end of a pipe; return which."""
    while (left := moment - time.perf_counter()) > 0:
        if select([told], [], [], min(left, LONGEST))[0]:
            return False
    return True
