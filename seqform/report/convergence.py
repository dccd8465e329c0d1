"""How the gap of an iterative method fell, as a picture whose text is text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from seqform.solvers.iterative.search import Look

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 64, 30, 28, 44


class Convergence(NamedTuple):
    """A picture: its title, its line, and what is written at the axes and where."""

    title: str
    unit: str
    points: str
    x_ticks: list[tuple[str, str]]
    y_ticks: list[tuple[str, str]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def convergence(history: Sequence[Look], unit: str) -> Convergence | None:
    """Return the gap by iterations, both on logarithmic scales; None of fewer than two looks."""
    looks = [look for look in history if look.gap > 0 and look.iterations > 0]
    if len(looks) < 2:
        return None
    x = Axis([look.iterations for look in looks], LEFT, WIDTH - RIGHT)
    y = Axis([look.gap for look in looks], HEIGHT - BOTTOM, TOP)
    points = " ".join(f"{x.at(look.iterations):.1f},{y.at(look.gap):.1f}" for look in looks)
    last = looks[-1]
    title = (
        f"The gap fell from {looks[0].gap:.3g} to {last.gap:.3g} {unit} in {last.iterations:,} "
        f"iterations and {last.seconds:.3g} seconds"
    )
    return Convergence(title, unit, points, x.ticks(",.0f"), y.ticks("g"))


class Axis:
    """A logarithmic scale over whole powers of ten."""

    def __init__(self, numbers: Iterable[float], start: float, stop: float) -> None:
        logs = [log10(number) for number in numbers]
        self.low, self.high = floor(min(logs)), ceil(max(logs))
        self.high = max(self.high, self.low + 1)
        self.start, self.stop = start, stop

    def at(self, number: float) -> float:
        """Return where a number is."""
        share = (log10(number) - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def ticks(self, form: str) -> list[tuple[str, str]]:
        """Return where the powers of ten are, and how they are written."""
        step = max(1, ceil((self.high - self.low) / 6))
        powers = [10.0**power for power in range(self.low, self.high + 1, step)]
        return [(f"{self.at(power):.1f}", f"{power:{form}}") for power in powers]
