"""Reduction `tree-published`: GameShrink on explicit trees, by the relation as it was published."""

from __future__ import annotations

import numpy as np

from abstraction.node_classes import (
    NodeClasses,
    kinds,
    levels_from_below,
    numbers_of_probabilities,
    ranks,
    renumber,
    signatures,
)
from abstraction.tree_shrink import TreeReduction
from seqform.tree.tree import GameTree


def published_classes(tree: GameTree) -> NodeClasses:
    """Return the classes of Gilpin and Sandholm's isomorphism, for the nodes of any game tree.

    Two nodes are alike if the same player moves there, the payoffs are equal, and the information
    sets that hold their equally many children can be paired. Paired sets have equally many nodes of
    every class, and the children that they hold can be paired with alike ones to which chance comes
    with the same probability. What lies above the nodes of those information sets plays no part,
    nor does the order of actions: that can lose something, on poker too
    (docs/explanation/gameshrink.md).

    References
    ----------
    Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
    Sections 3-4. Their words do not ask that children are paired (`abstraction.pairwise`).
    """
    return _Numbering(tree).classes()


class _Numbering:
    """Numbers the nodes of each level by what is held below them, the deepest level first."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.key = tree, kinds(tree)
        self.chance = numbers_of_probabilities(tree)
        alone = tree.num_infosets + np.arange(tree.num_nodes)
        self.sets = np.where(tree.infoset >= 0, tree.infoset, alone)
        """The information set of each node; nodes that are in none are alone."""
        self.held = np.zeros(tree.num_nodes, dtype=np.int64)
        """What the information set of a node holds of its siblings, as a number."""
        self.first = np.zeros(tree.num_nodes, dtype=np.int64)
        """The first of these siblings: sets that hold the same are paired in order of actions."""

    def classes(self) -> NodeClasses:
        for level in levels_from_below(self.tree):
            self._look_at_children(level)
            self._look_at_sets(level)
        order = renumber(0, self.held, self.first, self.key, self.chance)
        return NodeClasses(self.key, ranks(self.tree, order))

    def _look_at_children(self, level: slice) -> None:
        """Split what differs in the sets that hold children, each as often as it holds some."""
        tree = self.tree
        inner = np.flatnonzero(tree.num_children[level]) + level.start
        if not len(inner):
            return
        first = int(tree.first_child[inner].min())
        below = slice(first, int((tree.first_child[inner] + tree.num_children[inner]).max()))
        above = tree.parent[below] - level.start
        ones = np.ones(len(above), dtype=object)
        found = signatures(above, self.held[below], ones, len(self.key[level]))
        self.key[level] = renumber(level.start, self.key[level], found)

    def _look_at_sets(self, level: slice) -> None:
        """Split nodes whose sets differ, and number what each set holds of siblings."""
        ones = np.ones(level.stop - level.start, dtype=object)
        members = np.unique(self.sets[level], return_inverse=True)[1]
        found = signatures(members, self.key[level], ones, int(members.max()) + 1)[members]
        self.key[level] = renumber(level.start, self.key[level], found)
        together = renumber(0, self.tree.parent[level], self.sets[level])
        children = renumber(0, self.key[level], self.chance[level])
        held = signatures(together, children, ones, int(together.max()) + 1)
        self.held[level] = held[together]
        self.first[level] = np.unique(together, return_index=True)[1][together]


TREE_PUBLISHED = TreeReduction("tree-published", published_classes)
