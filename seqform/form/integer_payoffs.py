"""What both players of a two-player game are paid, in integers over one denominator.

Floats are taken as the rational numbers that they are; how far these may be from the game's own
numbers is kept beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm, ulp

import numpy as np

from seqform.base.arrays import Exact, Floats, Index
from seqform.base.integer_matrix import IntegerMatrix, largest
from seqform.form.payoff import Payoffs, ZeroSumPayoffs
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF
from seqform.game import needs


@dataclass(frozen=True, eq=False)
class IntegerPayoffs:
    """Both players' payoffs times `denominator`.

    Parameters
    ----------
    matrices
        For each player the payoffs by own sequences (rows) and the other's (columns).
    denominator
        Of both players.
    errors
        For each player float64 (nnz,): bounds on how far entries, as numbers, are from the game's
        own; None where they are exact.
    """

    matrices: tuple[IntegerMatrix, IntegerMatrix]
    denominator: int
    errors: tuple[Floats | None, Floats | None]

    @property
    def is_exact(self) -> bool:
        """Whether all numbers of the game are int or Fraction."""
        return all(errors is None for errors in self.errors)


def integer_payoffs(form: SequenceForm) -> IntegerPayoffs:
    """Return what both players are paid where their sequences meet.

    Raises
    ------
    NotForThisGameError
        If the game is not for two players.
    """
    needs.require(needs.two_players("these payoffs are of", form))
    parts = [_entries(form, player) for player in (0, 1)]
    common = lcm(*(part.denominator for part in parts))
    shapes = [t.num_sequences for t in form.treeplexes]
    matrices, errors = [], []
    for player, part in enumerate(parts):
        numerators = _smallest_type(part.numerators.astype(object) * (common // part.denominator))
        own, other = (part.rows, part.columns)[:: 1 if player == 0 else -1]
        shape = (shapes[player], shapes[1 - player])
        matrices.append(IntegerMatrix.from_entries(own, other, numerators, shape))
        errors.append(None if part.errors is None else part.errors[np.lexsort((other, own))])
    return IntegerPayoffs((matrices[0], matrices[1]), common, (errors[0], errors[1]))


@dataclass(frozen=True, eq=False)
class _Entries:
    """Payoffs of one player by sequences of player 0 (rows) and player 1 (columns)."""

    rows: Index
    columns: Index
    numerators: Exact
    denominator: int
    errors: Floats | None


def _entries(form: SequenceForm, player: int) -> _Entries:
    payoffs = form.payoffs
    if isinstance(payoffs, ZeroSumPayoffs):
        mine = _given(payoffs, 0)
        return mine if player == 0 else _left_over(payoffs, mine)
    return _given(payoffs, player)


def _given(payoffs: Payoffs, player: int) -> _Entries:
    (rows, columns), numbers = payoffs.entries(player)
    places = rows.astype(np.int64), columns.astype(np.int64)
    denominator = payoffs.denominator(player)
    if denominator is not None:
        return _Entries(*places, numbers, denominator, None)
    bounds = payoffs.number_errors(player)
    return _Entries(
        *places, *_ratios(numbers), _rounded_once(numbers) if bounds is None else bounds
    )


def _left_over(payoffs: ZeroSumPayoffs, mine: _Entries) -> _Entries:
    """Return what player 1 gets: the constant, paid to the empty sequences, less player 0's."""
    constant = Fraction(payoffs.constant_sum)
    common = lcm(mine.denominator, constant.denominator)
    at_root = (mine.rows == 0) & (mine.columns == 0)
    rows, columns = mine.rows, mine.columns
    numerators = -mine.numerators.astype(object) * (common // mine.denominator)
    errors = mine.errors
    if not at_root.any():
        rows, columns = (np.concatenate([[0], part]) for part in (rows, columns))
        numerators = np.concatenate([np.array([0], dtype=object), numerators])
        errors = None if errors is None else np.concatenate([[0.0], errors])
        at_root = np.concatenate([[True], at_root])
    numerators[at_root] += int(constant * common)
    if errors is not None:  # what all payoffs are off together is paid once, at the root
        errors = errors + payoffs.sum_spread * at_root
    return _Entries(rows, columns, numerators, common, errors)


def _ratios(numbers: Floats) -> tuple[Exact, int]:
    """Return floats as integers over a common denominator, a power of two."""
    ratios = [float(number).as_integer_ratio() for number in numbers.tolist()]
    common = max((below for _, below in ratios), default=1)
    return np.array([above * (common // below) for above, below in ratios], dtype=object), common


def _rounded_once(numbers: Floats) -> Floats:
    bound: Floats = HIGHER_ORDERS * (UNIT_ROUNDOFF * np.abs(numbers) + ulp(0.0))
    return bound


def _smallest_type(numbers: Exact) -> Exact:
    return numbers.astype(np.int64) if largest(numbers) < 2**62 else numbers
