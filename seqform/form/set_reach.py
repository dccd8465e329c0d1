"""How the others and chance reach each information set, and what was paid on the way there.

What the player's own moves have to do with it is left out: by perfect recall that part is the same
at all nodes of a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import NOWHERE, SequenceNumbering, pair_table
from seqform.form.from_tree import chance_reach, sequences_at_nodes
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.game.observations import Classes, SignalStructure
from seqform.tree.tree import GameTree


class SetReach(NamedTuple):
    """The reach of information sets by others and chance.

    Parameters
    ----------
    others
        For each player float64 (num_infosets,).
    paid
        For each player float64 (num_infosets,): what the player was paid on the way there, and on
        arriving, in expectation. In a constant-sum game player 1 gets what player 0 leaves of the
        sum.
    beliefs
        Float64 (num_nodes,): the probability of each decision node, given its information set. NaN
        where the others or chance never lead there, and at other nodes. None without a tree.
    """

    others: tuple[Floats, ...]
    paid: tuple[Floats, ...]
    beliefs: Floats | None


def set_reach(form: SequenceForm, plans: Sequence[Floats]) -> SetReach:
    """Return the reach of all information sets under realization plans.

    Raises
    ------
    UnsupportedGameError
        If the form knows neither a tree nor a signal game, as that of a quotient.
    """
    if form.tree is not None:
        return _on_tree(form, form.tree, plans)
    if form.signals is not None:
        others = tuple(_on_signals(*form.signals, plans, player) for player in (0, 1))
        return SetReach(others, tuple(np.zeros_like(reach) for reach in others), None)
    raise UnsupportedGameError(
        "this sequence form has no tree, so how often its information sets are reached is not "
        "known: lift the solution to the game that it was made of"
    )


def _on_tree(form: SequenceForm, tree: GameTree, plans: Sequence[Floats]) -> SetReach:
    at_node, chance, earned = sequences_at_nodes(form), chance_reach(tree), _earned(form, tree)
    beliefs = np.full(tree.num_nodes, np.nan)
    others, paid = [], []
    for player, treeplex in enumerate(form.treeplexes):
        check_time("finding what is reached")
        nodes = np.flatnonzero(tree.player == player)
        weight = chance[nodes]
        for other, plan in enumerate(plans):
            if other != player:
                weight = weight * plan[at_node[other, nodes]]
        number = np.zeros(tree.num_infosets, dtype=np.int64)
        number[form.tree_infosets[player]] = np.arange(treeplex.num_infosets)
        of, size = number[tree.infoset[nodes]], treeplex.num_infosets
        others.append(np.bincount(of, weight, size).astype(np.float64))
        paid.append(np.bincount(of, weight * earned[nodes, player], size).astype(np.float64))
        beliefs[nodes] = divided(weight, others[player][of])
    return SetReach(tuple(others), tuple(paid), beliefs)


def _earned(form: SequenceForm, tree: GameTree) -> Floats:
    """Return what each player has been paid up to each node, float64 (num_nodes, num_players)."""
    earned = tree.node_payoffs.copy()
    for level in tree.levels():
        earned[level] += earned[tree.parent[level]]
    if isinstance(form, ZeroSumForm):
        earned[:, 1] = float(form.constant_sum) - earned[:, 0]
    return earned


def _on_signals(
    structure: SignalStructure, classes: Classes, plans: Sequence[Floats], player: int
) -> Floats:
    """Return the others' and chance's part for one player of a signal game."""
    mine, theirs = (SequenceNumbering(structure, classes, who) for who in (player, 1 - player))
    plan, tables = plans[1 - player], {}
    total = structure.game.deck.num_ways(structure.stages[-1])
    reach = np.empty(mine.treeplex.num_infosets)
    for at, (node, stage) in enumerate(zip(mine.nodes.tolist(), mine.stage, strict=True)):
        line = theirs.line[node]
        earlier = theirs.stage_of_line(line)
        if (stage, earlier) not in tables:
            stages = (stage, earlier) if player == 0 else (earlier, stage)
            table = pair_table(structure, classes, None, stages)
            tables[stage, earlier] = table if player == 0 else table.T.tocsr()
        first, stride = theirs.where(line)
        count = 1 if earlier == NOWHERE else theirs.num_classes[earlier]
        start = int(mine.first_infoset[at])
        weights = plan[first : first + stride * (count - 1) + 1 : stride]
        reach[start : start + mine.num_classes[stage]] = tables[stage, earlier] @ weights / total
    return reach


def divided(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotients, NaN where the denominator is 0."""
    quotient: Floats = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient
