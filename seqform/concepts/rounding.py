"""How far what is computed of a profile may be off: a bound on all rounding errors.

The derivation, term by term, is in docs/explanation/rounding.md. Its shape is the standard one,
``c u B`` (Higham, "Accuracy and Stability of Numerical Algorithms", Section 3.1). Here u is the
unit roundoff, and c the most roundings that any term passes through. B is the same best response
with all terms made positive. Two more terms are added. One bounds what vanishes below the least
float. The other bounds errors of the payoffs themselves, where floats were merged.
"""

from __future__ import annotations

from math import ulp
from typing import NamedTuple

import numpy as np

from seqform.base.deadline import check_time
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF, Treeplex

LEAST = ulp(0.0)
"""The least positive float: twice what one operation loses where its result vanishes."""

FINAL = 4
"""Roundings at the end: values are subtracted, and bounds are added to them."""


class Response(NamedTuple):
    """What a player gets, and could get by a best response, as computed and how far that is off."""

    value: float
    best: float
    value_error: float
    best_error: float


def response(game: SequenceForm, profile: Profile, player: int) -> Response:
    """Return a player's value and best response value against the others, with their errors."""
    check_time("certifying an answer")
    treeplex, plans = game.treeplexes[player], profile.plans
    gradient = game.gradient(player, plans)
    magnitude = treeplex.best_value(game.absolute_gradient(player, plans))
    others = sum(of_plan(t) for other, t in enumerate(game.treeplexes) if other != player)
    shared = game.roundings(player) + others + FINAL
    roundings = (shared + of_plan(treeplex) + _of_mean(treeplex), shared + _of_best(treeplex))
    lost, errors = _vanishing(game), game.error_gradient(player, plans)
    if errors is not None:
        lost += treeplex.best_value(errors)
    return Response(
        float((gradient * plans[player]).sum()),
        treeplex.best_value(gradient),
        *(HIGHER_ORDERS * (c * UNIT_ROUNDOFF * magnitude + lost) for c in roundings),
    )


def of_plan(treeplex: Treeplex) -> int:
    """Bound the roundings between an entry of a plan and that of the plan which is meant.

    Each own move multiplies by a probability. Probabilities sum to 1 up to 2n - 1 roundings, where
    there are n actions: `Treeplex.normalize` sees to that.
    """
    return len(treeplex.runs) * 2 * int(treeplex.num_actions.max(initial=0))


def _of_best(treeplex: Treeplex) -> int:
    """Bound the additions that a term passes through on its way up the treeplex.

    Information sets that follow one sequence are added to it one by one.
    """
    return len(treeplex.runs) * int(np.bincount(treeplex.parent_sequence).max(initial=0))


def _of_mean(treeplex: Treeplex) -> int:
    """Bound the roundings of a product with a plan: numpy adds blocks of 128 in pairs."""
    return 1 + 16 + treeplex.num_sequences.bit_length()


def _vanishing(game: SequenceForm) -> float:
    """Bound what is lost below the least float.

    Of entries, of their products, of sums over a denominator, and of weights in plans. The last
    count times what they are paid.
    """
    moves = sum(len(treeplex.runs) for treeplex in game.treeplexes)
    products = game.num_players * game.payoffs.num_nonzeros
    sequences = sum(treeplex.num_sequences for treeplex in game.treeplexes)
    lost = game.num_nodes + products + sequences
    return LEAST * lost * (1 + moves * game.largest_payoff)
