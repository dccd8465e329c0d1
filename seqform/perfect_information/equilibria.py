"""All subgame-perfect equilibria in pure strategies.

There is one for every way in which ties may be broken, from the leaves up.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seqform.base.number import Number
from seqform.game.rules import CHANCE
from seqform.perfect_information.tree_induction import TreeInduction
from seqform.tree.as_rules import require_perfect_information
from seqform.tree.tree import GameTree


def pure_equilibria(tree: GameTree) -> Iterator[TreeInduction]:
    """Iterate over all subgame-perfect equilibria in pure strategies, one at a time.

    Two equilibria differ in what is done at some node, reached or not. How a tie is broken decides
    which ties there are above it. So each equilibrium is a path in a tree of choices. This tree has
    no dead ends: the next equilibrium is at most one pass over the game away. There can be
    exponentially many. Exact where the tree's numbers are.

    Parameters
    ----------
    tree
        A game of perfect information.

    Raises
    ------
    UnsupportedGameError
        If an information set has two nodes, naming them.

    Examples
    --------
    >>> from games.ultimatum import ultimatum
    >>> from seqform import expand
    >>> equilibria = pure_equilibria(expand(ultimatum(coins=2)))
    >>> [tuple(map(int, equilibrium.value)) for equilibrium in equilibria]
    [(2, 0), (1, 1)]
    """
    require_perfect_information(tree)
    return _Choices(tree).run()


class _Choices:
    """The choices made so far, and what they make every node worth."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        nothing: tuple[Number, ...] = (0,) * tree.num_players
        self.paid = [(*tree.payoffs, nothing)[row] for row in tree.payoff.tolist()]
        self.values = list(self.paid)
        self.chosen = [-1] * tree.num_nodes
        self.inner = np.flatnonzero(tree.num_children)[::-1].tolist()  # children before parents

    def run(self) -> Iterator[TreeInduction]:
        """Yield the profile when all nodes have chosen; then change the last choice possible."""
        left = [iter([-1])] if not self.inner else [self._best(self.inner[0])]
        while left:
            choice = next(left[-1], None)
            if choice is None:
                left.pop()
                continue
            if self.inner:
                self._take(self.inner[len(left) - 1], choice)
            if len(left) < len(self.inner):
                left.append(self._best(self.inner[len(left)]))
            else:
                yield self._profile()

    def _best(self, node: int) -> Iterator[int]:
        """Return the children that pay the mover the most; -1 stands for all of chance's."""
        player, children = int(self.tree.player[node]), self.tree.children(node)
        if player == CHANCE:
            return iter([-1])
        most = max(self.values[child][player] for child in children)
        return iter([child for child in children if self.values[child][player] == most])

    def _take(self, node: int, choice: int) -> None:
        self.chosen[node] = choice
        below = self._mean(node) if choice < 0 else self.values[choice]
        self.values[node] = tuple(a + b for a, b in zip(self.paid[node], below, strict=True))

    def _mean(self, node: int) -> tuple[Number, ...]:
        tree = self.tree
        weighted = [
            [tree.probabilities[tree.probability[child]] * u for u in self.values[child]]
            for child in tree.children(node)
        ]
        return tuple(sum(column) for column in zip(*weighted, strict=True))

    def _profile(self) -> TreeInduction:
        values = np.zeros(
            (self.tree.num_nodes, self.tree.num_players),
            dtype=object if self.tree.is_exact else np.float64,
        )
        for node, row in enumerate(self.values):
            values[node] = row
        return TreeInduction(values, np.array(self.chosen, dtype=np.int64))
