"""PayoffTable: what all combinations of pure strategies pay one player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from seqform.base.arrays import Floats, Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.form.payoff import Payoffs
from seqform.form.payoff_sums import ratios
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF

STEPS = 256
"""Payoffs after which the time limit is looked at."""


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """One player's payoffs, chance weighted, in the shape of the numbers of strategies.

    Parameters
    ----------
    numbers
        Integers over `denominator`, int64 or object holding Python ints; or float64.
    denominator
        None beside floats.
    errors
        float64, of the shape of `numbers`: bounds on how far floats are from the true numbers; None
        beside integers.
    """

    numbers: Numbers
    denominator: int | None
    errors: Floats | None

    @property
    def is_exact(self) -> bool:
        """Whether the numbers are integers over a denominator."""
        return self.denominator is not None

    def __getitem__(self, strategies: tuple[int, ...]) -> Fraction | float:
        """Return what one combination pays: a fraction where the numbers are exact."""
        number = self.numbers[strategies]
        return (
            float(number) if self.denominator is None else Fraction(int(number), self.denominator)
        )

    def to_numbers(self) -> Numbers:
        """Return the payoffs as they are: `Fraction` where they are exact, else float64."""
        if self.denominator is None:
            return self.numbers
        found = np.empty(self.numbers.shape, dtype=object)
        whole = self.denominator
        found.flat[:] = [Fraction(int(number), whole) for number in self.numbers.flat]
        return found

    def to_floats(self) -> Floats:
        """Return the payoffs as float64, in the game's unit."""
        if self.denominator is None:
            return self.numbers
        return ratios(self.numbers.reshape(-1), self.denominator).reshape(self.numbers.shape)


def payoff_table(payoffs: Payoffs, player: int, playing: Sequence[Sequence[Index]]) -> PayoffTable:
    """Add every payoff of a player to all combinations of strategies that play its sequences.

    Parameters
    ----------
    payoffs
        Of the game; those of player 0 if it is of two players and constant sum.
    player
        Whose payoffs to add up.
    playing
        For each player and sequence, the strategies that play it; all do the empty one.
    """
    places, numbers = payoffs.entries(player)
    denominator = payoffs.denominator(player)
    if denominator is not None:
        fits = sum(abs(int(number)) for number in numbers.tolist()) < 2**63
        integers = numbers.astype(np.int64 if fits else object)
        return PayoffTable(_added(places, integers, playing), denominator, None)
    errors = payoffs.number_errors(player)
    if errors is None:
        errors = np.full(len(numbers), np.spacing(0.0))
    bounds = errors + (1 + len(numbers)) * UNIT_ROUNDOFF * np.abs(numbers)
    table = _added(places, numbers, playing)
    return PayoffTable(table, None, _added(places, HIGHER_ORDERS * bounds, playing))


def _added(places: Sequence[Ints], numbers: Numbers, playing: Sequence[Sequence[Index]]) -> Numbers:
    shape = [len(of[0]) for of in playing]
    table = np.zeros(shape, dtype=numbers.dtype)
    columns = [place.tolist() for place in places]
    for step, (number, *sequences) in enumerate(zip(numbers, *columns, strict=True)):
        if step % STEPS == 0:
            check_time("adding up the normal form")
        who = (of[sequence] for of, sequence in zip(playing, sequences, strict=True))
        table[np.ix_(*who)] += number
    return table
