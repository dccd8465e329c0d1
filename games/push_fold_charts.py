"""Charts of push or fold: up to which stack each class of hands is pushed, or called with.

A chart prints for each class the last stack, of those on a grid, at which it acts at least half of
the time. Where it does not on the way there, the chart has a hole.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

HALF = Fraction(1, 2)


class Threshold(NamedTuple):
    """Where a class acts.

    Parameters
    ----------
    last
        The last stack of the grid at which it does; None if there is none.
    holes
        First and last stack of each stretch of the grid below that at which it does not.
    """

    last: Fraction | None
    holes: tuple[tuple[Fraction, Fraction], ...]


def threshold(stacks: Sequence[Fraction], weights: Sequence[Fraction]) -> Threshold:
    """Return where a class acts.

    Parameters
    ----------
    stacks
        The grid, ascending.
    weights
        How often the class acts at each.

    Examples
    --------
    >>> threshold([Fraction(1), Fraction(2), Fraction(3), Fraction(4)], [1, 0, HALF, 0])
    Threshold(last=Fraction(3, 1), holes=((Fraction(2, 1), Fraction(2, 1)),))
    """
    acts = [weight >= HALF for weight in weights]
    if not any(acts):
        return Threshold(None, ())
    last = len(acts) - 1 - acts[::-1].index(True)
    holes: list[tuple[Fraction, Fraction]] = []
    for place in range(last):
        if acts[place]:
            continue
        begins = place == 0 or acts[place - 1]
        holes.append((stacks[place], stacks[place]) if begins else (holes.pop()[0], stacks[place]))
    return Threshold(stacks[last], tuple(holes))


def grid(first: Fraction, last: Fraction, step: Fraction) -> list[Fraction]:
    """Return the stacks from one to another.

    Examples
    --------
    >>> [str(stack) for stack in grid(Fraction(1), Fraction(2), Fraction(2, 5))]
    ['1', '7/5', '9/5']
    """
    return [first + number * step for number in range(int((last - first) // step) + 1)]
