"""Adversary: all other players as one, who wants to make a sum of payoffs as small as possible.

The sum is over combinations of the others' sequences. The adversary chooses the first player's
strategy, then the second's, knowing in which of the first's sequences a payoff is, and so on. So it
can do all that the others can do, and a sum that it cannot make negative is never negative. With
one other player it can do nothing else; nor can it where every player moves once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Ints
from seqform.form.treeplex import Treeplex

Place = tuple[int, ...]
"""A sequence for each of the other players."""


class Adversary:
    """The part of the adversary's treeplex that combinations of the others' sequences lie in.

    A place is a sequence of the adversary: zeros from some player on, whose turn has not come.

    Parameters
    ----------
    others
        The other players' treeplexes.

    Attributes
    ----------
    infosets
        First sequence, last sequence plus one, and parent of each information set, numbered within
        the part; parents come before children.
    """

    def __init__(self, others: Sequence[Treeplex]) -> None:
        self.others = others
        self.numbers: dict[Place, int] = {(0,) * len(others): 0}
        self.infosets: list[tuple[int, int, int]] = []

    def numbers_of(self, places: Ints) -> Index:
        """Return the numbers of some places, which become part of it if they are not.

        Parameters
        ----------
        places
            (num_places, num_others): a sequence of each of the others.
        """
        return np.array([self._number(tuple(place)) for place in places.tolist()], dtype=np.int64)

    @property
    def num_sequences(self) -> int:
        """Sequences of the part, the empty one included."""
        return len(self.numbers)

    def least(self, sums: Exact) -> Exact:
        """Return the least that the adversary can make of each sum.

        Parameters
        ----------
        sums
            Integers or floats (num_sequences, num_sums): what each sequence adds; used up.
        """
        for start, stop, parent in reversed(self.infosets):
            sums[parent] += sums[start:stop].min(axis=0)
        least: Exact = sums[0]
        return least

    def random_plans(self, count: int, rng: np.random.Generator) -> Floats:
        """Return plans of the adversary, float64 (num_sequences, count); every second is pure."""
        plans = rng.random((self.num_sequences, count))
        plans[0] = 1.0
        for start, stop, parent in self.infosets:
            part = plans[start:stop]
            part[:, ::2] = part[:, ::2] == part[:, ::2].max(axis=0)
            part *= plans[parent] / part.sum(axis=0)
        return plans

    def _number(self, place: Place) -> int:
        """Return the number of a place, which gets one with all that comes before it."""
        missing = []
        at = place
        while at not in self.numbers:
            player = max(p for p, sequence in enumerate(at) if sequence)
            treeplex = self.others[player]
            infoset = int(treeplex.infoset_of[at[player]])
            missing.append((player, infoset, at))
            parent = int(treeplex.parent_sequence[infoset])
            at = (*at[:player], parent, *at[player + 1 :])
        for player, infoset, child in reversed(missing):
            treeplex = self.others[player]
            start, above = len(self.numbers), self.numbers[at]
            for sequence in range(*treeplex.first_sequence[infoset : infoset + 2].tolist()):
                sibling = (*child[:player], sequence, *child[player + 1 :])
                self.numbers[sibling] = len(self.numbers)
            self.infosets.append((start, len(self.numbers), above))
            at = child
        return self.numbers[place]
