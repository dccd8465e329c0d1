"""Isomorphisms of games and of nodes, found by trying out all bijections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from typing import Any

from seqform.tree.tree import GameTree

Map = dict[int, int]


def isomorphic_games(tree: GameTree, other: GameTree, alike_actions: bool = True) -> bool:
    """Tell whether some map of all nodes keeps everything (slide 18)."""
    return any(keeps_sets(tree, other, found, alike_actions) for found in maps(tree, other, 0, 0))


def maps(tree: GameTree, other: GameTree, x: int, y: int) -> Iterator[Map]:
    """Yield the maps of what is below two nodes that keep movers, payoffs and probabilities."""
    if kind(tree, x) != kind(other, y):
        return
    mine, theirs = list(tree.children(x)), list(other.children(y))
    for order in permutations(theirs):
        pairs = list(zip(mine, order, strict=True))
        if all(odds(tree, a) == odds(other, b) for a, b in pairs):
            for parts in product(*(list(maps(tree, other, a, b)) for a, b in pairs)):
                yield {x: y, **{a: b for part in parts for a, b in part.items()}}


def keeps_sets(tree: GameTree, other: GameTree, found: Map, alike_actions: bool) -> bool:
    """Tell whether nodes share a set exactly where their images do, and an action likewise."""
    decisions = [node for node in found if tree.infoset[node] >= 0]
    for a, b in product(decisions, repeat=2):
        same = tree.infoset[a] == tree.infoset[b]
        if same != (other.infoset[found[a]] == other.infoset[found[b]]):
            return False
        if (
            same
            and alike_actions
            and places(tree, other, found, a) != places(tree, other, found, b)
        ):
            return False
    return True


def places(tree: GameTree, other: GameTree, found: Map, node: int) -> list[int]:
    return [found[child] - other.children(found[node]).start for child in tree.children(node)]


def kind(tree: GameTree, node: int) -> Any:
    paid = tree.payoffs[tree.payoff[node]] if tree.payoff[node] >= 0 else None
    return int(tree.player[node]), len(tree.children(node)), paid


def odds(tree: GameTree, node: int) -> Any:
    row = int(tree.probability[node])
    return tree.probabilities[row] if row >= 0 else 1


class PlainNodes:
    """ExtensiveGameIsomorphic?, word by word: bijections are tried out one by one."""

    def __init__(self, tree: GameTree, literal: bool = False) -> None:
        self.tree, self.literal = tree, literal
        self.known: dict[tuple[int, int], bool] = {}

    def isomorphic(self, x: int, y: int) -> bool:
        if (x, y) not in self.known:
            self.known[x, y] = kind(self.tree, x) == kind(self.tree, y) and has_bijection(
                self.held(x), self.held(y), self.sets_match
            )
        return self.known[x, y]

    def held(self, node: int) -> list[list[int]]:
        """Return the children of a node, those of one information set together."""
        found: dict[Any, list[int]] = {}
        for child in self.tree.children(node):
            h = int(self.tree.infoset[child])
            found.setdefault(h if h >= 0 else ("alone", child), []).append(child)
        return list(found.values())

    def sets_match(self, mine: Sequence[int], theirs: Sequence[int]) -> bool:
        chances = [Counter(odds(self.tree, child) for child in of) for of in (mine, theirs)]
        return (
            chances[0] == chances[1]
            and has_bijection(self.beside(mine[0]), self.beside(theirs[0]), self.isomorphic)
            and (self.literal or has_bijection(mine, theirs, self.alike_children))
        )

    def alike_children(self, x: int, y: int) -> bool:
        return odds(self.tree, x) == odds(self.tree, y) and self.isomorphic(x, y)

    def beside(self, node: int) -> list[int]:
        """Return the nodes of an information set that are as deep."""
        h, depth = self.tree.infoset[node], len(self.tree.path(node))
        if h < 0:
            return [node]
        members = (other for other in range(self.tree.num_nodes) if self.tree.infoset[other] == h)
        return [other for other in members if len(self.tree.path(other)) == depth]


def has_bijection(
    left: Sequence[Any], right: Sequence[Any], alike: Callable[[Any, Any], bool]
) -> bool:
    """Tell whether all of one list can be paired with all of the other, by trying out."""
    if len(left) != len(right):
        return False
    if not left:
        return True
    first, rest = left[0], left[1:]
    return any(
        alike(first, right[i]) and has_bijection(rest, [*right[:i], *right[i + 1 :]], alike)
        for i in range(len(right))
    )
