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

from seqform.base.arrays import Floats, Mask, Numbers
from seqform.base.errors import InvalidGameError

Outcomes = tuple[int, ...]
"""The numbers of some outcomes."""

SINGLE, DOUBLE = 24, 53
"""Bits of integers that float32 and float64 hold exactly."""

LEAST_LIMB = 8
"""Bits of a plan that are multiplied at once at least."""

HALF, WORD = 27, 62
"""Bits of the lower half of a first product, which has 53; and of second products, in int64."""


class OutcomeTensor:
    """Numbers for types and outcomes, which are multiplied by vectors.

    Parameters
    ----------
    weights
        float32 or float64 (num_outcomes, types of seat 0, of seat 1, of seat 2).
    """

    def __init__(self, weights: Numbers) -> None:
        self.weights = weights
        self._merged: dict[Outcomes, Numbers] = {}

    @property
    def num_outcomes(self) -> int:
        """How many outcomes there are."""
        return int(self.weights.shape[0])

    @property
    def num_types(self) -> tuple[int, int, int]:
        """How many types each seat may have."""
        one, other, third = self.weights.shape[1:]
        return int(one), int(other), int(third)

    def lowered(self, seat: int, vectors: Numbers) -> Numbers:
        """Return vectors over what a seat may have (..., n, num_vectors) over these types."""
        return vectors

    def raised(self, seat: int, sums: Numbers) -> Numbers:
        """Return sums for these types (num_types, n) for what a seat may have."""
        return sums

    def merged(self, outcomes: Outcomes) -> Numbers:
        """Return the weights of some outcomes together: (types, types, types)."""
        if len(outcomes) == 1:
            only: Numbers = self.weights[outcomes[0]]
            return only
        if outcomes not in self._merged:
            self._merged[outcomes] = sum(self.weights[number] for number in outcomes)
        return self._merged[outcomes]

    def times(
        self, outcomes: Outcomes, seat: int, vectors: Numbers, out: Numbers, alike: bool = False
    ) -> None:
        """Write sums over a seat's types of weights times vectors.

        Parameters
        ----------
        vectors
            float32 or float64 (types of the seat, num_vectors).
        out
            The same, (types, types, num_vectors): of the other seats.
        alike
            Whether all types have the same numbers in the vectors.
        """
        others = np.moveaxis(self.merged(outcomes), seat, -1)
        if others.dtype == vectors.dtype:
            np.matmul(others, vectors, out=out)
            return
        for row, sums in zip(others, out, strict=True):  # no second tensor is made
            np.matmul(row.astype(vectors.dtype), vectors, out=sums)


class ChanceTensor(OutcomeTensor):
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
        if weights.ndim != 4 or weights.size == 0:
            raise InvalidGameError(
                f"R4: chances of types have the shape (outcomes, types, types, types), not "
                f"{weights.shape}"
            )
        # whatever the numbers are, these comparisons are right: sums of floats are not smaller than
        # 2**53 unless they are exact
        is_whole = weights.dtype.kind in "iu" or bool((np.rint(weights) == weights).all())
        total = weights.sum(axis=0, dtype=np.float64)
        most = float(total.max())
        if not (is_whole and np.isfinite(most) and weights.min() >= 0):
            raise InvalidGameError("R4: chances of types are integers, not negative")
        outcomes, types = weights.shape[0], max(weights.shape[1:])
        self.limb = DOUBLE - max(int(most), 1).bit_length() - types.bit_length()
        """Bits of a plan that weights are multiplied by at once, so that sums are exact."""
        self.last_limb = WORD - HALF - 2 * types.bit_length() - outcomes.bit_length()
        """Bits of another player's plan that halves of these sums are multiplied by at once. All
        types of two players, and outcomes, may then be added up within int64."""
        if min(self.limb, self.last_limb) < LEAST_LIMB:
            raise InvalidGameError(
                f"R4: chances of {types:,} types of a player, {outcomes:,} outcomes, and integers "
                f"up to {most:.3g} are too large for sums to be exact; use a smaller denominator, "
                "or fewer types"
            )
        kind = np.float32 if most < 2**SINGLE else np.float64
        super().__init__(np.ascontiguousarray(weights, dtype=kind))
        self.denominator = int(total.astype(np.int64).sum(axis=2).sum(dtype=object))
        if self.denominator < 1:
            raise InvalidGameError("R4: no types can be dealt: all chances are 0")
        self._margins: dict[tuple[Outcomes, int], Floats] = {}

    @cached_property
    def possible(self) -> Mask:
        """Whether an outcome comes at all, with any types: bool (num_outcomes,)."""
        found: Mask = np.any(self.weights, axis=(1, 2, 3))
        return found

    def margin(self, outcomes: Outcomes, seat: int) -> Floats:
        """Return the weights of some outcomes, added up over a seat's types: exact."""
        key = outcomes, seat
        if key not in self._margins:
            merged = self.merged(outcomes)
            self._margins[key] = merged.sum(axis=seat, dtype=np.float64)
        return self._margins[key]

    def times(
        self, outcomes: Outcomes, seat: int, vectors: Numbers, out: Numbers, alike: bool = False
    ) -> None:
        """Write sums over a seat's types of weights times vectors; see `OutcomeTensor.times`.

        They are exact where the vectors are integers below ``2**limb`` in float64.
        """
        if alike:
            np.multiply(self.margin(outcomes, seat)[:, :, None], vectors[0], out=out)
        else:
            super().times(outcomes, seat, vectors, out)

    @cached_property
    def digest(self) -> bytes:
        """What tells these chances from others."""
        digest = hashlib.sha256(repr(self.weights.shape).encode())
        outcomes, types = self.weights.shape[:2]
        for block in self.weights.reshape(outcomes * types, -1):
            digest.update(block.astype("<i8").tobytes())
        return digest.digest()
