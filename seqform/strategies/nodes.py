"""Nodes of a game's tree while a profile is played: how often each is reached, what it is worth."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import UnknownNameError
from seqform.base.nearest import hint
from seqform.base.number import plain
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE
from seqform.strategies.evaluate.played_tree import PlayedTree
from seqform.tree.tree import GameTree

BETWEEN = " > "
"""What stands between the moves of a path that is written as a text."""

ROOT = "(the root)"
"""What the root's path is written as."""


class Node(NamedTuple):
    """What is known of a node; amounts are in the game's unit."""

    path: tuple[Hashable, ...]
    """The labels of the moves that lead there."""
    player: int | str | None
    """Who moves: a player, 'chance', or None where the game ends."""
    infoset: Hashable
    """The label of its information set; None where no player moves."""
    reach: Any
    """How likely it is to be reached."""
    values: tuple[Any, ...]
    """What each player gets in the whole game, in expectation, once it is reached."""
    belief: Any
    """How likely it is, given its information set; None or NaN where that is not known."""


@dataclass(frozen=True, eq=False)
class NodeAnalysis:
    """What is known of all nodes, in floats or in fractions.

    Parameters
    ----------
    tree
        The game.
    reach
        (num_nodes,): how likely each node is to be reached.
    values
        (num_nodes, num_players): what each player gets in the whole game, in expectation, once a
        node is reached, what was paid on the way included.
    beliefs
        (num_nodes,): see `StrategyAnalysis`.
    """

    tree: GameTree
    reach: Numbers
    values: Numbers
    beliefs: Numbers

    def __len__(self) -> int:
        return self.tree.num_nodes

    def __getitem__(self, path: Any) -> Node:
        """Return what is known of the node that moves lead to: labels, or a text such as "J > Q".

        Raises
        ------
        UnknownNameError
            If there is no such move at a node on the way.
        """
        return self._node(node_at(self.tree, path))

    def __iter__(self) -> Iterator[Node]:
        """Yield all nodes, parents before children."""
        for node in range(self.tree.num_nodes):
            check_time("listing nodes")
            yield self._node(node)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each node: its path as text, and the fields of `Node`."""
        for node in self:
            yield {**node._asdict(), "path": path_text(node.path)}

    def _node(self, node: int) -> Node:
        tree, infoset = self.tree, int(self.tree.infoset[node])
        mover = int(tree.player[node])
        player: int | str | None = mover if mover >= 0 else None
        return Node(
            tuple(tree.path(node)),
            "chance" if mover == CHANCE else player,
            tree.infoset_labels[infoset] if infoset >= 0 else None,
            _plain(self.reach[node]),
            tuple(map(_plain, self.values[node])),
            _plain(self.beliefs[node]),
        )


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def in_floats(form: SequenceForm, profile: Profile, beliefs: Numbers) -> NodeAnalysis:
    """Return what is known of the nodes of a form's tree, in floats.

    Raises
    ------
    UnsupportedGameError
        If the form has no tree.
    """
    played = PlayedTree.of(form, profile)
    tree = played.tree
    paid = tree.node_payoffs.copy()
    for level in tree.levels():
        paid[level] += paid[tree.parent[level]]
    return NodeAnalysis(tree, played.reach, played.values + paid - tree.node_payoffs, beliefs)


def node_at(tree: GameTree, path: Any) -> int:
    """Return the number of the node that moves lead to.

    Parameters
    ----------
    path
        Labels, or how they are written; or a text of them with ``>`` between.

    Raises
    ------
    UnknownNameError
        If there is no such move at a node on the way.
    """
    node = 0
    for move in _moves(path):
        children = tree.children(node)
        labels = [tree.labels[tree.label[child]] for child in children]
        place = next((i for i, label in enumerate(labels) if label == move), None)
        if place is None:
            texts = list(map(str, labels))
            if str(move) not in texts:
                where = tree.describe(node)
                raise UnknownNameError(
                    f"there is no move {plain(move)} at {where}{hint(str(move), texts)}"
                    + (f"; use {', '.join(texts[:20])}" if texts else ": the game ends there")
                )
            place = texts.index(str(move))
        node = children[place]
    return node


def _moves(path: Any) -> Sequence[Any]:
    if isinstance(path, str):
        return [move.strip() for move in path.split(">")] if path.strip() not in ("", ROOT) else []
    return path if isinstance(path, (tuple, list)) else [path]


def path_text(path: Sequence[Hashable]) -> str:
    """Write a path as a text.

    Examples
    --------
    >>> path_text(("J", "Q", "bet")), path_text(())
    ('J > Q > bet', '(the root)')
    """
    return BETWEEN.join(map(str, path)) or ROOT


def by_path(
    tree: GameTree, nodes: Index, numbers: Iterable[Any]
) -> Mapping[tuple[Hashable, ...], Any]:
    """Return numbers by the paths to their nodes."""
    pairs = zip(nodes.tolist(), numbers, strict=True)
    return {tuple(tree.path(node)): _plain(number) for node, number in pairs}
