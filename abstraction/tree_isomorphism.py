"""Which nodes of a game tree are alike: GameShrink's relation between equal-depth nodes, and a stricter one that loses nothing.

Both relations are equivalences, so a perfect matching of alike vertices exists exactly where two
multisets of classes are equal. Nodes are therefore never compared in pairs: level by level, each
gets the number of its signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.interner import Interner
from seqform.tree.tree import GameTree

Index = NDArray[np.int64]
Weights = NDArray[Any]


@dataclass(frozen=True, eq=False)
class NodeClasses:
    """What merges below nodes that merge.

    Parameters
    ----------
    key
        int64 (num_nodes,): children of merged chance nodes become one where their keys are equal.
    rank
        int64 (num_nodes,): children of merged decision nodes become one where their ranks among
        their siblings are equal.
    """

    key: Index
    rank: Index


def published_classes(tree: GameTree) -> NodeClasses:
    """Return the classes of Gilpin and Sandholm's isomorphism, read as a relation on the nodes of any game tree.

    Two nodes are alike if the same player moves there, the same payoffs are made, and their
    children, equally many, can be paired so that paired children are alike and lie in information
    sets with equally many nodes of every class; below chance, children of each class have the same
    probability in total. What lies above the nodes of those information sets plays no part, nor
    does the order of actions: that can lose something, on poker too
    (docs/explanation/gameshrink.md).

    References
    ----------
    Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
    Sections 3-4.
    """
    key, weights = _kinds(tree), _edge_weights(tree)
    ones = np.ones(tree.num_nodes, dtype=object)
    for level in _levels_from_below(tree):
        key[level] = _with_children(tree, level, key, weights)
        nodes = np.flatnonzero(tree.infoset[level] >= 0) + level.start
        sets, members = np.unique(tree.infoset[nodes], return_inverse=True)
        held = np.zeros(len(key[level]), dtype=np.int64)
        held[nodes - level.start] = (
            1 + _signatures(members, key[nodes], ones[nodes], len(sets))[members]
        )
        key[level] = _renumber(level.start, key[level], held)
    return NodeClasses(key, _ranks(tree, key))


def lossless_classes(tree: GameTree) -> NodeClasses:
    """Return the coarsest classes found that no player can exploit (docs: an equitable partition of the tree).

    Alike nodes have alike parents, alike children by corresponding actions (and in total equal
    chance probabilities of every class of children), equal payoffs, and lie in corresponding
    information sets; those hold every class of nodes with the same share of chance's weight. Found
    by splitting classes until nothing splits: first with the actions of an information set in any
    order, which tells what they may correspond to, and then with that order fixed.

    References
    ----------
    Grohe, Kersting, Mladenov & Selman, "Dimension reduction via colour refinement", ESA 2014, use
    such partitions of linear programs; this is one of a game tree, and leaves a game tree.
    """
    refinement = _Refinement(tree)
    key = refinement.until_stable(_kinds(tree), None)
    rank = _ranks(tree, refinement.sequences(key))
    return NodeClasses(refinement.until_stable(key, rank), rank)


class _Refinement:
    """Splits classes of nodes that differ in what is above, below or beside them."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.weights = _edge_weights(tree)
        self.reach = _chance_reach(tree, self.weights)
        self.decisions = np.flatnonzero(tree.infoset >= 0)
        self.chosen = np.flatnonzero(tree.parent >= 0)
        self.chosen = self.chosen[tree.player[tree.parent[self.chosen]] >= 0]
        self.levels = [slice(0, 1), *tree.levels()]

    def until_stable(self, key: Index, rank: Index | None) -> Index:
        """Return the coarsest stable refinement of `key`; without a `rank` actions are told apart by `sequences`."""
        count = 0
        while (now := len(np.unique(key))) > count:
            count = now
            key = self._split_by_parents(key, self.sequences(key) if rank is None else rank)
            key = self._split_by_children(key)
            key = self._split_by_infosets(key)
        return key

    def sequences(self, key: Index) -> Index:
        """Return, for each node a player's action leads to, the class of that action at its information set; else 0."""
        tree, nodes = self.tree, self.chosen
        first = np.cumsum(tree.infoset_num_actions, dtype=np.int64) - tree.infoset_num_actions
        above = tree.parent[nodes]
        action = first[tree.infoset[above]] + nodes - tree.first_child[above]
        classes = np.zeros(tree.num_nodes, dtype=np.int64)
        classes[nodes] = (
            1
            + _shares(action, key[nodes], self.reach[nodes], int(tree.infoset_num_actions.sum()))[
                action
            ]
        )
        return classes

    def _split_by_parents(self, key: Index, edge: Index) -> Index:
        edge = np.where(np.isin(np.arange(len(key)), self.chosen), edge, -1)
        for level in self.levels[1:]:
            key[level] = _renumber(
                level.start, key[level], key[self.tree.parent[level]], edge[level]
            )
        return key

    def _split_by_children(self, key: Index) -> Index:
        for level in reversed(self.levels):
            key[level] = _with_children(self.tree, level, key, self.weights)
        return key

    def _split_by_infosets(self, key: Index) -> Index:
        infoset = self.tree.infoset[self.decisions].astype(np.int64)
        held = np.zeros(len(key), dtype=np.int64)
        held[self.decisions] = (
            1
            + _shares(
                infoset, key[self.decisions], self.reach[self.decisions], self.tree.num_infosets
            )[infoset]
        )
        for level in self.levels:
            key[level] = _renumber(level.start, key[level], held[level])
        return key


