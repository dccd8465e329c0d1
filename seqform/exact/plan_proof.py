"""What plans in integers prove: an interval for a game's value, or the players' gains.

Plans are integers over a common denominator, and so are payoffs. Best responses to them are sums of
products and one backward pass in integers, so nothing is rounded. Of two players and a constant sum
the two responses bound the value (`seqform.exact.interval`). Of any other game they say what each
player could gain (`seqform.exact.gains`). Plans that leave nothing to gain are an equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.base.number import amount, decimal, fraction_text
from seqform.base.summary import Rows
from seqform.exact.gains import values_and_gains
from seqform.exact.gains_by_blocks import gains_through
from seqform.exact.interval import bounds_through, check_provable
from seqform.form.explicit_passage import ExplicitPassage
from seqform.form.protocol import Passage
from seqform.form.sequence_form import SequenceForm
from seqform.game import needs

LONGEST = 500
"""Characters of a fraction that a table shows."""


@dataclass(frozen=True, eq=False)
class ProvenInterval:
    """What two plans prove: ``lower <= value of the game to player 0 <= upper``.

    Parameters
    ----------
    lower
        What player 0's plan guarantees player 0, in the game's unit.
    upper
        The most that player 0 can get against player 1's plan, in the game's unit.
    plans
        For each player int64 or, holding Python ints, object (num_sequences,): `denominators`
        of the player times a realization plan, exactly.
    denominators
        For each player the plan's common denominator.
    game
        The game that they prove it of.
    """

    lower: Fraction
    upper: Fraction
    plans: Sequence[Exact]
    denominators: tuple[int, ...]
    game: SequenceForm

    kind: ClassVar[str] = "bracket"
    proof: ClassVar[str] = "bracketed"
    words: ClassVar[str] = "bracketed: the value is in the interval proven below"

    @property
    def bits(self) -> int:
        """Plans of a profile are integers over ``2**bits``."""
        return self.denominators[0].bit_length() - 1

    @property
    def width(self) -> Fraction:
        """How far the bounds are apart, in the game's unit: the nash_gap of the plans."""
        return self.upper - self.lower

    @property
    def nash_gap(self) -> Fraction:
        """The sum of the gains from best responses, in the game's unit: the width."""
        return self.width

    @property
    def values(self) -> tuple[Fraction, Fraction]:
        """The least that player 0 is guaranteed, and what that leaves to player 1."""
        return self.lower, Fraction(self.game.constant_sum or 0) - self.lower

    def on(self, game: SequenceForm) -> ProvenInterval:
        """Return what the same plans prove of the game in another form."""
        return prove_interval(game, self.plans, self.denominators)

    def certainty(self, unit: str) -> str:
        """Say what is proven, in a sentence."""
        lower, upper = outwards(self)
        width = amount(decimal(self.width, 2), unit)
        return f"proven in integers: the value is in [{lower}, {upper}] {unit}, a gap of {width}"

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people, bounds rounded outwards."""
        lower, upper = outwards(self)
        plans = f"for plans of {self.bits} bits"
        return [
            ("proven in exact arithmetic", f"the value is in [{lower}, {upper}] {unit}, {plans}"),
            ("its width", amount(f"{decimal(self.width, 3)}", unit)),
        ]

    def record(self) -> dict[str, Any]:
        """Return the interval as JSON values.

        Numbers are text, 'numerator/denominator', beside the bits of the plans.
        """
        numbers = {"lower": self.lower, "upper": self.upper, "width": self.width}
        return {
            name: f"{number.numerator}/{number.denominator}" for name, number in numbers.items()
        } | {"bits": self.bits}


@dataclass(frozen=True, eq=False)
class ProvenGains:
    """What plans in integers prove: each player's payoff and gain from a best response, exactly.

    Parameters
    ----------
    values
        Expected payoff of each player, in the game's unit.
    gains
        The most that each player gains by deviating alone, in the game's unit; at least 0.
    plans
        For each player int64 or, holding Python ints, object (num_sequences,): `denominators`
        of the player times a realization plan.
    denominators
        For each player the plan's common denominator.
    game
        The game that they prove it of.
    """

    values: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    plans: Sequence[Exact]
    denominators: tuple[int, ...]
    game: SequenceForm

    kind: ClassVar[str] = "bracket"
    proof: ClassVar[str] = "bounded"
    words: ClassVar[str] = "bounded: by deviating alone nobody gains more than is proven below"

    @property
    def nash_gap(self) -> Fraction:
        """The sum of the gains, in the game's unit: 0 for an equilibrium."""
        return sum(self.gains, Fraction(0))

    def on(self, game: SequenceForm) -> ProvenGains:
        """Return what the same plans prove of the game in another form."""
        return prove_gains(game, self.plans, self.denominators)

    def certainty(self, unit: str) -> str:
        """Say what is proven, in a sentence."""
        most = amount(decimal(max(self.gains), 3, ROUND_CEILING), unit)
        return f"proven in integers: by deviating alone nobody gains more than {most}"

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people, bounds rounded up."""
        gains = ", ".join(decimal(gain, 3, ROUND_CEILING) for gain in self.gains)
        return [
            ("proven in exact arithmetic", f"the players' gains are at most {gains} {unit}"),
            ("proven nash_gap", amount(f"{decimal(self.nash_gap, 3, ROUND_CEILING)}", unit)),
        ]

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values, each number as text 'numerator/denominator'."""
        return {
            "values": [fraction_text(value) for value in self.values],
            "gains": [fraction_text(gain) for gain in self.gains],
            "nash_gap": fraction_text(self.nash_gap),
        }


