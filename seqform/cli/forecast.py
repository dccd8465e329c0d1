"""How much longer a search will take to its gap, and what follows.

Gaps fall like a power of the time, so that the last part of the way tells the rest.
"""

from __future__ import annotations

import time
from math import expm1, inf, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqform import Progress

WINDOW = 4.0
"""The power is taken from what was seen since the search had run for the time so far divided by
this."""

LEAST_PROGRESS = 0.05
"""With an exponent below this nobody can tell."""

HORIZON = 1000.0
"""Nobody can tell what takes more than so many times the time so far."""

LONGEST = 100 * 3600.0
"""Seconds above which nobody can tell."""

LATE = 3.0
"""Seconds that a forecast may be wrong before it is taken back."""


class Forecast:
    """Watches a search, and tells how long it will still take to its aim."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float]] = []

    def until_seen(self, now: Progress) -> float:
        """Return the seconds until the search sees the gap at its aim, and ends.

        Infinity if that cannot be told, or lies too far ahead.
        """
        seconds = self.seconds_left(now)
        return now.until_look(seconds) if seconds <= HORIZON * now.seconds else inf

    def seconds_left(self, now: Progress) -> float:
        """Return the seconds until the gap reaches its aim if it goes on falling as it has.

        Infinity if that cannot be told.
        """
        if now.gap <= now.aim:
            return 0.0
        if not (now.seconds > 0 and now.gap > 0 and now.aim > 0):
            return inf  # both may be below 0: of rounding, and where that is more than the gap
        self._seen = [(x, y) for x, y in self._seen if x >= log(now.seconds / WINDOW)]
        self._seen.append((log(now.seconds), log(now.gap)))
        exponent = -_slope(self._seen)
        if exponent < LEAST_PROGRESS:
            return inf
        factor = log(now.gap / now.aim) / exponent
        return now.seconds * expm1(factor) if factor < 50 else inf


def _slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the line nearest to points; 0 for points above one another."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else 0.0


class Countdown:
    """How much time is left, in words that are true whenever they are read.

    Parameters
    ----------
    seconds
        Until the gap is reached, from now on; infinity if nobody can tell.
    after
        What certifying takes then, by an estimate.
    """

    def __init__(self, seconds: float, after: float = 0.0) -> None:
        self._end, self._after = time.perf_counter() + seconds, after

    def __str__(self) -> str:
        return in_words(self._end - time.perf_counter(), self._after)


def in_words(seconds: float, after: float = 0.0) -> str:
    """Return how much time is left until the gap is reached, and then, in words.

    Parameters
    ----------
    seconds
        Below 0 if the gap was to be reached before now.
    after
        Seconds that certifying takes then; below 1 it is not worth a word.

    Examples
    --------
    >>> in_words(42.4), in_words(300, 25.0), in_words(9000)
    ('about 42 s to the gap', 'about 5 min to the gap, then 25 s', 'about 2.5 h to the gap')
    >>> in_words(float("inf")), in_words(0.2), in_words(-9)
    ('time left unknown', 'nearly at the gap', 'later than forecast')
    """
    if seconds > LONGEST:
        return "time left unknown"
    if seconds < -LATE:
        words = "later than forecast"
    else:
        words = "nearly at the gap" if seconds < 1 else f"about {_rounded(seconds)} to the gap"
    return f"{words}, then {_rounded(after)}" if after >= 1 else words


def _rounded(seconds: float) -> str:
    """Return a time in the largest unit in which it has two digits, nearly."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
