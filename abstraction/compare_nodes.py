"""ExtensiveGameIsomorphic?(x, y), explained: the bipartite graph of two nodes."""

from __future__ import annotations

import numpy as np

from abstraction.matching import edges_between, hall_violator, largest_matching
from abstraction.pairwise import Held, PairwiseIsomorphism
from seqform.base.arrays import Mask
from seqform.base.errors import InvalidParameterError
from seqform.base.summary import counted
from seqform.game.rules import CHANCE, TERMINAL
from seqform.results.node_comparison import HeldSet, NodeComparison
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.restricted import node_at
from seqform.tree.tree import GameTree


def compare_nodes(
    game: AnyGame, x: str | int, y: str | int, literal: bool = False, max_nodes: int | None = None
) -> NodeComparison:
    """Return whether two nodes of equal depth are isomorphic by GameShrink's algorithm, and why.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    x, y
        Labels of the moves to a node, joined by commas, or its number.
    literal
        Whether to keep to the talk's words, and not to ask that children are matched.
    max_nodes
        Largest tree to build.

    Raises
    ------
    UnknownNameError, InvalidParameterError
        If there is no such node, or they are not equally deep.
    GameTooLargeError
        If the tree has more than `max_nodes` nodes.

    References
    ----------
    Gilpin, "Computing equilibria in extensive form games", talk, 2005, slides 24-31.

    Examples
    --------
    >>> from seqform import make
    >>> found = compare_nodes(make("kuhn"), "J", "Q")
    >>> bool(found), [held.text for held in found.left]
    (False, ['J:: Q, K'])
    """
    tree = build_tree(game, max_nodes)
    nodes = [node_at(tree, at) for at in (x, y)]
    depths = [len(tree.path(node)) for node in nodes]
    if depths[0] != depths[1]:
        raise InvalidParameterError(
            f"{tree.describe(nodes[0])} is at depth {depths[0]} and {tree.describe(nodes[1])} at "
            f"depth {depths[1]}: only nodes of equal depth are compared"
        )
    return _Explained(PairwiseIsomorphism(tree, literal)).compare(*nodes)


