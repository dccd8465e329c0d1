"""Sizes before and after a reduction, as a picture whose text is text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from seqform.report.markup import Markup, element

WIDTH, LEFT, RIGHT, STEP, BAR = 460, 130, 110, 30, 16


DRAWN = (
    {"infosets": "information sets", "sequences": "sequences"},
    {"lp_rows": "rows of the LP"},
    {"lp_nonzeros": "nonzeros of the LP"},
)
"""What is drawn, each to a scale of its own, by the keys of a result. Up to version 2 results say
nothing of the smaller game's program."""


class Bar(NamedTuple):
    """What is counted, and how many there are."""

    name: str
    amount: int


def size_bars(claims: dict[str, Any]) -> list[list[Bar]]:
    """Return sizes of the game and of the smaller one that was solved, if any.

    The counts of one list are drawn to one scale.
    """
    before, after = claims.get("sizes"), claims.get("abstract_sizes")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    drawings = []
    for names in DRAWN:
        found = []
        for key, name in names.items():
            if type(before.get(key)) is int and type(after.get(key)) is int:
                small = Bar(f"after '{claims['abstraction']}'", after[key])
                found += [Bar(name, before[key]), small]
        drawings.append(found)
    return [found for found in drawings if found]


def bars(title: str, counted: Sequence[Bar]) -> Markup:
    """Return horizontal bars with their names and numbers."""
    most = max(bar.amount for bar in counted)
    room = WIDTH - LEFT - RIGHT
    parts: list[Markup] = [element("title", title)]
    for place, (name, count) in enumerate(counted):
        y, width = place * STEP + 8, max(room * count / most, 1.5)
        middle = y + BAR / 2
        label = {"y": f"{middle}", "dominant_baseline": "central"}
        parts += [
            element("text", name, x=LEFT - 10, text_anchor="end", **label),
            element("rect", x=LEFT, y=y, width=f"{width:.1f}", height=BAR, rx=3, class_="bar"),
            element("text", f"{count:,}", x=f"{LEFT + width + 8:.1f}", class_="count", **label),
        ]
    height = STEP * len(counted) + 4
    box = f"0 0 {WIDTH} {height}"
    return element(
        "svg", *parts, viewBox=box, role="img", class_="figure", style=f"max-width:{WIDTH}px"
    )
