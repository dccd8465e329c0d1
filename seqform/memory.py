"""Refusing what does not fit into memory, before anything is allocated."""

from __future__ import annotations

import os

from seqform.errors import GameTooLargeError

USABLE_SHARE = 0.9


def available_bytes() -> int:
    """Return the memory that is free on this machine, or all of it where the system does not tell."""
    name = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
    free = os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    try:
        with open("/proc/meminfo") as file:  # what the system would make free by dropping its caches counts too
            kilobytes = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return free
    return kilobytes * 1024


def require_memory(num_bytes: float, what: str, instead: str) -> None:
    """Refuse to make something larger than the free memory.

    Raises
    ------
    GameTooLargeError
        With the estimate, what there is, and what to do instead.
    """
    available = available_bytes()
    if num_bytes > USABLE_SHARE * available:
        raise GameTooLargeError(f"{what} needs about {num_bytes / 2**30:.1f} GB and {available / 2**30:.1f} GB are free; {instead}")
