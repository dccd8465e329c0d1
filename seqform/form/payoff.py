"""Payoffs as functions of realization plans, and those of two-player constant-sum games.

`Payoffs` is what every game's payoffs are asked. `ZeroSumPayoffs` holds one operator A, player 0's
payoffs; `PayoffTensor`, in `payoff_tensor`, the payoffs of all players of any other game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints, Numbers
from seqform.base.number import Number
from seqform.form.multiples import Multiples, counted
from seqform.form.payoff_sums import errors_at, kept_entries, meeting_points, sums_at
from seqform.form.sparse_payoff import SparsePayoff


class Payoffs(Protocol):
    """What all players are paid, in expectation over chance."""

    @property
    def constant_sum(self) -> Number | None:
        """What the players' payoffs add up to at every leaf, or None if that varies."""

    @property
    def num_nonzeros(self) -> int:
        """Combinations of the players' sequences that pay somebody."""

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan.

        float64 (num_sequences,).
        """

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive, for bounds on rounding errors."""

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats | None:
        """Bound what errors of the entries add to the player's gradient.

        None where every entry is the true one rounded once, which `roundings` counts.
        """

    def roundings(self, player: int) -> int:
        """Return the most roundings that a term of the player's gradient passes through.

        That of its entry is counted, and every addition (docs/explanation/rounding.md).
        """

    def entries(self, player: int) -> tuple[list[Ints], Numbers]:
        """Return, for each payoff, every player's sequence and a number for what `player` gets.

        The numbers are integers over `denominator` where the game is exact, else float64.
        """

    def denominator(self, player: int) -> int | None:
        """Return what the numbers of `entries` are over; None if they are floats."""

    def number_errors(self, player: int) -> Floats | None:
        """Bound how far the numbers of `entries` are from the true ones.

        None where each is the true one, or this rounded once.
        """

    def fingerprint(self) -> Iterator[bytes]:
        """Yield all that they are made of, for digests by which saved searches know their game."""

    def counted(self, multiples: Sequence[Multiples]) -> Payoffs:
        """Return the payoffs when each sequence of each player counts so many times."""

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> Payoffs:
        """Return the payoffs after each player's sequences are mapped to fewer, added up.

        `images` are int32 (num_sequences,) for each player, below `sizes`; what is paid where a
        sequence has the image -1 is left out.
        """


class PayoffOperator(Protocol):
    """Player 0's payoffs in a two-player game: ``x @ A @ y`` without saying how A is kept."""

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of A."""

    @property
    def denominator(self) -> int:
        """What numerators are over; 1 if there are none."""

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""

    def absolute(self) -> PayoffOperator:
        """Return the operator of ``abs(A)``, for bounds on rounding errors."""

    def errors(self) -> PayoffOperator | None:
        """Return bounds on how far entries are from the true ones.

        None where every entry is the true one rounded once.
        """

    def roundings(self, axis: int) -> int:
        """Return the most roundings that a term of a product passes through, its entry's included.

        Of ``A @ y`` for axis 0, of ``A.T @ x`` for axis 1.
        """

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]`` as float64 CSR, for sorted rows and columns."""

    def to_sparse(self) -> SparsePayoff:
        """Return A with every entry stored, exact numerators included where there are any."""

    def to_csr(self) -> sp.csr_array:
        """Return A as a float64 CSR matrix."""

    @property
    def stored_csr(self) -> sp.csr_array | None:
        """The matrix of `to_csr` if every entry is stored already, else None."""

    @property
    def kronecker_terms(self) -> Sequence[Any] | None:
        """What a `KroneckerPayoff` adds up, for methods that use its structure; None without it."""

    def fingerprint(self) -> Iterator[bytes]:
        """Yield all that A is made of, for digests by which saved searches know their game."""

    @property
    def is_exact(self) -> bool:
        """Whether numerators are known, so that products with them can be made in integers."""

    def numerator_bound(self) -> int:
        """Return a bound on what integer products add up.

        Take products of ``denominator * A`` or its transpose with a vector of entries from 0 to z.
        No entry, and no partial sum on the way to it, is larger in magnitude than the bound times
        z.
        """

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``, from int64 to int64 or from Python ints to Python ints.

        That int64 does not overflow is for the caller to see: by `numerator_bound`.
        """

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``; see `integer_times`."""


