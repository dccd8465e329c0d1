"""What of the machine a computation here may take: memory, cores and threads."""

from __future__ import annotations

import os
from collections.abc import Iterator

from seqform.base.free_memory import available_bytes, free_bytes
from seqform.base.health import Finding
from seqform.base.memory import in_words
from seqform.base.processors import processors

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
