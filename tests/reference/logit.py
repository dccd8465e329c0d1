"""The logit response to a behaviour strategy profile, by walking the tree."""

from __future__ import annotations

import numpy as np

from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree
from tests.reference.oracles import Behavior


def logit_response(tree: GameTree, behavior: Behavior, lam: float) -> Behavior:
    """Answer in each information set by what actions pay, given that it is reached."""
    values = _values(tree, behavior)
    response: Behavior = []
    for infoset in range(tree.num_infosets):
        player = int(tree.infoset_player[infoset])
        nodes = [v for v in range(tree.num_nodes) if tree.infoset[v] == infoset]
        reach = np.array([_reach_by_others(tree, behavior, v, player) for v in nodes])
        paid = np.array([[values[c][player] for c in tree.children(v)] for v in nodes])
        mean = reach @ paid / reach.sum() if reach.sum() else np.zeros(paid.shape[1])
        weights = np.exp(lam * (mean - mean.max()))
        response.append(list(weights / weights.sum()))
    return response


def _values(tree: GameTree, behavior: Behavior) -> list[np.ndarray]:
    """Return what is paid from each node on, its own reward included."""
    values = [np.zeros(tree.num_players)] * tree.num_nodes
    for node in reversed(range(tree.num_nodes)):
        row = int(tree.payoff[node])
        here = np.array(tree.payoffs[row], dtype=float) if row >= 0 else np.zeros(tree.num_players)
        for child in tree.children(node):
            here = here + _chance(tree, behavior, child) * values[child]
        values[node] = here
    return values


def _reach_by_others(tree: GameTree, behavior: Behavior, node: int, player: int) -> float:
    reach = 1.0
    while node:
        if tree.player[tree.parent[node]] != player:
            reach *= _chance(tree, behavior, node)
        node = int(tree.parent[node])
    return reach


def _chance(tree: GameTree, behavior: Behavior, child: int) -> float:
    above = int(tree.parent[child])
    if tree.player[above] == CHANCE:
        return float(tree.probabilities[tree.probability[child]])
    return float(behavior[tree.infoset[above]][child - int(tree.first_child[above])])
