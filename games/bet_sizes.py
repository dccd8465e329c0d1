"""How one bet or raise is sized, as poker players write it: ``33%``, ``2.5x``, ``100c``, ``e``.

==========  ====================================================================================
``75%``     of the pot. A raise is of the pot after calling: with 100 in the pot and 50 bet, a
            raise of 50% calls 50, and adds half of the 200 that are then in the pot: to 150.
``2.5x``    raises only: to so many times what the other player has put in on this street
``100c``    chips: so many more than the other player has put in on this street
``2e``      geometric: the share of the pot (after calling) that, bet on this street and the next
            one, and called, puts the whole stack in with the last of these bets
``e``       the same over all streets to come, this one included
``a``       all-in
==========  ====================================================================================
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from seqform.base.errors import InvalidParameterError
from seqform.base.number import ratio

PERCENT, MULTIPLE, CHIPS, GEOMETRIC, ALL_IN = "%", "x", "c", "e", "a"

SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)?([%xcea])")

EXAMPLES = "33%, 2.5x, 100c, e, 2e or a"

MOST_DIGITS = 20
"""Of the number of a size."""

MOST_STREETS = 9
"""Over which a geometric size is spread."""


class BetSize(NamedTuple):
    """One size.

    Parameters
    ----------
    kind
        `PERCENT`, `MULTIPLE`, `CHIPS`, `GEOMETRIC` or `ALL_IN`.
    amount
        Percent, times, chips, or streets; 0 where it is not said (``e``, ``a``).
    """

    kind: str
    amount: Fraction = Fraction(0)

    def __str__(self) -> str:
        """Return the size as it is written."""
        return (plain_decimal(self.amount) if self.amount else "") + self.kind


class Stakes(NamedTuple):
    """What a size is reckoned from, in chips of the smallest kind.

    Parameters
    ----------
    pot
        What is in the middle once the actor has called.
    facing
        What the other player has put in on this street; 0 if nobody bet.
    stack
        The most that a player can have put in on this street.
    streets
        Streets to come, this one included.
    chip
        What the smallest chip, in which all this is counted, is worth.
    """

    pot: int
    facing: int
    stack: int
    streets: int
    chip: Fraction = Fraction(1)


def read_size(text: str) -> BetSize:
    """Return the size that a text says.

    Raises
    ------
    InvalidParameterError
        If it says none; the message has what was expected.

    Examples
    --------
    >>> read_size("2.50x"), str(read_size("2.50x"))
    (BetSize(kind='x', amount=Fraction(5, 2)), '2.5x')
    """
    found = SIZE.fullmatch(text)
    if found is None or len(text) > MOST_DIGITS:
        bare = re.fullmatch(r"[0-9]+(\.[0-9]+)?", text)
        meant = f" (did you mean '{text}%' or '{text}c'?)" if bare else ""
        raise InvalidParameterError(
            f"expected a size such as {EXAMPLES}, found {text!r:.40}{meant}"
        )
    number, kind = found.groups()
    size = BetSize(kind, ratio(number) if number else Fraction(0))
    why = _fault(size, number)
    if why:
        raise InvalidParameterError(f"{text!r} is no size: {why}")
    return size


def _fault(size: BetSize, number: str | None) -> str:
    """Return what is wrong with a size, or nothing."""
    if size.kind == ALL_IN:
        return "" if number is None else "all-in is written a, without a number"
    if size.kind == GEOMETRIC:
        if number is None or (size.amount.denominator == 1 and 1 <= size.amount <= MOST_STREETS):
            return ""
        return f"a geometric size is over 1 to {MOST_STREETS} streets"
    if number is None:
        return f"write a number before {size.kind}"
    if not size.amount:
        return "it is 0"
    return "a raise is to more than once the last bet" if _is_short(size) else ""


def _is_short(size: BetSize) -> bool:
    return size.kind == MULTIPLE and size.amount <= 1


def total_of(size: BetSize, at: Stakes) -> int:
    """Return what a player has put in on this street after a bet or raise of a size.

    It is rounded to whole chips, halves up, and may be more than the stack, or too little.

    Examples
    --------
    >>> total_of(read_size("50%"), Stakes(pot=200, facing=50, stack=900, streets=1))
    150
    >>> total_of(read_size("e"), Stakes(pot=100, facing=0, stack=400, streets=2))
    100
    """
    if size.kind == ALL_IN:
        return at.stack
    above, below = size.amount.numerator, size.amount.denominator
    if size.kind == MULTIPLE:
        return _rounded(above * at.facing, below)
    if size.kind == CHIPS:
        worth = at.chip
        return at.facing + _rounded(above * worth.denominator, below * worth.numerator)
    if size.kind == PERCENT:
        return at.facing + _rounded(above * at.pot, 100 * below)
    return at.facing + _geometric(at, int(size.amount) or at.streets)


def _geometric(at: Stakes, streets: int) -> int:
    """Return the part of the stack that grows the pot by the same factor on every street.

    The pot P becomes P + 2 L where L is left to bet, so a bet x has (1 + 2 x / P)^n = 1 + 2 L / P.
    The largest integer x is found with (1 + (2 x - 1) / P)^n below that, which is x rounded. Halves
    do not happen: of P^n times both sides one is odd and one even.
    """
    whole = (at.pot + 2 * (at.stack - at.facing)) * at.pot ** (streets - 1)
    low, high = 0, at.stack - at.facing + 1
    while high - low > 1:
        middle = (low + high) // 2
        if (at.pot + 2 * middle - 1) ** streets < whole:
            low = middle
        else:
            high = middle
    return low


def _rounded(above: int, below: int) -> int:
    """Return the integer that is nearest to a ratio, halves up."""
    return (2 * above + below) // (2 * below)


def plain_decimal(number: Fraction) -> str:
    """Write a number that is not negative and whose decimals end, without zeros at the end.

    Examples
    --------
    >>> plain_decimal(Fraction(5, 2)), plain_decimal(Fraction(100))
    ('2.5', '100')
    """
    places = 0
    while (number * 10**places).denominator > 1:
        places += 1
    digits = str(int(number * 10**places)).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits
