"""What leaving the joint play of regret minimization gains at most, rounding errors included.

In iteration t everybody is meant to play the behaviour that regrets are matched by, with its
probabilities as they are before rounding. The iteration is drawn with its weight, as stored. What a
player is paid for each sequence is then a weighted sum over iterations. It is added up in floats,
and each term passes through a number of roundings that is known. So an error is at most that number
times the unit roundoff times the sum of absolute values (docs/explanation/rounding.md).

That sum is not added up on the way. In a term are the others' weights at one moment, and their
product is at most the least of them. So its average over iterations is at most the least of the
averages, which are known.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats
from seqform.concepts.backward_pass import best_value
from seqform.concepts.rounding import FINAL, LEAST, of_best, of_plan, vanishing
from seqform.form.joint_play import JointPlay
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF


def regret_bound(form: SequenceForm, play: JointPlay) -> float:
    """Return a bound on what any player gains by leaving the joint play for a fixed plan.

    In the game's unit; at least the true gain. Negative if every fixed plan loses.
    """
    return max(_bound(form, player, play) for player in range(form.num_players))


def _bound(form: SequenceForm, player: int, play: JointPlay) -> float:
    treeplex, paid = form.treeplexes[player], play.paid[player]
    magnitude, merged = _magnitude(form, player, play)
    others = sum(of_plan(t) for other, t in enumerate(form.treeplexes) if other != player)
    # a weight, its sum with others, and the division by their sum, which has as many roundings
    shared = form.roundings(player) + others + 2 * play.iterations + FINAL
    unit = HIGHER_ORDERS * UNIT_ROUNDOFF
    gone = HIGHER_ORDERS * merged
    lost = HIGHER_ORDERS * (vanishing(form) + LEAST * (1 + play.iterations / play.weight))
    errors = unit * (shared + of_best(treeplex)) * magnitude + gone
    best = best_value(form, player, paid / play.weight + errors) + lost * treeplex.num_sequences
    own = of_plan(treeplex) + treeplex.num_sequences + 1
    slack = float((unit * (shared + own) * magnitude + gone).sum())
    return best - play.got[player] / play.weight + slack + lost * treeplex.num_sequences


def _magnitude(form: SequenceForm, player: int, play: JointPlay) -> tuple[Floats, Floats]:
    """Bound what sequences are paid with all payoffs positive, and by errors of payoffs.

    Joint play leads to what others do together at most as often as the average of any one of them
    does to that one's part.
    """
    found = []
    for other in range(form.num_players):
        if other != player:
            plans = [np.ones_like(plan) for plan in play.averages]
            plans[other] = play.averages[other]
            magnitude = form.absolute_gradient(player, plans)
            errors = form.error_gradient(player, plans)
            found.append((magnitude, np.zeros_like(magnitude) if errors is None else errors))
    magnitudes, errors_of = zip(*found, strict=True)
    return np.min(magnitudes, axis=0), np.min(errors_of, axis=0)
