"""How the gap of an iterative method fell, as a picture whose text is text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10

from seqform.report.markup import Markup, element
from seqform.solvers.iterative.search import Look

WIDTH, HEIGHT = 460, 240
LEFT, RIGHT, TOP, BOTTOM = 64, 30, 28, 44


def convergence(history: Sequence[Look], unit: str) -> Markup | None:
    """Return the gap by iterations, both on logarithmic scales; None of fewer than two looks."""
    looks = [look for look in history if look.gap > 0 and look.iterations > 0]
    if len(looks) < 2:
        return None
    x = Axis([look.iterations for look in looks], LEFT, WIDTH - RIGHT)
    y = Axis([look.gap for look in looks], HEIGHT - BOTTOM, TOP)
    points = " ".join(f"{x.at(look.iterations):.1f},{y.at(look.gap):.1f}" for look in looks)
    line = element("polyline", points=points, class_="line")
    last = looks[-1]
    title = (
        f"The gap fell from {looks[0].gap:.3g} to {last.gap:.3g} {unit} in {last.iterations:,} "
        f"iterations and {last.seconds:.3g} seconds"
    )
    parts = [element("title", title), *_grid(x, y), line, *_names(unit)]
    shape = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "style": f"max-width:{WIDTH}px"}
    picture = element("svg", *parts, role="img", class_="figure", **shape)
    return element("figure", picture, element("figcaption", f"{title}, as the engine claimed."))


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

    def ticks(self) -> list[float]:
        """Return the powers of ten."""
        step = max(1, ceil((self.high - self.low) / 6))
        return [10.0**power for power in range(self.low, self.high + 1, step)]


def _grid(x: Axis, y: Axis) -> list[Markup]:
    parts = []
    for tick in x.ticks():
        place = f"{x.at(tick):.1f}"
        parts += [
            element("line", x1=place, x2=place, y1=TOP, y2=HEIGHT - BOTTOM, class_="rule"),
            element("text", f"{tick:,.0f}", x=place, y=HEIGHT - BOTTOM + 18, text_anchor="middle"),
        ]
    for tick in y.ticks():
        place = f"{y.at(tick):.1f}"
        label = {"x": LEFT - 8, "y": place, "dominant_baseline": "central", "text_anchor": "end"}
        parts += [
            element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=place, y2=place, class_="rule"),
            element("text", f"{tick:g}", **label),
        ]
    return parts


def _names(unit: str) -> list[Markup]:
    below = {"x": WIDTH - RIGHT, "y": HEIGHT - 6, "text_anchor": "end", "class_": "count"}
    beside = {"x": LEFT - 8, "y": TOP - 14, "text_anchor": "start", "class_": "count"}
    return [element("text", "iterations", **below), element("text", f"gap, {unit}", **beside)]
