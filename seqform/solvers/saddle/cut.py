"""A treeplex without some of its sequences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class Cut:
    """What is left of a treeplex: a treeplex of its own, and which sequences its sequences were.

    Its information sets are those that kept sequences lead to.
    """

    sequences: Index
    treeplex: Treeplex

    @classmethod
    def of(cls, treeplex: Treeplex, kept: Mask) -> Cut:
        """Return the treeplex on its kept sequences.

        Among these are the first, and some of each information set after any of them. What leads to
        a kept sequence is kept.
        """
        sequences, number = np.flatnonzero(kept), np.cumsum(kept) - 1
        there = kept[treeplex.parent_sequence]
        actions = np.bincount(treeplex.infoset_of[sequences[1:]], minlength=treeplex.num_infosets)
        first = np.concatenate([[1], 1 + np.cumsum(actions[there])])
        parents = number[treeplex.parent_sequence[there]]
        return cls(sequences, Treeplex(parents.astype(np.int32), first.astype(np.int32)))

    def restrict(self, plan: Floats) -> Floats:
        """Return the entries of what is left, float64 (its sequences,)."""
        return np.array(plan[self.sequences], dtype=np.float64)

    def extend(self, plan: Floats, num_sequences: int) -> Floats:
        """Return a plan of the whole treeplex that is zero elsewhere, float64 (num_sequences,)."""
        whole = np.zeros(num_sequences)
        whole[self.sequences] = plan
        return whole
