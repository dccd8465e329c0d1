"""Limits of memory: what will not fit is an error before it is allocated."""

from __future__ import annotations

import os
import resource
import sys

from seqform.base.errors import GameTooLargeError

USABLE_SHARE = 0.9

MAX_BYTES = 4 * 2**30
"""Memory that going through a game may add; states that grow with their history use it up long
before they run out of nodes."""


def available_bytes() -> int:
    """Return the free memory of this machine, or all of it where the system does not say."""
    name = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    free = os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    try:
        with open("/proc/meminfo") as file:  # counts what dropping caches would make free
            found = (line.split()[1] for line in file if line.startswith("MemAvailable"))
            kilobytes = int(next(found))
    except (OSError, StopIteration):
        return free
    return kilobytes * 1024


def require_memory(num_bytes: float, what: str, instead: str) -> None:
    """Validate that something fits into the free memory.

    Raises
    ------
    GameTooLargeError
        With the estimate, what there is, and what to do instead.
    """
    available = available_bytes()
    if num_bytes > USABLE_SHARE * available:
        raise GameTooLargeError(
            f"{what} needs about {num_bytes / 2**30:.1f} GB "
            f"and {available / 2**30:.1f} GB are free; {instead}"
        )


class MemoryLimit:
    """How much memory this process may hold: `MAX_BYTES` more, or half of this machine's."""

    def __init__(self) -> None:
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.bytes = peak_bytes() + min(MAX_BYTES, physical // 2)

    def is_used_up(self) -> bool:
        """Return whether the process has held more."""
        return peak_bytes() > self.bytes

    def __str__(self) -> str:
        return f"{self.bytes / 2**30:.1f} GB of memory"


def peak_bytes() -> int:
    """Return the largest memory this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def peak_rss_mb() -> float:
    """Return the largest memory that this process has held, in MB of 2**20 bytes."""
    return peak_bytes() / 2**20
