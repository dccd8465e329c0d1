"""Backward induction on a tree, all nodes of a depth at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Index, Numbers
from seqform.base.deadline import check_time
from seqform.base.number import Number
from seqform.game.rules import CHANCE, TERMINAL
from seqform.perfect_information.rounding import Extent
from seqform.tree.as_rules import require_perfect_information
from seqform.tree.tree import GameTree

EXACT_FLOATS = 2**53
"""Integers up to here are floats, and so are their sums and differences."""


@dataclass(frozen=True, eq=False)
class TreeInduction:
    """A pure strategy of every player of a tree, and what they pay in every subgame.

    Those that `backward_induction_tree` returns are a subgame-perfect equilibrium.
    """

    values: Numbers
    """What the subgame that begins at each node pays each player, (num_nodes, num_players);
    float64, or objects where exact."""
    best_child: Index
    """The child chosen at each node; -1 at leaves and chance nodes."""

    @property
    def value(self) -> tuple[Number, ...]:
        """What the game pays each player."""
        return tuple(self.values[0].tolist())

    def path(self) -> list[int]:
        """Return the nodes along best children, from the root to a chance node or leaf."""
        nodes = [0]
        while self.best_child[nodes[-1]] >= 0:
            nodes.append(int(self.best_child[nodes[-1]]))
        return nodes


@dataclass(frozen=True)
class Family:
    """Nodes of one depth that have children, and all nodes of the next depth, their children.

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

    parents: Index
    level: slice
    starts: Index
    counts: Index
    own: Numbers

    def best(self) -> tuple[Numbers, Index]:
        """Return each parent's largest value to the player who moves, and the first child with it.

        Two arrays of shape (k,).
        """
        largest = np.maximum.reduceat(self.own, self.starts)
        places = np.arange(len(self.own))
        best = np.where(self.own == np.repeat(largest, self.counts), places, len(places))
        return largest, np.minimum.reduceat(best, self.starts) + self.level.start


def backward_induction_tree(tree: GameTree, *, exact: bool = False) -> TreeInduction:
    """Solve a tree of perfect information from its leaves to its root.

    It may have any number of players, chance, and any payoffs. Of children that are equally good
    the first is chosen; where the tree's numbers are exact, they are compared exactly.

    Parameters
    ----------
    tree
        The game.
    exact
        Whether to return values as the tree's own numbers, `int` and `Fraction`, instead of
        float64.

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
    by_floats = not exact and (not tree.is_exact or floats_are_exact(tree))
    result = fold_levels(tree, lambda family: family.best()[1], exact=not by_floats)
    if exact or by_floats:
        return result
    return TreeInduction(result.values.astype(np.float64), result.best_child)


def evaluate(tree: GameTree, best_child: Index) -> TreeInduction:
    """Return what pure strategies pay in every subgame; exact where the tree's numbers are.

    Parameters
    ----------
    best_child
        The child chosen at each node, int64 (num_nodes,); of decisions only.
    """
    decides = tree.player >= 0

    def follow(family: Family) -> Index:
        parents = family.parents
        return np.where(decides[parents], best_child[parents], family.level.start)

    return fold_levels(tree, follow, exact=tree.is_exact)


def fold_levels(
    tree: GameTree, choose: Callable[[Family], Index], exact: bool = False
) -> TreeInduction:
    """Return what every subgame pays if the nodes of each family choose as told.

    Families are asked from the deepest level up.
    """
    values, probability = _numbers(tree, exact)
    best_child = np.full(tree.num_nodes, -1, dtype=np.int64)
    for parents, level in _families(tree):
        check_time("going through the tree")
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


def floats_are_exact(tree: GameTree) -> bool:
    """Return whether float64 computes the values of a tree without any rounding.

    So it is where nothing is averaged and all sums of payoffs are integers that are floats.
    """
    integers = [u for row in tree.payoffs for u in row if isinstance(u, int)]
    if tree.count("chance") or len(integers) < sum(map(len, tree.payoffs)):
        return False
    largest = max((max(u, -u) for u in integers), default=0)
    return 2 * largest * (tree.depth + 1) <= EXACT_FLOATS


def extent_of(tree: GameTree) -> Extent:
    """Return how large and deep a tree is, for the bound on rounding errors."""
    chance = tree.num_children[tree.player == CHANCE]
    largest = max((abs(float(u)) for row in tree.payoffs for u in row), default=0.0)
    zero = all(sum(row) == 0 for row in tree.payoffs)
    depth, inner = tree.depth + 1, tree.player != TERMINAL
    payments = depth if (tree.payoff[inner] >= 0).any() else 1
    return Extent(depth, int(chance.max(initial=0)), payments, largest, tree.is_exact, zero)


def _families(tree: GameTree) -> Iterator[tuple[Index, slice]]:
    """Yield the levels from the deepest up.

    Each yields the parents in the order of their children, and the slice of these.
    """
    bounds = tree.level_start.tolist()
    for depth in range(tree.depth, 0, -1):
        above = slice(bounds[depth - 1], bounds[depth])
        level = slice(bounds[depth], bounds[depth + 1])
        parents = above.start + np.flatnonzero(tree.num_children[above])
        yield parents[np.argsort(tree.first_child[parents], kind="stable")], level


def _numbers(tree: GameTree, exact: bool) -> tuple[Numbers, Numbers]:
    """Return payoffs and probabilities of all nodes, as floats or as the numbers of the tree."""
    if not exact:
        return tree.node_payoffs.copy(), tree.edge_probabilities
    rows = np.zeros((len(tree.payoffs) + 1, tree.num_players), dtype=object)
    for row, payoffs in enumerate(tree.payoffs):
        rows[row] = payoffs
    return rows[tree.payoff], np.array([*tree.probabilities, 1], dtype=object)[tree.probability]
