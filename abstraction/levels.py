"""A game as each player sees it: the own sets level by level, their sequences, what is paid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from abstraction.integer_table import as_integers
from seqform.base.arrays import Exact, Index, Ints, Numbers, distinct
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex


class Levels:
    """A treeplex by the number of own actions that come before.

    Parameters
    ----------
    treeplex
        Whose information sets and sequences these are.
    """

    def __init__(self, treeplex: Treeplex) -> None:
        self.treeplex = treeplex
        depth = np.zeros(treeplex.num_infosets + 1, dtype=np.int64)
        depth[-1] = -1  # before the first action
        above = treeplex.infoset_of[treeplex.parent_sequence]
        for infosets, _ in treeplex.runs:
            depth[:-1][infosets] = depth[above[infosets]] + 1
        self.depth: Index = depth[:-1]

    @cached_property
    def infosets(self) -> list[Index]:
        """The information sets after 0, 1, 2, ... own actions."""
        order = np.argsort(self.depth, kind="stable")
        counts = np.bincount(self.depth)
        return np.split(order, np.cumsum(counts)[:-1]) if len(order) else []

    @cached_property
    def positions(self) -> Index:
        """The position of each sequence but the empty one in its information set, from 0 on."""
        first = np.repeat(self.treeplex.first_sequence[:-1], self.treeplex.num_actions)
        return np.arange(1, self.treeplex.num_sequences) - first

    def sequences(self, infosets: Index) -> Index:
        """Return the sequences of some information sets, one set after the other."""
        first = self.treeplex.first_sequence
        return ranges(first[infosets], self.treeplex.num_actions[infosets])

    def owners(self, infosets: Index) -> Index:
        """Return, for each of `sequences(infosets)`, the place of its set among these."""
        return np.repeat(np.arange(len(infosets)), self.treeplex.num_actions[infosets])

    def tied(self, infosets: Index, colors: Ints | Index) -> Index:
        """Return those of the information sets in which some actions have one color.

        `colors` are those of all sequences, (num_sequences,).
        """
        owners, colors = self.owners(infosets), colors[self.sequences(infosets)]
        order = np.lexsort((colors, owners))
        colors, owners = colors[order], owners[order]
        ties = (colors[1:] == colors[:-1]) & (owners[1:] == owners[:-1])
        found: Index = infosets[distinct(owners[1:][ties])]
        return found

    def rank(self, ranks: Index, infosets: Index, colors: Ints | Index) -> None:
        """Rank the actions of some sets by color, and those of one color by position.

        Parameters
        ----------
        ranks
            Of every sequence, (num_sequences,); those of the sets' sequences are set.
        infosets
            The sets, (number of sets,).
        colors
            Of every sequence, (num_sequences,).
        """
        mine = self.sequences(infosets)
        order = np.lexsort((colors[mine], self.owners(infosets)))
        ranks[mine[order]] = self.positions[mine - 1]


def ranges(first: Numbers, counts: Numbers) -> Index:
    """Return ``first[i], first[i] + 1, ...``, so many as ``counts[i]`` says, for each i in turn."""
    stops = np.cumsum(counts, dtype=np.int64)
    total = int(stops[-1]) if len(stops) else 0
    return np.arange(total) + np.repeat(first - stops + counts, counts)


class Groups:
    """The places at which each number stands in an array.

    Parameters
    ----------
    numbers
        Integers from 0 to below `count`.
    count
        How many there may be.
    """

    def __init__(self, numbers: Numbers, count: int) -> None:
        self._places: Index = np.argsort(numbers, kind="stable")
        self._starts: Index = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(numbers, minlength=count), out=self._starts[1:])

    def of(self, numbers: Index) -> tuple[Index, Index]:
        """Return the places of some numbers; and for each, where its number is among these."""
        first = self._starts[numbers]
        counts = self._starts[numbers + 1] - first
        return self._places[ranges(first, counts)], np.repeat(np.arange(len(numbers)), counts)


@dataclass(frozen=True, eq=False)
class Side:
    """One player's side of a sequence form.

    Parameters
    ----------
    player
        Whose it is.
    levels
        The player's information sets and sequences.
    places
        For each player, the sequence that each payoff is after, int32 (num_payoffs,).
    numbers
        What this player is paid there, as integers in a unit of their own, (num_payoffs,).
    """

    player: int
    levels: Levels
    places: list[Ints]
    numbers: Exact


def sides(form: SequenceForm) -> list[Side]:
    """Return every player's side; numbers that players share are made integers once."""
    found: list[Side] = []
    shared: Numbers | None = None
    for player, treeplex in enumerate(form.treeplexes):
        places, numbers = form.payoffs.entries(player)
        integers = found[-1].numbers if found and numbers is shared else as_integers(numbers)
        found.append(Side(player, Levels(treeplex), places, integers))
        shared = numbers
    return found
