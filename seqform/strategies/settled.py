"""Analyses for people: what is not to be told from 0 in floats is 0, and nothing else is.

A sum is off by at most ``c u`` times the sum of the sizes of its terms, where u is the unit
roundoff, and c the most roundings that a term passes through (Higham, "Accuracy and Stability of
Numerical Algorithms", Section 3.1). So the scale of each number is what is at stake where it was
computed, and not the largest payoff of the game: beside payoffs of 1e19 that nobody goes for, a
value of 1 is 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.concepts.rounding import of_best, of_plan, vanishing
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import divided, paid_in_size
from seqform.form.treeplex import HIGHER_ORDERS, UNIT_ROUNDOFF
from seqform.strategies.analysis import PlayerAnalysis, StrategyAnalysis
from seqform.strategies.analyze import worth_of
from seqform.tree.tree import GameTree

FINAL = 8
"""Roundings at the end: a division, and a difference of two values."""


def settled(analysis: StrategyAnalysis) -> StrategyAnalysis:
    """Return an analysis whose values and regrets are 0 where that is all that floats can tell."""
    paid = paid_in_size(analysis.form, analysis.profile.plans)
    players = tuple(
        _settled(analysis, player, of, paid[player]) for player, of in enumerate(analysis.players)
    )
    return replace(analysis, players=players)


def _settled(
    analysis: StrategyAnalysis, player: int, of: PlayerAnalysis, paid: Floats
) -> PlayerAnalysis:
    check_time("looking at a strategy")
    form, treeplex = analysis.form, analysis.form.treeplexes[player]
    size = form.absolute_gradient(player, analysis.profile.plans)
    worth, sums = worth_of(treeplex, of.probability, size, paid)
    share = HIGHER_ORDERS * _roundings(form, player) * UNIT_ROUNDOFF
    lost = HIGHER_ORDERS * vanishing(form)
    each = np.append(1.0, np.repeat(of.others_reach, treeplex.num_actions))
    off = divided(share * worth + lost, each)
    off_sets = divided(share * sums + lost, of.others_reach)
    off_regrets = off + np.append(off[0], np.repeat(off_sets, treeplex.num_actions))
    regrets = _cleared(of.action_regrets, off_regrets)
    starts = treeplex.first_sequence[:-1] - 1
    most = np.maximum.reduceat(regrets[1:], starts) if len(sums) else sums
    return replace(
        of,
        action_values=_cleared(of.action_values, off),
        values=_cleared(of.values, off_sets),
        action_regrets=regrets,
        regrets=np.maximum(most, 0.0),
    )


def settled_on_tree(tree: GameTree, values: Floats, sizes: Floats) -> Floats:
    """Return what nodes are worth, 0 where that is all that floats can tell.

    Parameters
    ----------
    values, sizes
        Float64 (num_nodes, num_players): sums of products with the probabilities of moves, from
        each node down; and the same sums with all payoffs made positive.
    """
    count = FINAL + len(tree.levels()) * (3 + int(tree.num_children.max()))
    return _cleared(values, HIGHER_ORDERS * count * UNIT_ROUNDOFF * sizes)


def _cleared(numbers: Floats, errors: Floats) -> Floats:
    """Return numbers, 0 instead of those that are no larger than their errors."""
    return np.where(abs(numbers) <= errors, 0.0, numbers)


def _roundings(form: SequenceForm, player: int) -> int:
    """Bound the roundings that a term of a player's values passes through."""
    treeplex, tree = form.treeplexes[player], form.tree
    plans = sum(map(of_plan, form.treeplexes))
    mean = of_best(treeplex) + treeplex.num_runs * (1 + treeplex.most_actions)
    count = form.roundings(player) + plans + mean + FINAL
    if tree is not None:  # what was paid before: along the path, then over the nodes of a set
        sizes = np.bincount(tree.infoset[tree.infoset >= 0], minlength=1)
        count += 2 * len(tree.levels()) + int(sizes.max())
    return count
