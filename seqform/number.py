"""Exact numbers: what a game may use for probabilities and payoffs, and how it is written to files."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isfinite, lcm
from numbers import Integral, Rational, Real
from typing import TypeAlias

from seqform.errors import InvalidGameError

Number: TypeAlias = int | Fraction | float
"""Integers and fractions are exact and stay so; a float anywhere makes the game inexact."""


def as_number(value: object) -> Number:
    """Return `value` as an `int`, `Fraction` or finite `float`.

    Raises
    ------
    InvalidGameError
        If `value` is no real number, or is NaN or infinite.
    """
    kind = type(value)
    if kind is int or kind is Fraction:
        return value  # type: ignore[return-value]
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise InvalidGameError(f"{value!r} is not a number: use int, Fraction or float (R4, R5)")
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not isfinite(value):
        raise InvalidGameError(f"{value!r} is not finite: use a finite number (R4, R5)")
    return Fraction(value) if isinstance(value, Decimal) else float(value)


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
