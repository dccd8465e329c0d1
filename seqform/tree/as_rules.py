"""A game tree of perfect information as rules, so that what works on rules works on trees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from seqform.base.errors import NotForThisGameError
from seqform.base.number import Number
from seqform.game import needs
from seqform.game.rules import PerfectInformation
from seqform.tree.tree import GameTree


def require_perfect_information(tree: GameTree) -> None:
    """Validate that nobody confuses two nodes of a tree.

    Raises
    ------
    NotForThisGameError
        Naming the two.
    """
    if tree.perfect_information:
        return
    decisions = np.flatnonzero(tree.player >= 0)
    infosets = tree.infoset[decisions]
    shared = int(np.flatnonzero(np.bincount(infosets) > 1)[0])
    first, second = decisions[infosets == shared][:2].tolist()
    raise NotForThisGameError(
        needs.confused(int(tree.player[first]), tree.describe(first), tree.describe(second))
    )


class TreeGame(PerfectInformation):
    """The rules of a tree of perfect information; states are its nodes.

    Raises
    ------
    NotForThisGameError
        If an information set has two nodes.
    """

    def __init__(self, tree: GameTree) -> None:
        require_perfect_information(tree)
        self.tree, self.num_players, self.unit = tree, tree.num_players, tree.unit
        self.player_names = tree.given.players or None
        self._players, self._payoffs = tree.player.tolist(), tree.payoff.tolist()
        self._labels: list[Hashable] = [
            None if row < 0 else tree.labels[row] for row in tree.label.tolist()
        ]
        self._first, self._count = tree.first_child.tolist(), tree.num_children.tolist()

    def root(self) -> int:
        """Return node 0."""
        return 0

    def player(self, state: int) -> int:
        """Return who moves at a node."""
        return self._players[state]  # type: ignore[no-any-return]

    def actions(self, state: int) -> Sequence[Hashable]:
        """Return the labels of a node's children."""
        return self._labels[self._first[state] : self._first[state] + self._count[state]]

    def action_label(self, action: Hashable) -> str:
        """Return how the tree writes an action or an outcome."""
        return self.tree.action_text(action)

    def chance(self, state: int) -> Sequence[tuple[Hashable, Number]]:
        """Return the outcomes of a chance node."""
        return [
            (self._labels[c], self.tree.probabilities[self.tree.probability[c]])
            for c in self.tree.children(state)
        ]

    def child(self, state: int, action: Hashable) -> int:
        """Return the child with a label."""
        return self._labels.index(
            action, self._first[state], self._first[state] + self._count[state]
        )

    def payoffs(self, state: int) -> Sequence[Number]:
        """Return what each player receives at a leaf."""
        return self.tree.payoffs[self._payoffs[state]]

    def rewards(self, state: int) -> Sequence[Number] | None:
        """Return what each player receives on arriving at an inner node, if anything."""
        return None if self._payoffs[state] < 0 else self.tree.payoffs[self._payoffs[state]]