class _Explained:
    """Says why nodes are isomorphic or not, in a tree all of whose pairs were compared."""

    def __init__(self, relation: PairwiseIsomorphism) -> None:
        self.relation, self.tree = relation, relation.tree

    def compare(self, x: int, y: int) -> NodeComparison:
        names = _name(self.tree, x), _name(self.tree, y)
        reason = self._kinds_differ(x, y)
        if reason:
            return NodeComparison(x, y, names, reason)
        left, right = self.relation.held(x), self.relation.held(y)
        edges = edges_between(left, right, self.relation.can_be_matched)
        matched = largest_matching(edges)
        violator, neighbors = hall_violator(edges, matched)
        vertices = [[self._vertex(held) for held in side] for side in (left, right)]
        reason, because = self._why(left, right, edges, violator, neighbors, vertices)
        found = zip(*(places.tolist() for places in np.nonzero(edges)), strict=True)
        missing = zip(*(places.tolist() for places in np.nonzero(~edges)), strict=True)
        return NodeComparison(
            x,
            y,
            names,
            reason,
            tuple(vertices[0]),
            tuple(vertices[1]),
            edges=tuple(found),
            missing=tuple((i, j, self._no_edge(left[i], right[j])[0]) for i, j in missing),
            matching=tuple((i, j) for i, j in enumerate(matched.tolist()) if j >= 0),
            violator=tuple(violator),
            neighbors=tuple(neighbors),
            because=because,
        )

    def _kinds_differ(self, x: int, y: int) -> str:
        """Return what differs of two nodes themselves, in words; nothing is empty."""
        tree, names = self.tree, (_name(self.tree, x), _name(self.tree, y))
        movers = [int(tree.player[node]) for node in (x, y)]
        if movers[0] != movers[1]:
            one, other = (_mover(player) for player in movers)
            return f"{one} at {names[0]}, and {other} at {names[1]}"
        counts = [int(tree.num_children[node]) for node in (x, y)]
        if counts[0] != counts[1]:
            one, other = (counted(count, "move") for count in counts)
            return f"{names[0]} has {one}, and {names[1]} has {other}"
        if self.relation.kind(x) != self.relation.kind(y):
            paid = [_paid(tree, node) for node in (x, y)]
            return f"{names[0]} pays {paid[0]}, and {names[1]} pays {paid[1]}"
        return ""

    def _vertex(self, held: Held) -> HeldSet:
        tree, first = self.tree, held.children[0]
        h = int(tree.infoset[first])
        name = tree.infoset_text(h) if h >= 0 else _name(tree, first)
        moves = tuple(tree.action_text(tree.labels[tree.label[child]]) for child in held.children)
        size = len(self.relation.set_of(first))
        return HeldSet(int(tree.player[first]), name, tuple(held.children), moves, size)

    def _why(
        self,
        left: list[Held],
        right: list[Held],
        edges: Mask,
        violator: list[int],
        neighbors: list[int],
        vertices: list[list[HeldSet]],
    ) -> tuple[str, NodeComparison | None]:
        """Return why there is no perfect matching, with two nodes that are to blame, if any."""
        if len(left) != len(right):
            one, other = (counted(len(side), "information set") for side in (left, right))
            return f"the children of one lie in {one}, and those of the other in {other}", None
        if not violator:
            return "", None
        stuck = ", ".join(f"[{vertices[0][i].text}]" for i in violator)
        others = ", ".join(f"[{vertices[1][j].text}]" for j in neighbors)
        i = violator[0]
        apart = [j for j in range(len(right)) if not edges[i, j]]
        tried = [self._no_edge(left[i], right[j]) for j in apart]
        # two nodes that are to blame say more than counts do
        why, pair = next((found for found in tried if found[1] is not None), tried[0])
        only = f"only to {others}" if others else "to no set of the other"
        reason = f"{stuck} can be matched {only}: {why}"
        return reason, self.compare(*pair) if pair else None

    def _no_edge(self, one: Held, other: Held) -> tuple[str, tuple[int, int] | None]:
        """Return why two sets cannot be matched, and two nodes that would have to be isomorphic."""
        relation = self.relation
        sizes = len(one.children), len(other.children)
        if sizes[0] != sizes[1]:
            return f"one holds {sizes[0]} of the children, the other {sizes[1]}", None
        odds = [sorted(map(relation.odds, held.children)) for held in (one, other)]
        if odds[0] != odds[1]:
            texts = [", ".join(map(str, of)) for of in odds]
            return f"chance comes there with {texts[0]}, and with {texts[1]}", None
        groups = [(one.children, other.children)] if not relation.literal else []
        groups.append((relation.set_of(one.infoset), relation.set_of(other.infoset)))
        if len(groups[-1][0]) != len(groups[-1][1]):
            return (
                f"one has {counted(len(groups[-1][0]), 'node')}, the other {len(groups[-1][1])}",
                None,
            )
        for mine, theirs in groups:
            pair = self._unmatched(mine, theirs)
            if pair is not None:
                one_name, other_name = (_name(self.tree, node) for node in pair)
                return f"{one_name} is not isomorphic to {other_name}", pair
        return "isomorphic nodes come with other probabilities of chance", None

    def _unmatched(self, mine: list[int], theirs: list[int]) -> tuple[int, int] | None:
        """Return a node that cannot be mapped, with the one of the others in its place, if any."""
        edges = edges_between(mine, theirs, self.relation.isomorphic)
        rows, columns = hall_violator(edges, largest_matching(edges))
        if not rows:
            return None
        free = [j for j in range(len(theirs)) if j not in columns]
        return mine[rows[0]], theirs[rows[0] if rows[0] in free else free[0]]


def _name(tree: GameTree, node: int) -> str:
    return ",".join(map(tree.action_text, tree.path(node))) or "the root"


def _mover(player: int) -> str:
    if player == TERMINAL:
        return "the game ends"
    return "chance moves" if player == CHANCE else f"player {player} moves"


def _paid(tree: GameTree, node: int) -> str:
    row = int(tree.payoff[node])
    if row < 0:
        return "nothing"
    return f"({', '.join(str(u) for u in tree.payoffs[row])})"
