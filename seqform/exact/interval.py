"""prove: an interval around a game's value that is a theorem about two plans, at any size.

Take a two-player constant-sum game with payoffs A, and any realization plans x and y. Then ``min
over y' of x A y' <= value <= max over x' of x' A y`` (von Stengel, "Efficient computation of
behavior strategies", GEB 14, 1996, Section 5). Plans are integers over a power of two, and payoffs
are integers over a common denominator. So both sides are integers over the product of the two, and
only the plans are ever rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import ClassVar

import numpy as np

from seqform.base.amount import amount
from seqform.base.arrays import Exact, Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnsupportedGameError
from seqform.base.number import decimal, is_exact
from seqform.base.summary import Rows
from seqform.exact.limbs import ROOM, best_value, choose_layout
from seqform.exact.plans import MOST_BITS, check_plan, round_plan
from seqform.exact.products import IntegerPayoff, integer_payoff
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class ProvenInterval:
    """What two plans prove: ``lower <= value of the game to player 0 <= upper``.

    Parameters
    ----------
    lower
        What player 0's plan guarantees player 0, in the game's unit.
    upper
        The most that player 0 can get against player 1's plan, in the game's unit.
    bits
        The plans are integers over ``2**bits``.
    plans
        For each player int64 (num_sequences,), ``2**bits`` times a realization plan, exactly.
    game
        The game that they prove it of.
    """

    lower: Fraction
    upper: Fraction
    bits: int
    plans: tuple[Index, Index]
    game: SequenceForm

    proof: ClassVar[str] = "bracketed"
    words: ClassVar[str] = "bracketed: the value is in the interval proven below"

    @property
    def width(self) -> Fraction:
        """How far the bounds are apart, in the game's unit: the nash_gap of the plans."""
        return self.upper - self.lower

    def on(self, game: SequenceForm) -> ProvenInterval:
        """Return what the same plans prove of the game in another form."""
        return interval(game, self.plans, self.bits)

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people, bounds rounded outwards."""
        lower, upper = outwards(self)
        plans = f"for plans of {self.bits} bits"
        return [
            ("proven in exact arithmetic", f"the value is in [{lower}, {upper}] {unit}, {plans}"),
            ("its width", amount(f"{decimal(self.width, 3)}", unit)),
        ]

    def record(self) -> dict[str, str | int]:
        """Return the interval as JSON values.

        Numbers are text, 'numerator/denominator', beside the bits of the plans.
        """
        numbers = {"lower": self.lower, "upper": self.upper, "width": self.width}
        return {
            name: f"{number.numerator}/{number.denominator}" for name, number in numbers.items()
        } | {"bits": self.bits}


def prove(game: SequenceForm, profile: Profile, bits: int = MOST_BITS) -> ProvenInterval:
    """Round a profile's plans to integers over ``2**bits`` and return the interval that they prove.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import solve
    >>> from seqform.exact.interval import prove
    >>> solution = solve(kuhn())
    >>> proven = prove(solution.game, solution.profile)
    >>> proven.lower <= Fraction(-1, 18) <= proven.upper, proven.width < Fraction(1, 10**14)
    (True, True)

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    InvalidStrategyError
        If the profile is of another game, or not finite.
    InvalidParameterError
        If `bits` is not from 0 to 52.
    """
    if not 0 <= bits <= MOST_BITS:
        raise InvalidParameterError(
            f"bits={bits}: use 0 to {MOST_BITS}; probabilities that are floats have no more"
        )
    if (large := profile.by_boards(game)) is not None:
        from seqform.exact.board_interval import prove_by_boards

        found = prove_by_boards(*large, bits)
        if found is not None:
            return found
    check_provable(game)
    expected = [treeplex.num_sequences for treeplex in game.treeplexes]
    given = [len(behavior) for behavior in profile.behaviors]
    if expected != given:
        raise InvalidStrategyError(
            f"the profile has {given} sequences where the "
            f"game has {expected}; it belongs to another game"
        )
    plans = [
        round_plan(treeplex, behavior, bits)
        for treeplex, behavior in zip(game.treeplexes, profile.behaviors, strict=True)
    ]
    return interval(game, (plans[0], plans[1]), bits)


def interval(game: SequenceForm, plans: tuple[Index, Index], bits: int) -> ProvenInterval:
    """Return the interval that plans in integers over ``2**bits`` prove.

    That they are plans is checked first.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    InvalidStrategyError
        If the integers are not plans of this game.
    """
    lower, upper = bounds(game, plans, (1 << bits, 1 << bits))
    return ProvenInterval(lower, upper, bits, plans, game)


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
    for player, (treeplex, plan, whole) in enumerate(
        zip(game.treeplexes, plans, wholes, strict=True)
    ):
        try:
            check_plan(treeplex, plan, whole)
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"player {player}, {error}") from None
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


def outwards(interval: ProvenInterval, digits: int = 15) -> tuple[str, str]:
    """Return the bounds in so many decimal digits, the lower one rounded down and the upper one up.

    Examples
    --------
    >>> outwards(ProvenInterval(Fraction(-1, 18), Fraction(1, 3), 0, (), None), 3)
    ('-0.0556', '0.334')
    """
    return decimal(interval.lower, digits, ROUND_FLOOR), decimal(
        interval.upper, digits, ROUND_CEILING
    )
