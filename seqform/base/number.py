"""Exact numbers: what probabilities and payoffs may be, and how they are written to files."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isfinite, lcm
from numbers import Integral, Rational, Real
from typing import TypeAlias

from seqform.base.errors import InvalidGameError, InvalidParameterError

Number: TypeAlias = int | Fraction | float
"""Integers and fractions are exact and stay so; a float anywhere makes the game inexact."""


LEAST, LARGEST = Fraction(10) ** -300, 10**300
"""Magnitudes that a nonzero number may have, so that floats derived from it neither overflow nor
vanish."""


def as_number(value: object) -> Number:
    """Return `value` as an `int`, `Fraction` or finite `float`.

    Raises
    ------
    InvalidGameError
        If `value` is no real number, is NaN or infinite, or too large or small for floats.
    """
    if type(value) is int and -LARGEST <= value <= LARGEST:  # most numbers
        return value
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise InvalidGameError(f"{value!r} is not a number: use int, Fraction or float (R4, R5)")
    if not isinstance(value, Rational) and not isfinite(value):
        raise InvalidGameError(f"{value!r} is not finite: use a finite number (R4, R5)")
    number: Number
    if isinstance(value, Integral):
        number = int(value)
    elif isinstance(value, Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = Fraction(value) if isinstance(value, Decimal) else float(value)
    if number and not LEAST <= abs(Fraction(number)) <= LARGEST:
        raise InvalidGameError(
            f"a number of magnitude 1e{_magnitude(number)} is out of the range of floats: rescale "
            f"the payoffs (R4, R5)"
        )
    return number


def check_num_players(value: object) -> int:
    """Validate num_players (R1)."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InvalidGameError(f"R1: num_players is {value!r}; use a whole number, at least 1")
    return int(value)


def check_player(player: int, num_players: int) -> int:
    """Validate the number of a player.

    Raises
    ------
    InvalidParameterError
        If it is not one of 0 to ``num_players - 1``.
    """
    if isinstance(player, bool) or not isinstance(player, Integral):
        raise InvalidParameterError(f"player={player!r} is not a player's number; use an integer")
    if not 0 <= player < num_players:
        raise InvalidParameterError(
            f"there is no player {player}: players are 0 to {num_players - 1}"
        )
    return int(player)


def _magnitude(number: Number) -> int:
    exact = Fraction(number)
    return len(str(abs(exact.numerator))) - len(str(exact.denominator))


def is_exact(value: Number) -> bool:
    """Tell whether `value` is an integer or a fraction."""
    return not isinstance(value, float)


def common_denominator(values: list[Number]) -> int | None:
    """Return the least common denominator of exact `values`, or None if any is a float."""
    if not all(map(is_exact, values)):
        return None
    return lcm(*{Fraction(value).denominator for value in values})


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
