"""Isomorphism of two games: the same game with nodes, information sets and actions renamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.errors import SeqformError
from seqform.base.interner import Interner
from seqform.base.summary import Rows, Summarized, counted
from seqform.tree.colored_graph import ColoredGraph, Marks, colored_graphs, paid_rows
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree
from seqform.tree.why_not_isomorphic import first_difference, last_difference


@dataclass(frozen=True, eq=False, repr=False)
class Isomorphism(Summarized):
    """A map from one game to another that keeps all that players can tell; true as a condition.

    Parameters
    ----------
    node
        int64 (num_nodes,): the node of the other game that each node is mapped to.
    infoset
        int64 (num_infosets,): the same for information sets.
    action
        For each information set, the place that each of its actions has in the other's. None for
        each whose actions are matched differently at different nodes, if that was allowed.
    tree, other
        The two games.
    """

    node: Index
    infoset: Index
    action: tuple[tuple[int, ...] | None, ...]
    tree: GameTree = field(repr=False)
    other: GameTree = field(repr=False)

    def __bool__(self) -> bool:
        return True

    @property
    def keeps_names(self) -> bool:
        """Whether every action is mapped to one that is called the same."""
        names = [self._actions(h) for h in range(len(self.infoset))]
        return all(to is not None and to == list(map(str, own)) for own, to in names)

    @property
    def size(self) -> str:
        """How much is mapped, in words: nodes and information sets."""
        return f"{counted(len(self.node), 'node')}, {counted(len(self.infoset), 'information set')}"

    def _actions(self, h: int) -> tuple[tuple[Any, ...], list[str] | None]:
        own, there, places = (
            self.tree.actions(h),
            self.other.actions(int(self.infoset[h])),
            self.action[h],
        )
        return own, None if places is None else [str(there[place]) for place in places]

    def summary(self) -> Rows:
        """Return, for each information set, what it and its actions are mapped to."""
        return [(row["infoset"], f"{row['to']}: {_said(row)}") for row in self._sets()]

    def record(self) -> dict[str, Any]:
        """Return the map as JSON values."""
        return {"isomorphic": True, "nodes": self.node.tolist(), "infosets": self._sets()}

    def _sets(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for h, g in enumerate(self.infoset.tolist()):
            own, there = self._actions(h)
            pairs = None if there is None else zip(map(str, own), there, strict=True)
            rows.append(
                {
                    "player": int(self.tree.infoset_player[h]),
                    "infoset": self.tree.infoset_text(h),
                    "to": self.other.infoset_text(g),
                    "actions": pairs and [list(pair) for pair in pairs],
                }
            )
        return rows


@dataclass(frozen=True)
class NotIsomorphic:
    """That there is no isomorphism; false as a condition.

    Parameters
    ----------
    reason
        In words.
    """

    reason: str

    def __bool__(self) -> bool:
        return False

    def record(self) -> dict[str, Any]:
        """Return the reason as JSON values."""
        return {"isomorphic": False, "reason": self.reason}


def isomorphism(
    game: AnyGame, other: AnyGame, *, alike_actions: bool = True, max_nodes: int | None = None
) -> Isomorphism | NotIsomorphic:
    """Return a map from one game to another that keeps its structure, or why there is none.

    Nodes are mapped to nodes with the same mover, the same payoffs of all players, and the same
    probability where chance leads to them, as numbers, not as texts: 1/2 is 0.5, and 1/10 is not
    0.1. Parents are mapped to parents, and information sets to information sets. The actions of an
    information set are mapped alike at all of its nodes. Names and the order of actions play no
    part.

    Parameters
    ----------
    game, other
        Rules, trees or signal games.
    alike_actions
        Whether the actions of an information set have to be mapped alike at all of its nodes. The
        definition in the talk does not ask for it, and then takes for the same what has other
        values.
    max_nodes
        Largest tree to build.

    Returns
    -------
    found
        An `Isomorphism`, checked before it is returned, or `NotIsomorphic` with the reason.

    Raises
    ------
    InvalidGameError
        If one of them is no game.
    GameTooLargeError
        If a tree has more than `max_nodes` nodes.

    References
    ----------
    Gilpin, "Computing equilibria in extensive form games", talk, 2005, slide 18.

    Examples
    --------
    >>> from seqform import make, restricted_game
    >>> leduc = make("leduc")
    >>> jacks = [restricted_game(leduc, at) for at in ("Js", "Jh", "Qs")]
    >>> bool(isomorphism(jacks[0], jacks[1]))
    True
    >>> isomorphism(jacks[0], jacks[2]).reason
    'ends that pay (1, -1): 29 in one game and 33 in the other'
    """
    tree, there = build_tree(game, max_nodes), build_tree(other, max_nodes)
    difference = first_difference(tree, there)
    if difference:
        return NotIsomorphic(difference)
    found = find_isomorphism(tree, there, alike_actions)
    return found or NotIsomorphic(last_difference(tree, there, alike_actions))


def find_isomorphism(
    tree: GameTree, other: GameTree, alike_actions: bool = True, marks: Sequence[Marks] = ()
) -> Isomorphism | None:
    """Return an isomorphism of two trees, or None.

    Parameters
    ----------
    marks
        For both trees, what has to agree besides.
    """
    if (tree.num_nodes, tree.num_infosets) != (other.num_nodes, other.num_infosets):
        return None
    first, second = colored_graphs((tree, other), alike_actions, marks)
    if not np.array_equal(np.sort(first.color), np.sort(second.color)):
        return None
    vertex = _vertex_map(first, second)
    if vertex is None:
        return None
    node = vertex[: tree.num_nodes]
    infoset = vertex[tree.num_nodes :][: tree.num_infosets] - tree.num_nodes
    found = Isomorphism(node, infoset, _actions_of(tree, other, node), tree, other)
    if not is_isomorphism(found, alike_actions):
        raise SeqformError("igraph found an isomorphism that is none; please report this game")
    return found


def _vertex_map(first: ColoredGraph, second: ColoredGraph) -> Index | None:
    """Return which vertex of the second graph each of the first is like, if they are isomorphic."""
    places, there = first.canonical_places(), second.canonical_places()
    same = np.array_equal(first.color[np.argsort(places)], second.color[np.argsort(there)])
    if not same or not np.array_equal(_placed(first, places), _placed(second, there)):
        return None
    at: Index = np.argsort(there)[places]
    return at


def _placed(graph: ColoredGraph, places: Index) -> Index:
    """Return the edges between places, in order."""
    ends = np.sort(places[graph.edges], axis=1)
    return np.sort(ends[:, 0] * len(places) + ends[:, 1])


def _actions_of(tree: GameTree, other: GameTree, node: Index) -> tuple[tuple[int, ...] | None, ...]:
    """Return how the actions of each information set are mapped, where it is alike everywhere."""
    decisions = np.flatnonzero(tree.infoset >= 0)
    decisions = decisions[np.argsort(tree.infoset[decisions], kind="stable")]
    bounds = np.flatnonzero(np.diff(tree.infoset[decisions])) + 1
    found: list[tuple[int, ...] | None] = []
    for members in np.split(decisions, bounds) if len(decisions) else []:
        count = int(tree.num_children[members[0]])
        children = node[tree.first_child[members][:, None] + np.arange(count)]
        places = children - other.first_child[node[members]][:, None]
        found.append(tuple(places[0].tolist()) if (places == places[0]).all() else None)
    return tuple(found)


def is_isomorphism(found: Isomorphism, alike_actions: bool = True) -> bool:
    """Return whether a map keeps all that it has to; looked at plainly, as what found it may err.

    Parameters
    ----------
    alike_actions
        Whether actions have to be mapped alike at all nodes of an information set.
    """
    tree, other, node = found.tree, found.other, found.node
    if not np.array_equal(np.sort(node), np.arange(other.num_nodes)):
        return False
    if not np.array_equal(np.sort(found.infoset), np.arange(other.num_infosets)):
        return False
    decisions = np.flatnonzero(tree.infoset >= 0)
    paid = _numbered(tree.payoffs, paid_rows(tree), other.payoffs, paid_rows(other))
    dealt = _numbered(tree.probabilities, tree.probability, other.probabilities, other.probability)
    return bool(
        node[0] == 0
        and (node[tree.parent[1:]] == other.parent[node[1:]]).all()
        and (tree.player == other.player[node]).all()
        and all((own == there[node]).all() for own, there in (paid, dealt))
        and (found.infoset[tree.infoset[decisions]] == other.infoset[node[decisions]]).all()
        and found.action == _actions_of(tree, other, node)
        and not (alike_actions and None in found.action)
    )


def _numbered(table: Sequence[Any], column: Ints, *other: Any) -> tuple[Index, Index]:
    """Return two columns of numbers of rows, in which equal numbers stand for equal rows."""
    rows, (other_table, other_column) = Interner(), other
    own = np.array([*map(rows, table), -1], dtype=np.int64)
    there = np.array([*map(rows, other_table), -1], dtype=np.int64)
    return own[column], there[other_column]


def _said(row: dict[str, Any]) -> str:
    pairs = row["actions"]
    if pairs is None:
        return "actions differently at different nodes"
    return ", ".join(own if own == to else f"{own} -> {to}" for own, to in pairs)
