"""How the others and chance reach each information set, and what was paid on the way there.

What the player's own moves have to do with it is left out: by perfect recall that part is the same
at all nodes of a set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time
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
    """Return the reach of all information sets under realization plans, and what is paid before.

    Raises
    ------
    UnsupportedGameError
        If the form knows neither a tree nor a signal game, as that of a quotient.
    """
    others = reach_of_others(form, plans)
    if (tree := form.tree) is None:
        return SetReach(others, _without_tree(form, others), None)
    earned, beliefs, paid = _earned(form, tree), np.full(tree.num_nodes, np.nan), []
    of_sets = np.empty(tree.num_infosets)
    for player, (nodes, weight) in enumerate(_weights(form, tree, plans)):
        infosets = form.tree_infosets[player]
        paid.append(_summed(tree, nodes, weight * earned[nodes, player])[infosets])
        of_sets[infosets] = others[player]
        beliefs[nodes] = divided(weight, of_sets[tree.infoset[nodes]])
    return SetReach(others, tuple(paid), beliefs)


def _without_tree(form: SequenceForm, others: Sequence[Floats]) -> tuple[Floats, ...]:
    """Return what is paid before where nothing is but at the ends.

    In a constant-sum game player 1 gets the constant, of which the gradient knows nothing but at
    the empty sequence.
    """
    paid = [np.zeros_like(reach) for reach in others]
    if isinstance(form, ZeroSumForm):
        paid[1] += float(form.constant_sum) * others[1]
    return tuple(paid)


def paid_in_size(form: SequenceForm, plans: Sequence[Floats]) -> tuple[Floats, ...]:
    """Return `SetReach.paid` with all payoffs made positive, for bounds on rounding errors."""
    if (tree := form.tree) is None:
        return tuple(abs(of) for of in _without_tree(form, reach_of_others(form, plans)))
    earned = _along(tree, abs(tree.node_payoffs))
    if isinstance(form, ZeroSumForm):
        earned[:, 1] = abs(float(form.constant_sum)) + earned[:, 0]
    return tuple(
        _summed(tree, nodes, weight * earned[nodes, player])[form.tree_infosets[player]]
        for player, (nodes, weight) in enumerate(_weights(form, tree, plans))
    )


def reach_of_others(form: SequenceForm, plans: Sequence[Floats]) -> tuple[Floats, ...]:
    """Return `SetReach.others` alone; errors as for `set_reach`."""
    if (tree := form.tree) is not None:
        return tuple(
            _summed(tree, nodes, weight)[infosets]
            for (nodes, weight), infosets in zip(
                _weights(form, tree, plans), form.tree_infosets, strict=True
            )
        )
    if form.signals is not None:
        return tuple(_on_signals(*form.signals, plans, player) for player in (0, 1))
    return tuple(form.origin.others_reach(player, plans) for player in range(form.num_players))


def _weights(
    form: SequenceForm, tree: GameTree, plans: Sequence[Floats]
) -> Iterator[tuple[Index, Floats]]:
    """Yield for each player its decision nodes, and how the others and chance reach them."""
    at_node, chance = sequences_at_nodes(form), chance_reach(tree)
    for player in range(form.num_players):
        check_time("finding what is reached")
        nodes = np.flatnonzero(tree.player == player)
        weight = chance[nodes]
        for other, plan in enumerate(plans):
            if other != player:
                weight = weight * plan[at_node[other, nodes]]
        yield nodes, weight


def _summed(tree: GameTree, nodes: Index, weight: Floats) -> Floats:
    """Return the sum over the nodes of each information set, of all players' sets."""
    sums = np.bincount(tree.infoset[nodes], weight, tree.num_infosets)
    return np.asarray(sums, dtype=np.float64)


def _earned(form: SequenceForm, tree: GameTree) -> Floats:
    """Return what each player has been paid up to each node, float64 (num_nodes, num_players)."""
    earned = _along(tree, tree.node_payoffs.copy())
    if isinstance(form, ZeroSumForm):
        earned[:, 1] = float(form.constant_sum) - earned[:, 0]
    return earned


def _along(tree: GameTree, paid: Floats) -> Floats:
    """Add to what nodes pay, float64 (num_nodes, num_players), what those above them do."""
    for level in tree.levels():
        paid[level] += paid[tree.parent[level]]
    return paid


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
