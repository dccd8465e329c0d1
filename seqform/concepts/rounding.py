"""How far what is computed of a profile may be off: a bound on all rounding errors.

The derivation, term by term, is in docs/explanation/rounding.md. Its shape is the standard one,
``c u |A| y`` (Higham, "Accuracy and Stability of Numerical Algorithms", Section 3.1). Here u is the
unit roundoff, and c the most roundings that any term passes through. It is added to what each
sequence is paid before the best response is looked for. So the errors of large payoffs count where
they are taken, and nowhere else. Two more terms are added. One bounds what vanishes below the least
float. The other bounds errors of the payoffs themselves, where floats were merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ulp
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.pairwise_sum import additions
from seqform.concepts.backward_pass import best_value
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF, Treeplex

LEAST = ulp(0.0)
"""The least positive float: twice what one operation loses where its result vanishes."""

FINAL = 6
"""Roundings at the end: bounds are added to values, and these subtracted from each other."""


class ErrorShares(NamedTuple):
    """By how much a player's payoffs may be off, as shares of what they are with all positive."""

    best: float
    """Of a best response."""
    product: float
    """Of a product with the player's own plan."""
    lost: float
    """What vanishes below the least float, in the game's unit."""

    def mean(self, length: int) -> float:
        """Return the same of the expected payoff, where numpy adds up so many products."""
        return self.product + HIGHER_ORDERS * additions(length) * UNIT_ROUNDOFF


def error_shares(game: SequenceForm, player: int) -> ErrorShares:
    """Bound the rounding errors of a player's best response and expected payoff."""
    treeplex = game.treeplexes[player]
    others = sum(of_plan(t) for other, t in enumerate(game.treeplexes) if other != player)
    shared = game.roundings(player) + others + FINAL
    best, product = of_best(treeplex), of_plan(treeplex) + 1
    return ErrorShares(
        HIGHER_ORDERS * (shared + best) * UNIT_ROUNDOFF,
        HIGHER_ORDERS * (shared + product) * UNIT_ROUNDOFF,
        HIGHER_ORDERS * vanishing(game),
    )


def at_most(game: SequenceForm, profile: Profile, player: int, roundings: int) -> Floats:
    """Bound what each sequence is paid against the others, by enough for what is added up of it.

    A backward pass over the player's information sets that takes maxima and means of these numbers
    gives at least what it would give in exact arithmetic.

    Parameters
    ----------
    roundings
        How many roundings a term passes through in the pass, besides the additions of best values.
    """
    treeplex = game.treeplexes[player]
    others = sum(of_plan(t) for other, t in enumerate(game.treeplexes) if other != player)
    count = game.roundings(player) + others + FINAL + of_best(treeplex) + roundings
    magnitude = game.absolute_gradient(player, profile.plans)
    merged = game.error_gradient(player, profile.plans)
    bound = HIGHER_ORDERS * count * UNIT_ROUNDOFF * magnitude
    paid: Floats = game.gradient(player, profile.plans) + bound
    if merged is not None:
        paid += HIGHER_ORDERS * merged
    paid[0] += HIGHER_ORDERS * vanishing(game)
    return paid


def best_against(
    game: SequenceForm, profiles: Sequence[Profile], weights: Sequence[float], player: int
) -> float:
    """Bound the most that any plan gets against several profiles, their payoffs weighted and added.

    Parameters
    ----------
    weights
        How often each profile counts; not negative. They need not sum to 1.
    """
    treeplex = game.treeplexes[player]
    gradient, bound = np.zeros(treeplex.num_sequences), np.zeros(treeplex.num_sequences)
    others = sum(of_plan(t) for other, t in enumerate(game.treeplexes) if other != player)
    count = game.roundings(player) + others + FINAL + of_best(treeplex) + 2 * len(profiles)
    for profile, weight in zip(profiles, weights, strict=True):
        gradient += weight * game.gradient(player, profile.plans)
        magnitude = game.absolute_gradient(player, profile.plans)
        merged = game.error_gradient(player, profile.plans)
        bound += weight * count * UNIT_ROUNDOFF * magnitude
        bound += 0.0 if merged is None else weight * merged
    lost = HIGHER_ORDERS * vanishing(game) * (1 + sum(weights))
    return best_value(game, player, gradient + HIGHER_ORDERS * bound) + lost


def of_plan(treeplex: Treeplex) -> int:
    """Bound the roundings between an entry of a plan and that of the plan which is meant.

    Each own move multiplies by a probability. Probabilities sum to 1 up to 2n - 1 roundings, where
    there are n actions: `Treeplex.normalize` sees to that.
    """
    return treeplex.num_runs * 2 * treeplex.most_actions


def of_best(treeplex: Treeplex) -> int:
    """Bound the additions that a term passes through on its way up the treeplex.

    Information sets that follow one sequence are added to it one by one.
    """
    return treeplex.num_runs * treeplex.most_following


def vanishing(game: SequenceForm) -> float:
    """Bound what is lost below the least float.

    Of entries, of their products, of sums over a denominator, and of weights in plans. The last
    count times what they are paid.
    """
    moves = sum(treeplex.num_runs for treeplex in game.treeplexes)
    products = game.num_players * game.payoffs.num_nonzeros
    sequences = sum(treeplex.num_sequences for treeplex in game.treeplexes)
    lost = game.num_nodes + products + sequences
    return LEAST * lost * (1 + moves * game.largest_payoff)
