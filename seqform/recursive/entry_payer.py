"""EntryPayer: what sequences are paid, in stages that list their entries, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Index

if TYPE_CHECKING:
    from seqform.recursive.stage_form import StageForm


class EntryPayer:
    """Goes over all entries for all stages at once; see `seqform.recursive.any_stage.Payer`."""

    def __init__(self, form: StageForm, rows: Index, worth: Floats) -> None:
        places = (form.places + rows[:-1, None]).astype(np.int32)
        self._entries = places, form.shares, form.leaf
        self._rows, self._worth = rows, worth
        self._product = np.empty(worth.shape[2])

    def pay(self, seat: int, plans: Floats, paid: Floats) -> None:
        """Write what each sequence of a seat is paid against the others' plans."""
        from seqform.recursive.stage_kernels import pay  # it loads numba

        paid[self._rows[seat] : self._rows[seat + 1]] = 0.0
        pay(self._entries, seat, self._worth[seat], plans, self._product, paid)
