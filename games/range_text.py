"""A range written as people do: ``QQ+, A5s-A2s:0.5, AhKh:0.25``, short but not the shortest.

Each class of hands is given the weight that most of its hands have; hands with another one follow,
as later entries override earlier ones. Classes in a row of one weight are written together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from games.hand_classes import CLASS_OF, HANDS_OF, class_number, hand_name
from games.playing_cards import NUM_RANKS, RANKS
from seqform.base.number import fraction_text

MOST_PLACES = 20
"""Places of a decimal; what has more is written as a fraction."""


class _Run(NamedTuple):
    """Classes of one weight whose second rank goes from `top` down to `bottom`."""

    high: int
    top: int
    bottom: int
    weight: Fraction


def range_text(weights: Sequence[Fraction]) -> str:
    """Return a text that `parse_range` reads as these 1,326 weights."""
    if len(set(weights)) == 1:
        return "random" + _suffix(weights[0])
    of_class = [_usual([weights[hand] for hand in hands]) for hands in HANDS_OF]
    entries = [*_pairs(of_class), *_others(of_class)]
    for hand, weight in enumerate(weights):
        if weight != of_class[CLASS_OF[hand]]:
            entries.append(hand_name(hand) + _suffix(weight))
    return ", ".join(entries)


def weight_text(weight: Fraction) -> str:
    """Return a weight as a decimal, or as a fraction if that has no end or a late one.

    Examples
    --------
    >>> weight_text(Fraction(1, 4)), weight_text(Fraction(1, 3)), weight_text(Fraction(1))
    ('0.25', '1/3', '1')
    """
    scaled = weight * 10**MOST_PLACES
    if scaled.denominator > 1:
        return fraction_text(weight)
    text = f"{Decimal(int(scaled)).scaleb(-MOST_PLACES):f}"
    return text.rstrip("0").rstrip(".") or "0"


def _suffix(weight: Fraction) -> str:
    return "" if weight == 1 else f":{weight_text(weight)}"


def _usual(weights: Sequence[Fraction]) -> Fraction:
    """Return the most frequent weight; of several 0, or else the largest."""
    counts = Counter(weights)
    return max(counts, key=lambda weight: (counts[weight], weight == 0, weight))


def _runs(high: int, weights: Sequence[Fraction]) -> Iterator[_Run]:
    """Return runs of equal weights by rank, the highest first; not those of weight 0."""
    top = len(weights)
    while top > 0:
        bottom = top - 1
        while bottom > 0 and weights[bottom - 1] == weights[top - 1]:
            bottom -= 1
        if weights[bottom]:
            yield _Run(high, top - 1, bottom, weights[bottom])
        top = bottom


def _pairs(of_class: Sequence[Fraction]) -> Iterator[str]:
    weights = [of_class[class_number(rank, rank, "")] for rank in range(NUM_RANKS)]
    for _, top, bottom, weight in _runs(NUM_RANKS, weights):
        first, last = 2 * RANKS[top], 2 * RANKS[bottom]
        yield _joined(first, last, top == NUM_RANKS - 1) + _suffix(weight)


def _others(of_class: Sequence[Fraction]) -> Iterator[str]:
    """Return the entries of hands of one suit, together with those of two where they are alike."""
    suited, offsuit = _runs_of(of_class, "s"), _runs_of(of_class, "o")
    both = set(suited) & set(offsuit)
    for run in suited:
        yield _entry(run, "" if run in both else "s")
    for run in offsuit:
        if run not in both:
            yield _entry(run, "o")


def _runs_of(of_class: Sequence[Fraction], kind: str) -> list[_Run]:
    found: list[_Run] = []
    for high in range(NUM_RANKS - 1, 0, -1):
        below = [of_class[class_number(high, low, kind)] for low in range(high)]
        found += _runs(high, below)
    return found


def _entry(run: _Run, kind: str) -> str:
    first, last = (RANKS[run.high] + RANKS[low] + kind for low in (run.top, run.bottom))
    return _joined(first, last, run.top == run.high - 1) + _suffix(run.weight)


def _joined(first: str, last: str, is_highest: bool) -> str:
    if first == last:
        return first
    return f"{last}+" if is_highest else f"{first}-{last}"
