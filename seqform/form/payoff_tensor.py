"""Payoffs of all players where they do not add up to one number: multilinear in the plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Exact, Floats, Ints, Mask, Numbers
from seqform.base.number import Number
from seqform.form.multiples import Multiples, counted
from seqform.form.payoff_sums import errors_at, kept_entries, meeting_points, ratios, sums_at
from seqform.form.sparse_payoff import SparsePayoff


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

    def denominator(self, player: int) -> int | None:
        """Return the player's denominator, or None beside floats."""
        return None if self.numerators[player] is None else self.denominators[player]

    def number_errors(self, player: int) -> Floats | None:
        """Return the player's column of `entry_errors`, if there are any."""
        return None if self.entry_errors is None else self.entry_errors[:, player]

    def matrix(self, player: int, shape: tuple[int, int]) -> SparsePayoff:
        """Return a player's payoffs in a two-player game as a matrix of the given shape."""
        places, numbers = self.entries(player)
        return SparsePayoff.from_sorted(
            places[0], places[1], numbers, self.denominator(player), shape
        )

    def fingerprint(self) -> Iterator[bytes]:
        """Yield where sequences meet, and what that pays."""
        for array in (self.sequences, self.weights):
            yield np.ascontiguousarray(array).tobytes()

    def counted(self, multiples: Sequence[Multiples]) -> PayoffTensor:
        """Return the payoffs when each sequence counts so many times."""
        places, players = list(self.sequences.T), range(len(multiples))
        found = [
            counted(
                self.entries(player)[1],
                self.denominator(player),
                self.number_errors(player),
                places,
                multiples,
            )
            for player in players
        ]
        nothing = np.zeros(self.num_nonzeros)
        errors = [nothing if of.errors is None else of.errors for of in found]
        return tensor_of(
            self.sequences,
            [of.numbers for of in found],
            [of.denominator is not None for of in found],
            tuple(of.denominator or 1 for of in found),
            self.constant_sum,
            None if all(of.errors is None for of in found) else np.array(errors).T,
        )

    def merged(self, images: Sequence[Ints], sizes: Sequence[int]) -> PayoffTensor:
        """Return the payoffs of the mapped sequences."""
        kept = kept_entries(list(self.sequences.T), images)
        sequences, place = meeting_points(list(self.sequences[kept].T), images, sizes)
        size, players = len(sequences), range(len(images))
        numbers = [sums_at(self.entries(player)[1][kept], place, size) for player in players]
        is_exact = [exact is not None for exact in self.numerators]
        errors = None
        if not all(is_exact):
            errors = np.zeros((size, len(images)))
            for player in np.flatnonzero(~np.array(is_exact)).tolist():
                earlier = self.number_errors(player)
                earlier = None if earlier is None else earlier[kept]
                errors[:, player] = errors_at(self.weights[kept, player], earlier, place, size)
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
