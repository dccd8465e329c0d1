"""What a stage pays that lists its entries, where each leaf is worth so much to each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.payoff_sums import errors_at, meeting_points, sums_at
from seqform.form.payoff_tensor import PayoffTensor, tensor_of
from seqform.form.treeplex import UNIT_ROUNDOFF

if TYPE_CHECKING:
    from seqform.recursive.stage_form import StageForm

ROUNDED = 3 * UNIT_ROUNDOFF
"""By which share a chance times what a lead is worth is off at most: both are rounded."""


def entry_payoffs(form: StageForm, worth: Floats) -> PayoffTensor:
    """Return what is paid where sequences meet; see `AnyStage.payoffs`."""
    sizes = [treeplex.num_sequences for treeplex in form.treeplexes]
    as_they_are = [np.arange(size, dtype=np.int32) for size in sizes]
    sequences, place = meeting_points(list(form.places), as_they_are, sizes)
    sums, errors = [], []
    for of_seat in worth.T:
        products = form.shares * of_seat[form.leaf]
        off = ROUNDED * np.abs(products) + np.spacing(0.0)
        sums.append(sums_at(products, place, len(sequences)))
        errors.append(errors_at(products, off, place, len(sequences)))
    inexact, nothing = [False for _ in sizes], tuple(1 for _ in sizes)
    return tensor_of(sequences, sums, inexact, nothing, None, np.array(errors).T)
