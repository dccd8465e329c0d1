"""What of the machine a computation here may take: memory, processors and threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from numbers import Integral

from seqform.base.errors import InvalidParameterError
from seqform.base.free_memory import available_bytes, free_bytes
from seqform.base.health import Finding
from seqform.base.memory import in_words

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""Variables that say how many threads libraries start."""

LITTLE = 2**30
"""With less memory than this, in bytes, the larger games of the guides are refused."""


def examine_machine() -> Iterator[Finding]:
    """Yield what there is of memory, cores and threads."""
    yield from _memory()
    yield _cores()
    for name in THREADS:
        value = os.environ.get(name)
        if value is None:
            yield Finding("machine", name, "fine", "not set", "libraries choose")
        elif value.isdecimal() and int(value) > 0:
            yield Finding("machine", name, "fine", value, "threads at most")
        else:
            yield Finding("machine", name, "doubtful", repr(value), "set a whole number, or unset")


def _memory() -> Iterator[Finding]:
    """Yield what is free, and what this process may take of it: less, under a resource limit."""
    for name, amount, of in (
        ("free memory", free_bytes(), "of the machine, or of its control groups"),
        ("memory for this process", available_bytes(), "larger games are refused"),
    ):
        yield Finding(
            "machine", name, "doubtful" if amount < LITTLE else "fine", in_words(amount), of
        )


def _cores() -> Finding:
    all_of_them, usable = os.cpu_count() or 1, processors()
    found = f"{usable}" if usable == all_of_them else f"{usable} of {all_of_them}"
    return Finding("machine", "cores", "fine", found, "for --threads and --jobs")


MOST_EACH = 4
"""Threads or processes for each processor: more take memory, and get in each other's way."""


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(name: str, count: object) -> None:
    """Validate how many threads or processes are to work.

    Parameters
    ----------
    name
        Of the argument, for the error message.

    Raises
    ------
    InvalidParameterError
        Unless it is a whole number from 1 to four times the processors at hand.
    """
    if not isinstance(count, Integral) or isinstance(count, bool) or count < 1:
        raise InvalidParameterError(f"{name}={count!s:.40}: use 1 or more")
    there = processors()
    if int(count) > MOST_EACH * there:
        raise InvalidParameterError(
            f"{name}={count!s:.40}: this process has {there} processors, and at most "
            f"{MOST_EACH} times as many are taken; use {name}={there}"
        )
