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
from seqform.exact.limbs import ROOM, best_value, choose_layout
from seqform.exact.plans import check_plans
from seqform.exact.products import IntegerPayoff, integer_payoff
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
    payoff = check_provable(game)
    check_plans(game.treeplexes, plans, wholes)
    upper = _best(game, payoff, 0, plans[1], wholes[1])
    return -_best(game, payoff, 1, plans[0], wholes[0]), upper


def _best(
    game: SequenceForm, payoff: IntegerPayoff, player: int, plan: Exact, whole: int
) -> Fraction:
    """Return the most that a player can get against the other's plan.

    Payoffs are player 0's, for player 1 those negated.
    """
    check_time("proving an interval")
    bits = (whole - 1).bit_length()
    plan = plan.astype(np.int64 if bits <= ROOM else object)
    layout = choose_layout(payoff.bound, bits, game.treeplexes)
    times = payoff.times if player == 0 else lambda limb: -payoff.transposed_times(limb)
    return Fraction(
        best_value(game.treeplexes[player], layout, times, plan, bits), payoff.denominator * whole
    )


def check_provable(game: SequenceForm) -> IntegerPayoff:
    """Return the payoffs in integers.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    """
    payoff = integer_payoff(game.zero_sum_operator())
    if game.constant_sum is None or not is_exact(game.constant_sum):
        raise UnsupportedGameError(
            "an interval is proven in exact arithmetic, and what the players' payoffs add up to "
            "is a float here; give all payoffs as "
            "int or Fraction, or rely on the certificate, which bounds rounding errors"
        )
    return payoff
