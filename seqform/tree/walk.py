"""A walk through a tree, for random probes of its size."""

from __future__ import annotations

from collections.abc import Sequence

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