Bracket = ProvenInterval | ProvenGains
"""What plans prove, whether or not they are an equilibrium."""


@dataclass(frozen=True, eq=False)
class ExactEquilibrium:
    """Plans of which each is a best response to the others, exactly.

    Parameters
    ----------
    proven
        What the plans prove, which leaves nothing to gain.

    Raises
    ------
    VerificationError
        If one of the plans is not optimal.
    """

    proven: Bracket

    kind: ClassVar[str] = "exact"
    proof: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        found = self.proven
        if not found.nash_gap:
            return
        if isinstance(found, ProvenInterval):
            ends = f"between {float(found.lower):.15g} and {float(found.upper):.15g}"
            why = f"they prove a value {ends}"
        else:
            gains = ", ".join(f"{float(gain):.3g}" for gain in found.gains)
            why = f"by deviating the players gain {gains}"
        raise VerificationError(f"the plans are not an equilibrium: {why}")

    @property
    def values(self) -> tuple[Fraction, ...]:
        """What each player gets, in the game's unit."""
        return self.proven.values

    @property
    def plans(self) -> Sequence[Exact]:
        """For each player `denominators` of the player times a realization plan."""
        return self.proven.plans

    @property
    def denominators(self) -> tuple[int, ...]:
        """For each player the plan's common denominator."""
        return self.proven.denominators

    @property
    def game(self) -> SequenceForm:
        """The game that this is an equilibrium of."""
        return self.proven.game

    def certainty(self, unit: str) -> str:
        """Say what is proven, in a sentence."""
        if needs.is_zero_sum(self.game):
            return (
                "exact: both strategies are fractions, and in integers no other one does better "
                "against them"
            )
        return (
            "exact: the strategies are fractions, and in integers nobody does better by "
            "deviating alone"
        )

    @property
    def words(self) -> str:
        """What is proven, for people."""
        if needs.is_zero_sum(self.game):
            return (
                "exact: both plans are fractions, and best responses to them, in integers, are "
                "worth the same"
            )
        return "exact: all plans are fractions, and best responses to them, in integers, gain 0"

    @property
    def value(self) -> Fraction:
        """The value to player 0 of a two-player constant-sum game.

        Raises
        ------
        UnsupportedGameError
            In any other game: there, other equilibria may pay something else.
        """
        if not needs.is_zero_sum(self.game):
            raise UnsupportedGameError(
                "only a two-player constant-sum game has one value: "
                "use values, one number for each player"
            )
        return self.values[0]

    def floats(self) -> tuple[Floats, ...]:
        """Return the plans rounded to floats: float64 (num_sequences,) for each player."""
        return tuple(
            np.array([entry / whole for entry in plan.tolist()], dtype=np.float64)
            for plan, whole in zip(self.plans, self.denominators, strict=True)
        )

    def as_gains(self) -> ProvenGains:
        """Return what is proven as gains, which are 0."""
        nothing = (Fraction(0),) * len(self.plans)
        return ProvenGains(self.values, nothing, tuple(self.plans), self.denominators, self.game)

    def rows(self, unit: str) -> Rows:
        """Return what is proven for people."""
        is_zero_sum = needs.is_zero_sum(self.game)
        what = "the value is" if is_zero_sum else "each player gains 0 and gets"
        return [("proven in exact arithmetic", f"{what} {self.in_words(unit)}")]

    def in_words(self, unit: str) -> str:
        """Write the one value of a constant-sum game, or one for each player."""
        shown = self.values[:1] if needs.is_zero_sum(self.game) else self.values
        return amount(", ".join(map(_in_full, shown)), unit)

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values: numbers are text, 'numerator/denominator'."""
        if needs.is_zero_sum(self.game):
            return {"exact_value": fraction_text(self.value)}
        return {"exact_values": [fraction_text(value) for value in self.values]}

    def on(self, game: SequenceForm) -> ExactEquilibrium:
        """Return the same plans as an equilibrium of the game in another form, proven again."""
        return prove_equilibrium(game, self.plans, self.denominators)


def prove_interval(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> ProvenInterval:
    """Return the interval that plans in integers prove; errors as of `bounds`."""
    check_provable(game)
    first, second = plans
    return prove_through(ExplicitPassage(game), (first, second), denominators)


def prove_through(
    passage: Passage, plans: tuple[Exact, Exact], denominators: Sequence[int]
) -> ProvenInterval:
    """Return the interval that plans prove, by the sequences that a profile is kept by."""
    wholes = denominators[0], denominators[1]
    ends = bounds_through(passage, plans, wholes)
    return ProvenInterval(*ends, passage.whole(plans), wholes, passage.form)


def prove_gains(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> ProvenGains:
    """Return the gains that plans in integers prove; errors as of `values_and_gains`."""
    found = values_and_gains(game, plans, denominators)
    return ProvenGains(*found, tuple(plans), tuple(denominators), game)


def prove_gains_through(
    passage: Passage, plans: tuple[Exact, Exact], denominators: Sequence[int]
) -> ProvenGains:
    """Return the gains that plans prove, by the sequences that a profile is kept by."""
    wholes = denominators[0], denominators[1]
    found = gains_through(passage, plans, wholes)
    return ProvenGains(*found, passage.whole(plans), wholes, passage.form)


def prove_equilibrium(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> ExactEquilibrium:
    """Return the equilibrium that plans in integers form.

    Of two players and a constant sum, two bounds are cheaper than two gains.

    Parameters
    ----------
    plans
        For each player int64 or, holding Python ints, object (num_sequences,).
    denominators
        For each player the plan's common denominator.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    InvalidStrategyError
        If the integers are not plans of this game.
    VerificationError
        If one of the plans is not optimal.
    """
    prove = prove_interval if needs.is_zero_sum(game) else prove_gains
    return ExactEquilibrium(prove(game, plans, denominators))


def outwards(interval: ProvenInterval, digits: int = 15) -> tuple[str, str]:
    """Return the bounds in so many decimal digits, the lower one rounded down and the upper one up.

    Examples
    --------
    >>> outwards(ProvenInterval(Fraction(-1, 18), Fraction(1, 3), (), (), None), 3)
    ('-0.0556', '0.334')
    """
    return decimal(interval.lower, digits, ROUND_FLOOR), decimal(
        interval.upper, digits, ROUND_CEILING
    )


def _in_full(number: Fraction) -> str:
    """Write a fraction, and its decimal expansion; of a very long fraction only the length."""
    text = fraction_text(number)
    if len(text) > LONGEST:
        text = f"a fraction of {len(text):,} characters (--json prints it)"
    return text if number.denominator == 1 else f"{text} = {decimal(number, 20, ROUND_HALF_EVEN)}"
