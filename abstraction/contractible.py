"""Contractible pairs: restricted games that GameShrink's transformation may merge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from abstraction.node_classes import (
    kinds,
    levels_from_below,
    numbers_of_probabilities,
    renumber,
    signatures,
)
from abstraction.tree_published import published_classes
from seqform.base.arrays import Index
from seqform.base.deadline import check_time
from seqform.game.rules import CHANCE
from seqform.tree.colored_graph import Marks, paid_rows
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.isomorphism import find_isomorphism
from seqform.tree.restricted import nodes_below, restricted_tree
from seqform.tree.tree import GameTree


class ContractiblePair(NamedTuple):
    """Two nodes whose restricted games can be merged.

    Parameters
    ----------
    parent, x, y
        Nodes of the tree; x comes before y.
    below_x, below_y
        int64, equally long: the nodes of both restricted games, those in one place being mapped to
        one another.
    """

    parent: int
    x: int
    y: int
    below_x: Index
    below_y: Index


Match = Callable[[GameTree, int, int], tuple[Index, Index] | None]
"""Maps the nodes of one restricted game to those of another, if they are isomorphic."""

Relation = Callable[[GameTree], Match]
"""Prepares a tree for many comparisons."""


def contractible_pairs(
    game: AnyGame, relation: Relation | None = None
) -> Iterator[ContractiblePair]:
    """Yield the contractible pairs of a game, from the top down.

    Chance nodes lie in information sets of chance, which trees do not write down. Those that follow
    one chance node are taken to lie in one, and all others to be alone. Ends lie in none.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    relation
        Which restricted games are isomorphic: `by_isomorphism`, which is the default, or
        `by_matching`.

    References
    ----------
    Gilpin, "Computing equilibria in extensive form games", talk, 2005, slide 19.

    Examples
    --------
    >>> from seqform import make
    >>> first = next(contractible_pairs(make("leduc")))
    >>> first.parent, first.x, first.y
    (0, 1, 2)
    """
    tree = build_tree(game)
    match = (relation or by_isomorphism)(tree)
    for level in tree.levels():
        yield from pairs_of_level(tree, level, match)


def by_isomorphism(tree: GameTree) -> Match:
    """Return the definition's relation: isomorphism of restricted games (slide 18).

    Of several isomorphisms one is taken that maps actions to actions of the same name, and
    information sets that have nodes in both games to themselves, if there is one.
    """
    kind = _subtree_classes(tree)

    def match(tree: GameTree, x: int, y: int) -> tuple[Index, Index] | None:
        if kind[x] != kind[y]:
            return None
        check_time("comparing restricted games")
        below = [nodes_below(tree, node) for node in (x, y)]
        games = [restricted_tree(tree, node) for node in (x, y)]
        for marks in _marks(tree, below, games):
            found = find_isomorphism(games[0], games[1], marks=marks)
            if found is not None:
                return below[0], below[1][found.node]
        return None

    return match


def by_matching(tree: GameTree) -> Match:
    """Return the algorithm's relation: ExtensiveGameIsomorphic?, with children matched (slide 24).

    Information sets that span several subtrees are not compared as the definition compares them.
    """
    classes = published_classes(tree)

    def match(tree: GameTree, x: int, y: int) -> tuple[Index, Index] | None:
        if classes.key[x] != classes.key[y]:  # which compare their information sets, too: it is one
            return None
        check_time("comparing restricted games")
        levels = [(np.array([x]), np.array([y]))]
        while len(levels[-1][0]):
            levels.append(_children_by_rank(tree, classes.rank, *levels[-1]))
        one, other = (np.concatenate(nodes) for nodes in zip(*levels, strict=True))
        return one, other

    return match


def pairs_of_level(tree: GameTree, level: slice, match: Match) -> Iterator[ContractiblePair]:
    """Yield the contractible pairs of a level."""
    for nodes in _sets_with_one_parent(tree, level):
        parent = int(tree.parent[nodes[0]])
        for i, x in enumerate(nodes):
            for y in nodes[i + 1 :]:
                found = match(tree, x, y)
                if found is not None:
                    yield ContractiblePair(parent, x, y, *found)


def _sets_with_one_parent(tree: GameTree, level: slice) -> Iterator[list[int]]:
    """Yield the information sets whose nodes have one parent: chance, or alone in its own set."""
    sizes = np.bincount(tree.infoset[tree.infoset >= 0], minlength=tree.num_infosets + 1)
    found: dict[tuple[int, int], list[int]] = {}
    for node in range(level.start, level.stop):
        parent, h = int(tree.parent[node]), int(tree.infoset[node])
        after_chance = tree.player[parent] == CHANCE
        of_chance = after_chance and tree.player[node] == CHANCE
        if of_chance or (h >= 0 and (after_chance or sizes[tree.infoset[parent]] == 1)):
            found.setdefault((parent, h), []).append(node)
    for (_, h), nodes in found.items():
        if len(nodes) > 1 and (h < 0 or len(nodes) == sizes[h]):
            yield nodes


def _subtree_classes(tree: GameTree) -> Index:
    """Return numbers of what is below nodes but for information sets: isomorphic ones have one."""
    chance = numbers_of_probabilities(tree)
    key = kinds(replace(tree, payoff=paid_rows(tree)))
    for level in levels_from_below(tree):
        inner = np.flatnonzero(tree.num_children[level]) + level.start
        if not len(inner):
            continue
        first = int(tree.first_child[inner].min())
        below = slice(first, int((tree.first_child[inner] + tree.num_children[inner]).max()))
        reached = renumber(0, key[below], chance[below])
        ones = np.ones(len(reached), dtype=object)
        above = tree.parent[below] - level.start
        found = signatures(above, reached, ones, len(key[level]))
        key[level] = renumber(level.start, key[level], found)
    return key


def _children_by_rank(tree: GameTree, rank: Index, one: Index, other: Index) -> tuple[Index, Index]:
    """Return the children of nodes, and what these are mapped to, in one order."""
    found = []
    for nodes in (one, other):
        count = tree.num_children[nodes].astype(np.int64)
        owner = np.repeat(np.arange(len(nodes)), count)
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        children = np.repeat(tree.first_child[nodes], count) + offset
        found.append(children[np.lexsort((rank[children], owner))])
    return found[0], found[1]


def _marks(
    tree: GameTree, below: list[Index], games: list[GameTree]
) -> Iterator[tuple[Marks, ...]]:
    """Yield what an isomorphism should keep besides, the most first; at last nothing."""
    sets = [np.unique(tree.infoset[nodes]) for nodes in below]
    sets = [of[of >= 0] for of in sets]
    both = set(np.intersect1d(sets[0], sets[1]).tolist())
    named = [[str(a) for h in range(g.num_infosets) for a in g.actions(h)] for g in games]
    shared = [[h if h in both else None for h in of.tolist()] for of in sets]
    free = [[None] * len(of) for of in sets]
    for marked in (shared, free):
        yield tuple(Marks(*of) for of in zip(marked, named, strict=True))
    yield ()
