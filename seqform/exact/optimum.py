"""What a best equilibrium is worth, exactly, and the bound of the solver that looked for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any

from seqform.base.errors import VerificationError
from seqform.base.number import decimal, float_above, fraction_text
from seqform.base.objectives import OBJECTIVES
from seqform.base.summary import Rows
from seqform.exact.equilibrium import ExactEquilibrium
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class Optimum:
    """The worth of an equilibrium by an objective.

    Parameters
    ----------
    objective
        The name of the objective.
    value
        What the equilibrium is worth by it, in the game's unit.
    bound
        What no equilibrium exceeds, by the word of the solver; None without a bound. It was found
        in floats, and nothing proves it.
    game
        The game of the equilibrium.
    """

    objective: str
    value: Fraction
    bound: float | None
    game: SequenceForm

    def on(self, game: SequenceForm) -> Optimum:
        """Return the same of the game in another form."""
        return replace(self, game=game)

    def rows(self) -> Rows:
        """Return value and bound for people."""
        bound = "the solver has no bound"
        if self.bound is not None:
            most = decimal(Fraction(self.bound), 9, ROUND_CEILING)
            bound = f"none has over {most}, says the solver in floats, which is not proven"
        return [(f"objective {self.objective}", f"{self.value}; {bound}")]

    def record(self) -> dict[str, Any]:
        """Return value and bound as JSON values; the value is text 'numerator/denominator'."""
        return {
            "objective": self.objective,
            "value": fraction_text(self.value),
            "unproven_bound": self.bound,
        }


def optimum(exact: ExactEquilibrium, objective: str, bound: float | None) -> Optimum:
    """Return what an equilibrium is worth by an objective.

    Raises
    ------
    VerificationError
        If there is no such objective.
    """
    weights = OBJECTIVES.get(objective)
    if weights is None:
        raise VerificationError(f"there is no objective {objective!r}: use {_names()}")
    value = sum(
        (weight * value for weight, value in zip(weights, exact.values, strict=True)), Fraction(0)
    )
    if bound is not None:  # as far as floats are off
        bound = max(bound, float_above(value))
    return Optimum(objective, value, bound, exact.game)


def _names() -> str:
    return ", ".join(name for name, weights in OBJECTIVES.items() if weights)
