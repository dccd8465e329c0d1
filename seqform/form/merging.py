"""Merging: information sets that have to play alike, though their player may forget by that.

Where every player still knows its own past, merged sets make a smaller sequence form. Elsewhere
they do not (imperfect recall): the form stays as it is, and notes which of its sets play alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqform.base.arrays import Floats, Index, Ints
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class Merging:
    """Which information sets of one player play alike.

    Parameters
    ----------
    treeplex
        The player's information sets and sequences.
    infosets
        int32 (num_infosets,): the bucket of each information set; numbered without gaps, by first
        appearance.
    sequences
        int32 (num_sequences,): the number of each action among those of all buckets, from 1 on; the
        empty sequence has 0. Actions of one number are played with one probability.
    """

    treeplex: Treeplex
    infosets: Ints
    sequences: Ints

    @cached_property
    def members(self) -> Index:
        """The first information set of each bucket, int64 (num_buckets,)."""
        return np.unique(self.infosets, return_index=True)[1].astype(np.int64)

    @cached_property
    def first_sequence(self) -> Ints:
        """Actions of bucket b are ``first_sequence[b]:first_sequence[b + 1]``."""
        counts = np.cumsum(self.treeplex.num_actions[self.members])
        return np.concatenate([[1], 1 + counts]).astype(np.int32)

    @cached_property
    def parent_sequence(self) -> Ints:
        """What leads to each information set, int32 (num_infosets,), as a bucket's action."""
        return np.asarray(self.sequences[self.treeplex.parent_sequence])

    def forgotten(self) -> tuple[int, int] | None:
        """Return two sets of a bucket that lie after different actions of buckets, if any do."""
        first = self.members[self.infosets]
        differ = np.flatnonzero(self.parent_sequence != self.parent_sequence[first])
        return (int(first[differ[0]]), int(differ[0])) if len(differ) else None

    def absent_minded(self) -> tuple[int, int] | None:
        """Return two sets of a bucket of which one comes after the other, if any do."""
        treeplex = self.treeplex
        above = treeplex.infoset_of[treeplex.parent_sequence]
        for infoset in range(treeplex.num_infosets):
            earlier = int(above[infoset])
            while earlier >= 0:
                if self.infosets[earlier] == self.infosets[infoset]:
                    return earlier, infoset
                earlier = int(above[earlier])
        return None

    def quotient(self) -> Treeplex:
        """Return the treeplex of the buckets; nothing may be forgotten."""
        return Treeplex(self.parent_sequence[self.members], self.first_sequence.copy())

    def shared(self, weights: Floats) -> Floats:
        """Return the behaviour strategy by which buckets play their weights' sums.

        Parameters
        ----------
        weights
            float64 (num_sequences,), at least 0; a bucket without weight plays uniformly.
        """
        total = np.bincount(self.sequences, weights, minlength=int(self.first_sequence[-1]))
        starts = self.first_sequence[:-1]
        behavior = self.treeplex.uniform()
        if not len(starts):
            return behavior
        sums = np.repeat(np.add.reduceat(total, starts), np.diff(self.first_sequence))
        share = np.divide(total[1:], sums, out=np.full_like(sums, np.nan), where=sums > 0)
        found = np.append(1.0, share)[self.sequences]
        return np.where(np.isnan(found), behavior, found)
