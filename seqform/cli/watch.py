"""The last resort of a time limit: a process beside the command's ends it.

In compiled code that neither returns nor lets other threads run, nothing of the process itself can
end it: no alarm, no thread, no signal that Python handles. So another process waits, and kills.
"""

from __future__ import annotations

import os
import time
from select import select
from signal import SIG_IGN, SIGKILL, signal

from seqform.base.interrupt import SIGNALS

_held: list[int] = []
"""Ends of pipes that this process holds open as long as it lives."""


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
        has_ended = select([told], [], [], max(0.0, moment - time.perf_counter()))[0]
        if not has_ended and os.getppid() == watched:
            os.write(2, f"seqform: {words}\n".encode())
            os.kill(watched, SIGKILL)
    finally:
        os._exit(0)
