"""Exact numbers: what probabilities and payoffs may be, and how they are written to files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal, InvalidOperation
from fractions import Fraction
from math import gcd, inf, isfinite, lcm, nextafter
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias, TypeGuard

from seqform.base.errors import InvalidGameError, InvalidParameterError

Number: TypeAlias = int | Fraction | float
"""Integers and fractions are exact and stay so; a float anywhere makes the game inexact."""


MOST_PLAYERS = 10_000
"""Players of a game at most."""

LEAST, LARGEST = Fraction(10) ** -300, 10**300
"""Magnitudes that a nonzero number may have, so that floats derived from it neither overflow nor
vanish."""


MOST_PLACES = 4300
"""Digits, and places before or after the point, of a decimal that is made a fraction: Python reads
no longer integers, and "1e-999999999" is no fraction that anybody could hold."""

FRACTION = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")
"""How fractions are written to files."""


def as_number(value: object) -> Number:
    """Return `value` as an `int`, `Fraction` or finite `float`.

    Raises
    ------
    InvalidGameError
        If `value` is not a real number, is NaN or infinite, or is too large or small for floats.
    """
    if type(value) is int and -LARGEST <= value <= LARGEST:  # most numbers
        return value
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise InvalidGameError(
            f"{plain(value)} is not a number: use int, Fraction or float (R4, R5)"
        )
    if not isinstance(value, Rational) and not isfinite(value):
        raise InvalidGameError(f"{plain(value)} is not finite: use a finite number (R4, R5)")
    number: Number
    if isinstance(value, Integral):
        number = int(value)
    elif isinstance(value, Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = Fraction(value) if isinstance(value, Decimal) else float(value)
    if number and not LEAST <= abs(Fraction(number)) <= LARGEST:
        raise InvalidGameError(
            f"a number of magnitude 1e{_magnitude(number)} is out "
            "of the range of floats: rescale the payoffs (R4, R5)"
        )
    return number


def is_float_sized(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite real number, of a size that floats have.

    Examples
    --------
    >>> is_float_sized(0.5), is_float_sized(10**400), is_float_sized(inf), is_float_sized("1")
    (True, False, False, False)
    """
    try:
        return isinstance(value, Real) and isfinite(value)
    except OverflowError:
        return False


def check_num_players(value: object) -> int:
    """Validate num_players (R1).

    Raises
    ------
    InvalidGameError
        R1: unless `value` is an integer from 1 to `MOST_PLAYERS`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidGameError(f"R1: num_players is {plain(value)}; use a whole number, at least 1")
    if int(value) > MOST_PLAYERS:
        raise InvalidGameError(
            f"R1: num_players is {plain(value)}; use at most {MOST_PLAYERS:,}, as every node has "
            "payoffs for each"
        )
    return int(value)


def check_index(value: object, count: int, kind: str, among: str = "") -> int:
    """Validate the number of one of `count` things of a kind, such as 'player'.

    Parameters
    ----------
    among
        Whose things they are, for the error message, such as ``"of player 0"``.

    Raises
    ------
    InvalidParameterError
        If it is not one of 0 to ``count - 1``.
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < count:
        return int(value)
    wrong = f"there is no {kind} {plain(value)} {among}".rstrip()
    there = f"use an integer from 0 to {count - 1}" if count else "there are none"
    raise InvalidParameterError(f"{wrong}; {there}")


def check_player(player: object, num_players: int) -> int:
    """Validate the number of a player; errors as for `check_index`."""
    return check_index(player, num_players, "player")


def plain(value: object) -> str:
    """Write a value for an error message: numbers of numpy as Python's own, what has lines by type.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.float64(0.5)), plain((np.int64(1), "K")), plain("K")
    ('0.5', "(1, 'K')", "'K'")
    """
    text = repr(_of_python(value))
    return f"a {type(value).__name__}" if "\n" in text else text


