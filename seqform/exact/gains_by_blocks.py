"""Gains in fractions, block by block: of two players, whatever their payoffs add up to.

The same theorem as that of `seqform.exact.gains`, where payoffs are too many to be listed: a
representation whose blocks pay each player by integers of its own (`seqform.form.hand_passage`).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.exact.interval import Seat
from seqform.exact.limbs import ROOM
from seqform.exact.plans import check_plans
from seqform.form.protocol import Block, Integers, Passage


def gains_through(
    passage: Passage, plans: tuple[Exact, Exact], wholes: tuple[int, int]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return each player's payoff, and gain from a best response; plans are checked first.

    Parameters
    ----------
    plans
        For each player int64 or, holding Python ints, object (num_sequences,), by the sequences
        that a profile is kept by.
    wholes
        For each player the plan's common denominator.

    Raises
    ------
    InvalidStrategyError
        If the integers are not plans of this game.
    """
    integers = passage.integers()
    check_plans(passage.treeplexes, plans, wholes)
    seats = [_BothSums(passage, integers, player, plans, wholes) for player in (0, 1)]
    for block in passage.blocks():
        check_time("proving gains")
        for seat in seats:
            seat.take(block)
    values = tuple(seat.value() for seat in seats)
    return values, tuple(seat.most() - of for seat, of in zip(seats, values, strict=True))


class _BothSums(Seat):
    """What a player gets by its own plan, too."""

    def __init__(
        self,
        passage: Passage,
        integers: Integers,
        player: int,
        plans: tuple[Exact, Exact],
        wholes: tuple[int, int],
    ) -> None:
        super().__init__(passage, integers, player, plans, wholes)
        bits = (wholes[player] - 1).bit_length()
        own = plans[player].astype(np.int64 if bits <= ROOM else object)
        self._own, self._whole, self._got = passage.laid_out(player, [own]), wholes[player], 0

    def take(self, block: Block) -> None:
        """Take what the player is paid on a block, and on those like it."""
        paid = self._paid(block)
        for part, plan in self._own.on(block)[0].items():
            weights = plan.astype(object)
            for place, limb in enumerate(paid):
                product = int((weights * limb[part].astype(object)).sum())
                self._got += block.times * (product << (self._width * place))
        self._best.take(block, paid)

    def value(self) -> Fraction:
        """Return what the player gets."""
        return Fraction(self._got, self._denominator * self._whole)
