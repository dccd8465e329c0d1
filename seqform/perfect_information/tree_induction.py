"""Backward induction on a tree, all nodes of a depth at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.number import Number
from seqform.game.rules import CHANCE
from seqform.tree.as_rules import require_perfect_information
from seqform.tree.tree import GameTree

Ints = NDArray[np.int64]
Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class TreeInduction:
    """A subgame-perfect equilibrium in pure strategies of a tree, and what it pays in every subgame."""

    values: Array
    """What the subgame that begins at each node pays each player, (num_nodes, num_players);
    float64, or objects where exact."""
    best_child: Ints
    """The child chosen at each node; -1 at leaves and chance nodes."""

    @property
    def value(self) -> tuple[Number, ...]:
        """What the game pays each player."""
        return tuple(self.values[0].tolist())

    def path(self) -> list[int]:
        """Return the nodes from the root along best children, up to the first chance node or leaf."""
        nodes = [0]
        while self.best_child[nodes[-1]] >= 0:
            nodes.append(int(self.best_child[nodes[-1]]))
        return nodes


@dataclass(frozen=True)
class Family:
    """Nodes of one depth that have children, and these children, which are the nodes of the next depth.

    Attributes
    ----------
    parents
        Nodes, in the order of their children, int64 (k,).
    level
        The slice of all their children.
    starts, counts
        Where in the slice the children of each parent begin, and how many there are, int64 (k,).
    own
        For each child its value to the player who moves above it; without meaning below chance.
    """

    parents: Ints
    level: slice
    starts: Ints
    counts: Ints
    own: Array

    def best(self) -> tuple[Array, Ints]:
        """Return for each parent the largest value among its children to the player who moves, and the first child that has it."""
        largest = np.maximum.reduceat(self.own, self.starts)
        places = np.arange(len(self.own))
        best = np.where(self.own == np.repeat(largest, self.counts), places, len(places))
        return largest, np.minimum.reduceat(best, self.starts) + self.level.start


def backward_induction_tree(tree: GameTree, *, exact: bool = False) -> TreeInduction:
    """Solve a tree of perfect information from its leaves to its root; any number of players, chance, any payoffs.

    Of children that are equally good the first is chosen.

    Parameters
    ----------
    tree
        The game.
    exact
        Whether to compute with the tree's own numbers, `int` and `Fraction`, instead of float64;
        slower.

    Raises
    ------
    UnsupportedGameError
        If an information set has two nodes, naming them.

    Examples
    --------
    >>> from games.textbook import two_player_tree
    >>> result = backward_induction_tree(two_player_tree())
    >>> result.values[0].tolist(), result.path()
    ([3.0, 8.0], [0, 1, 3])
    """
    require_perfect_information(tree)
    return fold_levels(tree, lambda family: family.best()[1], exact)


def fold_levels(
    tree: GameTree, choose: Callable[[Family], Ints], exact: bool = False
) -> TreeInduction:
    """Return what every subgame pays if the nodes of each family choose as told, from the deepest level up."""
    values, probability = _numbers(tree, exact)
    best_child = np.full(tree.num_nodes, -1, dtype=np.int64)
    for parents, level in _families(tree):
        counts = tree.num_children[parents].astype(np.int64)
        starts = np.cumsum(counts) - counts
        below, player = values[level], tree.player[parents]
        own = below[np.arange(len(below)), np.repeat(player, counts)]
        chance = player == CHANCE
        chosen = choose(Family(parents, level, starts, counts, own))
        means = np.add.reduceat(below * probability[level, None], starts)
        values[parents] += np.where(chance[:, None], means, values[chosen])
        best_child[parents] = np.where(chance, -1, chosen)
    return TreeInduction(values, best_child)


def _families(tree: GameTree) -> Iterator[tuple[Ints, slice]]:
    """Go through the levels from the deepest up: the parents in the order of their children, and the slice of these."""
    bounds = tree.level_start.tolist()
    for depth in range(tree.depth, 0, -1):
        above, level = (
            slice(bounds[depth - 1], bounds[depth]),
            slice(bounds[depth], bounds[depth + 1]),
        )
        parents = above.start + np.flatnonzero(tree.num_children[above])
        yield parents[np.argsort(tree.first_child[parents], kind="stable")], level


def _numbers(tree: GameTree, exact: bool) -> tuple[Array, Array]:
    """Return payoffs and probabilities of all nodes as floats, or as the numbers that the tree holds."""
    if not exact:
        return tree.node_payoffs.copy(), tree.edge_probabilities
    rows = np.zeros((len(tree.payoffs) + 1, tree.num_players), dtype=object)
    for row, payoffs in enumerate(tree.payoffs):
        rows[row] = payoffs
    return rows[tree.payoff], np.array([*tree.probabilities, 1], dtype=object)[tree.probability]