def _of_python(value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(map(_of_python, value))
    return value.item() if getattr(value, "shape", None) == () else value


def _magnitude(number: Number) -> int:
    exact = Fraction(number)
    return len(str(abs(exact.numerator))) - len(str(exact.denominator))


def is_exact(value: Number) -> bool:
    """Return whether `value` is an integer or a fraction."""
    return not isinstance(value, float)


def common_denominator(values: list[Number]) -> int | None:
    """Return the least common denominator of exact `values`, or None if any is a float."""
    if not all(map(is_exact, values)):
        return None
    return lcm(*{Fraction(value).denominator for value in values})


def over_common_denominator(ratios: Sequence[tuple[int, int]]) -> tuple[list[int], int]:
    """Return the numerators of fractions over their least common denominator, and that.

    Parameters
    ----------
    ratios
        Numerator and denominator of each fraction, not necessarily in lowest terms.

    Examples
    --------
    >>> over_common_denominator([(1, 2), (2, 6), (3, 1)])
    ([3, 2, 18], 6)
    """
    common = lcm(*{below for _, below in ratios})
    numerators = [above * (common // below) for above, below in ratios]
    unneeded = gcd(common, *numerators)
    if unneeded > 1:
        numerators = [numerator // unneeded for numerator in numerators]
    return numerators, common // unneeded


def float_above(number: Number) -> float:
    """Return the least float that is not below a number.

    Examples
    --------
    >>> float_above(Fraction(1, 10**400)), float_above(2**53 + 1) - 2**53, float_above(0)
    (5e-324, 2.0, 0.0)
    """
    nearest = float(number)
    return nearest if nearest >= number else nextafter(nearest, inf)


def to_text(value: Number) -> str:
    """Write a number so that `from_text` reads the same one back, of the same kind."""
    return value.hex() if isinstance(value, float) else str(value)


def from_text(text: str) -> Number:
    """Read a number written by `to_text`."""
    if "0x" in text:
        return float.fromhex(text)
    return Fraction(text) if "/" in text else int(text)


def fraction_text(number: Fraction) -> str:
    """Write a fraction, or an integer, in decimal, however long.

    Python itself writes no integer of more than some thousand digits.

    Examples
    --------
    >>> fraction_text(Fraction(-1, 18)), fraction_text(Fraction(7))
    ('-1/18', '7')
    """
    numerator, denominator = (
        f"{Decimal(part):f}" for part in (number.numerator, number.denominator)
    )
    return numerator if denominator == "1" else f"{numerator}/{denominator}"


LONGEST = 60
"""Characters of a fraction that is shown to people; longer ones are shown as decimals."""


def in_words(number: Fraction, digits: int = 15) -> str:
    """Return a number as a fraction, unless it is a long one, and as a decimal, rounded.

    Examples
    --------
    >>> in_words(Fraction(-1, 18)), in_words(Fraction(7)), in_words(Fraction(1, 10**60))
    ('-1/18 = -0.0555555555555556', '7', '1e-60')
    """
    text, rounded = fraction_text(number), f"{float(number):.{digits}g}"
    if number.denominator == 1:
        return text
    return rounded if len(text) > LONGEST else f"{text} = {rounded}"


def decimal(number: Fraction, digits: int, rounding: str = ROUND_CEILING) -> str:
    """Return a fraction in so many decimal digits, rounded as `decimal` calls it, by default up."""
    return str(
        Context(prec=digits, rounding=rounding).divide(
            Decimal(number.numerator), Decimal(number.denominator)
        )
    ).lower()


def read_fraction(text: object) -> Fraction:
    """Read what `fraction_text` wrote, however long.

    Examples
    --------
    >>> read_fraction("-1/18")
    Fraction(-1, 18)

    Raises
    ------
    ValueError
        If it wrote no such thing.
    """
    if not (isinstance(text, str) and FRACTION.fullmatch(text)):
        raise ValueError(f"{text!r:.40} is no fraction")
    above, _, below = text.partition("/")
    number = Fraction(int(Decimal(above)), int(Decimal(below or "1")))
    if fraction_text(number) != text:
        raise ValueError(f"{text:.40} is not in lowest terms")
    return number


PLAIN_BELOW = 6
"""Powers of ten below this are written as numbers."""


def power_of_ten(exponent: float | list[float] | None) -> str:
    """Write 10 to a power for people, or the least and the greatest of some.

    Examples
    --------
    >>> power_of_ten(29.31), power_of_ten([3.5, 21.0]), power_of_ten(None)
    ('10^29.3', '3,162 to 10^21.0', 'none seen')
    """
    if exponent is None:
        return "none seen"
    if isinstance(exponent, list):
        return " to ".join(map(power_of_ten, exponent))
    return f"{10**exponent:,.0f}" if exponent < PLAIN_BELOW else f"10^{exponent:.1f}"


def amount(number: str, unit: str) -> str:
    """Return a number with its unit, whose plural is made by an s.

    Examples
    --------
    >>> amount("1/18", "chips"), amount("-1", "chips"), amount("1", "utility")
    ('1/18 chips', '-1 chip', '1 utility')
    """
    is_one = number.lstrip("+-") == "1" and unit.endswith("s") and not unit.endswith("ss")
    return f"{number} {unit[:-1] if is_one else unit}"


def ratio(text: str) -> Fraction:
    """Return the number that a text says: a fraction or a decimal, maybe in percent.

    Raises
    ------
    ValueError
        If it is none, or a decimal of more than `MOST_PLACES` places, which would take for ever.

    Examples
    --------
    >>> ratio("1/3"), ratio("0,25"), ratio("12.5 %")
    (Fraction(1, 3), Fraction(1, 4), Fraction(1, 8))
    """
    bare, below = with_point(text), 1
    if bare.endswith("%"):
        bare, below = bare.removesuffix("%").rstrip(), 100
    if "/" in bare:
        return Fraction(bare) / below
    try:
        number = Decimal(bare)
    except InvalidOperation:
        raise ValueError(f"{bare!r} is no number") from None
    if number.is_finite() and not number:
        return Fraction(0)
    if not number.is_finite() or max(abs(number.adjusted()), len(bare)) > MOST_PLACES:
        raise ValueError(f"{bare!r} is not finite, or has too many places")
    return Fraction(number) / below


def with_point(text: str) -> str:
    """Return the text of a number with a point for a decimal comma.

    Examples
    --------
    >>> with_point(" 0,25 "), with_point("1,000.5")
    ('0.25', '1,000.5')
    """
    bare = text.strip()
    return bare.replace(",", ".") if bare.count(",") == 1 and "." not in bare else bare
