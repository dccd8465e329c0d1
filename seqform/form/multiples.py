"""Payoffs of a game in which sequences count less, such as those that are played half the time.

A sequence whose weight in every plan is a multiple of another's may take the other's place. Then
what it pays is paid so many times (`seqform/links/locked_game.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, ulp
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Ints, Numbers
from seqform.base.integer_matrix import largest
from seqform.form.payoff_sums import ratios
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF

MOST_BITS = 512
"""Binary digits of a common denominator beyond which multiples are floats: those of an equilibrium
of Leduc hold'em in fractions have 162."""


class Multiples(NamedTuple):
    """How often each sequence of a player counts, from 0 to 1.

    `numbers` are integers over `denominator`; or, where that is None, float64, each rounded once.
    """

    numbers: Numbers
    denominator: int | None

    @classmethod
    def of(cls, fractions: Sequence[Fraction]) -> Multiples:
        """Return multiples in integers, unless their common denominator has too many digits."""
        denominator = 1
        for fraction in set(fractions):
            denominator = lcm(denominator, fraction.denominator)
            if denominator.bit_length() > MOST_BITS:
                return cls(np.array([float(f) for f in fractions], dtype=np.float64), None)
        integers = [f.numerator * (denominator // f.denominator) for f in fractions]
        fits = denominator < 2**63
        return cls(np.array(integers, dtype=np.int64 if fits else object), denominator)

    @property
    def floats(self) -> Floats:
        """The multiples as float64, each rounded once."""
        return self.numbers if self.denominator is None else ratios(self.numbers, self.denominator)


class Counted(NamedTuple):
    """Numbers times multiples: integers over `denominator`; or, where that is None, float64.

    `errors` bound how far floats are from the true products.
    """

    numbers: Numbers
    denominator: int | None
    errors: Floats | None


def counted(
    numbers: Numbers,
    denominator: int | None,
    errors: Floats | None,
    places: Sequence[Ints],
    multiples: Sequence[Multiples],
) -> Counted:
    """Return payoffs times how often the sequences count at which they are paid.

    Parameters
    ----------
    numbers, denominator
        Integers over `denominator`; float64 if that is None.
    errors
        How far floats are from the true ones; None if each is this rounded once.
    places
        For each player the sequence at which each number is paid.
    multiples
        For each player.
    """
    if denominator is None or any(of.denominator is None for of in multiples):
        floats = numbers if denominator is None else ratios(numbers, denominator)
        return _counted_floats(floats, errors, places, multiples)
    for place, of in zip(places, multiples, strict=True):
        numbers = _product(numbers, of.numbers[place])
        denominator *= of.denominator or 1
    return Counted(numbers, denominator, None)


def _product(left: Exact, right: Exact) -> Exact:
    """Return products of integers, which never overflow."""
    if largest(left) * largest(right) >= 2**63:
        left, right = left.astype(object), right.astype(object)
    product: Exact = left * right
    return product


def _counted_floats(
    floats: Floats, errors: Floats | None, places: Sequence[Ints], multiples: Sequence[Multiples]
) -> Counted:
    """Return the products of floats: two roundings for each player, and what vanishes."""
    least, magnitude = ulp(0.0), np.abs(floats)
    bound = UNIT_ROUNDOFF * magnitude + least if errors is None else errors
    products = floats
    for place, of in zip(places, multiples, strict=True):
        factor = of.floats[place]
        products, bound = products * factor, bound * factor
    rounded = 2 * len(multiples) * UNIT_ROUNDOFF * np.abs(products)
    vanished = 2 * len(multiples) * least * (1 + magnitude)
    return Counted(products, None, HIGHER_ORDERS * (bound + rounded + vanished))
