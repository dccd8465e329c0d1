"""Payoffs in integers: as a matrix, and entry by entry."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Ints
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.base.number import is_exact
from seqform.form.payoff import PayoffOperator
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.game import needs

FLOATS = (
    "proofs are in exact arithmetic, and this game has probabilities or payoffs that are floats; "
    "give all as int or Fraction, or rely on the certificate, which bounds rounding errors"
)


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


def integer_entries(game: SequenceForm, player: int) -> tuple[list[Ints], list[int], int]:
    """Return what a player is paid where the players' sequences meet, as integers.

    Returns
    -------
    places, numbers, denominator
        Every player's sequence in each entry, int32 (num_entries,); the denominator times the
        player's payoff there, weighted by chance; the denominator. Of player 1 in a constant-sum
        game what is left, the constant at the empty sequences.

    Raises
    ------
    UnsupportedGameError
        If the player's payoffs were made from floats.
    """
    if needs.is_zero_sum(game):
        return _of_zero_sum(game.zero_sum(), player)
    denominator = game.payoffs.denominator(player)
    if denominator is None:
        raise UnsupportedGameError(FLOATS)
    places, numbers = game.payoffs.entries(player)
    return places, numbers.tolist(), denominator


def _of_zero_sum(game: ZeroSumForm, player: int) -> tuple[list[Ints], list[int], int]:
    matrix, denominator = integer_matrix(game.operator)
    if not is_exact(game.constant_sum):
        raise UnsupportedGameError(FLOATS)
    rows, columns = matrix.pattern.tocoo().coords
    numbers = matrix.entries.tolist()
    if player == 0:
        return [rows, columns], numbers, denominator
    above, below = game.constant_sum.as_integer_ratio()
    start = np.zeros(1, dtype=rows.dtype)
    places = [np.append(start, rows), np.append(start, columns)]
    return places, [denominator * above, *(-below * n for n in numbers)], denominator * below
