"""Reduction `tree`: GameShrink on explicit trees, by a relation of nodes that loses nothing."""

from __future__ import annotations

import numpy as np

from abstraction.node_classes import (
    NodeClasses,
    chance_reach,
    edge_weights,
    kinds,
    ranks,
    renumber,
    shares,
    with_children,
)
from abstraction.tree_shrink import TreeReduction
from seqform.base.arrays import Index
from seqform.tree.tree import GameTree


def lossless_classes(tree: GameTree) -> NodeClasses:
    """Return the coarsest classes found that no player can exploit.

    Alike nodes have alike parents, alike children by corresponding actions, and equal payoffs.
    Below chance, every class of children has the same total probability. Alike nodes lie in
    corresponding information sets, which hold every class of nodes with the same share of chance's
    weight. The classes are found by splitting until nothing splits. Actions of an information set
    may first be in any order, which shows how they correspond; then that order is fixed.
    (docs/explanation/gameshrink.md: an equitable partition of the tree.)

    References
    ----------
    Grohe, Kersting, Mladenov & Selman, "Dimension reduction via colour refinement", ESA 2014, use
    such partitions of linear programs. This is one of a game tree, and its quotient is a game tree.
    """
    refinement = _Refinement(tree)
    key = refinement.until_stable(kinds(tree), None)
    rank = ranks(tree, refinement.sequences(key))
    return NodeClasses(refinement.until_stable(key, rank), rank)


class _Refinement:
    """Splits classes of nodes that differ in what is above, below or beside them."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.weights = edge_weights(tree)
        self.reach = chance_reach(tree, self.weights)
        self.decisions = np.flatnonzero(tree.infoset >= 0)
        self.chosen = np.flatnonzero(tree.parent >= 0)
        self.chosen = self.chosen[tree.player[tree.parent[self.chosen]] >= 0]
        self.levels = tree.levels()

    def until_stable(self, key: Index, rank: Index | None) -> Index:
        """Return the coarsest stable refinement of `key`.

        Without a `rank`, actions are distinguished by `sequences`.
        """
        count = 0
        while (now := len(np.unique(key))) > count:
            count = now
            key = self._split_by_parents(key, self.sequences(key) if rank is None else rank)
            key = self._split_by_children(key)
            key = self._split_by_infosets(key)
        return key

    def sequences(self, key: Index) -> Index:
        """Return, for each node, the class of the player's action that leads to it.

        An action's class is one within its information set; where chance leads to the node, the
        number says nothing.
        """
        tree, nodes = self.tree, self.chosen
        first = np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions
        above = tree.parent[nodes]
        action = first[tree.infoset[above]] + nodes - tree.first_child[above]
        count = int(tree.infoset_num_actions.sum())
        found = shares(action, key[nodes], self.reach[nodes], count)
        classes = np.zeros(tree.num_nodes, dtype=np.int64)
        classes[nodes] = found[action]
        return classes

    def _split_by_parents(self, key: Index, edge: Index) -> Index:
        edge = np.where(np.isin(np.arange(len(key)), self.chosen), edge, -1)
        for level in self.levels:
            key[level] = renumber(
                level.start, key[level], key[self.tree.parent[level]], edge[level]
            )
        return key

    def _split_by_children(self, key: Index) -> Index:
        for level in reversed(self.levels):
            key[level] = with_children(self.tree, level, key, self.weights)
        return key

    def _split_by_infosets(self, key: Index) -> Index:
        nodes = self.decisions
        infoset = self.tree.infoset[nodes].astype(np.int64)
        found = shares(infoset, key[nodes], self.reach[nodes], self.tree.num_infosets)
        held = np.zeros(len(key), dtype=np.int64)
        held[nodes] = found[infoset]
        for level in self.levels:
            key[level] = renumber(level.start, key[level], held[level])
        return key


TREE = TreeReduction("tree", lossless_classes, lossless=True, theorem="tree isomorphism")
