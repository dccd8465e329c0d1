"""Payoffs kept as a sparse matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from seqform.base.errors import UnsupportedGameError
from seqform.form.payoff import SparsePayoff


def test_floats_have_no_numerators() -> None:
    payoff = SparsePayoff(sp.csr_array(np.array([[0.5, 0.0], [0.0, 0.1]])))
    with pytest.raises(UnsupportedGameError, match="are floats and have no numerators"):
        payoff.numerator_bound()