@dataclass(frozen=True, eq=False)
class ZeroSumPayoffs:
    """Payoffs of a two-player constant-sum game: player 1 gets what player 0 leaves.

    Parameters
    ----------
    operator
        Player 0's payoffs.
    constant_sum
        What both players' payoffs add up to at every leaf; exact in a game with exact numbers.
    sum_spread
        How far rounded payoffs of a game with floats may add up to something else; 0 if exact.
    """

    operator: PayoffOperator
    constant_sum: Number = 0
    sum_spread: float = 0.0

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of the operator."""
        return self.operator.num_nonzeros

    @cached_property
    def _absolute(self) -> PayoffOperator:
        return self.operator.absolute()

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan."""
        if player == 0:
            return self.operator.times(plans[1])
        gradient = -self.operator.transposed_times(plans[0])
        gradient[0] += float(self.constant_sum)  # paid whatever happens: to the empty sequence
        return gradient

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive."""
        if player == 0:
            return self._absolute.times(plans[1])
        gradient = self._absolute.transposed_times(plans[0])
        gradient[0] += abs(float(self.constant_sum))
        return gradient

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats | None:
        """Bound what errors of the entries add to the player's gradient."""
        errors = self.operator.errors()
        if errors is None:
            return None
        return errors.times(plans[1]) if player == 0 else errors.transposed_times(plans[0])

    def roundings(self, player: int) -> int:
        """Return the most roundings of a term; the constant is rounded and added."""
        return self.operator.roundings(player) + (2 if player == 1 and self.constant_sum else 0)

    def entries(self, player: int) -> tuple[list[Ints], Numbers]:
        """Return the places and the numbers of player 0's payoffs, which say player 1's too."""
        sparse = self.operator.to_sparse()
        entries = sparse.matrix.tocoo()
        numbers = entries.data if sparse.numerators is None else sparse.numerators
        return [entries.row, entries.col], numbers

    def denominator(self, player: int) -> int | None:
        """Return the operator's denominator, or None if its entries are floats."""
        sparse = self.operator.to_sparse()
        return None if sparse.numerators is None else sparse.denominator

    def number_errors(self, player: int) -> Floats | None:
        """Return the bounds on the operator's errors, if there are any."""
        return self.operator.to_sparse().entry_errors

    def fingerprint(self) -> Iterator[bytes]:
        """Yield all that the operator is made of."""
        return self.operator.fingerprint()

    def counted(self, multiples: Sequence[Multiples]) -> ZeroSumPayoffs:
        """Return the payoffs when each sequence counts so many times, every entry stored."""
        places, numbers = self.entries(0)
        found = counted(numbers, self.denominator(0), self.number_errors(0), places, multiples)
        rows, columns = places
        operator = SparsePayoff.from_sorted(
            rows, columns, found.numbers, found.denominator, self.operator.shape, found.errors
        )
        return replace(self, operator=operator)

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> ZeroSumPayoffs:
        """Return the payoffs of the mapped sequences, every entry stored."""
        places, numbers = self.entries(0)
        kept = kept_entries(places, images)
        numbers, earlier = numbers[kept], self.number_errors(0)
        sequences, place = meeting_points([of[kept] for of in places], images, sizes)
        sums, errors = sums_at(numbers, place, len(sequences)), None
        denominator = self.denominator(0)
        if denominator is None:
            earlier = None if earlier is None else earlier[kept]
            errors = errors_at(numbers, earlier, place, len(sequences))
        shape = (sizes[0], sizes[1])
        rows, columns = sequences.T
        merged = SparsePayoff.from_sorted(rows, columns, sums, denominator, shape, errors)
        return replace(self, operator=merged)
