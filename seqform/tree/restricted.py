"""Restricted games: the part of a game below a node, as a game of its own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import GameTooLargeError, InvalidParameterError
from seqform.base.number import Number, check_index
from seqform.game.below import Below
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.path_of_labels import find_state
from seqform.tree.tree import GameTree
from seqform.tree.views import Edge, RulesView, SignalView, TreeView


def restricted_game(game: AnyGame, at: str | int, max_nodes: int | None = None) -> AnyGame:
    """Return the restricted game of a node: the game without all but the node and what follows it.

    Information sets are cut to the nodes that are left. What was paid on the way to the node is not
    part of it. It is no subgame, unless its information sets have no nodes elsewhere: who moves in
    it may have known less.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    at
        Labels of the moves from the root to the node, joined by commas, such as ``J,Q,bet``; or the
        number of a node of a tree.
    max_nodes
        Largest tree of a signal game to build; that of a larger one is not.

    Returns
    -------
    restricted
        The rules from that state on where the game was given by its rules, or is a signal game too
        large for a tree, so that it may be of any size; else a `GameTree`.

    Raises
    ------
    UnknownNameError
        If no moves are called so; with those there are.
    InvalidParameterError
        If there is no node of that number, or the game is not a tree and has no numbers.

    Examples
    --------
    >>> from seqform import build_tree, make
    >>> restricted_game(build_tree(make("kuhn")), "J,Q,bet").num_nodes
    3
    """
    if isinstance(game, Game) and not isinstance(game, GameTree | SignalGame):
        return Below(game, find_state(RulesView(game), _path(at)))
    try:
        tree = build_tree(game, max_nodes)
    except GameTooLargeError:
        if not isinstance(game, SignalGame):
            raise
        return SignalRules(game, _path(at))
    is_tree = tree is game
    return restricted_tree(tree, node_at(tree, at) if is_tree else node_at(tree, _path(at)))


def node_at(tree: GameTree, at: str | int) -> int:
    """Return the node that moves lead to, or that has a number.

    Raises
    ------
    UnknownNameError
        If no moves are called so; with those there are.
    InvalidParameterError
        If there is no node of that number.
    """
    if isinstance(at, str):
        return int(find_state(TreeView(tree), at))
    check_index(at, tree.num_nodes, "node")
    return int(at)


def _path(at: Any) -> str:
    if not isinstance(at, str):
        raise InvalidParameterError(
            f"at={at!r:.40}: only nodes of trees have numbers (build_tree makes one); give moves"
        )
    return at


def restricted_tree(tree: GameTree, node: int) -> GameTree:
    """Return the tree of a node and all that follows it, nodes and sets in the tree's order."""
    if node == 0:
        return tree
    nodes = nodes_below(tree, node)
    number = np.full(tree.num_nodes, -1, dtype=np.int64)
    number[nodes] = np.arange(len(nodes))
    infosets, infoset = np.unique(tree.infoset[nodes], return_inverse=True)
    has_chance = bool(len(infosets)) and int(infosets[0]) < 0  # -1, of nodes that are in none
    columns = {
        "parent": np.append(-1, number[tree.parent[nodes[1:]]]),
        "first_child": np.append(number, -1)[tree.first_child[nodes]],
        "num_children": tree.num_children[nodes],
        "player": tree.player[nodes],
        "infoset": infoset - has_chance,
        "label": np.append(-1, tree.label[nodes[1:]]),
        "probability": np.append(-1, tree.probability[nodes[1:]]),
        "payoff": tree.payoff[nodes],
    }
    kept = infosets[int(has_chance) :].tolist()
    return GameTree.from_columns(
        columns,
        num_players=tree.num_players,
        probabilities=tree.probabilities,
        payoffs=tree.payoffs,
        labels=tree.labels,
        infoset_labels=[tree.infoset_labels[h] for h in kept],
        unit=tree.unit,
        given=replace(tree.given, nodes=[tree.given.nodes[n] for n in nodes.tolist()])
        if tree.given.nodes
        else tree.given,
    )


def nodes_below(tree: GameTree, node: int) -> Index:
    """Return a node and all that follow it, in the tree's order."""
    levels = [np.array([node], dtype=np.int64)]
    while len(levels[-1]):
        nodes = levels[-1]
        count = tree.num_children[nodes].astype(np.int64)
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        # the children of one level need not lie in the order of their parents
        levels.append(np.sort(np.repeat(tree.first_child[nodes], count) + offset))
    return np.concatenate(levels)


class SignalRules:
    """The rules of what follows some moves of a signal game, of any size; see `seqform.Game`.

    Parameters
    ----------
    game
        The signal game.
    at
        Labels of signals and actions, joined by commas.

    Raises
    ------
    UnknownNameError
        If no moves are called so; with those there are.
    """

    def __init__(self, game: SignalGame, at: str) -> None:
        self._view = SignalView(game)
        self.num_players, self.unit = self._view.num_players, self._view.unit
        self._root = find_state(self._view, at)
        self._seen: Any = None
        self._edges: dict[Hashable, Edge] = {}

    def root(self) -> Any:
        """Return the state below the moves."""
        return self._root

    def player(self, state: Any) -> int:
        """Return who moves."""
        return self._view.player(state)

    def chance(self, state: Any) -> list[tuple[Hashable, Number]]:
        """Return the signals that may come, with their probabilities."""
        return [(edge.label, edge.probability or 0) for edge in self._at(state).values()]

    def actions(self, state: Any) -> tuple[Hashable, ...]:
        """Return the actions of the player who moves."""
        return tuple(self._at(state))

    def child(self, state: Any, action: Hashable) -> Any:
        """Return the state after an action or a signal."""
        return self._at(state)[action].state

    def infoset(self, state: Any) -> Hashable:
        """Return the label that the game's tree gives to the information set."""
        return self._view.infoset(state).label

    def payoffs(self, state: Any) -> tuple[Number, ...]:
        """Return what the players get at the end."""
        return self._view.payoffs(state) or ()

    def _at(self, state: Any) -> dict[Hashable, Edge]:
        """Return the moves at a state; those of the last one are asked for again and again."""
        if state != self._seen:
            self._seen = state
            self._edges = {edge.label: edge for edge in self._view.edges(state)}
        return self._edges
