"""What payoffs add up to, and how far off that may be, in games written down by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add

import pytest

from seqform import GameTree, TreeBuilder
from seqform.base.number import Number
from seqform.form.constant_sum import constant_sum

ULP = 2.0**-52
ROUNDING = ULP / 2
SLACK = 1.01
"""What the bound is times, for roundings of roundings."""

Row = tuple[Number, ...]


def lottery(
    rows: Sequence[Row], chances: Sequence[Number] | None = None, reward: Row | None = None
) -> GameTree:
    """Return a game in which chance, or else player 0, chooses what is paid."""
    b = TreeBuilder(2)
    if reward is not None:
        b.reward(b.root, reward)
    if chances is None:
        ends = b.decision(b.root, 0, "all", range(len(rows)))
    else:
        ends = b.chance(b.root, list(enumerate(chances)))
    for end, row in zip(ends, rows, strict=True):
        b.terminal(end, row)
    return b.freeze()


@pytest.mark.parametrize("total", [Fraction(1, 3), 0, 2, Fraction(-7, 5)])
def test_an_exact_sum_is_kept_as_it_is(total: Number) -> None:
    found, spread = constant_sum(lottery([(1, total - 1), (-4, total + 4)]))
    assert (found, type(found), spread) == (total, type(total), 0.0)
    assert constant_sum(lottery([(1, total - 1), (1, total)])) == (None, 0.0)
    assert constant_sum(lottery([(1, total - 1), (1, total - 1 + Fraction(1, 10**30))]))[0] is None


@pytest.mark.parametrize("scale", [1.0, 1024.0, 2.0**-20])
@pytest.mark.parametrize("other", [1.0, -1.0])
def test_floats_may_be_off_by_a_share_of_the_largest(scale: float, other: float) -> None:
    for ulps in (1, 4000):  # 8.9e-13
        near = (scale, -scale * (1 + other * ulps * ULP))
        for rows in ([(scale, -scale), near], [near, (scale, -scale)]):
            found, spread = constant_sum(lottery(rows))
            assert found is not None
            off = Fraction(scale) * Fraction(ulps * ULP)
            assert found == pytest.approx(0, abs=float(off))
            # a sum is off by so much before a deviation, and after it
            assert spread == pytest.approx(2 * SLACK * float(off), rel=1e-9, abs=0)
    far = (scale, -scale * (1 + other * 5000 * ULP))  # 1.1e-12
    assert constant_sum(lottery([(scale, -scale), far])) == (None, 0.0)


def test_the_sum_of_floats_is_a_float() -> None:
    found, spread = constant_sum(lottery([(0.1, 0.2), (0.2, 0.1)]))
    assert (found, type(found)) == (0.1 + 0.2, float)
    exact = Fraction(0.1) + Fraction(0.2)
    assert spread == pytest.approx(
        2 * SLACK * abs(float(exact - Fraction(0.1 + 0.2))), rel=1e-9, abs=0
    )
    found, spread = constant_sum(lottery([(0.5, 0.5), (1, 0)]))
    assert (found, spread) == (1, 0.0)


def test_floats_beside_exact_numbers_are_added_as_the_rational_numbers_that_they_are() -> None:
    third = Fraction(1, 3)
    found, spread = constant_sum(lottery([(third, -1 / 3)]))
    assert found == float(third - Fraction(1 / 3)) > 0
    assert spread < 1e-30
    exact = Fraction(0.1) + Fraction(1, 5)
    found, spread = constant_sum(lottery([(0.1, Fraction(1, 5)), (Fraction(1, 5), 0.1)]))
    assert found == float(exact)
    assert spread == pytest.approx(2 * SLACK * abs(float(exact - Fraction(float(exact)))), abs=0)
    assert spread > 0


def test_rewards_count_on_the_way_to_each_end() -> None:
    assert constant_sum(lottery([(1, -1), (2, -2)], reward=(2, 3))) == (5, 0.0)
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 0, "all", ["left", "right"])
    b.reward(b.root, (3, -3))
    b.reward(left, (1, 1))
    b.terminal(*b.decision(left, 0, "left", ["on"]), (0, 0))
    b.terminal(right, (1, 1))
    assert constant_sum(b.freeze()) == (2, 0.0)


def test_what_never_happens_does_not_count() -> None:
    assert constant_sum(lottery([(1, -1), (2, 2)], [1, 0])) == (0, 0.0)
    assert constant_sum(lottery([(1, -1), (2, 2)], [0, 1])) == (4, 0.0)


def excess(chances: Sequence[float]) -> float:
    """Bound how far floats may add up to something else than 1, each rounded, and added."""
    return abs(reduce(add, chances) - 1) + 2 * len(chances) * ROUNDING


FIRST, SECOND, THIRD = (0.1, 0.7, 0.2), (0.3, 0.3, 0.4), (0.1,) * 10


@pytest.mark.parametrize("total", [2, -2])
def test_chances_that_add_up_to_nearly_one_make_the_sum_vary(total: int) -> None:
    rows = [(1.0, total - 1.0)] * 3
    found, spread = constant_sum(lottery(rows, FIRST))
    assert found == total
    assert spread == pytest.approx(2 * SLACK**2 * excess(FIRST) * 2, rel=1e-6, abs=0)
    assert constant_sum(lottery(rows, [Fraction(1, 3)] * 3)) == (total, 0.0)
    mixed = (Fraction(1, 2), 0.25, 0.25)
    off = excess([0.5, 0.25, 0.25])
    assert constant_sum(lottery(rows, mixed))[1] == pytest.approx(
        2 * SLACK**2 * off * 2, rel=1e-6, abs=0
    )


def test_of_chances_on_one_level_the_worst_counts_and_levels_add_up() -> None:
    b = TreeBuilder(2)
    first, second, third = b.chance(b.root, list(enumerate(FIRST)))
    b.terminal(third, (1.0, 0.0))
    for node, chances in ((first, SECOND), (second, THIRD)):
        for end in b.chance(node, list(enumerate(chances))):
            b.terminal(end, (1.0, 0.0))
    assert excess(THIRD) > excess(SECOND)
    found, spread = constant_sum(b.freeze())
    assert found == 1
    assert spread == pytest.approx(2 * SLACK**2 * (excess(FIRST) + excess(THIRD)), rel=1e-6, abs=0)
