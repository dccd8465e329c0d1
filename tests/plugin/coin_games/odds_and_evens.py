"""Odds and evens: both show coins at once, and their number is even or odd; held as a table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from seqform.plugins import (
    GameEntry,
    KnownValue,
    Origin,
    SequenceForm,
    SparsePayoff,
    Treeplex,
    ZeroSumForm,
    ZeroSumPayoffs,
)


@dataclass(frozen=True)
class Table:
    """The representation: what player 0 is paid for each pair of choices, made at once."""

    choices: tuple[tuple[str, ...], tuple[str, ...]]
    pays: tuple[tuple[Fraction, ...], ...]

    num_players, constant_sum = 2, 0

    def explicit(self) -> SequenceForm:
        """Return the form with every sequence listed; sequence 0 of a player is the empty one."""
        whole = lcm(*(paid.denominator for row in self.pays for paid in row))
        numbers = np.array([[int(paid * whole) for paid in row] for row in self.pays])
        rows, columns = np.indices(numbers.shape).reshape(2, -1) + 1
        shape = (1 + numbers.shape[0], 1 + numbers.shape[1])
        return ZeroSumForm(
            treeplexes=tuple(one_choice(len(names)) for names in self.choices),
            payoffs=ZeroSumPayoffs(
                SparsePayoff.from_sorted(rows, columns, numbers.ravel(), whole, shape),
            ),
            origin=TableNames(self.choices),
            unit="coins",
            largest_payoff=float(max(abs(paid) for row in self.pays for paid in row)),
            num_nodes=1 + numbers.shape[0] + numbers.size,  # of a tree in which player 0 is first
        )


def one_choice(count):
    """Return the sequences of a player with one information set, which follows sequence 0."""
    return Treeplex(np.array([0], dtype=np.int32), np.array([1, 1 + count], dtype=np.int32))


class TableNames(Origin):
    """What information sets and actions are called, and how often others lead there."""

    def __init__(self, choices):
        super().__init__()
        self.choices = choices

    def infoset_label(self, player, infoset):
        return "shows"

    def actions(self, player, infoset):
        return self.choices[player]

    def others_reach(self, player, plans):
        return np.ones(1)  # nobody moves before


def odds_and_evens(most: int = 2) -> Table:
    """Return the game in which both show 1 to `most` coins; player 0 wins them if even."""
    shown = range(1, 1 + most)
    names = tuple(f"{count} coins" for count in shown)
    return Table((names, names), tuple(tuple(paid(a + b) for b in shown) for a in shown))


def paid(count: int) -> Fraction:
    """Return what player 0 is paid for so many coins."""
    return Fraction(count if count % 2 == 0 else -count)


ODDS_AND_EVENS = GameEntry(
    "odds-and-evens",
    "Both show coins at once; player 0 wins them all if their number is even",
    odds_and_evens,
    known=(KnownValue(Fraction(-1, 12), "by hand: 1 with 7/12, 2 with 5/12, whatever the other"),),
)
