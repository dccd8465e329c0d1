"""Payoff operators in integers: denominator times A, with a bound on all that a product adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from seqform.base.arrays import Exact
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.form.payoff import PayoffOperator

FLOATS = (
    "proofs are in exact arithmetic, and this game has probabilities or payoffs that are floats; "
    "give all as int or Fraction, or rely on the certificate, which bounds rounding errors"
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
    times: Callable[[Exact], Exact]
    transposed_times: Callable[[Exact], Exact]


def integer_matrix(operator: PayoffOperator) -> tuple[IntegerMatrix, int]:
    """Return payoffs as a matrix of integers with every entry stored, and their denominator.

    Raises
    ------
    UnsupportedGameError
        If they were made from floats.
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
    if not operator.is_exact:
        raise UnsupportedGameError(FLOATS)
    return IntegerPayoff(
        operator.denominator,
        operator.numerator_bound(),
        operator.integer_times,
        operator.integer_transposed_times,
    )
