"""What a best equilibrium is worth, exactly, and what shows how good others can be.

A proven bound is a fraction, and where the equilibrium has as much, it is a best one. The bound of
the solver that looked for it is in floats, and its word only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any, ClassVar

from seqform.base.errors import VerificationError
from seqform.base.number import decimal, float_above, fraction_text
from seqform.base.objectives import OBJECTIVES
from seqform.base.summary import Rows
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.form.sequence_form import SequenceForm

CONSTANT_SUM, EFCE, ENUMERATION = "constant sum", "efce", "enumeration"

PROOFS = {
    CONSTANT_SUM: "all equilibria of a constant-sum game pay the same",
    EFCE: "a best extensive-form correlated equilibrium (EFCE) has no more",
    ENUMERATION: "all extreme equilibria were compared",
}
"""How a bound on all equilibria is proven, and what is said of it."""

LONGEST = 60
"""Characters of a proven bound that a row shows as a fraction."""


@dataclass(frozen=True)
class ProvenBound:
    """What no equilibrium exceeds by an objective, in fractions.

    Parameters
    ----------
    most
        The bound, in the game's unit.
    by
        One of PROOFS.
    """

    most: Fraction
    by: str


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
    proven
        What is proven that no equilibrium exceeds; None if nothing is.
    """

    objective: str
    value: Fraction
    bound: float | None
    game: SequenceForm
    proven: ProvenBound | None = None

    kind: ClassVar[str] = "optimum"

    @property
    def is_best(self) -> bool:
        """Whether it is proven that no equilibrium is worth more."""
        return self.proven is not None and self.proven.most == self.value

    def on(self, game: SequenceForm) -> Optimum:
        """Return the same of the game in another form."""
        return replace(self, game=game)

    def rows(self, unit: str = "") -> Rows:
        """Return the value, and what others are worth at most, for people."""
        if self.proven is not None and self.is_best:
            words = f"the best, proven in fractions: {PROOFS[self.proven.by]}"
        else:
            words = "; ".join(["the best found", *self._bounds()])
        return [(f"objective {self.objective}", f"{self.value}; {words}")]

    def _bounds(self) -> list[str]:
        """Return what is known of better ones, in words."""
        found = []
        if self.proven is not None:
            found.append(
                f"none has over {_in_words(self.proven.most)}, proven in fractions: "
                f"{PROOFS[self.proven.by]}"
            )
        if self.bound is not None:
            most = decimal(Fraction(self.bound), 9, ROUND_CEILING)
            found.append(f"none has over {most}, says the solver in floats, which is not proven")
        return found or ["the solver has no bound"]

    def record(self) -> dict[str, Any]:
        """Return value and bounds as JSON values; fractions are text 'numerator/denominator'."""
        found: dict[str, Any] = {
            "objective": self.objective,
            "value": fraction_text(self.value),
            "unproven_bound": self.bound,
        }
        if self.proven is not None:
            most = fraction_text(self.proven.most)
            found |= {"proven_bound": most, "proven_by": self.proven.by}
        return found


def optimum(
    exact: ExactEquilibrium,
    objective: str,
    bound: float | None,
    proven: ProvenBound | None = None,
) -> Optimum:
    """Return what an equilibrium is worth by an objective.

    Parameters
    ----------
    exact
        The equilibrium.
    objective
        The name of the objective.
    bound
        What no equilibrium exceeds, by the word of a solver.
    proven
        What is proven that none exceeds.

    Raises
    ------
    VerificationError
        If there is no such objective, or the equilibrium has more than is proven that any has.
    """
    if OBJECTIVES.get(objective) is None:
        raise VerificationError(f"there is no objective {objective!r}: use {_names()}")
    value = worth(exact.values, objective)
    if proven is not None and proven.most < value:
        raise VerificationError(
            f"an equilibrium is worth {value}, and {proven.most} is claimed to be the most that "
            f"any is worth, by {proven.by}"
        )
    if bound is not None:  # as far as floats are off
        bound = max(bound, float_above(value))
    return Optimum(objective, value, bound, exact.game, proven)


def worth(values: tuple[Fraction, ...], objective: str) -> Fraction:
    """Return what payoffs of two players are worth by an objective; 0 by 'none'."""
    weights = OBJECTIVES[objective] or (0, 0)
    return sum((w * value for w, value in zip(weights, values, strict=True)), Fraction(0))


def _in_words(number: Fraction) -> str:
    """Return a bound as a fraction, unless it is a long one: then as a decimal, rounded up."""
    text = fraction_text(number)
    return text if len(text) <= LONGEST else decimal(number, 15, ROUND_CEILING)


def _names() -> str:
    return ", ".join(name for name, weights in OBJECTIVES.items() if weights)
