"""Payoffs as functions of realization plans: bilinear for two players, multilinear for more.

`ZeroSumPayoffs` holds one operator A, player 0's payoffs, of a two-player constant-sum game.
`PayoffTensor` holds the payoffs of all players of any other game. Both give gradients.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ulp
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints, Mask, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix, largest, longest
from seqform.base.number import Number
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF


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

        The numbers are integers over one denominator where the game is exact, else float64.
        """

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> Payoffs:
        """Return the payoffs after each player's sequences are mapped to fewer, added up.

        `images` are int32 (num_sequences,) for each player, below `sizes`.
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
class SparsePayoff:
    """A payoff matrix kept as CSR, with exact numerators beside the floats where the game is exact.

    Parameters
    ----------
    matrix
        float64 CSR without explicit zeros, except where `entry_errors` are not.
    numerators
        Integers with ``matrix.data == numerators / denominator`` up to rounding: int64, or object
        holding Python ints where int64 is too small; None for a game with floats.
    denominator
        The common denominator, 1 if `numerators` is None.
    entry_errors
        float64 (nnz,), bounds on how far entries are from the true ones; None where each is the
        true one rounded once.
    """

    matrix: sp.csr_array
    numerators: Exact | None = None
    denominator: int = 1
    entry_errors: Floats | None = None

    @classmethod
    def from_sorted(
        cls,
        rows: Ints | Index,
        columns: Ints | Index,
        numbers: Numbers,
        denominator: int | None,
        shape: tuple[int, int],
        errors: Floats | None = None,
    ) -> SparsePayoff:
        """Make a matrix of entries sorted by row and column.

        `numbers` are integers over `denominator`, or float64 if that is None; `errors` bound how
        far they are from the true ones, if they are not these rounded once.
        """
        keep = numbers != 0
        if errors is not None:
            keep |= errors > 0
        rows, columns, numbers = rows[keep], columns[keep].astype(np.int32), numbers[keep]
        ends = np.cumsum(np.bincount(rows, minlength=shape[0]))
        pointers = np.concatenate([[0], ends]).astype(np.int32)
        values = numbers if denominator is None else ratios(numbers, denominator)
        matrix = sp.csr_array((values, columns, pointers), shape=shape)
        if denominator is None:
            return cls(matrix, entry_errors=None if errors is None else errors[keep])
        return cls(matrix, numbers, denominator)

    @property
    def shape(self) -> tuple[int, int]:
        """Sequences of player 0 and of player 1."""
        return self.matrix.shape  # type: ignore[no-any-return]

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries."""
        return int(self.matrix.nnz)

    @cached_property
    def _transposed(self) -> sp.csr_array:
        return self.matrix.T.tocsr()

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        return self.matrix @ y  # type: ignore[no-any-return]

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        return self._transposed @ x  # type: ignore[no-any-return]

    def absolute(self) -> SparsePayoff:
        """Return the operator of ``abs(A)``."""
        return SparsePayoff(abs(self.matrix))

    def errors(self) -> SparsePayoff | None:
        """Return the operator of `entry_errors`."""
        if self.entry_errors is None:
            return None
        parts = (self.entry_errors, self.matrix.indices, self.matrix.indptr)
        return SparsePayoff(sp.csr_array(parts, shape=self.shape))

    def roundings(self, axis: int) -> int:
        """Return the most roundings: a term's entry, its product, and the additions of its row."""
        matrix = self.matrix if axis == 0 else self._transposed
        return 1 + longest(matrix)

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]``."""
        return self.matrix[rows][:, columns]

    def to_sparse(self) -> SparsePayoff:
        """Return the operator itself."""
        return self

    def to_csr(self) -> sp.csr_array:
        """Return the matrix itself."""
        return self.matrix

    kronecker_terms = None

    @property
    def stored_csr(self) -> sp.csr_array:
        """The matrix itself."""
        return self.matrix

    def fingerprint(self) -> Iterator[bytes]:
        """Yield the arrays of the matrix as bytes."""
        return matrix_bytes(self.matrix)

    @property
    def is_exact(self) -> bool:
        """Whether there are numerators."""
        return self.numerators is not None

    @cached_property
    def _integers(self) -> IntegerMatrix:
        if self.numerators is None:
            raise UnsupportedGameError(
                "these payoffs are floats and have no numerators: solve them without prove=True"
            )
        return IntegerMatrix(self.matrix, self.numerators)

    def numerator_bound(self) -> int:
        """Return the largest numerator times the length of the longest row or column."""
        return max(self._integers.norm, self._integers.transposed.norm)

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``."""
        return self._integers.times(y)

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``."""
        return self._integers.transposed.times(x)


def matrix_bytes(matrix: sp.csr_array) -> Iterator[bytes]:
    """Yield row pointers, columns and entries of a matrix."""
    for array in (matrix.indptr, matrix.indices, matrix.data):
        yield np.ascontiguousarray(array).tobytes()


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

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> ZeroSumPayoffs:
        """Return the payoffs of the mapped sequences, every entry stored."""
        places, numbers = self.entries(0)
        sequences, place = _meeting_points(places, images, sizes)
        sparse = self.operator.to_sparse()
        sums, errors = sums_at(numbers, place, len(sequences)), None
        denominator = None if sparse.numerators is None else sparse.denominator
        if denominator is None:
            errors = errors_at(numbers, sparse.entry_errors, place, len(sequences))
        shape = (sizes[0], sizes[1])
        rows, columns = sequences.T
        merged = SparsePayoff.from_sorted(rows, columns, sums, denominator, shape, errors)
        return replace(self, operator=merged)


@dataclass(frozen=True, eq=False)
class PayoffTensor:
    """Payoffs of n players: where all players' sequences meet, what each is paid.

    Parameters
    ----------
    sequences
        int32 (num_entries, num_players), rows distinct and sorted.
    weights
        float64 (num_entries, num_players): chance weight times payoff of each player.
    numerators
        For each player (num_entries,) integers with ``weights == numerators / denominator`` up to
        rounding: int64, or object holding Python ints. None for a player whose payoffs or
        chances are floats.
    denominators
        For each player the common denominator, 1 if its numerators are None.
    constant_sum
        What the players' payoffs add up to at every leaf, or None if that varies.
    entry_errors
        float64, of the shape of `weights`: bounds on how far these are from the true ones; None
        where each is the true one rounded once.
    """

    sequences: Ints
    weights: Floats
    numerators: tuple[Exact | None, ...]
    denominators: tuple[int, ...]
    constant_sum: Number | None = None
    entry_errors: Floats | None = None

    @property
    def num_nonzeros(self) -> int:
        """Entries that pay somebody."""
        return len(self.sequences)

    def gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the derivative of the player's expected payoff by the player's own plan."""
        return self._contracted(self.weights[:, player].copy(), player, plans)

    def absolute_gradient(self, player: int, plans: Sequence[Floats]) -> Floats:
        """Return the gradient with all payoffs made positive."""
        return self._contracted(np.abs(self.weights[:, player]), player, plans)

    def _contracted(self, weight: Floats, player: int, plans: Sequence[Floats]) -> Floats:
        for other, plan in enumerate(plans):
            if other != player:
                weight *= plan[self.sequences[:, other]]
        own = self.sequences[:, player]
        return np.bincount(own, weight, minlength=len(plans[player])).astype(np.float64)

    def error_gradient(self, player: int, plans: Sequence[Floats]) -> Floats | None:
        """Bound what errors of the entries add to the player's gradient."""
        if self.entry_errors is None:
            return None
        return self._contracted(self.entry_errors[:, player].copy(), player, plans)

    def roundings(self, player: int) -> int:
        """Return the most roundings: a term's entry, its products, and additions in a sequence."""
        meeting = int(np.bincount(self.sequences[:, player]).max(initial=0))
        return int(self.sequences.shape[1]) + meeting

    def entries(self, player: int) -> tuple[list[Ints], Numbers]:
        """Return every player's sequence in each entry, and the player's numbers."""
        exact = self.numerators[player]
        return list(self.sequences.T), self.weights[:, player] if exact is None else exact

    def matrix(self, player: int, shape: tuple[int, int]) -> SparsePayoff:
        """Return a player's payoffs in a two-player game as a matrix of the given shape."""
        places, numbers = self.entries(player)
        denominator = None if self.numerators[player] is None else self.denominators[player]
        return SparsePayoff.from_sorted(places[0], places[1], numbers, denominator, shape)

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> PayoffTensor:
        """Return the payoffs of the mapped sequences."""
        sequences, place = _meeting_points(list(self.sequences.T), images, sizes)
        size, players = len(sequences), range(len(images))
        numbers = [sums_at(self.entries(player)[1], place, size) for player in players]
        is_exact = [exact is not None for exact in self.numerators]
        errors = None
        if not all(is_exact):
            errors = np.zeros((size, len(images)))
            for player in np.flatnonzero(~np.array(is_exact)).tolist():
                earlier = None if self.entry_errors is None else self.entry_errors[:, player]
                errors[:, player] = errors_at(self.weights[:, player], earlier, place, size)
        return tensor_of(sequences, numbers, is_exact, self.denominators, self.constant_sum, errors)


