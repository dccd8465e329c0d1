"""Sizes before and after a reduction, as pictures whose text is text."""

from __future__ import annotations

from typing import Any, NamedTuple

WIDTH, LEFT, RIGHT, STEP, BAR = 460, 130, 110, 30, 16

DRAWN = (
    {"infosets": "information sets", "sequences": "sequences"},
    {"lp_rows": "rows of the LP"},
    {"lp_nonzeros": "nonzeros of the LP"},
)
"""What is drawn, each to a scale of its own, by the keys of a result. Up to version 2 results say
nothing of the smaller game's program."""


class Bar(NamedTuple):
    """What is counted, how many there are, and where the bar is drawn."""

    name: str
    amount: int
    top: int
    length: float

    @property
    def middle(self) -> float:
        """Where its texts are."""
        return self.top + BAR / 2


class Bars(NamedTuple):
    """A picture of horizontal bars with their names and numbers, all to one scale."""

    title: str
    bars: list[Bar]
    width: int = WIDTH
    left: int = LEFT
    thickness: int = BAR

    @property
    def height(self) -> int:
        """Of the picture."""
        return STEP * len(self.bars) + 4


def size_bars(claims: dict[str, Any], title: str) -> list[Bars]:
    """Return sizes of the game and of the smaller one that was solved, if any.

    The counts of one picture are drawn to one scale.
    """
    before, after = claims.get("sizes"), claims.get("abstract_sizes")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    pictures = []
    for names in DRAWN:
        found = list[tuple[str, int]]()
        for key, name in names.items():
            if type(before.get(key)) is int and type(after.get(key)) is int:
                found += [(name, before[key]), (f"after '{claims['abstraction']}'", after[key])]
        if found:
            pictures.append(Bars(title, _bars(found)))
    return pictures


def _bars(counted: list[tuple[str, int]]) -> list[Bar]:
    scale = (WIDTH - LEFT - RIGHT) / max(amount for _, amount in counted)
    return [
        Bar(name, amount, place * STEP + 8, max(scale * amount, 1.5))
        for place, (name, amount) in enumerate(counted)
    ]
