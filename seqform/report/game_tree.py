"""A game's tree for readers: nodes that open and close, with what is played at each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.game.rules import CHANCE
from seqform.report.numbers import DIGITS, Precision, listed
from seqform.strategies.look.subject import Subject
from seqform.strategies.settled import settled_on_tree
from seqform.tree.tree import GameTree

MOST_NODES = 6_000
"""Nodes that a page has at most: whole levels, from the root on."""


def tree_record(subject: Subject, tree: GameTree) -> dict[str, Any]:
    """Return a tree as the page's script opens it, as JSON values.

    Each list has an entry for each node that is shown: its number of children among these, who
    acts (-1 chance, -2 nobody), the label of the move that leads there, its probability, how often
    play comes there, and what it is worth to each player from there on.
    """
    ends = tree.level_start
    levels = int(np.searchsorted(ends, MOST_NODES, "right")) - 1
    shown = int(ends[max(levels, 1)])
    moves = move_probabilities(subject, tree)
    reach, worth = reach_of(tree, moves)[:shown], values_of(tree, moves)[:shown]
    precision = Precision(subject.form.payoff_scale)
    children = tree.num_children[:shown].astype(int)
    is_cut = (tree.first_child[:shown] >= shown) & (children > 0)
    return {
        "unit": subject.form.unit,
        "children": np.where(is_cut, -1, children).tolist(),
        "player": tree.player[:shown].tolist(),
        "infoset": _texts(tree, subject, shown),
        "move": [str(tree.labels[n]) if n >= 0 else "" for n in tree.label[:shown].tolist()],
        "p": listed(moves[:shown], DIGITS),
        "reach": precision.shares(reach),
        "worth": [listed(worth[:, p], precision.digits) for p in range(tree.num_players)],
        "total": tree.num_nodes,
    }


def move_probabilities(subject: Subject, tree: GameTree) -> Floats:
    """Return the probability of the move that leads to each node; 1 for the root."""
    moves = np.ones(tree.num_nodes)
    inner = np.flatnonzero(tree.player != -2)
    chances = np.array([float(p) for p in tree.probabilities] or [1.0])
    form = subject.form
    start = np.full(len(tree.infoset_player), -1, dtype=np.int64)
    for player, infosets in enumerate(form.tree_infosets):
        start[infosets] = form.treeplexes[player].first_sequence[:-1]
    for player in range(tree.num_players):
        nodes = inner[tree.player[inner] == player]
        parents = np.repeat(nodes, tree.num_children[nodes])
        children = _children(tree, nodes)
        place = children - tree.first_child[parents]
        moves[children] = subject.profile.behaviors[player][start[tree.infoset[parents]] + place]
    children = _children(tree, inner[tree.player[inner] == CHANCE])
    moves[children] = chances[tree.probability[children]]
    return moves


def _children(tree: GameTree, nodes: Any) -> Any:
    counts = tree.num_children[nodes]
    starts = np.repeat(tree.first_child[nodes] - np.cumsum(counts) + counts, counts)
    return starts + np.arange(int(counts.sum()))


def _levels(tree: GameTree) -> list[slice]:
    """Return the nodes of each level below the root."""
    return [slice(*ends) for ends in pairwise(tree.level_start[1:].tolist())]


def reach_of(tree: GameTree, moves: Floats) -> Floats:
    """Return the probability with which play comes to each node."""
    reach = moves.copy()
    for level in _levels(tree):
        reach[level] *= reach[tree.parent[level]]
    return reach


def values_of(tree: GameTree, moves: Floats) -> Floats:
    """Return what each player gets from each node on, float64 (num_nodes, num_players)."""
    nothing = [[0.0] * tree.num_players]
    paid = np.array([[float(v) for v in row] for row in tree.payoffs] or nothing)
    worth = np.where(tree.payoff[:, None] >= 0, paid[tree.payoff], 0.0)
    sizes: Floats = abs(worth)
    for level in reversed(_levels(tree)):
        for sums in (worth, sizes):
            np.add.at(sums, tree.parent[level], moves[level, None] * sums[level])
    return settled_on_tree(tree, worth, sizes)


def _texts(tree: GameTree, subject: Subject, shown: int) -> list[str]:
    """Return the names of information sets, where somebody acts."""
    form = subject.form
    names: dict[int, str] = {}
    for player, infosets in enumerate(form.tree_infosets):
        for place, infoset in enumerate(infosets.tolist()):
            names[infoset] = str(form.infoset_label(player, place))
    return [names.get(infoset, "") for infoset in tree.infoset[:shown].tolist()]