def tensor_of(
    sequences: Ints,
    numbers: Sequence[Numbers],
    is_exact: Sequence[bool],
    denominators: tuple[int, ...],
    constant_sum: Number | None,
    errors: Floats | None = None,
) -> PayoffTensor:
    """Return the payoffs with the given numbers for each player, without entries that pay nobody.

    Numbers of a player with exact payoffs are integers over its denominator, others float64.
    `errors` bound how far these are from the true ones, float64 (num_entries, num_players), if they
    are not the true ones rounded once.
    """
    paying: Mask = np.zeros(len(sequences), dtype=np.bool_)
    if errors is not None:
        paying |= errors.any(axis=1)
    for column in numbers:
        paying |= column != 0
    kept = [column[paying] for column in numbers]
    weights = [
        ratios(column, denominator) if exact else column
        for column, exact, denominator in zip(kept, is_exact, denominators, strict=True)
    ]
    return PayoffTensor(
        sequences[paying],
        np.array(weights, dtype=np.float64).T.reshape(-1, len(numbers)),
        tuple(column if exact else None for column, exact in zip(kept, is_exact, strict=True)),
        denominators,
        constant_sum,
        None if errors is None else errors[paying],
    )


def ratios(numerators: Exact, denominator: int) -> Floats:
    """Return ``numerators / denominator`` as float64, each rounded once."""
    if max(largest(numerators), denominator) <= 2**53:  # two exact floats
        return numerators.astype(np.int64) / denominator
    return np.array([int(n) / denominator for n in numerators], dtype=np.float64)


