"""Walks through trees, for random probes of their sizes.

What is estimated beside the size is b, the branching factor: the mean number of children of the
inner nodes that random play meets. Random play takes every move with equal probability, also where
chance moves. In a signal game that is described without a tree, every deal is equally likely. That
differs where a card has copies, and more than three are dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.game.deals import Deck, num_deals
from seqform.game.public_tree import PublicTree
from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree


class TreeWalk:
    """A walk whose states are nodes, and whose moves are their children."""

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree

    def root(self) -> int:
        """Return node 0."""
        return 0

    def moves(self, state: int) -> Sequence[int]:
        """Return the children of a node."""
        return self._tree.children(state)

    def child(self, state: int, move: int) -> int:
        """Return the child that a move is."""
        return move

    def copies(self, state: int) -> int:
        """Return 1: every node is looked at."""
        return 1

    def key(self, state: int) -> None:
        """Return None: no node comes back."""


def branching_of_tree(tree: GameTree) -> float:
    """Return b of a tree; 0 if it is one node.

    Examples
    --------
    >>> from seqform import make
    >>> branching_of_tree(make("king-queen-jack"))
    2.0
    """
    count, reach = tree.num_children, np.zeros(tree.num_nodes)
    reach[0] = 1.0
    for first, end in zip(tree.level_start[1:-1], tree.level_start[2:], strict=True):
        parent = tree.parent[first:end]
        reach[first:end] = reach[parent] / count[parent]
    inner = reach[count > 0].sum()
    return float(reach @ count / inner) if inner else 0.0


def branching_of_signals(deck: Deck, public: PublicTree) -> tuple[float, int]:
    """Return b of a signal game, and the moves of its longest play."""
    deals = [num_deals(deck, k) for k in range(1 + max(public.num_signals))]
    reach, depth, inner, children = [1.0], [0], 0.0, 0.0
    for node, player in enumerate(public.player):
        if node:
            parent = public.parent[node]
            reach.append(reach[parent] / public.num_children[parent])
            depth.append(depth[parent] + 1)
        count = float(public.num_children[node])
        if player == CHANCE:
            dealt = public.num_signals[node]
            count = deals[dealt + 1] / deals[dealt]
        if count:
            inner, children = inner + reach[node], children + reach[node] * count
    return (children / inner if inner else 0.0), max(depth)
