"""Payoffs kept as a sparse matrix."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from seqform.base.errors import UnsupportedGameError
from seqform.form.payoff_sums import ratios, sums_at
from seqform.form.sparse_payoff import SparsePayoff


def test_floats_have_no_numerators() -> None:
    payoff = SparsePayoff(sp.csr_array(np.array([[0.5, 0.0], [0.0, 0.1]])))
    with pytest.raises(UnsupportedGameError, match="are floats and have no numerators"):
        payoff.numerator_bound()


@pytest.mark.parametrize("edge", [2**63 - 1, -(2**63), 2**62, -(2**62) - 1])
def test_sums_at_the_edge_of_int64_are_those_of_python(edge: int) -> None:
    numbers = np.array([edge, edge, edge, -1], dtype=np.int64)
    found = sums_at(numbers, np.array([0, 1, 1, 2]), 3)
    assert [int(n) for n in found] == [edge, 2 * edge, -1]


@pytest.mark.parametrize("edge", [2**53 + 1, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("denominator", [1, 3, 2**64 + 1])
def test_ratios_are_rounded_once(edge: int, denominator: int) -> None:
    found = ratios(np.array([edge, 0], dtype=np.int64), denominator)
    assert found.tolist() == [float(Fraction(edge, denominator)), 0.0]
