"""Hold'em: values, equities and counts that others print, or that two programs agree on.

Spots a, b and c are those that postflop-solver was measured on, at commit 9d1509f, in single
precision; its EV is the first player's share of the pot, each at an exploitability of its own.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from games.board_lists import alike
from games.playing_cards import DECK
from seqform import make, solve
from tests.reference.range_equity import equity


@cache
def share_of_pot(spot: str, gap: float) -> tuple[float, float, float]:
    """Return the first player's share of the pot by our strategies, and what bounds it."""
    found: Any = solve(make(spot), method="dcfr", gap=gap)
    assert found.gap <= gap
    return found.value + 100, found.lower + 100, found.upper + 100


def test_equity_of_the_flop() -> None:
    """Postflop-solver prints .536470."""
    assert float(equity(make("flop"))) == pytest.approx(0.536470, abs=5e-7)


def test_the_river_of_all_hands() -> None:
    """Its value was bounded once by a search in doubles; postflop-solver is within its gap of 0.02.

    The bounds of 30,000 iterations were judged by a dense best response.
    """
    value, lower, upper = share_of_pot("river", 0.04)
    assert lower <= 93.76628
    assert upper >= 93.76610
    assert value == pytest.approx(93.7676, abs=0.02 + 0.04)


@pytest.mark.long
def test_the_river_of_all_hands_to_a_millionth_of_the_pot() -> None:
    _, lower, upper = share_of_pot("river", 2e-4)
    assert 93.76610 - 2e-4 <= lower <= 93.76628
    assert 93.76610 <= upper <= 93.76628 + 2e-4


@pytest.mark.long
@pytest.mark.parametrize(
    ("spot", "printed", "percent"), [("turn", 92.2948, 0.1), ("flop", 107.1707, 0.5)]
)
def test_shares_of_the_pot(spot: str, printed: float, percent: float) -> None:
    """Postflop-solver's is within its exploitability of the value, and ours bound the value."""
    _, lower, upper = share_of_pot(spot, 2.0)
    theirs = 2 * percent  # chips of a pot of 200
    assert lower - theirs <= printed <= upper + theirs


@pytest.mark.parametrize(
    ("dealt", "count"),
    [
        ((2,), 169),
        ((2, 3), 1_286_792),
        ((2, 3, 1), 55_190_538),
        ((2, 3, 1, 1), 2_428_287_420),
        ((0, 3), 1_755),
        ((2, 5), 123_156_254),
    ],
)
def test_hands_up_to_suits(dealt: tuple[int, ...], count: int) -> None:
    """A hand and what is dealt face up street by street, as Waugh counts them (2013).

    By Burnside's lemma: what each permutation of suits leaves as it is, on average.
    """
    suits = alike((), ())
    assert sum(kept_by(of, dealt) for of in suits) == count * len(suits)


def kept_by(cards: tuple[int, ...], dealt: tuple[int, ...]) -> int:
    """Return how many hands with boards a permutation keeps, each street's cards as a set.

    Cards that it leads around in a circle lie all in one set, or in none.
    """
    ways = Counter({dealt: 1})
    for length in circles(cards):
        further = ways.copy()
        for left, count in ways.items():
            for place, room in enumerate(left):
                if room >= length:
                    further[*left[:place], room - length, *left[place + 1 :]] += count
        ways = further
    return ways[(0,) * len(dealt)]


def circles(cards: tuple[int, ...]) -> list[int]:
    """Return the lengths of the cycles of a permutation."""
    left, found = set(range(len(DECK))), []
    while left:
        first = card = left.pop()
        length = 1
        while (card := cards[card]) != first:
            left.remove(card)
            length += 1
        found.append(length)
    return found
