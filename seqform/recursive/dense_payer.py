"""DensePayer: what sequences are paid in dense stages side by side, while their players learn.

Players learn for some rounds by a smaller tensor (`seqform.recursive.small_tensor`). What it lacks
is made good as far as it does not change: at the average plans before these rounds, what sequences
are paid is what the whole tensor says. Averages move ever less. So where they settle, they do as by
the whole tensor, however small the other one is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Index, Numbers
from seqform.recursive.chance_tensor import OutcomeTensor
from seqform.recursive.contraction import last_seat, multiplied, tables

if TYPE_CHECKING:
    from seqform.recursive.dense_stage import DenseStage


class DensePayer:
    """Says what sequences are paid, in single precision; see `seqform.recursive.any_stage.Payer`.

    Parameters
    ----------
    form
        The stages.
    rows
        int64 (num_seats + 1,): the first row of each seat, and where the last one's end.
    worth
        float64 (num_seats, num_leaves, num_stages).
    near
        float64 (num_rows, num_stages): plans at which a smaller tensor is made good.
    """

    def __init__(self, form: DenseStage, rows: Index, worth: Floats, near: Floats) -> None:
        self.form, self.rows, self.worth = form, rows, worth / form.denominator
        self.small = form.small
        self._lacking: dict[int, Floats] = {}
        if self.small is not None:
            for seat, treeplex in enumerate(form.treeplexes):
                if treeplex.num_infosets:
                    whole = self._paid(seat, near, form.tensor)
                    self._lacking[seat] = whole - self._paid(seat, near, self.small)

    def pay(self, seat: int, plans: Floats, paid: Floats) -> None:
        """Write what each sequence of a seat is paid against the others' plans."""
        own = paid[self.rows[seat] : self.rows[seat + 1]]
        if not self.form.treeplexes[seat].num_infosets:
            own[:] = 0.0
        elif self.small is None:
            own[:] = self._paid(seat, plans, self.form.tensor)
        else:
            np.add(self._paid(seat, plans, self.small), self._lacking[seat], out=own)

    def _paid(self, seat: int, plans: Floats, tensor: OutcomeTensor) -> Floats:
        """Return what sequences are paid by a tensor: float64 (num_sequences, num_stages)."""
        form, last = self.form, last_seat(self.form, seat)
        first = form.summed_first(seat)

        def vectors(of: int, block: int) -> Numbers:
            at = self.rows[of] + form.blocks[of][block]
            return tensor.lowered(of, plans[at].astype(np.float32))

        by_block: dict[int, Numbers] = {}
        for table, blocks, parts in tables(form, tensor, seat, lambda block: vectors(first, block)):
            last_vectors = np.stack([vectors(last, block) for block in blocks])
            for sums, to in zip(multiplied(table, last_vectors, last < seat), parts, strict=True):
                for part in to:
                    own = form.lines[part.line].blocks[seat]
                    if form.decides(seat, own):
                        by_block.setdefault(own, np.zeros(sums.shape))
                        by_block[own] += sums * self.worth[seat, part.leaf]
        paid = np.zeros((form.treeplexes[seat].num_sequences, plans.shape[1]))
        for own, sums in by_block.items():
            paid[form.blocks[seat][own]] += tensor.raised(seat, sums)
        return paid
