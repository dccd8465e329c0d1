"""Certificates: what a profile guarantees, from best responses that no solver computed.

In a two-player constant-sum game with payoff matrix A, any plans x and y prove

    min over y' of x'Ay'  <=  value  <=  max over x' of x''Ay

(weak duality; von Stengel 1996, Section 5). Each side is one sparse product and one backward pass.
Both bounds are widened by a bound on all rounding errors on the way, so they hold for the profile
as stored. That bound is the standard one, ``c u B`` (Higham, "Accuracy and Stability of Numerical
Algorithms", Section 3.1): u is the unit roundoff, c the most roundings that any term passes
through, and B the same best response with all terms made positive; what may vanish below the
smallest float is added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import InvalidStrategyError
from seqform.concepts.best_response import expected_values
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.treeplex import UNIT_ROUNDOFF, Treeplex

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Certificate:
    """Bounds that a profile proves (docs/data-model.md); all in the game's unit."""

    values: tuple[float, ...]
    gains: tuple[float, ...]
    lower: float
    upper: float
    rounding: float
    residuals: tuple[tuple[float, float], ...]

    @property
    def nash_gap(self) -> float:
        """The sum of what each player could gain by deviating alone."""
        return float(sum(self.gains))

    @property
    def exploitability(self) -> float:
        """`nash_gap` divided by the number of players."""
        return self.nash_gap / len(self.gains)


def certify(game: SequenceForm, profile: Profile) -> Certificate:
    """Return the certificate of a profile.

    `lower` and `upper` are NaN unless the game is two-player and constant-sum. Gains include the
    rounding bound of the best response; each is at least zero, and at least the true gain up to the
    last digits of `values`.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    if not all(np.isfinite(plan).all() for plan in profile.plans):
        raise InvalidStrategyError("a profile with entries that are not finite proves nothing")
    values = expected_values(game, profile)
    best, slack = zip(
        *(_best_value(game, profile, player) for player in range(game.num_players)), strict=True
    )
    gains = tuple(max(0.0, float(b - v)) + s for b, v, s in zip(best, values, slack, strict=True))
    lower = upper = float("nan")
    if isinstance(game, ZeroSumForm):
        slack = tuple(s + game.sum_spread for s in slack)
        upper, lower = best[0] + slack[0], float(game.constant_sum) - best[1] - slack[1]
        gains = max(0.0, upper - values[0]), max(0.0, values[0] - lower)
    return Certificate(
        values=tuple(values.tolist()),
        gains=tuple(map(float, gains)),
        lower=float(lower),
        upper=float(upper),
        rounding=float(max(slack)),
        residuals=tuple(
            t.residuals(plan) for t, plan in zip(game.treeplexes, profile.plans, strict=True)
        ),
    )


def _best_value(game: SequenceForm, profile: Profile, player: int) -> tuple[float, float]:
    """Return a player's best response value and a bound on its rounding error."""
    treeplex = game.treeplexes[player]
    best = treeplex.best_value(game.gradient(player, profile.plans))
    magnitude = treeplex.best_value(game.absolute_gradient(player, profile.plans))
    roundings = (
        float(game.max_terms(player))
        + _roundings(treeplex)
        + sum(map(_plan_roundings, game.treeplexes))
        + 4
    )
    sequences = sum(t.num_sequences for t in game.treeplexes)
    underflow = float(np.finfo(np.float64).tiny) * roundings * sequences * (1 + game.largest_payoff)
    return best, 1.01 * roundings * UNIT_ROUNDOFF * magnitude + underflow


def _roundings(treeplex: Treeplex) -> float:
    """Bound the additions that a term passes through on its way up the treeplex."""
    if not treeplex.num_infosets:
        return 0.0
    return float(len(treeplex.runs) * (1 + np.bincount(treeplex.parent_sequence).max()))


def _plan_roundings(treeplex: Treeplex) -> float:
    """Bound the relative error of a plan entry: one product and one sum that should be 1 for each own move."""
    return (
        float(len(treeplex.runs) * 2 * (2 + treeplex.num_actions.max()))
        if treeplex.num_infosets
        else 0.0
    )
