"""ChanceTensor: how likely three players are dealt types, and an outcome comes of them.

A type is all that a player knows of the deal, such as a class of hands. An outcome is what else of
the deal counts, such as the order of the hands in strength. Chances are integers over a common
denominator. They are held as floats, since products of matrices are of floats, and are small enough
for these to be exact.
"""

from __future__ import annotations

import hashlib
from functools import cached_property

import numpy as np

from seqform.base.arrays import Floats, Numbers
from seqform.base.errors import InvalidGameError

Outcomes = tuple[int, ...]
"""The numbers of some outcomes."""

SINGLE, DOUBLE = 24, 53
"""Bits of integers that float32 and float64 hold exactly."""

LEAST_LIMB = 8
"""Bits of a plan that are multiplied at once at least."""

MOST_TYPES = 2**16
"""Of a player, so that integers of a second product fit into int64."""


class ChanceTensor:
    """Chances of types and outcomes.

    Parameters
    ----------
    weights
        Integers, not negative, of any type of numbers: (num_outcomes, types of seat 0, of seat 1,
        of seat 2). They are `denominator` times the chances, and add up to it.

    Raises
    ------
    InvalidGameError
        R4: if they are no such numbers, or too large for products to be exact.
    """

    def __init__(self, weights: Numbers) -> None:
        if weights.ndim != 4 or weights.size == 0 or max(weights.shape) > MOST_TYPES:
            raise InvalidGameError(
                f"R4: chances of types have the shape (outcomes, types, types, types), each from 1 "
                f"to {MOST_TYPES:,}, not {weights.shape}"
            )
        # whatever the numbers are, these comparisons are right: sums of floats are not smaller than
        # 2**53 unless they are exact
        is_whole = weights.dtype.kind in "iu" or bool((np.rint(weights) == weights).all())
        total = weights.sum(axis=0, dtype=np.float64)
        most = float(total.max())
        if not is_whole or not np.isfinite(most) or weights.min() < 0:
            raise InvalidGameError("R4: chances of types are integers, not negative")
        self.bits = max(int(most), 1).bit_length() + max(weights.shape[1:]).bit_length()
        """Of sums of weights over the outcomes and the types of one player."""
        self.limb = DOUBLE - self.bits
        """Bits of a plan by which weights are multiplied at once, so that sums are exact."""
        if self.limb < LEAST_LIMB:
            raise InvalidGameError(
                f"R4: chances of types are integers up to {most:.3g}, too large for exact sums in "
                "floats; use a smaller denominator"
            )
        kind = np.float32 if most < 2**SINGLE else np.float64
        self.weights: Numbers = np.ascontiguousarray(weights, dtype=kind)
        self.denominator = int(total.astype(np.int64).sum(axis=2).sum(dtype=object))
        if self.denominator < 1:
            raise InvalidGameError("R4: no types can be dealt: all chances are 0")
        self._merged: dict[Outcomes, Numbers] = {}
        self._margins: dict[tuple[Outcomes, int], Floats] = {}

    @property
    def num_outcomes(self) -> int:
        """How many outcomes there are."""
        return int(self.weights.shape[0])

    @property
    def num_types(self) -> tuple[int, int, int]:
        """How many types each seat may have."""
        one, other, third = self.weights.shape[1:]
        return int(one), int(other), int(third)

    def merged(self, outcomes: Outcomes) -> Numbers:
        """Return the weights of some outcomes together: (types, types, types), exact."""
        if len(outcomes) == 1:
            return self.weights[outcomes[0]]  # type: ignore[no-any-return]
        if outcomes not in self._merged:
            self._merged[outcomes] = sum(self.weights[number] for number in outcomes)
        return self._merged[outcomes]

    def margin(self, outcomes: Outcomes, seat: int) -> Floats:
        """Return the weights of some outcomes, added up over a seat's types: exact."""
        key = outcomes, seat
        if key not in self._margins:
            merged = self.merged(outcomes)
            self._margins[key] = merged.sum(axis=seat, dtype=np.float64)
        return self._margins[key]

    def times(self, outcomes: Outcomes, seat: int, vectors: Numbers, out: Numbers) -> None:
        """Write sums over a seat's types of weights times vectors.

        They are exact where the vectors are integers below ``2**limb`` in float64.

        Parameters
        ----------
        vectors
            float32 or float64 (types of the seat, num_vectors).
        out
            The same, (types, types, num_vectors): of the other seats.
        """
        others = np.moveaxis(self.merged(outcomes), seat, -1)
        for row, sums in zip(others, out, strict=True):
            np.matmul(row.astype(vectors.dtype, copy=False), vectors, out=sums)

    @cached_property
    def digest(self) -> bytes:
        """What tells these chances from others."""
        digest = hashlib.sha256(repr(self.weights.shape).encode())
        outcomes, types = self.weights.shape[:2]
        for block in self.weights.reshape(outcomes * types, -1):
            digest.update(block.astype("<i8").tobytes())
        return digest.digest()
