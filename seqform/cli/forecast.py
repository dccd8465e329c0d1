"""How much longer a search will take.

Gaps fall like a power of the time, so that the last part of the way tells the rest.
"""

from __future__ import annotations

from math import expm1, inf, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqform import Progress

WINDOW = 4.0
"""The power is taken from what was seen since the search had run for the time so far divided by
this."""

LEAST_PROGRESS = 0.05
"""With an exponent below this nobody can tell."""


class Forecast:
    """Watches a search, and tells how long it will still take to its aim."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float]] = []

    def seconds_left(self, now: Progress) -> float:
        """Return the seconds until the gap reaches its aim if it goes on falling as it has.

        Infinity if that cannot be told.
        """
        if now.gap <= now.aim:
            return 0.0
        if not now.seconds > 0:
            return inf
        self._seen = [(x, y) for x, y in self._seen if x >= log(now.seconds / WINDOW)]
        self._seen.append((log(now.seconds), log(now.gap)))
        exponent = -_slope(self._seen)
        if exponent < LEAST_PROGRESS or not now.aim > 0:
            return inf
        factor = log(now.gap / now.aim) / exponent
        return now.seconds * expm1(factor) if factor < 50 else inf


def _slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the line nearest to points; 0 for points above one another."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else 0.0


def in_words(seconds: float) -> str:
    """Return how much time is left, in words.

    Examples
    --------
    >>> in_words(42.4), in_words(300), in_words(9000), in_words(float("inf")), in_words(0.2)
    ('about 42 s left', 'about 5 min left', 'about 2.5 h left', 'time left unknown', 'nearly there')
    """
    if seconds > 100 * 3600:
        return "time left unknown"
    if seconds < 1:
        return "nearly there"
    if seconds < 100:
        return f"about {seconds:.0f} s left"
    return (
        f"about {seconds / 60:.0f} min left"
        if seconds < 6000
        else f"about {seconds / 3600:.1f} h left"
    )
