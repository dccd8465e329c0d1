"""An interval around a game's value that is a theorem about two plans, at any size.

Take a two-player constant-sum game with payoffs A, and any realization plans x and y. Then ``min
over y' of x A y' <= value <= max over x' of x' A y`` (von Stengel, "Efficient computation of
behavior strategies", GEB 14, 1996, Section 5). Plans and payoffs are integers over common
denominators. So both sides are integers over the product of the two.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.base.number import is_exact
from seqform.exact.limbs import ROOM, BestResponse, choose_layout
from seqform.exact.plans import check_plans
from seqform.exact.products import FLOATS
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.protocol import Block, Integers, Parts, Passage
from seqform.form.sequence_form import SequenceForm


def bounds(
    game: SequenceForm, plans: tuple[Exact, Exact], wholes: tuple[int, int]
) -> tuple[Fraction, Fraction]:
    """Return the bounds on the value that plans in integers prove.

    They are what plan 0 guarantees player 0, and the most that player 0 can get against plan 1.

    Parameters
    ----------
    plans
        For each player int64 or, holding Python ints, object (num_sequences,).
    wholes
        For each player the plan's common denominator; that the integers are plans is checked first.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    InvalidStrategyError
        If the integers are not plans of this game.
    """
    check_provable(game)
    return bounds_through(ExplicitPassage(game), plans, wholes)


def bounds_through(
    passage: Passage, plans: tuple[Exact, Exact], wholes: tuple[int, int]
) -> tuple[Fraction, Fraction]:
    """Return the bounds that plans prove, by the sequences that a profile is kept by.

    That the game's numbers are exact was seen before.
    """
    integers = passage.integers()
    check_plans(passage.treeplexes, plans, wholes)
    seats = [Seat(passage, integers, player, plans, wholes) for player in (0, 1)]
    for block in passage.blocks():
        check_time("proving an interval")
        for seat in seats:
            seat.take(block)
    first, second = seats
    return -second.most(), first.most()


class Seat:
    """The most that a player can get against the other's plan."""

    def __init__(
        self,
        passage: Passage,
        integers: Integers,
        player: int,
        plans: tuple[Exact, Exact],
        wholes: tuple[int, int],
    ) -> None:
        plan, whole = plans[1 - player], wholes[1 - player]
        bits = (whole - 1).bit_length()
        plan = plan.astype(np.int64 if bits <= ROOM else object)
        layout = choose_layout(integers, bits, passage.form.treeplexes)
        self._player, self._width = player, layout.width
        self._limbs = passage.laid_out(1 - player, layout.split(plan, bits))
        self._best = BestResponse(player, layout)
        self._denominator = integers.denominator * whole

    def take(self, block: Block) -> None:
        """Take what the player is paid on a block."""
        self._best.take(block, self._paid(block))

    def _paid(self, block: Block) -> list[Parts]:
        """Return the limbs of what the player's sequences are paid on a block."""
        paid = []
        for limb in self._limbs.on(block):
            both = (limb, {}) if self._player else ({}, limb)  # the player's own does not matter
            paid.append(block.numerators(self._player, both))
        return paid

    def most(self) -> Fraction:
        """Return what was found."""
        return Fraction(self._best.value, self._denominator)


def check_provable(game: SequenceForm) -> None:
    """See that intervals can be proven of a game.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    """
    if not game.zero_sum_operator().is_exact:
        raise UnsupportedGameError(FLOATS)
    if game.constant_sum is None or not is_exact(game.constant_sum):
        raise UnsupportedGameError(
            "an interval is proven in exact arithmetic, and what the players' payoffs add up to "
            "is a float here; give all payoffs as "
            "int or Fraction, or rely on the certificate, which bounds rounding errors"
        )
