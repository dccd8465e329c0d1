"""Fractions are found from their digits, with a common denominator, or not believed."""

from __future__ import annotations

import random
from fractions import Fraction
from math import lcm

import pytest

from seqform.exact.reconstruct import MARGIN, common_denominator


def digits(numbers: list[Fraction], bits: int) -> list[int]:
    return [number.numerator * 2**bits // number.denominator for number in numbers]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("error", [1, 2, 2**20])
def test_fractions_are_found_in_lowest_terms(seed: int, error: int) -> None:
    rng = random.Random(seed)
    numbers = [Fraction(rng.randint(-(10**6), 10**6), rng.randint(1, 60)) for _ in range(6)]
    common = lcm(*(number.denominator for number in numbers))
    bits = 2 * common.bit_length() + error.bit_length() + MARGIN + 40
    near = [number + rng.randint(1 - error, error) for number in digits(numbers, bits)]
    found = common_denominator(near, bits, error)
    assert found == ([number * common for number in numbers], common)


@pytest.mark.parametrize("numerator", [1, -1, 3, -5])
@pytest.mark.parametrize("denominator", [1, 2, 3, 7, 2**20 - 1, 2**20])
def test_as_few_bits_are_enough_as_can_be(numerator: int, denominator: int) -> None:
    """Twice those of the denominator, those of the error, and the margin."""
    number = Fraction(numerator, denominator)
    size = number.denominator.bit_length()
    bits = 2 * size + 1 + MARGIN
    for enough in (bits, bits + 1):
        found = common_denominator(digits([number], enough), enough, 1)
        assert found == ([number.numerator], number.denominator)
    if size > 1:
        assert common_denominator(digits([number], bits - 1), bits - 1, 1) is None


def test_integers_need_room_above_their_digits() -> None:
    assert common_denominator([5 << 43], 43, 1) == ([5], 1)
    assert common_denominator([-5 << 43, 7 << 43], 43, 1) == ([-5, 7], 1)
    assert common_denominator([8 << 43], 43, 1) is None  # 4 bits, where 3 are left
    assert common_denominator([5 << 42], 42, 1) is None


@pytest.mark.parametrize("seed", range(5))
def test_digits_of_no_simple_fraction_are_not_believed(seed: int) -> None:
    rng = random.Random(seed)
    assert common_denominator([rng.randrange(2**200)], 200, 2) is None
    simple = digits([Fraction(1, 3)], 200)
    assert common_denominator([*simple, rng.randrange(2**200)], 200, 2) is None


def test_no_factor_of_the_denominator_is_missed() -> None:
    """One after another: halves, thirds, then both, and what cancels between them."""
    numbers = [Fraction(n, d) for n, d in ((1, 2), (2, 3), (5, 6), (7, 1), (-1, 4), (0, 1))]
    assert common_denominator(digits(numbers, 120), 120, 2) == ([6, 8, 10, 84, -3, 0], 12)
