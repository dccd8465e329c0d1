"""Whether a hand is meant by what people write, asked of one hand and one term at a time."""

from __future__ import annotations

RANKS = "23456789TJQKA"


def is_meant(term: str, one: str, other: str) -> bool:
    """Tell whether two cards, such as ``"Ah"`` and ``"Kh"``, are a hand of a term."""
    if term == "random":
        return True
    if term[1] in "cdhsx":
        return _is(term, one, other) or _is(term, other, one)
    low, high = sorted(RANKS.index(card[0]) for card in (one, other))
    suited = one[1] == other[1]
    if ("s" in term and not suited) or ("o" in term and suited):
        return False
    first, _, last = term.replace("s", "").replace("o", "").partition("-")
    a, b = RANKS.index(first[0]), RANKS.index(first[1])
    if last:
        return _is_between((a, b), (RANKS.index(last[0]), RANKS.index(last[1])), (high, low))
    if first.endswith("+"):
        return low == high >= a if a == b else high == a and b <= low < a
    return (high, low) == (a, b)


def _is(term: str, one: str, other: str) -> bool:
    return all(written in ("x", there) for written, there in zip(term, one + other, strict=True))


def _is_between(first: tuple[int, int], last: tuple[int, int], hand: tuple[int, int]) -> bool:
    if first[0] == last[0]:
        return hand[0] == first[0] and min(first[1], last[1]) <= hand[1] <= max(first[1], last[1])
    ends = sorted([first[0], last[0]])
    return ends[0] <= hand[0] <= ends[1] and hand[0] - hand[1] == first[0] - first[1]
