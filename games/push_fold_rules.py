"""The rules of push or fold: what a stack of so many big blinds loses, takes and plays for.

Both players put in the ante, then the blinds: the small blind, and the big one, which is 1. The
small blind pushes all chips or folds, and the big blind calls or folds. Of two stacks the smaller
one is what is played for, so there is one.

A player whose stack ends with the ante and the blind is all-in by that. So with a stack of at most
the ante and the big blind nothing is left to the big blind to decide: who pushes goes to the
showdown. With one of at most the ante and the small blind nobody decides anything, and that is
refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.range_text import weight_text
from seqform.base.errors import InvalidParameterError
from seqform.base.number import ratio

BIG_BLIND = Fraction(1)
"""What amounts are counted in."""

MOST = 10**6
"""Big blinds of a stack at most."""

FINEST = 10**9
"""Amounts are multiples of one over a number of at most that."""


@dataclass(frozen=True)
class PushFoldRules:
    """Amounts in big blinds.

    Parameters
    ----------
    stack
        What each player has before the ante and the blinds; it is more than the ante and the small
        blind together.
    small_blind
        From 0 to 1.
    ante
        What each player puts in before the blinds; 0 or more.

    Raises
    ------
    InvalidParameterError
        If an amount is out of bounds.
    """

    stack: Fraction
    small_blind: Fraction = Fraction(1, 2)
    ante: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("stack", "small_blind", "ante"):
            amount = getattr(self, name)
            if amount > MOST or amount.denominator > FINEST:
                raise InvalidParameterError(
                    f"{name}={amount_text(amount)}: use at most {MOST:,} big blinds, as a fraction "
                    f"with a denominator of at most {FINEST:,}"
                )
        if not 0 <= self.small_blind <= BIG_BLIND:
            raise InvalidParameterError(
                f"small_blind={amount_text(self.small_blind)}: use 0 to 1, as the big blind is 1"
            )
        if self.ante < 0:
            raise InvalidParameterError(f"ante={amount_text(self.ante)}: use 0 or more")
        if self.stack <= self.folded:
            raise InvalidParameterError(
                f"stack={amount_text(self.stack)}: ante and small blind put all of it in, and "
                f"nobody decides anything; use more than {amount_text(self.folded)} big blinds"
            )

    @property
    def folded(self) -> Fraction:
        """What the small blind loses by a fold."""
        return self.ante + self.small_blind

    @property
    def taken(self) -> Fraction:
        """What the small blind wins if the big blind folds."""
        return min(self.stack, self.ante + BIG_BLIND)

    @property
    def is_answered(self) -> bool:
        """Whether the big blind has chips left to decide over."""
        return self.stack > self.taken


def read_amount(name: str, value: object) -> Fraction:
    """Return an amount of big blinds as it is written: 10, 7.5, 20/3, or such a number.

    Raises
    ------
    InvalidParameterError
        If it is no finite number.

    Examples
    --------
    >>> read_amount("stack", "20/3"), read_amount("stack", 0.1)
    (Fraction(20, 3), Fraction(1, 10))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        return ratio(str(value))  # of a float the decimal that it is written as
    except (ValueError, ZeroDivisionError):
        raise InvalidParameterError(
            f"{name}={value!r:.40} is no amount of big blinds: write a number such as 10, 7.5 or "
            "20/3"
        ) from None


def amount_text(amount: Fraction) -> str:
    """Return an amount as `read_amount` reads it: a decimal, or a fraction if that has no end.

    Examples
    --------
    >>> amount_text(Fraction(15, 2)), amount_text(Fraction(20, 3))
    ('7.5', '20/3')
    """
    return weight_text(amount)
