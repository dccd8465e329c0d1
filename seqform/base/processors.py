"""How many processors there are, and how many threads or processes may share them."""

from __future__ import annotations

import os
from numbers import Integral

from seqform.base.errors import InvalidParameterError

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
