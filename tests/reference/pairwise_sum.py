"""The order in which numpy sums floats, by any addition: of floats, or of how deep terms are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeVar

T = TypeVar("T")


def pairwise_sum(terms: Sequence[T], add: Callable[[T, T], T]) -> T:
    """Return the sum of one term or more, in the order of `numpy.ndarray.sum` of one dimension."""
    if len(terms) > 128:
        half = len(terms) // 16 * 8
        return add(pairwise_sum(terms[:half], add), pairwise_sum(terms[half:], add))
    whole = len(terms) // 8 * 8
    if not whole:
        return reduce(add, terms)
    running = [reduce(add, terms[i:whole:8]) for i in range(8)]
    while len(running) > 1:
        running = [add(*pair) for pair in zip(running[::2], running[1::2], strict=True)]
    return reduce(add, terms[whole:], running[0])


def deepest(length: int) -> int:
    """Return through how many additions that term passes which passes through the most."""
    return pairwise_sum([0] * length, lambda one, other: 1 + max(one, other))
