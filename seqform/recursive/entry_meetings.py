"""EntryMeetings: where a seat's sequences come to leads, in a stage that lists its entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints, Numbers, is_first
from seqform.base.integer_matrix import filled
from seqform.recursive.against import Against

if TYPE_CHECKING:
    from seqform.recursive.stage_form import StageForm

ROOM = 62
"""Bits of sums that stay within int64."""

LEAST_ROOM = 8
"""Bits of a plan that are taken at once at least; with fewer, Python ints are as fast."""


class EntryMeetings:
    """Where a seat's sequences come to leads, as a matrix.

    It has a row for each lead and sequence of the seat, and a column for each sequence of the last
    of the others: what is in it times that one's plan is how likely the row is. So one product adds
    up over chance and the other seat.
    """

    def __init__(self, form: StageForm, lead: Ints, seat: int) -> None:
        self.seat, self.form = seat, form
        size = form.treeplexes[seat].num_sequences
        key = lead[form.leaf].astype(np.int64) * size + form.places[seat]
        order = np.argsort(key, kind="stable")
        key = key[order]
        starts = np.flatnonzero(is_first(key))
        self.lead: Index = key[starts] // size
        self.sequence: Index = key[starts] % size
        others = [other for other in range(form.num_seats) if other != seat]
        self.others = [np.ascontiguousarray(form.places[other][order]) for other in others]
        nobody = np.zeros(len(order), dtype=np.int32), 1  # beside a seat that is alone
        last, width = (
            (self.others.pop(), form.treeplexes[others[-1]].num_sequences) if others else nobody
        )
        self.starts: Index = starts
        self.weights = form.weights[order]
        self.shares = sp.csr_array(
            (form.shares[order], last, np.append(starts, len(order)).astype(np.int32)),
            shape=(len(starts), width),
        )
        self.bits = sum(self.weights.tolist()).bit_length()
        """Of the sum of all weights, which int64 might not hold."""

    def against(self, plans: Sequence[Floats]) -> Against:
        """Return the chances against the others' plans, in floats.

        Parameters
        ----------
        plans
            A realization plan for each seat; that of the seat itself does not matter.
        """
        return self._of(self._added_up(self.shares.data, self._of_others(plans)))

    def all_against(self, plans: Sequence[Sequence[Floats]]) -> list[Against]:
        """Return the chances against the others' plans in several stages, in floats."""
        if self.others:  # entries are multiplied by some of the plans first
            return [self.against(own) for own in plans]
        last = np.stack([self._of_others(own)[0] for own in plans], axis=1)
        return [self._of(chances) for chances in np.ascontiguousarray((self.shares @ last).T)]

    def _of(self, chances: Floats) -> Against:
        return Against(self.form.treeplexes[self.seat], self.lead, self.sequence, chances)

    def exactly_against(self, plans: Sequence[Exact], whole: int) -> Against:
        """Return the chances against the others' plans, in integers.

        Parameters
        ----------
        plans
            `whole` times a realization plan for each seat, int64 (num_sequences,).
        whole
            A power of two.
        """
        others, room = self._of_others(plans), ROOM - self.bits
        if self.others or room < LEAST_ROOM or self.weights.dtype == object:
            exact = [plan.astype(object) for plan in others]
            chances = self._added_up(self.weights.astype(object), exact)
        else:
            chances = self._by_limbs(others[0], whole, room)
        denominator = self.form.denominator * whole ** (self.form.num_seats - 1)
        treeplex = self.form.treeplexes[self.seat]
        return Against(treeplex, self.lead, self.sequence, chances, denominator)

    def _of_others(self, plans: Sequence[Numbers]) -> list[Numbers]:
        found = [plan for other, plan in enumerate(plans) if other != self.seat]
        return found or [np.ones(1, dtype=np.int64)]

    def _added_up(self, weights: Numbers, plans: Sequence[Numbers]) -> Numbers:
        """Return sums over entries of one lead and sequence: of weights times the others' plans."""
        *before, last = plans
        for places, plan in zip(self.others, before, strict=True):
            weights = weights * plan[places]
        if weights.dtype == object:
            return np.add.reduceat(weights * last[self.shares.indices], self.starts)
        return filled(self.shares, weights) @ last  # type: ignore[no-any-return]

    def _by_limbs(self, plan: Exact, whole: int, room: int) -> Exact:
        """Return sums of weights times a plan, taken in parts so small that int64 holds the sums.

        They are Python ints.
        """
        total: Exact = np.zeros(len(self.starts), dtype=object)
        for shift in range(0, whole.bit_length(), room):
            limb = (plan >> shift) & ((1 << room) - 1)
            total = total + (self._added_up(self.weights, [limb]).astype(object) << shift)
        return total
