"""Floats for people: as many digits as are known of them, and intervals rounded outwards."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import floor, isfinite, isnan, log10

SMALL = 1e-6
"""Numbers below this are written with powers of ten."""

MOST = 12
"""Digits of a number, and decimals of an interval's ends."""


def rounded(value: float, error: float) -> str:
    """Return a number with the digits that an error leaves.

    Examples
    --------
    >>> rounded(-0.0556123, 1e-3), rounded(2 / 3, 0.0), rounded(3e-17, 1e-14), rounded(287, 19)
    ('-0.056', '0.666666666667', '0', '290')
    >>> rounded(-8.7, 9.6), rounded(-8.7, 12)  # of the size of the error, and no 0 yet
    ('-9', '-9')
    """
    if abs(value) <= min(error, SMALL):
        return "0"
    if error <= 0 or isnan(error):
        return f"{value:.{MOST}g}"
    digits = 1 + floor(log10(abs(value))) - floor(log10(error))
    if digits < 0:
        return "0"
    return significant(value, min(max(digits, 1), MOST))


def significant(value: float, digits: int) -> str:
    """Return a number in so many digits, without a power of ten that has `MOST` digits or fewer.

    Examples
    --------
    >>> significant(459.3, 2), significant(0.000031, 2), significant(2e15, 2)
    ('460', '3.1e-05', '2e+15')
    """
    text = f"{value:.{digits}g}"
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 10**MOST else text


def interval(lower: float, upper: float) -> str:
    """Return an interval in which all of a given one is, three digits of its width kept.

    Examples
    --------
    >>> interval(-3e-15, 2.5e-15)
    '[-3.00e-15, 2.50e-15]'
    >>> interval(-0.0860242319, -0.0852138731), interval(1, 1), interval(-0.25, float("inf"))
    ('[-0.086025, -0.085213]', '[1, 1]', '[-0.25, inf]')
    """
    width = upper - lower
    if not isfinite(width) or width <= 0 or not 1e-15 < width < 1e15:
        return f"[{_in_full(lower)}, {_in_full(upper)}]"
    if max(abs(lower), abs(upper)) < SMALL:
        return f"[{_digits(lower, ROUND_FLOOR)}, {_digits(upper, ROUND_CEILING)}]"
    decimals = min(max(2 - floor(log10(width)), 0), 15)
    return f"[{_to(lower, decimals, ROUND_FLOOR)}, {_to(upper, decimals, ROUND_CEILING)}]"


def _in_full(number: float) -> str:
    """Return all digits that a number needs."""
    return repr(float(number)).removesuffix(".0")


def _digits(number: float, rounding: str) -> str:
    """Return a number in three digits and a power of ten."""
    return f"{Context(prec=3, rounding=rounding).create_decimal(Decimal(number)):.2e}"


def _to(number: float, decimals: int, rounding: str) -> str:
    """Return a number to so many decimals."""
    context = Context(prec=400, rounding=rounding)
    found = Decimal(number).quantize(Decimal(1).scaleb(-decimals), context=context)
    return f"{found if found else abs(found):f}"