def sums_at(numbers: Numbers, place: Index, size: int) -> Numbers:
    """Return the sums of the numbers at each place below `size`; integers never overflow."""
    dtype = numbers.dtype
    if dtype == np.int64 and largest(numbers) * len(numbers) >= 2**63:
        dtype = np.dtype(object)
    sums = np.zeros(size, dtype=dtype)
    np.add.at(sums, place, numbers)
    return sums


def errors_at(numbers: Floats, errors: Floats | None, place: Index, size: int) -> Floats:
    """Bound how far `sums_at` of floats is from the sums of the true numbers.

    Rounding n numbers once, and adding them, is off by at most ``n u`` of the sum of their
    magnitudes, and by what vanishes below the least float.

    Parameters
    ----------
    errors
        How far each number is from the true one; None if each is this rounded once.
    """
    if errors is None:
        errors = np.full(len(numbers), ulp(0.0))
    count = np.bincount(place, minlength=size)
    added = count * UNIT_ROUNDOFF * sums_at(np.abs(numbers), place, size)
    bound: Floats = HIGHER_ORDERS * (sums_at(errors, place, size) + added)
    return bound


def _meeting_points(
    places: Sequence[Ints], images: Sequence[Ints], sizes: Sequence[int]
) -> tuple[Ints, Index]:
    """Return where mapped sequences meet, and the point of each entry.

    Points are sorted, int32 (num_points, num_players).
    """
    key: Index = np.zeros(len(places[0]), dtype=np.int64)
    for place, image, size in zip(places, images, sizes, strict=True):
        if int(key.max(initial=0)) * size >= 2**62:  # renumber, so that keys never overflow
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * size + image[place]
    _, first, point = np.unique(key, return_index=True, return_inverse=True)
    mapped = [image[place[first]] for place, image in zip(places, images, strict=True)]
    return np.array(mapped, dtype=np.int32).T.reshape(-1, len(places)), point
