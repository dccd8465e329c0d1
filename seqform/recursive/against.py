"""Against: what a seat of a stage is paid against the other seats' plans, lead by lead.

What a lead is worth changes while stages are solved and judged; how likely sequences are to come to
it does not. So the sums over chance and the others' plans are made once for each profile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Exact, Index, Numbers
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class Against:
    """Chances with which a seat's sequences come to leads, against the others' plans.

    Parameters
    ----------
    treeplex
        Of the seat.
    lead, sequence
        int64 (num_pairs,): where they are not zero.
    chances
        float64, or integers int64 or object (num_pairs,): `denominator` times the chance.
    denominator
        1 of floats.
    """

    treeplex: Treeplex
    lead: Index
    sequence: Index
    chances: Numbers
    denominator: int = 1

    def gradient(self, worth: Numbers) -> Numbers:
        """Return what each sequence is paid where each lead is worth so much: (num_sequences,)."""
        products = self.chances * worth[self.lead]
        return _added_up(products, self.sequence, self.treeplex.num_sequences)

    def of_plan(self, plan: Numbers, num_leads: int) -> Numbers:
        """Return how likely each lead is for a plan of the seat: (num_leads,)."""
        return _added_up(self.chances * plan[self.sequence], self.lead, num_leads)


def _added_up(products: Numbers, places: Index, size: int) -> Numbers:
    """Return the sums of products by their places: (size,), of their type."""
    if products.dtype == np.float64:
        return np.bincount(places, products, minlength=size)
    total = np.zeros(size, dtype=products.dtype)
    np.add.at(total, places, products)
    return total


def best_exactly(treeplex: Treeplex, paid: Exact) -> int:
    """Return the most that a plan gets where sequences are paid such Python ints; overwrites them.

    One backward pass (von Stengel, GEB 14, 1996, Section 5).
    """
    for infosets, _ in reversed(treeplex.runs):
        highest = treeplex.over_actions(np.maximum, paid, infosets)
        np.add.at(paid, treeplex.parent_sequence[infosets], highest)
    return int(paid[0])
