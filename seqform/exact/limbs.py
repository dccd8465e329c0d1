"""Best responses in integers of any size, kept as limbs of int64.

A number is the sum of ``limb[l] * 2**(width * l)``. Before numbers are compared, all limbs but the
last lie in ``0 .. 2**width - 1``. So the last limbs decide which number is larger; where they are
equal, the limbs before them do, and so on. The number of limbs and their width come from a bound on
everything that will be added up, so that no limb ever overflows. Where payoffs are too large for
that, there is a single limb of Python ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seqform.base.arrays import Exact
from seqform.form.protocol import Block, Integers, Parts, Space, Step

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


def choose_layout(integers: Integers, bits: int, spaces: Sequence[Space]) -> Layout:
    """Return a layout in which no best response to integer plans overflows.

    Parameters
    ----------
    integers
        What bounds products, and all that is added up of them.
    bits
        Plans have entries up to ``2**bits``.
    spaces
        Whose best responses are looked for.
    """
    followers = max(space.most_following for space in spaces)
    total = integers.total.bit_length() + bits
    if total <= ROOM and integers.bound.bit_length() + bits <= integers.room:
        return Layout(1, ROOM)
    width = min(
        integers.room - (2 * integers.bound).bit_length(), ROOM - (1 + followers).bit_length()
    )
    if bits > ROOM:  # plans of Python ints are split by bytes
        width -= width % 8
    if width < LEAST_WIDTH:
        return Layout(1, ROOM, object)
    return Layout(max(1 - (ROOM - total) // width, 1 + bits // width), width)


class BestResponse:
    """A backward pass over a player's information sets, block after block.

    Parameters
    ----------
    player
        Whose.
    layout
        How numbers are kept.
    """

    def __init__(self, player: int, layout: Layout) -> None:
        self._player, self._layout = player, layout
        self._later: list[dict[Any, Any]] = [{} for _ in range(layout.count)]
        self.value = 0

    def take(self, block: Block, worth: Sequence[Parts]) -> None:
        """Go up a block; after the last one `value` is the most that a plan gets.

        Parameters
        ----------
        worth
            The limbs of what sequences are paid, which are changed; last ones that are 0 may be
            left out.
        """
        missing = self._layout.count - len(worth)
        zeros = [{part: np.zeros_like(of) for part, of in worth[0].items()} for _ in range(missing)]
        limbs = [later | of for later, of in zip(self._later, [*worth, *zeros], strict=True)]
        for step in block.steps(self._player):
            best = _maxima(step, limbs, self._layout.width)
            for values, of, later in zip(best, limbs, self._later, strict=True):
                step.add(values, of, later)
        if block.is_last:
            width = self._layout.width
            self.value = sum(
                int(block.root(of)) << (width * index) for index, of in enumerate(limbs)
            )


def _maxima(step: Step, limbs: Sequence[Parts], width: int) -> list[Exact]:
    """Return the limbs of what each information set is worth, carried; their actions are changed.

    All limbs but the last are brought between 0 and 2**width - 1. Of actions that a higher limb
    shows to be worse the lower limbs become -1.
    """
    if len(limbs) == 1:
        return [step.over_actions(np.maximum, limbs[0])]
    entries = [step.entries(limb) for limb in limbs]
    if len(limbs) == 2 and entries[0].ndim == 2:
        return _maxima_in_two(entries[0], entries[1], width)
    for index, lower in enumerate(entries[:-1]):
        entries[index + 1] += lower >> width
        entries[index] &= (1 << width) - 1
    found = [step.over_actions(np.maximum, limbs[-1])]
    for index in range(len(limbs) - 1, 0, -1):
        behind = entries[index] != step.spread(found[-1])
        np.copyto(entries[index - 1], -1, where=behind)
        found.append(step.over_actions(np.maximum, limbs[index - 1]))
    return found[::-1]


def _maxima_in_two(low: Exact, high: Exact, width: int) -> list[Exact]:
    """Return the same of a table (num_actions, num_infosets): as compiled, a third faster."""
    from seqform.exact.limb_kernels import best_in_two  # it loads numba

    best_low, best_high = np.empty_like(low[0]), np.empty_like(high[0])
    best_in_two(high, low, width, best_high, best_low)
    return [best_low, best_high]
