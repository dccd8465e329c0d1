"""Equilibria in fractions, and the proof that they are.

Exact best responses against both plans give the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from seqform.base.arrays import Exact
from seqform.base.errors import VerificationError
from seqform.exact.interval import bounds
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class ExactEquilibrium:
    """Two plans that are optimal, exactly.

    Parameters
    ----------
    value
        The value of the game to player 0, in the game's unit.
    plans
        For each player object (num_sequences,), Python ints: `denominators[player]` times a
        realization plan.
    denominators
        For each player the plan's common denominator.
    game
        The game that this is an equilibrium of.
    """

    value: Fraction
    plans: tuple[Exact, Exact]
    denominators: tuple[int, int]
    game: SequenceForm


def prove_equilibrium(
    game: SequenceForm, plans: tuple[Exact, Exact], denominators: tuple[int, int]
) -> ExactEquilibrium:
    """Return the equilibrium that two plans in integers form.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    InvalidStrategyError
        If the integers are not plans of this game.
    VerificationError
        If one of the plans is not optimal.
    """
    lower, upper = bounds(game, plans, denominators)
    if lower != upper:
        raise VerificationError(
            "the plans are not an equilibrium: they prove a value "
            f"between {float(lower):.15g} and {float(upper):.15g}"
        )
    return ExactEquilibrium(lower, plans, denominators, game)
