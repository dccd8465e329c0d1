"""Payoff operators in integers: denominator times A, with a bound on everything that a product adds up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import UnsupportedGameError
from seqform.exact.matrix import IntegerMatrix, largest, longest
from seqform.form.kronecker import KroneckerPayoff, Term
from seqform.form.payoff import PayoffOperator, SparsePayoff

Integers = NDArray[Any]
"""int64, or object holding Python ints."""

Product = Callable[[Integers], Integers]

FLOATS = (
    "proofs are in exact arithmetic, and this game has probabilities or payoffs that are floats; "
    "give all as int or Fraction, or rely on "
    "the certificate, which bounds rounding errors"
)


@dataclass(frozen=True)
class IntegerPayoff:
    """Player 0's payoffs times `denominator`, as integers.

    Parameters
    ----------
    times, transposed_times
        Products with vectors, from int64 to int64 or from Python ints to Python ints.
    bound
        A product with entries from 0 to z has entries of at most ``bound * z``, and so has every
        sum on the way to it.
    """

    denominator: int
    bound: int
    times: Product
    transposed_times: Product


def integer_matrix(operator: PayoffOperator) -> tuple[IntegerMatrix, int]:
    """Return a payoff operator as a matrix of integers with every entry stored, and their common denominator.

    Raises
    ------
    UnsupportedGameError
        If it was made from floats.
    """
    payoff = operator.to_sparse()
    if payoff.numerators is None:
        raise UnsupportedGameError(FLOATS)
    return IntegerMatrix(payoff.matrix, payoff.numerators), payoff.denominator


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
    raise UnsupportedGameError(FLOATS)


def _sparse(payoff: SparsePayoff, numerators: Integers) -> IntegerPayoff:
    matrix = IntegerMatrix(payoff.matrix, numerators)
    bound = max(matrix.norm, matrix.transposed.norm)

    def product(of: IntegerMatrix) -> Product:
        if bound >= 2**63:
            return lambda plan: of @ plan
        small = of.to_int64()
        return lambda plan: (of if plan.dtype == object else small) @ plan

    return IntegerPayoff(payoff.denominator, bound, product(matrix), product(matrix.transposed))


def _kronecker(payoff: KroneckerPayoff) -> IntegerPayoff:
    terms = payoff.terms
    if any(factor.dtype.kind != "i" for term in terms for factor in (term.stakes, term.signals)):
        raise UnsupportedGameError(
            "an interval is proven in exact arithmetic, and this game's stakes or signals are "
            "floats; use integers"
        )
    transposed = [term.transposed() for term in terms]
    bound = max(sum(_term_bound(term) for term in of) for of in (terms, transposed)) if terms else 0

    def product(of: Sequence[Term], size: int) -> Product:
        def times(plan: Integers) -> Integers:
            total = np.zeros(size, dtype=plan.dtype)
            for term in of:
                if plan.dtype == object:
                    Term(
                        term.lines,
                        *(IntegerMatrix(of, of.data) for of in (term.stakes, term.signals)),
                    ).add_times(plan, total)
                else:
                    term.add_times(plan, total)
            return total

        return times

    return IntegerPayoff(
        payoff.denominator,
        bound,
        product(terms, payoff.shape[0]),
        product(transposed, payoff.shape[1]),
    )


def _term_bound(term: Term) -> int:
    """Bound a product with a vector of ones, and what is added up on the way: sums over a row of stakes or of signals, or of both."""
    return max(1, largest(term.stakes.data) * longest(term.stakes)) * max(
        1, largest(term.signals.data) * longest(term.signals)
    )
