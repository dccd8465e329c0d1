"""Hands that were played: their payoffs, what is left of these without known luck, and means."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
from seqform.base.errors import ResultFileError
from seqform.base.number import amount
from seqform.base.summary import Rows, Summarized
from seqform.base.whole_file import reason, replacing_table

NORMAL_95 = 1.959963984540054
"""Standard deviations on either side of the mean that hold 95% of a normal distribution."""


class Mean(NamedTuple):
    """An estimate of an expected payoff, in the game's unit."""

    mean: float
    half: float
    """Half the width of the interval of 95% by the normal distribution; NaN of fewer than two."""

    def __str__(self) -> str:
        known = f"+- {self.half:.3g}" if not isnan(self.half) else "(of one hand)"
        return f"{self.mean:.6g} {known}"


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Summarized):
    """Hands that were played.

    Parameters
    ----------
    unit
        What payoffs are counted in.
    seats
        int64 (num_hands,): the seat of the strategy that is judged.
    payoffs
        float64 (num_hands, num_players).
    reduced
        float64 (num_hands,): what the strategy got, without the luck that is known.
    expected
        For each seat what the strategy gets on average, in the game's unit; not by the sample.
    texts
        Returns what chance did in a hand, and what the players did.
    """

    unit: str
    seats: Index
    payoffs: Floats
    reduced: Floats
    expected: tuple[float, ...]
    texts: Callable[[int], tuple[str, str]]

    @property
    def taken(self) -> list[int]:
        """The seats that were taken."""
        return [int(seat) for seat in np.unique(self.seats)]

    @cached_property
    def won(self) -> Floats:
        """What the strategy got in each hand, float64 (num_hands,)."""
        return self.payoffs[np.arange(len(self.seats)), self.seats]

    def plain(self, seat: int) -> Mean:
        """Return the mean of what the strategy got in a seat."""
        return mean_of(self.won[self.seats == seat])

    def corrected(self, seat: int) -> Mean:
        """Return the mean without the luck that is known."""
        return mean_of(self.reduced[self.seats == seat])

    def summary(self) -> Rows:
        """Return the means of each seat."""
        unit, rows = self.unit, [("hands", f"{len(self.seats):,}")]
        for seat in self.taken:
            who = f"as player {seat}"
            rows += [
                (f"mean {who}, 95%", amount(f"{self.plain(seat)}", unit)),
                (
                    f"mean {who}, 95%, luck that is known taken out",
                    amount(f"{self.corrected(seat)}", unit),
                ),
                (f"expected {who}", amount(f"{self.expected[seat]:.9g}", unit)),
            ]
        return rows

    def record(self) -> dict[str, Any]:
        """Return what was found as JSON values."""
        return {
            "hands": len(self.seats),
            "unit": self.unit,
            "seats": [
                {
                    "player": seat,
                    "mean": self.plain(seat).mean,
                    "half": self.plain(seat).half,
                    "reduced_mean": self.corrected(seat).mean,
                    "reduced_half": self.corrected(seat).half,
                    "expected": self.expected[seat],
                }
                for seat in self.taken
            ],
        }

    def rows(self) -> Iterator[list[Any]]:
        """Yield a header and a row for each hand: what chance and the players did, and payoffs."""
        players = range(self.payoffs.shape[1])
        yield ["hand", "seat", "deal", "actions", *(f"payoff{p}" for p in players), "reduced"]
        for hand, seat in enumerate(self.seats.tolist()):
            check_time("writing hands")
            numbers = (*self.payoffs[hand].tolist(), float(self.reduced[hand]))
            yield [hand + 1, seat, *self.texts(hand), *map(repr, numbers)]

    def save(self, path: Path | str) -> None:
        """Write the hands as a table .csv.

        Raises
        ------
        ResultFileError
            If it cannot be written.
        """
        try:
            with replacing_table(path) as file:
                csv.writer(file).writerows(self.rows())
        except OSError as error:
            raise ResultFileError(f"cannot write to {path}: {reason(error)}") from None


def mean_of(numbers: Floats) -> Mean:
    """Return the mean of independent numbers, and how far it may be off; NaN of none."""
    if len(numbers) < 2:
        return Mean(float(numbers.mean()) if len(numbers) else nan, nan)
    return Mean(float(numbers.mean()), NORMAL_95 * float(numbers.std(ddof=1)) / sqrt(len(numbers)))
