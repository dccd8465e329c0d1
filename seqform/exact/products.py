"""Payoff operators in integers: denominator times A, with a bound on everything that a product adds up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.errors import UnsupportedGameError
from seqform.kronecker import KroneckerPayoff, Term
from seqform.payoff import PayoffOperator, SparsePayoff

Integers = NDArray[Any]
"""int64, or object holding Python ints."""

Product = Callable[[Integers], Integers]


@dataclass(frozen=True)
class IntegerPayoff:
    """Player 0's payoffs times `denominator`, as integers.

    Parameters
    ----------
    times, transposed_times
        Products with vectors, from int64 to int64 or from Python ints to Python ints.
    bound
        A product with entries from 0 to z has entries of at most ``bound * z``, and so has every sum on the way to it.
    """

    denominator: int
    bound: int
    times: Product
    transposed_times: Product


def integer_payoff(operator: PayoffOperator) -> IntegerPayoff:
    """Return a payoff operator in integers.

    Raises
    ------
    UnsupportedGameError
        If it was made from floats.
    """
    if isinstance(operator, KroneckerPayoff):
        return _kronecker(operator)
    if isinstance(operator, SparsePayoff) and operator.numerators is not None:
        return _sparse(operator, operator.numerators)
    raise UnsupportedGameError(
        "an interval is proven in exact arithmetic, and this game has probabilities or payoffs that are floats; give all as int or "
        "Fraction, or rely on the certificate, which bounds rounding errors"
    )


class ObjectMatrix:
    """A CSR matrix of Python ints, for products that int64 is too small for."""

    def __init__(self, matrix: sp.csr_array, data: Integers | None = None) -> None:
        self.shape = matrix.shape
        self._rows = np.flatnonzero(np.diff(matrix.indptr))
        self._starts, self._columns = matrix.indptr[self._rows], matrix.indices
        self._data = (matrix.data if data is None else data).astype(object)

    def __matmul__(self, dense: Integers) -> Integers:
        product = np.zeros((self.shape[0], *dense.shape[1:]), dtype=object)
        if len(self._rows):
            data = self._data.reshape(-1, *[1] * (dense.ndim - 1))
            product[self._rows] = np.add.reduceat(data * dense[self._columns], self._starts, axis=0)
        return product


def _sparse(payoff: SparsePayoff, numerators: Integers) -> IntegerPayoff:
    pattern = payoff.matrix
    positions = sp.csr_array((np.arange(len(numerators)), pattern.indices, pattern.indptr), shape=pattern.shape).T.tocsr()
    of_transpose = positions.data
    bound = _largest(numerators) * max(_longest(pattern), _longest(positions))

    def product(of: sp.csr_array, entries: Integers) -> Product:
        if bound >= 2**63:
            large = ObjectMatrix(of, entries)
            return lambda plan: large @ plan
        small = sp.csr_array((entries.astype(np.int64), of.indices, of.indptr), shape=of.shape)
        return lambda plan: (ObjectMatrix(small) if plan.dtype == object else small) @ plan

    return IntegerPayoff(payoff.denominator, bound, product(pattern, numerators), product(positions, numerators[of_transpose]))


def _kronecker(payoff: KroneckerPayoff) -> IntegerPayoff:
    terms = payoff.terms
    if any(factor.dtype.kind != "i" for term in terms for factor in (term.stakes, term.signals)):
        raise UnsupportedGameError("an interval is proven in exact arithmetic, and this game's stakes or signals are floats; use integers")
    transposed = [term.transposed() for term in terms]
    bound = max(sum(_term_bound(term) for term in of) for of in (terms, transposed)) if terms else 0

    def product(of: Sequence[Term], size: int) -> Product:
        def times(plan: Integers) -> Integers:
            total = np.zeros(size, dtype=plan.dtype)
            for term in of:
                if plan.dtype == object:
                    Term(term.lines, ObjectMatrix(term.stakes), ObjectMatrix(term.signals)).add_times(plan, total)
                else:
                    term.add_times(plan, total)
            return total

        return times

    return IntegerPayoff(payoff.denominator, bound, product(terms, payoff.shape[0]), product(transposed, payoff.shape[1]))


def _term_bound(term: Term) -> int:
    """Bound a product with a vector of ones, and what is added up on the way: sums over a row of stakes or of signals, or of both."""
    return max(1, _largest(term.stakes.data) * _longest(term.stakes)) * max(1, _largest(term.signals.data) * _longest(term.signals))


def _largest(values: Integers) -> int:
    """Return the largest absolute value; of int64 -2**63 too."""
    return max(abs(int(values.max())), abs(int(values.min()))) if len(values) else 0


def _longest(matrix: sp.csr_array) -> int:
    return int(np.diff(matrix.indptr).max(initial=0))
