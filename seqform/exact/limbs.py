"""Best responses in integers of any size, kept as limbs of int64.

A number is the sum of ``limb[l] * 2**(width * l)``. Before numbers are compared, all limbs but the
last lie in ``0 .. 2**width - 1``. So the last limbs decide which number is larger; where they are
equal, the limbs before them do, and so on. The number of limbs and their width come from a bound on
everything that will be added up, so that no limb ever overflows. Where payoffs are too large for
that, there is a single limb of Python ints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Exact, Ints
from seqform.form.treeplex import Treeplex

ROOM = 62
"""Bits that a limb may have, sign apart: one less than int64 has."""

LEAST_WIDTH = 4
"""Where limbs would be narrower than this, Python ints are as fast."""


@dataclass(frozen=True)
class Layout:
    """How numbers are kept: as `count` limbs of `width` bits each.

    The last one has the sign and what is left.
    """

    count: int
    width: int
    dtype: type = np.int64

    def split(self, plan: Exact, bits: int) -> list[Exact]:
        """Return the limbs of integers from 0 to 2**bits.

        The last ones are left out where they are zero.
        """
        if self.count == 1:
            return [plan.astype(self.dtype)]
        if plan.dtype == object:
            octets = self.width // 8
            length = octets * (1 + bits // self.width)
            text = b"".join([entry.to_bytes(length, "little") for entry in plan.tolist()])
            table = np.frombuffer(text, dtype=np.uint8).reshape(len(plan), -1, octets)
            return list((table @ (1 << 8 * np.arange(octets))).T)
        return [
            (plan >> shift) & ((1 << self.width) - 1) for shift in range(0, bits + 1, self.width)
        ]


def choose_layout(bound: int, bits: int, treeplexes: Sequence[Treeplex]) -> Layout:
    """Return a layout in which no best response to integer plans overflows.

    Parameters
    ----------
    bound
        The product of the payoffs with a vector of entries from 0 to z has entries up to ``bound *
        z``, and so has all on the way.
    bits
        Plans have entries up to ``2**bits``.
    """
    infosets = max(treeplex.num_infosets for treeplex in treeplexes)
    followers = max(
        int(np.bincount(treeplex.parent_sequence).max(initial=0)) for treeplex in treeplexes
    )
    # at most one sequence of each information set is added up
    total = (bound * (1 + infosets)).bit_length() + bits
    if total <= ROOM:
        return Layout(1, ROOM)
    width = min(ROOM - (2 * bound).bit_length(), ROOM - (1 + followers).bit_length())
    if bits > ROOM:  # plans of Python ints are split by bytes
        width -= width % 8
    if width < LEAST_WIDTH:
        return Layout(1, ROOM, object)
    return Layout(max(1 - (ROOM - total) // width, 1 + bits // width), width)


def best_value(
    treeplex: Treeplex,
    layout: Layout,
    product: Callable[[Exact], Exact],
    plan: Exact,
    bits: int,
) -> int:
    """Return the maximum of ``product(plan) @ x`` over realization plans x.

    Parameters
    ----------
    product
        A linear map from vectors over the other player's sequences to vectors over this player's.
    plan
        int64, or object holding Python ints if they are longer than ROOM; entries from 0 to
        ``2**bits``.
    """
    worth: Exact = np.zeros((layout.count, treeplex.num_sequences), dtype=layout.dtype)
    for row, limb in zip(worth, layout.split(plan, bits), strict=False):
        row[:] = product(limb)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        best = _maxima(
            _carry(worth[:, sequences], layout.width), starts, treeplex.num_actions[infosets]
        )
        for row, values in zip(worth, best, strict=True):
            np.add.at(row, treeplex.parent_sequence[infosets], values)
    return sum(
        int(limb) << (layout.width * index) for index, limb in enumerate(worth[:, 0].tolist())
    )


def _carry(numbers: Exact, width: int) -> Exact:
    """Bring all limbs but the last between 0 and 2**width - 1, in place."""
    for index in range(len(numbers) - 1):
        numbers[index + 1] += numbers[index] >> width
        numbers[index] &= (1 << width) - 1
    return numbers


def _maxima(numbers: Exact, starts: Ints, counts: Ints) -> list[Exact]:
    """Return the limbs of the largest number of each segment."""
    found = [np.maximum.reduceat(numbers[-1], starts)]
    if len(numbers) == 1:
        return found
    ahead = numbers[-1] == np.repeat(found[0], counts)
    for limb in numbers[-2::-1]:
        candidates = np.where(ahead, limb, -1)
        found.append(np.maximum.reduceat(candidates, starts))
        ahead = candidates == np.repeat(found[-1], counts)
    return found[::-1]
