"""Correlated equilibria of two-player games: answers, certificates, and what kinds share.

A mediator draws a pair of strategies and recommends moves in private. What the mediator does is a
correlation plan. In an equilibrium no player gains by a deviation; which deviations there are is
what tells one kind from another. The certificate checks in integers that the plan satisfies its
constraints, that no deviation gains, and that no equilibrium has more of the objective.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any, ClassVar

from seqform.base.errors import InvalidStrategyError
from seqform.base.number import (
    LONGEST,
    Number,
    amount,
    decimal,
    float_above,
    fraction_text,
    in_words,
    is_exact,
)
from seqform.base.pictures import Pictured
from seqform.base.summary import counted
from seqform.concepts.correlated_bound import Multipliers, Weights, bound_error, proven_bound
from seqform.concepts.correlated_files import read_answer, read_mixture, write_answer, write_mixture
from seqform.concepts.strategy_pairs import bound_of_strategies
from seqform.concepts.trigger_deviations import (
    Gain,
    TriggersOf,
    expected_payoff,
    largest_gain,
    payoff_error,
)
from seqform.form.correlation_plan import CorrelationPlan
from seqform.form.from_any import form_by_tree
from seqform.form.integer_payoffs import integer_payoffs
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.sequence_form import SequenceForm
from seqform.form.strategy_mixture import StrategyMixture
from seqform.form.triangles import find_triangle


@dataclass(frozen=True, eq=False)
class CorrelatedAnswer(Pictured):
    """A correlation plan, and what shows that it is best.

    Parameters
    ----------
    plan
        How likely each relevant pair of sequences is recommended.
    weights
        What each player's payoff counts for in the objective; None without one.
    multipliers
        Prove a bound on the objective; None without one.
    mixture
        A distribution over pairs of pure strategies that the plan is of. Then multipliers prove a
        bound for distributions, without prices; None if only the plan is known.
    """

    plan: CorrelationPlan
    weights: Weights | None = None
    multipliers: Multipliers | None = None
    mixture: StrategyMixture | None = None

    picture: ClassVar[str] = "recommended"


@dataclass(frozen=True)
class CorrelatedCertificate:
    """What is proven of a correlation plan; amounts are in the game's unit.

    Parameters
    ----------
    values
        What the players are paid if they obey: fractions, or floats in a game with floats.
    gains
        For each player the most that one deviation gains, exactly for the payoffs as stored.
    where
        For each player the information set of that deviation; empty if there is no gain.
    error
        By how much gains and values may be off because payoffs are floats; 0 if they are exact.
    objective, bound
        What the plan makes of the objective, and what no equilibrium exceeds; None without one.
    bound_error
        By how much the bound may be too low because payoffs are floats.
    triangle
        Where the game has a triangle, so that the plan need not be one of any distribution; empty
        if it has none, or the plan is proven to be one of a distribution.
    num_pairs
        How many weights the plan has.
    num_drawn
        From how many pairs of pure strategies the plan is proven to be drawn; None if no
        distribution is known.
    """

    values: tuple[Number, Number]
    gains: tuple[Fraction, Fraction]
    where: tuple[str, str]
    error: float
    objective: Fraction | None
    bound: Fraction | None
    bound_error: float
    triangle: str
    num_pairs: int
    num_drawn: int | None

    @property
    def largest_gain(self) -> float:
        """The most that one deviation of one player gains, errors included."""
        return float_above(max(self.gains) + Fraction(self.error))

    @property
    def gap(self) -> float:
        """The same, if the plan is proven to be one of a distribution; else infinity."""
        return inf if self.triangle else self.largest_gain

    @property
    def is_optimal(self) -> bool:
        """Whether the plan is proven to have the most of the objective that any has."""
        exact = self.error == self.bound_error == 0 and self.gap == 0
        return exact and self.bound is not None and self.bound == self.objective

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return what is proven for people."""
        found = []
        if self.triangle:
            found.append(
                (
                    "relaxation",
                    f"chance ties {self.triangle}, so this plan need not come from any "
                    "distribution over strategies; only the bound below is proven",
                )
            )
        if self.num_drawn is not None:
            found.append(("drawn from", f"{counted(self.num_drawn, 'pair')} of pure strategies"))
        for player, gain in enumerate(self.gains):
            most = amount(_at_most(gain, self.error), unit)
            found.append((f"player {player}'s gain from a deviation", most + self.where[player]))
        if self.objective is not None:
            found.append(("objective", amount(in_words(self.objective), unit)))
        if self.bound is not None:
            most = _at_most(self.bound, self.bound_error)
            best = ", and so this plan is best" if self.is_optimal else ""
            words = f"no equilibrium has more than {most} {unit}{best}"
            found.append(("proven in exact arithmetic", words))
        return found

    def certainty(self, unit: str) -> str:
        """Say how sure the plan is, in a sentence."""
        bound = ""
        if self.bound is not None:
            most = amount(_at_most(self.bound, self.bound_error), unit)
            bound = f"no equilibrium of this kind has an objective of more than {most}"
        if self.triangle:
            return f"a relaxation: {bound or 'nothing is proven'}"
        most = amount(f"{self.largest_gain:.2g}", unit)
        found = "exact: in fractions, no deviation gains anything"
        if self.gap:
            found = f"certified in fractions: no deviation gains more than {most}"
        return "; ".join(filter(None, [found, bound]))

    def highlights(self, unit: str) -> list[tuple[str, str]]:
        """Return what is not in the sentence: the objective, and where the plan comes from."""
        return [row for row in self.rows(unit) if row[0] in ("relaxation", "drawn from")]

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values; fractions as text."""
        exact = all(map(is_exact, self.values))
        return {
            "values": [float(value) for value in self.values],
            "exact_values": [fraction_text(Fraction(v)) for v in self.values] if exact else None,
            "gains": [fraction_text(gain) for gain in self.gains],
            "largest_gain": self.largest_gain,
            "objective": _text(self.objective),
            "bound": _text(self.bound),
            "bound_error": self.bound_error,
            "optimal": self.is_optimal,
            "triangle": self.triangle or None,
            "relevant_pairs": self.num_pairs,
            "strategy_pairs": self.num_drawn,
        }


def _text(number: Fraction | None) -> str | None:
    return None if number is None else fraction_text(number)


def _at_most(bound: Fraction, error: float) -> str:
    """Return a bound for people, rounded up where it is no fraction, and by how much it may be off.

    Examples
    --------
    >>> _at_most(Fraction(1, 3), 0.0), _at_most(Fraction(10**70 + 1, 10**70), 2**-60)
    ('1/3 = 0.333333333333333', '1.00000000000001 + 8.68e-19')
    """
    if bound.denominator == 1 or len(fraction_text(bound)) <= LONGEST:
        most = in_words(bound)
    else:
        most = decimal(bound, 15)
    return f"{most} + {decimal(Fraction(error), 3)}" if error else most


class CorrelatedConcept:
    """A kind of correlated equilibrium.

    Parameters
    ----------
    name
        What it is called.
    triggers
        Yields the triggers of a player, at which deviations begin.
    """

    keys = (
        "values",
        "exact_values",
        "gains",
        "largest_gain",
        "objective",
        "bound",
        "bound_error",
        "optimal",
        "triangle",
        "relevant_pairs",
        "strategy_pairs",
    )
    keeps_tree = True

    def __init__(self, name: str, triggers: TriggersOf) -> None:
        self.name, self.triggers = name, triggers

    def prepare(self, game: Any) -> SequenceForm:
        """Return the sequence form of a game, made from its tree."""
        return form_by_tree(game)

    def certify(self, game: SequenceForm, answer: CorrelatedAnswer) -> CorrelatedCertificate:
        """Return what an answer proves.

        Raises
        ------
        InvalidStrategyError
            If its weights are no point of the game's von Stengel-Forges polytope, its multipliers
            prove nothing, or its distribution is none or is of another plan.
        NotForThisGameError
            If the game is not for two players, or its form has no tree.
        """
        pairs, payoffs = relevant_pairs(game), integer_payoffs(game)
        plan = answer.plan.of_game(pairs)
        gains = [largest_gain(self.triggers, payoffs, plan, player) for player in (0, 1)]
        values = [expected_payoff(payoffs, plan, player) for player in (0, 1)]
        objective = bound = None
        slack = 0.0
        if answer.weights is not None:
            objective = sum(
                (w * v for w, v in zip(answer.weights, values, strict=True)), Fraction()
            )
        if answer.weights is not None and answer.multipliers is not None:
            about = answer.weights, answer.multipliers
            prove = proven_bound if answer.mixture is None else bound_of_strategies
            bound = prove(self.triggers, pairs, payoffs, *about)
            slack = bound_error(pairs, payoffs, *about, self.triggers)
        if answer.mixture is not None:
            _check_mixture(answer.mixture, plan)
        triangle = None if answer.mixture is not None else find_triangle(pairs)
        exact = payoffs.is_exact
        return CorrelatedCertificate(
            values=(values[0], values[1]) if exact else (float(values[0]), float(values[1])),
            gains=(gains[0].amount, gains[1].amount),
            where=(_where(game, 0, gains[0]), _where(game, 1, gains[1])),
            error=max(payoff_error(payoffs, plan, player) for player in (0, 1)),
            objective=objective,
            bound=bound,
            bound_error=slack,
            triangle="" if triangle is None else triangle.describe(game),
            num_pairs=pairs.num_pairs,
            num_drawn=None if answer.mixture is None else len(answer.mixture),
        )

    def transfer(self, game: SequenceForm, answer: CorrelatedAnswer) -> CorrelatedAnswer:
        """Return the answer itself: trees of one game number sequences alike."""
        return answer

    def save(self, game: SequenceForm, answer: CorrelatedAnswer, folder: Path) -> None:
        """Write the plan as a table, and the multipliers beside it."""
        write_answer(game, answer.plan, answer.weights, answer.multipliers, folder)
        if answer.mixture is not None:
            write_mixture(answer.mixture, folder)

    def load(self, game: SequenceForm, folder: Path, claims: Mapping[str, Any]) -> CorrelatedAnswer:
        """Read the answer that `save` wrote.

        Raises
        ------
        ResultFileError
            If a file is missing, damaged, or of another game.
        """
        return CorrelatedAnswer(*read_answer(game, folder), read_mixture(game, folder))


def _check_mixture(mixture: StrategyMixture, plan: CorrelationPlan) -> None:
    """Check that a distribution is one, and that the plan is its."""
    mixture.check(plan.pairs.treeplexes)
    drawn = mixture.plan(plan.pairs)
    if (drawn.numerators * plan.denominator != plan.numerators * drawn.denominator).any():
        raise InvalidStrategyError("the correlation plan is not that of the distribution")


def _where(game: SequenceForm, player: int, gain: Gain) -> str:
    if gain.trigger is None:
        return ""
    label = game.infoset_text(player, gain.trigger.tops[0])
    return f", from information set {label} on"
