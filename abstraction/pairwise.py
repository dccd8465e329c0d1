"""ExtensiveGameIsomorphic?(x, y): nodes compared in pairs, as GameShrink was published.

`abstraction.tree_published` finds the same classes by signatures, without comparing pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import DisjointSet

from abstraction.matching import edges_between, largest_matching
from abstraction.node_classes import levels_from_below, renumber, signatures
from seqform.base.arrays import Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError
from seqform.game.rules import CHANCE
from seqform.tree.tree import GameTree


@dataclass(frozen=True)
class Enhancements:
    """What spares comparisons of pairs (slide 33 of the talk).

    Parameters
    ----------
    shape
        Never compare nodes below which the tree has another shape, and chance other places.
    histograms
        Never compare nodes below which other payoffs are paid, or others as often.
    disjoint_sets
        Keep classes, and compare a node with one of each.
    """

    shape: bool = True
    histograms: bool = True
    disjoint_sets: bool = True


@dataclass
class PairCounts:
    """What was done to all pairs of nodes of equal depth.

    Parameters
    ----------
    pairs
        How many there are: the sum of the next four.
    by_shape, by_histogram, by_disjoint_sets
        Those that were not compared, by the first enhancement that spared them.
    compared
        Those that were.
    matchings
        Matchings of two lists of two members or more that were searched for.
    """

    pairs: int = 0
    by_shape: int = 0
    by_histogram: int = 0
    by_disjoint_sets: int = 0
    compared: int = 0
    matchings: int = 0


class Held(NamedTuple):
    """Children of one node that lie in one information set, which is named by its first node."""

    infoset: int
    children: list[int]


class PairwiseIsomorphism:
    """The relation on the nodes of equal depth of a game tree, computed bottom-up.

    Two leaves are isomorphic if they pay the same. Other nodes are if the same player moves, they
    have equally many children, and the information sets that hold these can be perfectly matched.
    Sets can be matched if there is a bijection of isomorphic nodes between all their nodes of that
    depth, and one between the children that they hold, to which chance comes equally likely.

    The talk does not ask for the last bijection. Without it, a pair may be isomorphic below which
    other payoffs are paid, and neither shape nor histograms are necessary conditions.

    Parameters
    ----------
    tree
        The game.
    literal
        Whether to keep to the talk's words, and not to ask that children are matched.
    enhancements
        What spares comparisons; by default all that may be used.

    Raises
    ------
    InvalidParameterError
        If an enhancement is asked for that would change a literal relation.

    References
    ----------
    Gilpin, "Computing equilibria in extensive form games", talk, 2005, slides 24-33; Gilpin &
    Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007.

    Examples
    --------
    >>> from seqform import build_tree, make
    >>> found = PairwiseIsomorphism(build_tree(make("kuhn")))
    >>> jack, queen, bet_against_queen, bet_against_king = 1, 2, 11, 13
    >>> found.isomorphic(jack, queen), found.isomorphic(bet_against_queen, bet_against_king)
    (False, True)
    >>> found.counts.pairs, found.counts.compared
    (426, 42)
    """

    def __init__(
        self, tree: GameTree, literal: bool = False, enhancements: Enhancements | None = None
    ) -> None:
        used = enhancements or Enhancements(shape=not literal, histograms=not literal)
        if literal and (used.shape or used.histograms):
            raise InvalidParameterError(
                "by the words of the talk, isomorphic nodes may have other shapes and payoffs "
                "below them: use Enhancements(shape=False, histograms=False)"
            )
        self.tree, self.literal, self.enhancements = tree, literal, used
        self.counts = PairCounts()
        self._classes = DisjointSet(range(tree.num_nodes) if used.disjoint_sets else ())
        self._pairs: set[tuple[int, int]] = set()
        self._matched_sets: dict[tuple[int, int], bool] = {}
        self._chance = [None, *tree.probabilities]
        self._kinds = self._kinds_of_nodes()
        self._members = _members_by_level(tree)
        self._shape = _shapes(tree) if used.shape else np.zeros(tree.num_nodes, dtype=np.int64)
        self._paid = _histograms(tree) if used.histograms else np.zeros_like(self._shape)
        for level in levels_from_below(tree):
            self._compare_level(list(range(level.start, level.stop)))

    def isomorphic(self, x: int, y: int) -> bool:
        """Return ExtensiveGameIsomorphic?(x, y)."""
        if x == y:
            return True
        if self.enhancements.disjoint_sets:
            return bool(self._classes.connected(x, y))
        return (min(x, y), max(x, y)) in self._pairs

    def num_classes(self) -> int:
        """Return how many classes there are of nodes that are isomorphic, and whose sets match."""
        found = 0
        for level in levels_from_below(self.tree):
            firsts: list[int] = []
            for node in range(level.start, level.stop):
                if not any(self.isomorphic(x, node) and self.sets_match(x, node) for x in firsts):
                    firsts.append(node)
            found += len(firsts)
        return found

    def sets_match(self, x: int, y: int) -> bool:
        """Return whether the sets of two nodes have a bijection of isomorphic nodes."""
        first, second = self.set_of(x), self.set_of(y)
        key = (min(first[0], second[0]), max(first[0], second[0]))
        if key not in self._matched_sets:
            self._matched_sets[key] = self._match(first, second, self.isomorphic)
        return self._matched_sets[key]

    def set_of(self, node: int) -> list[int]:
        """Return the nodes of a node's information set that have its depth; a leaf is alone."""
        return self._members.get(node, [node])

    def held(self, node: int) -> list[Held]:
        """Return the information sets that hold children of a node: the vertices of G_xy."""
        found: dict[int, list[int]] = {}
        for child in self.tree.children(node):
            found.setdefault(self.set_of(child)[0], []).append(child)
        return [Held(*item) for item in found.items()]

    def can_be_matched(self, one: Held, other: Held) -> bool:
        """Return whether there is an edge of G_xy between two information sets."""
        if len(one.children) != len(other.children):
            return False
        odds = [sorted(map(self.odds, held.children)) for held in (one, other)]
        if odds[0] != odds[1] or not self.sets_match(one.infoset, other.infoset):
            return False
        return self.literal or self._match(one.children, other.children, self.is_alike_child)

    def is_alike_child(self, x: int, y: int) -> bool:
        """Return whether two children are isomorphic, and chance comes to them equally likely."""
        return self.odds(x) == self.odds(y) and self.isomorphic(x, y)

    def odds(self, node: int) -> Any:
        """Return chance's probability of the edge into a node; 1 after a player."""
        row = int(self.tree.probability[node])
        return self.tree.probabilities[row] if row >= 0 else 1

    def kind(self, node: int) -> Hashable:
        """Return who moves, how many children there are, and what is paid on arriving."""
        return self._kinds[node]

    def _kinds_of_nodes(self) -> list[Hashable]:
        tree = self.tree
        paid = [*tree.payoffs, None]
        columns = (tree.player, tree.num_children, tree.payoff)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [(player, children, paid[row]) for player, children, row in rows]

    def _compare_level(self, nodes: list[int]) -> None:
        counts = self.counts
        counts.pairs += _pairs_of(len(nodes))
        for alike in _split(nodes, self._shape, counts, "by_shape"):
            for bucket in _split(alike, self._paid, counts, "by_histogram"):
                if self.enhancements.disjoint_sets:
                    self._find_classes(bucket)
                else:
                    found = combinations(bucket, 2)
                    self._pairs.update(pair for pair in found if self._compared(*pair))

    def _find_classes(self, nodes: list[int]) -> None:
        """Compare each node with the first ones of the classes so far."""
        firsts: list[int] = []
        before = self.counts.compared
        for node in nodes:
            like = next((first for first in firsts if self._compared(first, node)), None)
            if like is None:
                firsts.append(node)
            else:
                self._classes.merge(like, node)
        self.counts.by_disjoint_sets += _pairs_of(len(nodes)) - (self.counts.compared - before)

    def _compared(self, x: int, y: int) -> bool:
        self.counts.compared += 1
        if self.counts.compared % 256 == 0:
            check_time("comparing nodes in pairs")
        if self._kinds[x] != self._kinds[y]:
            return False
        return self._match(self.held(x), self.held(y), self.can_be_matched)

    def _match(
        self, left: Sequence[Any], right: Sequence[Any], alike: Callable[[Any, Any], bool]
    ) -> bool:
        """Return whether all of two lists can be paired so that pairs are alike."""
        if len(left) != len(right):
            return False
        if len(left) < 2:
            return all(alike(a, b) for a, b in zip(left, right, strict=True))
        self.counts.matchings += 1
        return bool((largest_matching(edges_between(left, right, alike)) >= 0).all())


