"""A game tree as a graph with colored vertices, whose isomorphisms are those of the game.

Vertices are the nodes, then the information sets, then the actions of each. A node is joined to its
parent and its information set, and an action to its information set and the nodes it leads to.
Colors say what has to agree, so two games are isomorphic exactly where their graphs are.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Index, Ints
from seqform.base.deadline import check_time
from seqform.base.interner import Interner
from seqform.tree.tree import GameTree


class Marks(NamedTuple):
    """What has to agree besides, in the order of information sets, and of all their actions."""

    infosets: Sequence[Hashable]
    actions: Sequence[Hashable]


@dataclass(frozen=True, eq=False)
class ColoredGraph:
    """A graph with colored vertices.

    Parameters
    ----------
    color
        int64 (num_vertices,). Two graphs that were made together share their colors.
    edges
        int64 (num_edges, 2).
    num_nodes
        How many vertices, the first ones, are nodes of the tree.
    """

    color: Index
    edges: Index
    num_nodes: int

    def canonical_places(self) -> Index:
        """Return each vertex's place in the canonical form: int64 (num_vertices,).

        References
        ----------
        Junttila & Kaski, "Engineering an efficient canonical labeling tool for large and sparse
        graphs", ALENEX 2007: the algorithm BLISS, which igraph calls.
        """
        from igraph import Graph

        check_time("bringing a game into canonical form")
        graph = Graph(n=len(self.color), edges=self.edges)
        graph.vs["vertex"] = list(range(len(self.color)))
        order = graph.canonical_permutation(color=self.color.tolist())
        # what a permutation maps to what depends on the version of igraph; this does not
        return np.argsort(graph.permute_vertices(order).vs["vertex"])

    def refined(self, rounds: int) -> Exact:
        """Return colors after so many rounds, in which a vertex looks at its neighbors' colors.

        They are hashes, uint64 (num_vertices,): different ones prove a difference.
        """
        color = _hashed(self.color.astype(np.uint64))
        ends = np.concatenate([self.edges, self.edges[:, ::-1]])
        for _ in range(rounds):
            check_time("comparing two games")
            around = np.zeros_like(color)
            np.add.at(around, ends[:, 0], color[ends[:, 1]])
            color = _hashed(color * np.uint64(3) + _hashed(around))
        return color


def colored_graphs(
    trees: Sequence[GameTree], alike_actions: bool = True, marks: Sequence[Marks] = ()
) -> list[ColoredGraph]:
    """Return the graphs of trees, with colors that mean the same in all of them.

    Parameters
    ----------
    trees
        Of any games.
    alike_actions
        Whether actions have vertices. Without, they may be matched anew at each node of an
        information set.
    marks
        For each tree, colors of information sets and actions, if they matter.
    """
    meaning = Interner()
    return [
        _graph(tree, meaning, alike_actions, marks[i] if marks else None)
        for i, tree in enumerate(trees)
    ]


def _graph(
    tree: GameTree, meaning: Interner, alike_actions: bool, marks: Marks | None
) -> ColoredGraph:
    num_actions = tree.infoset_num_actions.astype(np.int64)
    sets = tree.num_nodes + np.arange(tree.num_infosets)
    starts = tree.num_nodes + tree.num_infosets + np.cumsum(num_actions) - num_actions
    decisions = np.flatnonzero(tree.infoset >= 0)
    inner = np.arange(1, tree.num_nodes)
    edges = [
        np.column_stack([inner, tree.parent[1:]]),
        np.column_stack([decisions, sets[tree.infoset[decisions]]]),
    ]
    colors = [_node_colors(tree, meaning), _set_colors(tree, meaning, marks)]
    if alike_actions:
        owner = np.repeat(np.arange(tree.num_infosets), num_actions)
        actions = tree.num_nodes + tree.num_infosets + np.arange(len(owner))
        chosen = inner[tree.infoset[tree.parent[1:]] >= 0]
        above = tree.parent[chosen]
        place = chosen - tree.first_child[above]
        edges.append(np.column_stack([actions, sets[owner]]))
        edges.append(np.column_stack([chosen, starts[tree.infoset[above]] + place]))
        named = marks.actions if marks else [None] * len(owner)
        colors.append(np.array([meaning(("action", name)) for name in named], dtype=np.int64))
    return ColoredGraph(np.concatenate(colors), np.concatenate(edges), tree.num_nodes)


def _node_colors(tree: GameTree, meaning: Interner) -> Index:
    """Return colors by depth, mover, payoffs, and chance's probability of coming here."""
    depth = np.repeat(np.arange(len(tree.level_start) - 1), np.diff(tree.level_start))
    rows = np.column_stack([depth, tree.player, paid_rows(tree), tree.probability])
    kinds, kind = np.unique(rows, axis=0, return_inverse=True)
    payoffs, chances = (*tree.payoffs, None), (*tree.probabilities, None)
    numbers = [
        meaning(("node", at, player, payoffs[paid], chances[chance]))
        for at, player, paid, chance in kinds.tolist()
    ]
    return np.array(numbers, dtype=np.int64)[kind.ravel()]


def paid_rows(tree: GameTree) -> Ints:
    """Return each node's row of payoffs, int32 (num_nodes,); -1 where nobody is paid on the way.

    A file may say of a node before the end that it pays 0 to all, which is to pay nothing.
    """
    is_zero = np.array([*(not any(row) for row in tree.payoffs), False])
    found: Ints = tree.payoff.copy()
    found[is_zero[tree.payoff] & (tree.num_children > 0)] = -1
    return found


def _set_colors(tree: GameTree, meaning: Interner, marks: Marks | None) -> Index:
    named = marks.infosets if marks else [None] * tree.num_infosets
    owners = zip(tree.infoset_player.tolist(), named, strict=True)
    return np.array([meaning(("set", *owner)) for owner in owners], dtype=np.int64)


def _hashed(values: Exact) -> Exact:
    """Return well mixed values, uint64 (Steele, Lea & Flood's SplitMix, OOPSLA 2014)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
