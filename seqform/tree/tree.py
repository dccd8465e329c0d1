"""GameTree: the explicit game, as frozen columns in level order (docs/data-model.md)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Index, Ints, Mask, distinct
from seqform.base.errors import InvalidGameError, SeqformError, UnknownNameError
from seqform.base.number import Number, check_index, is_exact
from seqform.base.pictures import PICTURES
from seqform.base.summary import Rows, Summarized, counts_text
from seqform.game.kinds import TreeKind
from seqform.game.labels import UNSAID, GivenLabels, Parts, infoset_texts
from seqform.game.rules import CHANCE, TERMINAL

NODE_COLUMNS = (
    "parent",
    "first_child",
    "num_children",
    "player",
    "infoset",
    "label",
    "probability",
    "payoff",
)


DRAWN_NODES = 200
"""Trees of at most so many nodes are shown as pictures in notebooks."""


@dataclass(frozen=True, eq=False, repr=False)
class GameTree(TreeKind, Summarized):
    """An extensive-form game with all its nodes.

    Made by `TreeBuilder.freeze`, `expand`, `assemble` or `load_tree`, each of which validates it;
    the constructor itself only makes the arrays read-only. Columns, dtypes and null values are in
    docs/data-model.md.
    """

    num_players: int
    parent: Ints
    first_child: Ints
    num_children: Ints
    player: Ints
    infoset: Ints
    label: Ints
    probability: Ints
    payoff: Ints
    infoset_player: Ints
    infoset_num_actions: Ints
    level_start: Index
    probabilities: tuple[Number, ...]
    payoffs: tuple[tuple[Number, ...], ...]
    labels: tuple[Hashable, ...]
    infoset_labels: Sequence[Hashable] = field(repr=False)
    unit: str = "units"
    given: GivenLabels = field(default=UNSAID, repr=False)

    def __post_init__(self) -> None:
        for column in fields(self):
            value = getattr(self, column.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]], **tables: Any) -> GameTree:
        """Return the tree with the given node columns and side tables, and what follows from them.

        Parameters
        ----------
        columns
            An integer array for each of `NODE_COLUMNS`.
        tables
            `num_players`, `probabilities`, `payoffs`, `labels`, `infoset_labels` and `unit`; and
            `given`, if the game says how it is written.

        Raises
        ------
        InvalidGameError
            R6: if an information set has no label.
        """
        nodes = {name: np.ascontiguousarray(columns[name], dtype=np.int32) for name in NODE_COLUMNS}
        # backwards, so that an information set's first node is written last
        decisions = np.flatnonzero(nodes["infoset"] >= 0)[::-1]
        infosets = nodes["infoset"][decisions]
        owner = np.full(len(tables["infoset_labels"]), -1, dtype=np.int32)
        num_actions = np.zeros_like(owner)
        if len(infosets) and infosets.max() >= len(owner):
            raise InvalidGameError(
                f"R6: information set {infosets.max()} has no label; "
                "label each, numbered without gaps"
            )
        owner[infosets] = nodes["player"][decisions]
        num_actions[infosets] = nodes["num_children"][decisions]
        starts = level_starts(nodes["first_child"], nodes["num_children"])
        derived = {
            "infoset_player": owner,
            "infoset_num_actions": num_actions,
            "level_start": starts,
        }
        everything: dict[str, Any] = {**nodes, **derived, **tables}
        return cls(**everything)

    @property
    def num_nodes(self) -> int:
        """Nodes of every kind: decisions, chance and terminals."""
        return len(self.parent)

    @property
    def num_infosets(self) -> int:
        """Information sets of all players together."""
        return len(self.infoset_player)

    @property
    def depth(self) -> int:
        """Moves on the longest path."""
        return len(self.level_start) - 2

    @cached_property
    def is_exact(self) -> bool:
        """Whether every probability and payoff is an integer or a fraction."""
        return all(map(is_exact, self.probabilities)) and all(
            is_exact(u) for row in self.payoffs for u in row
        )

    @cached_property
    def possible(self) -> Mask:
        """Whether chance lets each node happen, bool (num_nodes,)."""
        possible = np.array([*(p > 0 for p in self.probabilities), True])[self.probability]
        if not possible.all():
            for level in self.levels():
                possible[level] &= possible[self.parent[level]]
        return _read_only(possible)

    @cached_property
    def largest_payoff(self) -> float:
        """The largest absolute payoff at any node that chance lets happen."""
        rows = distinct(self.payoff[self.possible & (self.payoff >= 0)]).tolist()
        return max((abs(float(u)) for row in rows for u in self.payoffs[row]), default=0.0)

    @cached_property
    def perfect_information(self) -> bool:
        """Whether every information set has one node only."""
        return self.num_infosets == self.count("decision")

    @cached_property
    def edge_probabilities(self) -> Floats:
        """Chance's probability of the edge into each node, float64 (num_nodes,).

        It is 1 where a player chose the edge.
        """
        table = np.array([*map(float, self.probabilities), 1.0])
        return _read_only(table[self.probability])  # the null -1 picks the last entry, 1.0

    @cached_property
    def node_payoffs(self) -> Floats:
        """Payoffs received on arriving at each node, float64 (num_nodes, num_players)."""
        rows = [*(tuple(map(float, row)) for row in self.payoffs), (0.0,) * self.num_players]
        return _read_only(np.array(rows)[self.payoff])

    def levels(self) -> list[slice]:
        """Return the node slices of depth 1, 2, ... (the root's level is left out)."""
        bounds = self.level_start[1:].tolist()
        return [slice(a, b) for a, b in pairwise(bounds)]

    def children(self, node: int) -> range:
        """Return the children of a node.

        Raises
        ------
        InvalidParameterError
            If there is no such node.
        """
        self._check_node(node)
        first, count = self.first_child[node], self.num_children[node]
        return range(first, first + count) if count else range(0)

    def actions(self, infoset: int) -> tuple[Hashable, ...]:
        """Return the action labels of an information set.

        Raises
        ------
        InvalidParameterError
            If there is no such information set.
        """
        check_index(infoset, self.num_infosets, "information set")
        children = self.children(int(self.infoset_first_node[infoset]))
        return tuple(self.labels[self.label[child]] for child in children)

    def infoset_text(self, infoset: int) -> str:
        """Return how an information set is written; no other one of its player is written so.

        Raises
        ------
        InvalidParameterError
            If there is no such information set.
        """
        check_index(infoset, self.num_infosets, "information set")
        key = self.infoset_labels[infoset]
        if isinstance(key, str) and not self.given.infosets:
            return key
        player = int(self.infoset_player[infoset])
        return self._infoset_texts(player)[int(self._places[infoset])]

    @cached_property
    def has_text_keys(self) -> bool:
        """Whether the keys of all information sets are text, as those of signal games are."""
        keys = self.infoset_labels
        return not isinstance(keys, (tuple, list)) or all(isinstance(key, str) for key in keys)

    def infoset_parts(self, infoset: int) -> Parts | None:
        """Return what a player holds there and what all have seen, if the game says so."""
        player = int(self.infoset_player[infoset])
        return self.given.parts(player, self.infoset_labels[infoset])

    def action_text(self, label: Hashable) -> str:
        """Return how an action or an outcome of chance is written."""
        return self.given.action(label)

    def player_text(self, player: int) -> str:
        """Return how a player is written: by the number, and the name if the game gives one."""
        return self.given.player(player)

    def _infoset_texts(self, player: int) -> list[str]:
        """Return how each of a player's information sets is written, in their order."""
        if player not in self._written:
            mine = np.flatnonzero(self.infoset_player == player).tolist()
            keys = [self.infoset_labels[infoset] for infoset in mine]
            self._written[player] = infoset_texts(player, keys, self.given)
        return self._written[player]

    @cached_property
    def _written(self) -> dict[int, list[str]]:
        return {}

    @cached_property
    def _places(self) -> Index:
        """The place of each information set among those of its player."""
        places = np.zeros(self.num_infosets, dtype=np.int64)
        for player in range(self.num_players):
            mine = np.flatnonzero(self.infoset_player == player)
            places[mine] = np.arange(len(mine))
        return places

    @cached_property
    def infoset_first_node(self) -> Index:
        """The first node of each information set."""
        decisions = np.flatnonzero(self.player >= 0)
        first = np.full(self.num_infosets, -1, dtype=np.int64)
        first[self.infoset[decisions[::-1]]] = decisions[::-1]
        return _read_only(first)

    def path(self, node: int) -> list[Hashable]:
        """Return the labels of the actions and outcomes that lead from the root to a node.

        Raises
        ------
        InvalidParameterError
            If there is no such node.
        """
        self._check_node(node)
        labels = []
        while node > 0:
            labels.append(self.labels[self.label[node]])
            node = int(self.parent[node])
        return labels[::-1]

    def describe(self, node: int) -> str:
        """Name a node for an error message by the path to it; errors as for `path`."""
        path = [self.action_text(label) for label in self.path(node)]
        if len(path) > 12:
            path = [*path[:6], f"... {len(path) - 12} more ...", *path[-6:]]
        return f"node {node} ({' > '.join(path)})" if path else f"node {node} (the root)"

    def count(self, kind: str) -> int:
        """Count nodes of a kind: 'decision', 'chance' or 'terminal'.

        Raises
        ------
        UnknownNameError
            If there is no such kind.
        """
        tests = {
            "decision": self.player >= 0,
            "chance": self.player == CHANCE,
            "terminal": self.player == TERMINAL,
        }
        if kind not in tests:
            raise UnknownNameError.of("kind of node", kind, tests)
        return int(tests[kind].sum())

    def _check_node(self, node: int) -> None:
        if type(node) is not int or not 0 <= node < len(self.parent):  # most are right
            check_index(node, self.num_nodes, "node")

    def summary(self) -> Rows:
        """Return players and sizes."""
        owners = np.bincount(self.infoset_player, minlength=self.num_players)
        kinds = ("decision", "chance", "terminal")
        each = ", ".join(f"{self.count(kind):,} {kind}" for kind in kinds)
        return [
            ("players", f"{self.num_players}"),
            ("nodes", f"{self.num_nodes:,} ({each})"),
            ("depth", f"{self.depth:,}"),
            ("infosets", counts_text(owners.tolist())),
            ("numbers", "exact" if self.is_exact else "floats"),
            ("unit", self.unit),
        ]

    def _repr_html_(self) -> str:
        """Return the tree's picture, or a table where it is too large to be drawn."""
        table = super()._repr_html_()
        if self.num_nodes > DRAWN_NODES:
            return table
        try:
            return PICTURES.get("tree")(self)
        except SeqformError:  # too wide, or labels that cannot be drawn
            return table


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def level_starts(first_child: Ints, num_children: Ints) -> Index:
    """Return the level offsets of nodes in level order: a level's children are the next level."""
    starts = [0, 1]
    while True:
        level = slice(starts[-2], starts[-1])
        stop = int((first_child[level] + num_children[level]).max())
        # the last level, or columns that are not valid
        if not starts[-1] < stop <= len(first_child):
            return np.array(starts, dtype=np.int64)
        starts.append(stop)
