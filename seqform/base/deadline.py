"""From a time limit to the moment at which it is over."""

from __future__ import annotations

import time
from math import inf
from numbers import Real

from seqform.base.errors import InvalidParameterError


def deadline_of(time_limit: float | None) -> float:
    """Return when a time limit of so many seconds from now on is over.

    By `time.perf_counter`; infinity without a limit.

    Raises
    ------
    InvalidParameterError
        If the limit is not above 0.
    """
    if time_limit is None:
        return inf
    if not (isinstance(time_limit, (float, Real)) and time_limit > 0):
        raise InvalidParameterError(f"time_limit={time_limit}: use a number of seconds above 0")
    return time.perf_counter() + float(time_limit)