def _levels_from_below(tree: GameTree) -> Iterator[slice]:
    return (slice(a, b) for a, b in reversed(list(pairwise(tree.level_start.tolist()))))


def _kinds(tree: GameTree) -> Index:
    """Return classes by depth, mover, payoffs and number of children: keys of a level lie within its node numbers."""
    rows = Interner()
    payoff = np.array([*map(rows, tree.payoffs), -1])[tree.payoff]
    levels = reversed(list(_levels_from_below(tree)))
    return np.concatenate(
        [_renumber(at.start, tree.player[at], payoff[at], tree.num_children[at]) for at in levels]
    )


def _edge_weights(tree: GameTree) -> Weights:
    """Return chance's probability of the edge into each node as fractions, 1 where a player chose it."""
    table = np.empty(len(tree.probabilities) + 1, dtype=object)
    table[:] = [*(Fraction(p) for p in tree.probabilities), 1]
    return table[tree.probability]


def _chance_reach(tree: GameTree, weights: Weights) -> Weights:
    """Return the product of chance's probabilities on the way to each node."""
    reach = weights.copy()
    for level in tree.levels():
        reach[level] *= reach[tree.parent[level]]
    return reach


def _with_children(tree: GameTree, level: slice, key: Index, weights: Weights) -> Index:
    """Return the keys of a level, split where the weights of the classes of children differ."""
    inner = np.flatnonzero(tree.num_children[level]) + level.start
    if not len(inner):
        return key[level]
    first, last = (
        tree.first_child[inner].min(),
        (tree.first_child[inner] + tree.num_children[inner]).max(),
    )
    below = slice(int(first), int(last))
    signatures = _signatures(
        tree.parent[below] - level.start, key[below], weights[below], len(key[level])
    )
    return _renumber(level.start, key[level], signatures)


def _ranks(tree: GameTree, key: Index) -> Index:
    """Return each node's place among its siblings when they are sorted by key, equal ones in their own order."""
    order = np.lexsort(
        (key, tree.first_child[tree.parent])
    )  # the root, after no child, comes first
    rank = np.zeros(len(key), dtype=np.int64)
    rank[order[1:]] = np.arange(1, len(key)) - tree.first_child[tree.parent[order[1:]]]
    return rank


def _renumber(start: int, *columns: NDArray[Any]) -> Index:
    """Return the number of each row of `columns` among the distinct ones, from `start` on."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        number = np.unique(number * len(values) + place, return_inverse=True)[1]
    return start + number


def _totals(
    groups: NDArray[Any], keys: Index, weights: Weights
) -> tuple[NDArray[Any], Index, Weights]:
    """Add the weights of each key in each group; return groups, keys and sums, sorted by group and key."""
    order = np.lexsort((keys, groups))
    groups, keys = groups[order], keys[order]
    starts = np.flatnonzero(
        np.append(True, (groups[1:] != groups[:-1]) | (keys[1:] != keys[:-1]))[: len(keys)]
    )
    sums = np.add.reduceat(weights[order], starts) if len(starts) else weights[:0]
    return groups[starts], keys[starts], sums


def _signatures(groups: NDArray[Any], keys: Index, weights: Weights, count: int) -> Index:
    """Return a number for each of `count` groups: two have the same one if every key has the same total weight in both."""
    return _number(*_totals(groups, keys, weights), count)


def _shares(groups: NDArray[Any], keys: Index, weights: Weights, count: int) -> Index:
    """Return such numbers by the keys' shares of each group's weight instead; all are 0 where it has none."""
    groups, keys, sums = _totals(groups, keys, weights)
    whole = np.zeros(count, dtype=object)
    np.add.at(whole, groups, sums)
    shares = np.empty(len(sums), dtype=object)
    shares[:] = [Fraction(s) / w if w else 0 for s, w in zip(sums, whole[groups], strict=True)]
    return _number(groups, keys, shares, count)


def _number(groups: NDArray[Any], keys: Index, weights: Weights, count: int) -> Index:
    distinct, signatures = Interner(), Interner()
    entries = np.column_stack(
        [keys, np.fromiter(map(distinct, weights), dtype=np.int64, count=len(keys))]
    )
    bounds = np.searchsorted(groups, np.arange(count + 1))
    return np.array(
        [signatures(entries[a:b].tobytes()) for a, b in pairwise(bounds.tolist())], dtype=np.int64
    )