def _pairs_of(count: int) -> int:
    return count * (count - 1) // 2


def _split(
    nodes: list[int], numbers: Index, counts: PairCounts, spared: str
) -> Iterator[list[int]]:
    """Yield the nodes of each number, and count the pairs that this sets apart."""
    found: dict[int, list[int]] = {}
    for node in nodes:
        found.setdefault(int(numbers[node]), []).append(node)
    apart = _pairs_of(len(nodes)) - sum(_pairs_of(len(part)) for part in found.values())
    setattr(counts, spared, getattr(counts, spared) + apart)
    yield from found.values()


def _members_by_level(tree: GameTree) -> dict[int, list[int]]:
    """Return, for each decision node, the nodes of its information set at its depth."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, level in enumerate(levels_from_below(tree)):
        for node in (np.flatnonzero(tree.infoset[level] >= 0) + level.start).tolist():
            found.setdefault((number, int(tree.infoset[node])), []).append(node)
    return {node: members for members in found.values() for node in members}


def _shapes(tree: GameTree) -> Index:
    """Return numbers of the trees below nodes, by movers and numbers of children only."""
    shape = np.zeros(tree.num_nodes, dtype=np.int64)
    for level in levels_from_below(tree):
        below = np.flatnonzero(tree.num_children[level]) + level.start
        found = np.zeros(level.stop - level.start, dtype=np.int64)
        if len(below):
            children = np.concatenate([np.asarray(tree.children(node)) for node in below.tolist()])
            ones = np.ones(len(children), dtype=object)
            above = tree.parent[children] - level.start
            found = signatures(above, shape[children], ones, len(found))
        is_chance = tree.player[level] == CHANCE
        shape[level] = renumber(level.start, tree.num_children[level], is_chance, found)
    return shape


def _histograms(tree: GameTree) -> Index:
    """Return numbers of how often each payoff is paid at a node or below it."""
    rows, row = np.unique(
        np.array([*map(_row_number(tree), tree.payoffs), -1]), return_inverse=True
    )
    paid = np.zeros((tree.num_nodes, len(rows)), dtype=np.int64)
    paid[np.arange(tree.num_nodes), row[tree.payoff]] = 1
    paid[:, 0] = 0  # nothing is paid
    for level in levels_from_below(tree):
        if level.start:
            np.add.at(paid, tree.parent[level], paid[level])
    numbers: Index = np.unique(paid, axis=0, return_inverse=True)[1].ravel()
    return numbers


def _row_number(tree: GameTree) -> Callable[[Any], int]:
    first: dict[Any, int] = {}
    for number, row in enumerate(tree.payoffs):
        first.setdefault(row, number)
    return first.__getitem__
