"""A game's tree for readers: nodes that open and close, with what is played at each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.game.rules import CHANCE
from seqform.report.numbers import DIGITS, Precision, listed
from seqform.report.state_drawings import boards
from seqform.strategies.settled import settled_on_tree
from seqform.strategies.show.subject import Subject
from seqform.tree.tree import GameTree

MOST_DIGITS = 12
"""Of payoffs that the page's script adds up."""

MOST_NODES = 6_000
"""Nodes that a page has at most: whole levels, from the root on."""


def tree_record(subject: Subject, tree: GameTree, rules: Any | None = None) -> dict[str, Any]:
    """Return a tree as the page's script opens it, as JSON values.

    Nodes are in the order of their parents, so that the script finds whose children they are.
    Each list has an entry for each node that is shown: its number of children among these, who acts
    (-1 chance, -2 nobody), the label of the move that leads there, its probability and the player's
    sequence that ends in it (-1 of chance), how often play comes there, and what it is worth to
    each player from there on. With rules that draw states, each has its board, too.
    """
    ends = tree.level_start
    levels = int(np.searchsorted(ends, MOST_NODES, "right")) - 1
    shown = int(ends[max(levels, 1)])
    moves = move_probabilities(subject, tree)
    nodes = by_parents(tree)[:shown]
    worth = values_of(tree, moves)[nodes]
    precision = Precision(subject.form.payoff_scale)
    children = tree.num_children[nodes].astype(int)
    is_cut = (tree.first_child[nodes] >= shown) & (children > 0)
    return {
        "unit": subject.form.unit,
        "children": np.where(is_cut, -1, children).tolist(),
        "player": tree.player[nodes].tolist(),
        "infoset": _texts(tree, subject, nodes),
        "move": _moves(tree, nodes),
        "p": listed(moves[nodes], DIGITS),
        "s": _sequences(subject, tree)[nodes].tolist(),
        "reach": precision.shares(reach_of(tree, moves)[nodes]),
        "worth": [listed(worth[:, p], precision.digits) for p in range(tree.num_players)],
        "digits": precision.digits,
        "total": tree.num_nodes,
        **({"names": list(tree.given.players)} if tree.given.players else {}),
        **_paid(tree, nodes),
        **_boards(rules, tree, nodes),
    }


def _boards(rules: Any | None, tree: GameTree, nodes: Index) -> dict[str, Any]:
    found = None if rules is None else boards(rules, tree, nodes.tolist())
    return {} if found is None else {"board": found}


def by_parents(tree: GameTree) -> Index:
    """Return all nodes level by level, those of one level in the order of their parents."""
    found = [np.zeros(1, dtype=np.int64)]
    while len(found[-1]):
        found.append(_children(tree, found[-1]))
    return np.concatenate(found)


def _paid(tree: GameTree, nodes: Index) -> dict[str, Any]:
    """Return what players are paid at nodes that are no leaves, if there are any such payoffs."""
    rows = tree.payoff[nodes]
    inner = (rows >= 0) & (tree.num_children[nodes] > 0)
    if not inner.any():
        return {}
    paid = np.array([[float(v) for v in row] for row in tree.payoffs])
    amounts = np.where(inner[:, None], paid[rows], 0.0)
    return {"paid": [listed(amounts[:, p], MOST_DIGITS) for p in range(tree.num_players)]}


def _sequences(subject: Subject, tree: GameTree) -> Index:
    """Return the player's sequence that ends in the move to each node; -1 where nobody moved."""
    found = np.full(tree.num_nodes, -1, dtype=np.int64)
    start = _first_sequences(subject, tree)
    children = np.flatnonzero(tree.parent >= 0)
    parents = tree.parent[children]
    is_move = tree.player[parents] >= 0
    children, parents = children[is_move], parents[is_move]
    found[children] = start[tree.infoset[parents]] + children - tree.first_child[parents]
    return found


def _first_sequences(subject: Subject, tree: GameTree) -> Index:
    """Return the first sequence of each information set of the tree."""
    start = np.full(len(tree.infoset_player), -1, dtype=np.int64)
    for player, infosets in enumerate(subject.form.tree_infosets):
        start[infosets] = subject.form.treeplexes[player].first_sequence[:-1]
    return start


def move_probabilities(subject: Subject, tree: GameTree) -> Floats:
    """Return the probability of the move that leads to each node; 1 for the root."""
    moves = np.ones(tree.num_nodes)
    inner = np.flatnonzero(tree.player != -2)
    chances = np.array([float(p) for p in tree.probabilities] or [1.0])
    sequences = _sequences(subject, tree)
    for player in range(tree.num_players):
        children = _children(tree, inner[tree.player[inner] == player])
        moves[children] = subject.profile.behaviors[player][sequences[children]]
    children = _children(tree, inner[tree.player[inner] == CHANCE])
    moves[children] = chances[tree.probability[children]]
    return moves


def _children(tree: GameTree, nodes: Any) -> Any:
    counts = tree.num_children[nodes].astype(np.int64)
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


def _moves(tree: GameTree, nodes: Index) -> list[str]:
    """Return how the moves that lead to nodes are written; empty for the root's."""
    texts = [*map(tree.action_text, tree.labels), ""]
    return [texts[label] for label in tree.label[nodes].tolist()]


def _texts(tree: GameTree, subject: Subject, nodes: Index) -> list[str]:
    """Return the names of information sets, where somebody acts."""
    form = subject.form
    names: dict[int, str] = {}
    for player, infosets in enumerate(form.tree_infosets):
        for place, infoset in enumerate(infosets.tolist()):
            names[infoset] = form.infoset_text(player, place)
    return [names.get(infoset, "") for infoset in tree.infoset[nodes].tolist()]
