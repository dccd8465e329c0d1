"""Fractions from their binary digits: a common denominator of many numbers.

A fraction with denominator q is the only one of its size within ``1 / (2 q**2)`` of an
approximation. The continued fraction of the approximation finds it (Wang, Guy & Davenport, "P-adic
reconstruction of rational numbers", SIGSAM Bulletin 16(2), 1982; here with the reals in place of
the p-adics). Numbers with a common denominator are cheaper together. Each is multiplied by the
denominator found so far; only where the product is no integer, the missing factor is searched for.
So no factor of the denominator is ever missed, as it can be by a combination of all the numbers in
which it cancels.
"""

from __future__ import annotations

from collections.abc import Iterable

from seqform.base.deadline import check_time

MARGIN = 40
"""A fraction is believed if one with its denominator comes so close by chance only once in
2**MARGIN times."""


def common_denominator(
    numbers: Iterable[int], bits: int, error: int, margin: int = MARGIN
) -> tuple[list[int], int] | None:
    """Return numerators and common denominator of fractions near ``numbers / 2**bits``.

    None where no simple ones are near.

    Parameters
    ----------
    error
        Each number is at most this far from ``2**bits`` times what it approximates.
    margin
        The bits by which a fraction has to be nearer than by chance.

    Examples
    --------
    >>> common_denominator([2**60 // 3, 2**60 // 2, 0, -(2**60) // 7], 60, 2)
    ([14, 21, 0, -6], 42)
    """
    numerators: list[int] = []
    denominator = 1
    limit = (bits - error.bit_length() - margin) // 2
    half = 1 << (bits - 1)
    for number in numbers:
        if not number:  # as most numbers of a vertex are
            numerators.append(0)
            continue
        check_time("finding the fractions of an equilibrium")
        scaled = denominator * number
        nearest = (scaled + half) >> bits
        rest = scaled - (nearest << bits)
        if abs(rest) > error * denominator:
            factor = _denominator(abs(rest), bits, (error * denominator).bit_length())
            denominator *= factor
            if denominator.bit_length() > limit:
                return None
            numerators = [factor * numerator for numerator in numerators]
            nearest = (factor * scaled + half) >> bits
        if nearest.bit_length() > bits - margin:
            return None
        numerators.append(nearest)
    return numerators, denominator


def _denominator(number: int, bits: int, error_bits: int) -> int:
    """Return the denominator of the first convergent that is about near enough.

    It is of ``number / 2**bits``, and as near as `error_bits` allow.
    """
    above, below = 1 << bits, number
    before, denominator = 0, 1
    while below.bit_length() > denominator.bit_length() + error_bits:
        quotient, rest = divmod(above, below)
        above, below = below, rest
        before, denominator = denominator, before + quotient * denominator
    return denominator
