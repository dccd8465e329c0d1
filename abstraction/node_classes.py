"""Classes of the nodes of a game tree, and how nodes are split by what lies around them.

Nodes are never compared in pairs: level by level, each gets the number of its signature. Both
relations between nodes, `abstraction.tree` and `abstraction.tree_published`, are equivalences, so a
perfect matching of alike vertices exists exactly where two multisets of classes are equal.
`abstraction.pairwise` compares in pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from seqform.base.arrays import Exact, Index, Numbers, is_first
from seqform.base.deadline import check_time
from seqform.base.interner import Interner
from seqform.tree.tree import GameTree


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


def levels_from_below(tree: GameTree) -> Iterator[slice]:
    """Return the nodes of each level, the deepest first."""
    return (slice(a, b) for a, b in reversed(list(pairwise(tree.level_start.tolist()))))


def kinds(tree: GameTree) -> Index:
    """Return classes by depth, mover, payoffs and number of children.

    The keys of a level lie within the numbers of its nodes.
    """
    rows = Interner()
    payoff = np.array([*map(rows, tree.payoffs), -1])[tree.payoff]
    levels = [slice(0, 1), *tree.levels()]
    return np.concatenate(
        [renumber(at.start, tree.player[at], payoff[at], tree.num_children[at]) for at in levels]
    )


def edge_weights(tree: GameTree) -> Exact:
    """Return chance's probability of the edge into each node, a fraction; 1 after players."""
    table = np.empty(len(tree.probabilities) + 1, dtype=object)
    table[:] = [*(Fraction(p) for p in tree.probabilities), 1]
    return table[tree.probability]


def numbers_of_probabilities(tree: GameTree) -> Index:
    """Return a number for chance's probability of the edge into each node, -1 after players."""
    rows = Interner()
    table = np.array([*map(rows, tree.probabilities), -1], dtype=np.int64)
    return table[tree.probability]


def chance_reach(tree: GameTree, weights: Exact) -> Exact:
    """Return the product of chance's probabilities on the way to each node."""
    reach = weights.copy()
    for level in tree.levels():
        reach[level] *= reach[tree.parent[level]]
    return reach


def with_children(tree: GameTree, level: slice, key: Index, weights: Exact) -> Index:
    """Return the keys of a level, split where the weights of the classes of children differ."""
    inner = np.flatnonzero(tree.num_children[level]) + level.start
    if not len(inner):
        return key[level]
    first = int(tree.first_child[inner].min())
    last = int((tree.first_child[inner] + tree.num_children[inner]).max())
    below = slice(first, last)
    above = tree.parent[below] - level.start
    found = signatures(above, key[below], weights[below], len(key[level]))
    return renumber(level.start, key[level], found)


def ranks(tree: GameTree, key: Index) -> Index:
    """Return each node's place among its siblings when they are sorted by key.

    Siblings of one key keep their order.
    """
    # the root, after no child, comes first
    order = np.lexsort((key, tree.first_child[tree.parent]))
    rank = np.zeros(len(key), dtype=np.int64)
    rank[order[1:]] = np.arange(1, len(key)) - tree.first_child[tree.parent[order[1:]]]
    return rank


def renumber(start: int, *columns: Numbers) -> Index:
    """Return the number of each row of `columns` among the distinct ones, from `start` on."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        number = np.unique(number * len(values) + place, return_inverse=True)[1]
    return start + number


def _totals(groups: Numbers, keys: Index, weights: Exact) -> tuple[Numbers, Index, Exact]:
    """Add the weights of each key in each group.

    Returns
    -------
    groups, keys, sums
        Sorted by group and key.
    """
    check_time("comparing subtrees")
    order = np.lexsort((keys, groups))
    groups, keys = groups[order], keys[order]
    starts = np.flatnonzero(is_first(groups) | is_first(keys))
    return groups[starts], keys[starts], np.add.reduceat(weights[order], starts)


def signatures(groups: Numbers, keys: Index, weights: Exact, count: int) -> Index:
    """Return a number for each of `count` groups.

    Two groups have the same number if every key has the same total weight in both.
    """
    return _number(*_totals(groups, keys, weights), count)


def shares(groups: Numbers, keys: Index, weights: Exact, count: int) -> Index:
    """Return such numbers by the keys' shares of each group's weight.

    All shares are 0 where the group has no weight.
    """
    groups, keys, sums = _totals(groups, keys, weights)
    whole = np.zeros(count, dtype=object)
    np.add.at(whole, groups, sums)
    shares = np.empty(len(sums), dtype=object)
    shares[:] = [Fraction(s) / w if w else 0 for s, w in zip(sums, whole[groups], strict=True)]
    return _number(groups, keys, shares, count)


def _number(groups: Numbers, keys: Index, weights: Exact, count: int) -> Index:
    distinct, signatures = Interner(), Interner()
    weight = np.fromiter(map(distinct, weights), dtype=np.int64, count=len(keys))
    entries = np.column_stack([keys, weight])
    bounds = np.searchsorted(groups, np.arange(count + 1))
    return np.array(
        [signatures(entries[a:b].tobytes()) for a, b in pairwise(bounds.tolist())], dtype=np.int64
    )
