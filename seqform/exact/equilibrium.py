"""Equilibria in fractions, and the proof that they are: nobody gains anything by deviating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.base.number import fraction_text
from seqform.exact.gains import ProvenGains, prove_gains
from seqform.exact.interval import bounds
from seqform.form.sequence_form import SequenceForm, ZeroSumForm


@dataclass(frozen=True, eq=False)
class ExactEquilibrium:
    """Plans of which each is a best response to the others, exactly.

    Parameters
    ----------
    values
        What each player gets, in the game's unit.
    plans
        For each player object (num_sequences,), Python ints: `denominators[player]` times a
        realization plan.
    denominators
        For each player the plan's common denominator.
    game
        The game that this is an equilibrium of.
    """

    values: tuple[Fraction, ...]
    plans: tuple[Exact, ...]
    denominators: tuple[int, ...]
    game: SequenceForm

    proof: ClassVar[str] = "exact"

    @property
    def words(self) -> str:
        """What is proven, for people."""
        if isinstance(self.game, ZeroSumForm):
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
        if not isinstance(self.game, ZeroSumForm):
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
        return ProvenGains(self.values, nothing, self.plans, self.denominators, self.game)

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values: numbers are text, 'numerator/denominator'."""
        if isinstance(self.game, ZeroSumForm):
            return {"exact_value": fraction_text(self.value)}
        return {"exact_values": [fraction_text(value) for value in self.values]}

    def on(self, game: SequenceForm) -> ExactEquilibrium:
        """Return the same plans as an equilibrium of the game in another form, proven again."""
        return prove_equilibrium(game, self.plans, self.denominators)


def prove_equilibrium(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> ExactEquilibrium:
    """Return the equilibrium that plans in integers form.

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
    if isinstance(game, ZeroSumForm):
        values = _zero_sum_values(game, plans, denominators)
    else:
        values = _values(game, plans, denominators)
    return ExactEquilibrium(values, tuple(plans), tuple(denominators), game)


def _values(
    game: SequenceForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> tuple[Fraction, ...]:
    proven = prove_gains(game, plans, denominators)
    if proven.nash_gap:
        gains = ", ".join(f"{float(gain):.3g}" for gain in proven.gains)
        raise VerificationError(
            f"the plans are not an equilibrium: by deviating the players gain {gains}"
        )
    return proven.values


def _zero_sum_values(
    game: ZeroSumForm, plans: Sequence[Exact], denominators: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return the value and what is left of the constant: two bounds are cheaper than two gains."""
    lower, upper = bounds(game, (plans[0], plans[1]), (denominators[0], denominators[1]))
    if lower != upper:
        raise VerificationError(
            "the plans are not an equilibrium: they prove a value "
            f"between {float(lower):.15g} and {float(upper):.15g}"
        )
    return lower, Fraction(game.constant_sum) - lower
