"""Floats that stand for fractions: the numbers that a program in floating point meant."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

from seqform.base.errors import InvalidGameError
from seqform.base.number import Number

MAX_DENOMINATOR = 10**6
"""A fraction with a denominator up to this is taken for what was meant."""

ROUNDING = 1e-15
"""How far, as a share of itself, a probability may lie from that fraction: a float that was
computed in a few steps."""


def simplest(number: float) -> Number:
    """Return the integer or simple fraction that rounds to a float; else the float itself.

    Examples
    --------
    >>> simplest(-2.0), simplest(1 / 3), simplest(0.1234567891234)
    (-2, Fraction(1, 3), 0.1234567891234)
    """
    if not isfinite(number):  # refused where the tree is made
        return number
    fraction = Fraction(number).limit_denominator(MAX_DENOMINATOR)
    if float(fraction) != number:
        return number
    return fraction.numerator if fraction.denominator == 1 else fraction


def exact_lottery(given: tuple[float, ...], denominator: int | None = None) -> tuple[Fraction, ...]:
    """Return simple fractions that round to the given probabilities and sum to one.

    Parameters
    ----------
    denominator
        Round to multiples of one over this where there are none.

    Raises
    ------
    InvalidGameError
        If there are none.
    """
    exact = tuple(Fraction(p).limit_denominator(MAX_DENOMINATOR) for p in given if isfinite(p))
    if sum(exact) == 1 and all(
        abs(float(e) - p) <= ROUNDING * p for e, p in zip(exact, given, strict=True)
    ):
        return exact
    if denominator is not None and all(isfinite(p) and p >= 0 for p in given) and any(given):
        return rounded(given, denominator)
    raise InvalidGameError(
        "R4: the chance probabilities "
        f"{', '.join(map(repr, given[:4]))}{', ...' if len(given) > 4 else ''} "
        "are not simple fractions that sum to 1; give chance_denominator=1000000 "
        "to round them to millionths (-p chance_denominator=1000000)"
    )


def rounded(probabilities: Sequence[float], denominator: int) -> tuple[Fraction, ...]:
    """Round probabilities to multiples of ``1 / denominator`` by largest remainders.

    They sum to one again.

    Examples
    --------
    >>> rounded([0.1234, 0.4321, 0.4445], 10)
    (Fraction(1, 10), Fraction(2, 5), Fraction(1, 2))
    """
    total = sum(map(Fraction, probabilities))
    shares = [Fraction(p) * denominator / total for p in probabilities]
    parts = [int(share) for share in shares]
    by_remainder = sorted(range(len(parts)), key=lambda i: parts[i] - shares[i])
    for i in by_remainder[: denominator - sum(parts)]:
        parts[i] += 1
    return tuple(Fraction(part, denominator) for part in parts)
