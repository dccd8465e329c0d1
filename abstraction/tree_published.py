"""Reduction `tree-published`: GameShrink on explicit trees, by the relation as it was published."""

from __future__ import annotations

import numpy as np

from abstraction.node_classes import (
    NodeClasses,
    edge_weights,
    kinds,
    levels_from_below,
    ranks,
    renumber,
    signatures,
    with_children,
)
from abstraction.tree_shrink import TreeReduction
from seqform.tree.tree import GameTree


def published_classes(tree: GameTree) -> NodeClasses:
    """Return the classes of Gilpin and Sandholm's isomorphism, for the nodes of any game tree.

    Two nodes are alike if the same player moves there, the payoffs are equal, and their equally
    many children can be paired. Paired children must be alike, and lie in information sets with
    equally many nodes of every class. Below chance, children of each class have the same total
    probability. What lies above the nodes of those information sets plays no part, nor does the
    order of actions: that can lose something, on poker too (docs/explanation/gameshrink.md).

    References
    ----------
    Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
    Sections 3-4.
    """
    key, weights = kinds(tree), edge_weights(tree)
    ones = np.ones(tree.num_nodes, dtype=object)
    for level in levels_from_below(tree):
        key[level] = with_children(tree, level, key, weights)
        nodes = np.flatnonzero(tree.infoset[level] >= 0) + level.start
        sets, members = np.unique(tree.infoset[nodes], return_inverse=True)
        held = np.zeros(len(key[level]), dtype=np.int64)
        found = signatures(members, key[nodes], ones[nodes], len(sets))
        held[nodes - level.start] = found[members]
        key[level] = renumber(level.start, key[level], held)
    return NodeClasses(key, ranks(tree, key))


TREE_PUBLISHED = TreeReduction("tree-published", published_classes)
