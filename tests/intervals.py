"""Games and plans that intervals proven in integers are tested on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.form.kronecker import KroneckerPayoff
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
"""From an exact solution of the linear program in fractions."""


def form_of(
    treeplexes: tuple[Treeplex, Treeplex], operator: SparsePayoff | KroneckerPayoff
) -> SequenceForm:
    payoffs = ZeroSumPayoffs(operator)
    return ZeroSumForm(treeplexes, payoffs, None, "points", 1.0, 0)  # type: ignore[arg-type]


def chain(length: int) -> Treeplex:
    """One action at a time: every sequence has the weight of the whole plan."""
    return Treeplex(np.arange(length, dtype=np.int32), np.arange(1, length + 2, dtype=np.int32))


def star(length: int) -> Treeplex:
    """Information sets of one action side by side."""
    return Treeplex(np.zeros(length, dtype=np.int32), np.arange(1, length + 2, dtype=np.int32))


def objects(numbers: Any) -> Any:
    array = np.empty(len(numbers), dtype=object)
    array[:] = list(numbers)
    return array


def sparse(matrix: np.ndarray, denominator: int = 2) -> SparsePayoff:
    entries = sp.csr_array(matrix)
    return SparsePayoff(entries / denominator, entries.data, denominator)


def treeplex(parents: list[int], first: list[int]) -> Treeplex:
    return Treeplex(np.array(parents, dtype=np.int32), np.array(first, dtype=np.int32))


def of_actions(*count: int) -> Treeplex:
    """Return information sets side by side with so many actions."""
    return treeplex([0] * len(count), np.cumsum([1, *count]).tolist())


HAND = treeplex([0, 1, 1, 5], [1, 3, 6, 8, 9])
"""Sequences 1, 2 of the first set; 3, 4, 5 and 6, 7 after sequence 1; 8 after sequence 5."""


NOTHING = treeplex([], [1])


BEHAVIOR = np.array([1, 0.5, 0.5, 0.25, 0.25, 0.5, 0.75, 0.25, 1])
