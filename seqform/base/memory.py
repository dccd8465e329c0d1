"""Limits of memory: what will not fit is an error before it is allocated."""

from __future__ import annotations

import resource
import sys

from seqform.base.errors import GameTooLargeError
from seqform.base.free_memory import (
    available_bytes,
    data_bytes,
    free_bytes,
    held_bytes,
    peak_bytes,
)

USABLE_SHARE = 0.9

LITTLE = 2**20
"""Bytes that nobody asks the system for: reading what it has free takes longer."""

MAX_BYTES = 4 * 2**30
"""Memory that going through a game may add; states that grow with their history use it up long
before they run out of nodes."""

WALK_SHARE = 0.5
"""Of what is available, for going through a game; the rest is for the arrays made of it."""

PAUSE = 4096
"""States between two looks at the memory, at most."""

CAREFUL_SHARE = 1 / 8
"""Of what a walk may still add: it may be added between two looks, going by the last one."""


def require_memory(num_bytes: float, what: str, instead: str) -> None:
    """Validate that something fits into the memory that this process may still take.

    Raises
    ------
    GameTooLargeError
        With the estimate, what there is, and what to do instead.
    """
    available = shortage(num_bytes)
    if available is not None:
        raise GameTooLargeError(
            f"{what} needs about {in_words(num_bytes)} of memory, "
            f"and this process may take {in_words(available)}; {instead}"
        )


def shortage(num_bytes: float) -> int | None:
    """Return what this process may take if so many bytes more do not fit into it; else None."""
    if num_bytes <= LITTLE:
        return None
    available = available_bytes()
    return available if num_bytes > USABLE_SHARE * available else None


def in_words(num_bytes: float) -> str:
    """Return a number of bytes for people.

    Examples
    --------
    >>> in_words(3.2 * 2**30), in_words(71.4 * 2**20)
    ('3.2 GB', '71 MB')
    """
    gigabytes = num_bytes / 2**30
    return f"{gigabytes:,.1f} GB" if gigabytes >= 0.95 else f"{num_bytes / 2**20:,.0f} MB"


class MemoryLimit:
    """How much memory a walk through a game may add: `MAX_BYTES`, or half of what is available.

    States of strangers' games may take bytes or megabytes each. So the walk looks at the memory
    after the first state, and then ever more rarely, but never so rarely that states like the last
    ones could use up more than `CAREFUL_SHARE` of what is left.

    Attributes
    ----------
    bytes
        What may be added.
    next_look
        From how many states on `is_used_up` looks at the memory again.
    """

    def __init__(self) -> None:
        self.bytes = min(MAX_BYTES, WALK_SHARE * available_bytes())
        self.next_look = 1
        self._start = self._held = held_bytes()
        self._looked = 0

    def is_used_up(self, states: int) -> bool:
        """Return whether more was added by now, after so many states since the limit was made."""
        if states < self.next_look:
            return False
        held, seen = held_bytes(), states - self._looked
        left, per_state = self.bytes - (held - self._start), (held - self._held) / seen
        self._held, self._looked = held, states
        pause = min(PAUSE, 2 * seen)
        if per_state > 0:
            pause = min(pause, int(CAREFUL_SHARE * left / per_state))
        self.next_look = states + max(1, pause)
        return left < 0

    @property
    def added(self) -> int:
        """Bytes that were added when it was last looked at."""
        return max(0, self._held - self._start)

    def __str__(self) -> str:
        return f"{in_words(self.bytes)} of memory"


def refuse_more_than_available() -> None:
    """Let the system refuse this process what the machine has not got.

    Without that it grants memory that does not exist, and kills the process when it is used. Now an
    allocation that cannot be met is a MemoryError at once. Only the data are bounded, since
    libraries reserve addresses that they never use.
    """
    if not sys.platform.startswith("linux"):
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = data_bytes() + free_bytes()
    if soft == resource.RLIM_INFINITY or most < soft:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def peak_rss_mb() -> float:
    """Return the largest memory that this process has held, in MB of 2**20 bytes."""
    return peak_bytes() / 2**20
