"""How strong a hand of poker is, read off the cards: the best of all choices of five."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

RANKS, SUITS = "23456789TJQKA", "cdhs"
FIVE_HIGH = [12, 3, 2, 1, 0]


def best_of(names: Sequence[str]) -> tuple[int, list[int]]:
    """Return category and ranks of the best five of some cards, which compare as hands do."""
    return max(map(strength_of_five, combinations(names, 5)))


def strength_of_five(names: Sequence[str]) -> tuple[int, list[int]]:
    counts = Counter(RANKS.index(rank) for rank, _ in names)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({suit for _, suit in names}) == 1
    if ranks == FIVE_HIGH:
        ranks = [3, 2, 1, 0, -1]
    is_straight = shape == [1] * 5 and ranks[0] - ranks[4] == 4
    return _category(shape, is_flush, is_straight), ranks


def _category(shape: list[int], is_flush: bool, is_straight: bool) -> int:
    if is_flush and is_straight:
        return 8
    if shape == [4, 1]:
        return 7
    if shape == [3, 2]:
        return 6
    if is_flush:
        return 5
    if is_straight:
        return 4
    return {3: 3, 1: 0, 2: 2 if shape[1] == 2 else 1}[shape[0]]
