"""The last street of a game of hands where regrets and averages have 16 bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from seqform.base.aligned import aligned_zeros
from seqform.base.arrays import Ints, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.solvers.iterative.regret import hand_regret_kernels as plain
from seqform.solvers.iterative.regret.hand_street import StreetAtWork


class HalfStreet(StreetAtWork):
    """The last street, where regrets and averages have 16 bits."""

    def _chosen(self, kernels: Any) -> Any:
        from seqform.solvers.iterative.regret import hand_half_kernels

        return hand_half_kernels

    def _memory(
        self, shapes: list[tuple[int, int, int]], dtype: np.dtype[Any]
    ) -> tuple[list[Numbers], list[Numbers]]:
        self._scatter = [_scattered(held.hand) for held in self.street.held]
        regret = [aligned_zeros(shape, np.uint16) for shape in shapes]
        average = [aligned_zeros(shape, np.uint16) for shape in shapes]
        for side, array in zip(self.street.round.sides, average, strict=True):
            for first, count, _ in side.nodes.tolist():
                parts = self.kernels.PARTS // count
                array[:, first : first + count] = parts
                array[:, first] += self.kernels.PARTS - count * parts
        return regret, average

    def _check_locks(self) -> None:
        if any(of.given.row.any() for of in self.locked):
            raise UnsupportedGameError(
                "half=True: what is locked on the last street has more digits than 16 bits hold: "
                "leave it out, or lock earlier streets only"
            )

    def by_average(self, me: plain.Player) -> plain.Player:
        """Return the player as it is: its average says what it does."""
        return me

    def beside(self, player: int, mean: Numbers) -> tuple[Any, ...]:
        """Return what its average is moved by."""
        held, scatter = self.street.held[player], self._scatter[player]
        return (self.kernels.Half(mean, held.parent, scatter),)


def _scattered(numbers: Ints) -> Ints:
    """Return 32 bits for each number, by which numbers side by side are told apart as by chance."""
    found = aligned_zeros(numbers.shape, np.uint32)
    found[...] = numbers
    found *= np.uint32(0x9E3779B1)
    found ^= found >> np.uint32(15)
    found *= np.uint32(0x85EBCA77)
    found ^= found >> np.uint32(13)
    return found.view(np.int32)
