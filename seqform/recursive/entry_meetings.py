"""EntryMeetings: where a seat's sequences come to leads, in a stage that lists its entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Exact, Floats, Index, Ints, Numbers, is_first
from seqform.recursive.against import Against

if TYPE_CHECKING:
    from seqform.recursive.stage_form import StageForm

ROOM = 62
"""Bits of sums that stay within int64."""

LEAST_ROOM = 8
"""Bits of a plan that are taken at once at least; with fewer, Python ints are as fast."""


class EntryMeetings:
    """Where a seat's sequences come to leads: entries of a stage in the order of both."""

    def __init__(self, form: StageForm, lead: Ints, seat: int) -> None:
        self.seat, self.form = seat, form
        size = form.treeplexes[seat].num_sequences
        key = lead[form.leaf].astype(np.int64) * size + form.places[seat]
        self.order: Index = np.argsort(key, kind="stable")
        key = key[self.order]
        self.starts: Index = np.flatnonzero(is_first(key))
        key = key[self.starts]
        self.lead: Index = key // size
        self.sequence: Index = key % size
        self.others = [
            np.ascontiguousarray(places[self.order])
            for other, places in enumerate(form.places)
            if other != seat
        ]
        self.weights = form.weights[self.order]
        self.shares = form.shares[self.order]
        self.bits = sum(self.weights.tolist()).bit_length()
        """Of the sum of all weights, which int64 might not hold."""

    def add_up(self, products: Numbers) -> Numbers:
        """Return the sums over entries that meet at one lead and sequence."""
        return np.add.reduceat(products, self.starts)

    def against(self, plans: Sequence[Floats]) -> Against:
        """Return the chances against the others' plans, in floats.

        Parameters
        ----------
        plans
            A realization plan for each seat; that of the seat itself does not matter.
        """
        products = self.shares
        for places, plan in zip(self.others, self._of_others(plans), strict=True):
            products = products * plan[places]
        treeplex = self.form.treeplexes[self.seat]
        return Against(treeplex, self.lead, self.sequence, self.add_up(products))

    def exactly_against(self, plans: Sequence[Exact], whole: int) -> Against:
        """Return the chances against the others' plans, in integers.

        Parameters
        ----------
        plans
            `whole` times a realization plan for each seat, int64 (num_sequences,).
        whole
            A power of two.
        """
        others = self._of_others(plans)
        if len(others) == 1:
            chances = self._by_limbs(self.others[0], others[0], whole)
        else:
            products = self.weights.astype(object)
            for places, plan in zip(self.others, others, strict=True):
                products = products * plan.astype(object)[places]
            chances = self.add_up(products)
        denominator = self.form.denominator * whole ** len(others)
        treeplex = self.form.treeplexes[self.seat]
        return Against(treeplex, self.lead, self.sequence, chances, denominator)

    def _of_others(self, plans: Sequence[Numbers]) -> list[Numbers]:
        return [plan for other, plan in enumerate(plans) if other != self.seat]

    def _by_limbs(self, places: Ints, plan: Exact, whole: int) -> Exact:
        """Return sums of weights times a plan, taken in parts so small that int64 holds the sums.

        They are Python ints.
        """
        room = ROOM - self.bits
        if room < LEAST_ROOM or self.weights.dtype == object:
            return self.add_up(self.weights.astype(object) * plan.astype(object)[places])
        total: Exact = np.zeros(len(self.starts), dtype=object)
        for shift in range(0, whole.bit_length(), room):
            limb = (plan >> shift) & ((1 << room) - 1)
            sums = self.add_up(self.weights * limb[places])
            total = total + (sums.astype(object) << shift)
        return total
