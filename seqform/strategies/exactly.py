"""Strategies in fractions: as they were given, for arithmetic in which nothing is rounded.

What is given as integers, fractions, or decimals in a text is a fraction, if every information set
adds up to 1 without rounding. Floats are not, nor decimals of more digits than a float is sure of,
which is how floats are written to files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.number import ratio, with_point
from seqform.form.treeplex import Treeplex

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm

MOST_DIGITS = 15
"""Significant digits of a decimal up to which it is the number that it says: every such decimal is
that of one float only."""

PLACES_OF_FLOATS = 300
"""Places before or after the point that a decimal may have; floats have no more."""

MOST_SEQUENCES = 200_000
"""Sequences of all players up to which strategies are kept in fractions."""

IN_FRACTIONS = "fractions: nothing is rounded"
"""What a table says of numbers in it."""

Fractions = tuple[Fraction | None, ...]
"""Of a player's sequences: None where nothing is said."""


def as_fraction(given: Any) -> Fraction | None:
    """Return a number in the fractions that it was given in; None if it was in floats.

    Examples
    --------
    >>> as_fraction("1/3"), as_fraction("0.25"), as_fraction("12.5%"), as_fraction(1)
    (Fraction(1, 3), Fraction(1, 4), Fraction(1, 8), Fraction(1, 1))
    >>> as_fraction(0.25), as_fraction("0.3333333333333333")
    (None, None)
    """
    if isinstance(given, bool) or not isinstance(given, (str, Rational, Decimal)):
        return None
    text = str(given)
    try:
        if "/" not in text and not isinstance(given, Rational) and not _is_short(text):
            return None
        return ratio(text)
    except (ValueError, ArithmeticError):
        return None


def _is_short(text: str) -> bool:
    """Tell whether a decimal has so few digits and places that a float is sure of it."""
    decimal = Decimal(with_point(text).removesuffix("%").rstrip())
    digits = "".join(map(str, decimal.as_tuple().digits)).strip("0")
    return not decimal or (
        len(digits) <= MOST_DIGITS and abs(decimal.adjusted()) <= PLACES_OF_FLOATS
    )


@dataclass(frozen=True, eq=False)
class ExactStrategies:
    """A behaviour strategy for each player, in fractions.

    Parameters
    ----------
    form
        The game.
    behaviors
        For each player a probability for each sequence; that of the empty one is 1.
    """

    form: SequenceForm
    behaviors: tuple[tuple[Fraction, ...], ...]

    def plans(self) -> tuple[tuple[Exact, ...], tuple[int, ...]]:
        """Return realization plans as integers, object (num_sequences,), over denominators."""
        found = [
            integers_over(realized(treeplex, behavior))
            for treeplex, behavior in zip(self.form.treeplexes, self.behaviors, strict=True)
        ]
        return tuple(plan for plan, _ in found), tuple(whole for _, whole in found)

    def seated(self, others: ExactStrategies, seat: int) -> ExactStrategies:
        """Return the strategies in which a player keeps to these, and all others to others."""
        pairs = enumerate(zip(self.behaviors, others.behaviors, strict=True))
        chosen = tuple(mine if player == seat else theirs for player, (mine, theirs) in pairs)
        return ExactStrategies(self.form, chosen)


def realized(treeplex: Treeplex, behavior: Sequence[Fraction]) -> list[Fraction]:
    """Return the realization plan of a behaviour strategy."""
    plan = [Fraction(1), *behavior[1:]]
    first = treeplex.first_sequence.tolist()
    for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
        check_time("playing a strategy in fractions")
        for sequence in range(first[infoset], first[infoset + 1]):
            plan[sequence] *= plan[parent]
    return plan


def integers_over(numbers: Sequence[Fraction]) -> tuple[Exact, int]:
    """Return fractions as integers over their common denominator."""
    whole = lcm(*{number.denominator for number in numbers})
    found = np.empty(len(numbers), dtype=object)
    found[:] = [number.numerator * (whole // number.denominator) for number in numbers]
    return found, whole


def filled_uniformly(form: SequenceForm, fractions: Sequence[Fractions]) -> ExactStrategies:
    """Return strategies with equal probabilities where nothing is said."""
    behaviors = []
    for treeplex, said in zip(form.treeplexes, fractions, strict=True):
        counts = [1, *treeplex.to_actions(treeplex.num_actions).tolist()]
        pairs = zip(said, counts, strict=True)
        behaviors.append(tuple(Fraction(1, n) if p is None else p for p, n in pairs))
    return ExactStrategies(form, tuple(behaviors))
