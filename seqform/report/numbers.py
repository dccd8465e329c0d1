"""Numbers as a page holds them: as many digits as a reader can tell apart, and no more."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isfinite, log10
from typing import Any

from seqform.base.arrays import Floats

DIGITS = 5
"""Of values, beside the largest payoff of the game."""


UNKNOWN = "\N{EN DASH}"
"""What stands for a number that is not defined."""


class Precision:
    """How numbers of a game are rounded.

    Parameters
    ----------
    scale
        The largest payoff of the game.
    """

    def __init__(self, scale: float) -> None:
        self.digits = max(0, DIGITS - ceil(log10(scale)))

    def shares(self, numbers: Floats) -> list[Any]:
        """Return probabilities in three digits, however small they are."""
        return [_short(float(f"{number:.3g}")) for number in numbers.tolist()]


def listed(numbers: Floats, digits: int) -> list[Any]:
    """Return numbers as JSON values, rounded, but not to 0; what is not defined is null.

    Examples
    --------
    >>> import numpy as np
    >>> listed(np.array([0.33333, 1.0, np.nan, 0.00123]), 2)
    [0.33, 1, None, 0.001]
    """
    return [_short(rounded(number, digits)) for number in numbers.tolist()]


def rounded(number: float, digits: int) -> float:
    """Round a number to so many places; what would be 0 and is not keeps one digit."""
    found = round(number, digits)
    return found if found or not number else float(f"{number:.0e}")


def _short(number: float) -> int | float | None:
    if not isfinite(number):
        return None
    return int(number) if number == int(number) else number


def amount(number: float, scale: float) -> str:
    """Write an amount to about six digits of the largest payoff; minus zero is zero.

    Only 0 is written as 0.

    Examples
    --------
    >>> amount(-1 / 3, 1.0), amount(1.0, 1e19), amount(0.00123, 2500.0), amount(-0.0, 1.0)
    ('-0.33333', '1', '0.001', '0')
    """
    if not isfinite(number):
        return UNKNOWN
    digits = Precision(scale).digits
    if number and not round(number, digits):
        return f"{number:.0g}"
    text = f"{round(number, digits) + 0.0:.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def typeset(number: str) -> str:
    """Write a number with a minus sign instead of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def share(number: float) -> str:
    """Write a probability as a percentage.

    Examples
    --------
    >>> share(1 / 3), share(1.0), share(0.0), share(1e-5)
    ('33.3 %', '100 %', '0 %', '0.001 %')
    """
    if not isfinite(number):
        return UNKNOWN
    percent = 100 * number
    if 0 < percent < 0.1:
        return f"{percent:.1g} %"
    return f"{percent:.1f}".removesuffix(".0") + " %"


def below(number: Fraction | float, digits: int = 9) -> str:
    """Write a lower bound, rounded down to so many places.

    Examples
    --------
    >>> below(Fraction(-1, 18), 4), above(Fraction(-1, 18), 4)
    ('-0.0556', '-0.0555')
    """
    return _places(floor(Fraction(number) * 10**digits), digits)


def above(number: Fraction | float, digits: int = 9) -> str:
    """Write an upper bound, rounded up to so many places."""
    return _places(ceil(Fraction(number) * 10**digits), digits)


def places_apart(width: float) -> int:
    """Return after how many places two bounds differ, and two more; 15 at most.

    Examples
    --------
    >>> places_apart(0.001), places_apart(0.0), places_apart(1e9)
    (5, 15, 0)
    """
    return min(15, max(0, 2 - floor(log10(width)))) if width > 0 else 15


def _places(scaled: int, digits: int) -> str:
    sign, number = "-" if scaled < 0 else "", abs(scaled)
    text = f"{number // 10**digits}.{number % 10**digits:0{digits}d}" if digits else str(number)
    return sign + text
