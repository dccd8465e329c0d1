"""TreeBuilder: write a game down node by node, then freeze it into a GameTree."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from seqform.base.arrays import Index
from seqform.base.errors import GameTooLargeError, InvalidGameError
from seqform.base.interner import Interner
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number, as_number, plain
from seqform.game.checks import check_key, checked_actions, checked_payoffs, is_integer, outcomes_of
from seqform.game.labels import UNSAID, GivenLabels, checked_players
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

UNDEFINED = -3
"""A node of which nothing was said yet."""


class TreeBuilder:
    """Builds a game tree from the root down; nodes are named by the handles that it returns.

    Parameters
    ----------
    num_players
        Players, chance not counted.
    unit
        What payoffs are counted in.
    player_names
        A name for each player; empty for numbers alone.

    Raises
    ------
    InvalidGameError
        R11: if there is not one name for each player, or two are alike.

    Examples
    --------
    >>> b = TreeBuilder(num_players=2)
    >>> heads, tails = b.decision(b.root, 0, "coin", ["heads", "tails"])
    >>> for node, sign in [(heads, 1), (tails, -1)]:
    ...     same, other = b.decision(node, 1, "guess", ["heads", "tails"])
    ...     b.terminal(same, [sign, -sign])
    ...     b.terminal(other, [-sign, sign])
    >>> b.freeze().num_nodes
    7
    """

    root = 0

    def __init__(
        self, num_players: int, unit: str = "units", player_names: Sequence[str] = ()
    ) -> None:
        self.num_players = num_players
        self.unit = unit
        names = checked_players(player_names, num_players) if player_names else ()
        self._given = GivenLabels(names) if names else UNSAID
        self._parent = array("i", [-1])
        self._first_child = array("i", [-1])
        self._num_children = array("i", [0])
        self._player = array("i", [UNDEFINED])
        self._infoset = array("i", [-1])
        self._label = array("i", [-1])
        self._probability = array("i", [-1])
        self._payoff = array("i", [-1])
        self._memory = MemoryLimit()
        self._labels, self._infosets = Interner(), Interner()
        self._probabilities, self._payoffs = Interner(), Interner()

    def decision(
        self, node: int, player: int, infoset: Hashable, actions: Sequence[Hashable]
    ) -> list[int]:
        """Let `player` move at `node`, in the player's information set `infoset`.

        Returns
        -------
        children
            Their handles, in the order of the actions.

        Raises
        ------
        InvalidGameError
            If the node was defined already, or there is no such node or player.
        GameTooLargeError
            If the tree has grown by 4 GB, or by half of the memory that was available.
        """
        self._check_node(node)
        if not (is_integer(player) and 0 <= player < self.num_players):
            raise InvalidGameError(
                f"R3: player {plain(player)} moves at {self._where(node)}, but players are "
                f"0..{self.num_players - 1}"
            )
        with self._mistakes_at(node):
            check_key(infoset)
            children = self._add_children(node, player, checked_actions(actions))
        self._infoset[node] = self._infosets((player, infoset))
        return children

    def chance(self, node: int, outcomes: Sequence[tuple[Hashable, Number]]) -> list[int]:
        """Let chance move at `node` with labelled probabilities; return the children."""
        self._check_node(node)
        with self._mistakes_at(node):
            labels, probabilities = outcomes_of(outcomes)
            rows = [self._probabilities(as_number(p)) for p in probabilities]
            children = self._add_children(node, CHANCE, labels)
        self._probability[children[0] :] = array("i", rows)
        return children

    def terminal(self, node: int, payoffs: Sequence[Number]) -> None:
        """End the game at `node` with one payoff per player."""
        self._check_node(node)
        self._define(node, TERMINAL)
        self.reward(node, payoffs)

    def reward(self, node: int, payoffs: Sequence[Number]) -> None:
        """Pay on arriving at `node`, in addition to payments above and below it.

        Raises
        ------
        InvalidGameError
            R5: if the node pays already, or there is not one payoff per player.
        """
        self._check_node(node)
        if self._payoff[node] >= 0:
            raise InvalidGameError(
                f"R5: {self._where(node)} pays twice; add the payoffs up and give them once"
            )
        row = self._payoffs.rows.get(payoffs) if type(payoffs) is tuple else None
        if row is None:
            with self._mistakes_at(node):
                row = self._payoffs(checked_payoffs(payoffs, self.num_players))
        self._payoff[node] = row

    def freeze(self) -> GameTree:
        """Return the validated tree.

        Raises
        ------
        InvalidGameError
            If a node was left undefined or a requirement of docs/data-model.md is broken.
        """
        if UNDEFINED in self._player:
            node = self._player.index(UNDEFINED)
            raise InvalidGameError(
                f"R3: {self._where(node)} was left undefined; "
                "call decision, chance or terminal on it"
            )
        first, count = np.array(self._first_child), np.array(self._num_children)
        order = level_order(first, count)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        parent = np.array(self._parent)[order]
        columns = {
            "parent": np.where(parent >= 0, rank[parent], -1),
            "first_child": np.where(count > 0, rank[first], -1)[order],
            "num_children": count[order],
            "player": np.array(self._player)[order],
            "infoset": np.array(self._infoset)[order],
            "label": np.array(self._label)[order],
            "probability": np.array(self._probability)[order],
            "payoff": np.array(self._payoff)[order],
        }
        infosets: Any = self._infosets.values()
        tree = GameTree.from_columns(
            columns,
            num_players=self.num_players,
            probabilities=self._probabilities.values(),
            payoffs=self._payoffs.values(),
            labels=self._labels.values(),
            infoset_labels=tuple(label for _, label in infosets),
            unit=self.unit,
            given=self._given,
        )
        return validate(tree)

    def _check_node(self, node: object) -> None:
        if node not in range(len(self._parent)):
            raise InvalidGameError(
                f"R1: there is no node {plain(node)}; "
                "use `root` and the handles that decision and chance return"
            )

    @contextmanager
    def _mistakes_at(self, node: int) -> Iterator[None]:
        """Say at which node something is not valid."""
        try:
            yield
        except InvalidGameError as error:
            raise InvalidGameError(f"{error}, at {self._where(node)}") from None

    def _define(self, node: int, player: int) -> None:
        if self._player[node] != UNDEFINED:
            raise InvalidGameError(f"R3: {self._where(node)} is defined twice")
        self._player[node] = player

    def _add_children(self, node: int, player: int, labels: Sequence[Hashable]) -> list[int]:
        self._define(node, player)
        first, count = len(self._parent), len(labels)
        if self._memory.is_used_up(first + count):
            raise GameTooLargeError(
                f"a tree that is written node by node does not fit into {self._memory}: "
                f"it has {first + count:,} nodes so far; build a smaller game"
            )
        self._first_child[node], self._num_children[node] = first, count
        self._parent.extend([node] * count)
        self._label.extend([self._labels(label) for label in labels])
        for column in (self._first_child, self._infoset, self._probability, self._payoff):
            column.extend([-1] * count)
        self._num_children.extend([0] * count)
        self._player.extend([UNDEFINED] * count)
        return list(range(first, first + count))

    def _where(self, node: int) -> str:
        labels, path = self._labels.values(), []
        handle = node
        while handle > 0:
            path.append(str(labels[self._label[handle]]))
            handle = self._parent[handle]
        where = " > ".join(path[::-1][-12:]) or "the root"
        return f"node {node} ({where})"


def level_order(first_child: Index, num_children: Index) -> Index:
    """Return the handles in level order, children in the order of their parents."""
    levels = [np.zeros(1, dtype=np.int64)]
    while len(levels[-1]):
        nodes = levels[-1]
        count = num_children[nodes]
        offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        levels.append(np.repeat(first_child[nodes], count) + offset)
    return np.concatenate(levels)
