"""A walk through the states of one of OpenSpiel's games, depth first, and the tree of what it saw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from seqform.builder import Interner, level_order
from seqform.errors import GameTooLargeError, InvalidGameError, UnsupportedGameError
from seqform.expansion import CHUNK
from seqform.io.simple_fractions import exact_lottery, simplest
from seqform.memory import MemoryLimit
from seqform.number import Number
from seqform.protocol import CHANCE, TERMINAL
from seqform.tree import GameTree

OVER = -4
"""Who moves in OpenSpiel when the game is over; chance is -1 in OpenSpiel too."""

Visit: TypeAlias = tuple[int, Sequence[int]]
"""The kind of a state, and OpenSpiel's actions or outcomes in it."""


class Move(NamedTuple):
    """An action or chance outcome: OpenSpiel's number of it, and what it is called in the state where it is taken."""

    action: int
    name: str

    def __str__(self) -> str:
        return self.name


class _Kind(NamedTuple):
    """All that nodes can have in common: the same information set, lottery or payoffs."""

    player: int
    infoset: int
    payoffs: tuple[Number, ...]
    moves: tuple[Move, ...]
    probabilities: tuple[Number, ...]


class Traversal:
    """What is noted of the nodes, in prefix order: the parent and the kind. Few states are held at a time.

    Parameters
    ----------
    num_players, chance_denominator, max_nodes
        See `from_open_spiel`.
    """

    def __init__(self, num_players: int, chance_denominator: int | None, max_nodes: int) -> None:
        self.num_players, self.chance_denominator, self.max_nodes = num_players, chance_denominator, max_nodes
        self.memory = MemoryLimit()
        self.parent: list[int] = []
        self.kind: list[int] = []
        self.kinds: list[_Kind] = []
        self.infosets: list[dict[str, Visit]] = [{} for _ in range(num_players)]
        self.labels: list[str] = []  # of the information sets of all players
        self.lotteries: dict[tuple[tuple[int, float, str], ...], Visit] = {}
        self.payoffs: dict[tuple[float, ...], Visit] = {}

    def run(self, root: Any) -> None:
        """Visit `root` and all states below it.

        Raises
        ------
        InvalidGameError, UnsupportedGameError, GameTooLargeError
            See `from_open_spiel`.
        """
        parents, states = [-1], [root]
        next_parent, next_state, note_parent, note_kind = parents.pop, states.pop, self.parent.append, self.kind.append
        visits = {CHANCE: self._lottery, OVER: self._end} | dict.fromkeys(range(self.num_players), self._infoset)
        node = -1
        while states:
            node += 1
            state = next_state()
            player = state.current_player()
            visit = visits.get(player)
            if visit is None:
                raise UnsupportedGameError(
                    f"OpenSpiel's player {player} moves after {state.history_str()!r}, but trees know no such player"
                )
            kind, actions = visit(state, player)
            note_parent(next_parent())
            note_kind(kind)
            if actions:
                states += map(state.child, actions[:0:-1])
                state.apply_action(actions[0])  # the state itself becomes its first child, which spares a copy
                states.append(state)
                parents += [node] * len(actions)
                if node + len(states) >= self.max_nodes or (node % CHUNK == 0 and self.memory.is_used_up()):
                    limit = f"{self.max_nodes:,} nodes" if node + len(states) >= self.max_nodes else str(self.memory)
                    raise GameTooLargeError(
                        f"the game does not end within {limit}; use smaller parameters, or raise max_nodes if it is meant to be larger"
                    )

    def _infoset(self, state: Any, player: int) -> Visit:
        key, legal = state.information_state_string(), state.legal_actions()
        known = self.infosets[player].get(key)
        if known is None:
            moves = tuple([Move(action, state.action_to_string(player, action)) for action in legal])
            known = self.infosets[player][key] = self._new(_Kind(player, len(self.labels), (), moves, ())), legal
            self.labels.append(key)
        elif known[1] != legal:
            raise InvalidGameError(
                f"R8: the information set {key!r} has the actions {known[1]}, but after {state.history_str()!r} {legal}; the player could "
                "tell the states apart"
            )
        return known

    def _lottery(self, state: Any, player: int) -> Visit:
        name, outcomes = state.action_to_string, state.chance_outcomes()
        key = tuple([(action, probability, name(player, action)) for action, probability in outcomes])
        known = self.lotteries.get(key)
        if known is None:
            moves = tuple([Move(action, called) for action, _, called in key])
            exact = exact_lottery(tuple([probability for _, probability, _ in key]), self.chance_denominator)
            known = self.lotteries[key] = self._new(_Kind(CHANCE, -1, (), moves, exact)), [move.action for move in moves]
        return known

    def _end(self, state: Any, player: int) -> Visit:
        given = tuple(state.returns())
        known = self.payoffs.get(given)
        if known is None:
            known = self.payoffs[given] = self._new(_Kind(TERMINAL, -1, tuple(map(simplest, given)), (), ())), ()
        return known

    def _new(self, kind: _Kind) -> int:
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def tree(self) -> GameTree:
        """Return the tree of what was visited, in level order."""
        labels, probabilities, payoffs = Interner(), Interner(), Interner()
        edge_label = np.array([labels(move) for kind in self.kinds for move in kind.moves] or [-1])
        edge_probability = np.array(list(chain.from_iterable(_rows(kind, probabilities) for kind in self.kinds)) or [-1])
        parent, kinds = np.array(self.parent), np.array(self.kind)
        num_moves = np.array([len(kind.moves) for kind in self.kinds])
        first_edge = np.cumsum(num_moves) - num_moves
        count = num_moves[kinds]
        siblings = np.argsort(parent, kind="stable")  # the root, the children of node 0, those of node 1, ...
        first = 1 + np.cumsum(count) - count  # where a node's children lie among the siblings
        nodes = siblings[level_order(first[siblings], count[siblings])]
        rank = np.empty_like(nodes)
        rank[nodes] = np.arange(len(nodes))
        place = np.empty_like(nodes)
        place[siblings] = np.arange(len(nodes))
        edge = np.where(parent >= 0, first_edge[kinds[parent]] + place - first[parent], -1)[nodes]
        of_kind = kinds[nodes]
        columns = {
            "parent": np.where(parent >= 0, rank[parent], -1)[nodes],
            "first_child": np.where(count > 0, rank[siblings[np.minimum(first, len(nodes) - 1)]], -1)[nodes],
            "num_children": count[nodes],
            "player": np.array([kind.player for kind in self.kinds])[of_kind],
            "infoset": np.array([kind.infoset for kind in self.kinds])[of_kind],
            "label": np.where(edge >= 0, edge_label[edge], -1),
            "probability": np.where(edge >= 0, edge_probability[edge], -1),
            "payoff": np.array([payoffs(kind.payoffs) if kind.player == TERMINAL else -1 for kind in self.kinds])[of_kind],
        }
        return GameTree.from_columns(
            columns,
            num_players=self.num_players,
            probabilities=probabilities.values(),
            payoffs=payoffs.values(),
            labels=labels.values(),
            infoset_labels=tuple(self.labels),
        )


def _rows(kind: _Kind, probabilities: Interner) -> list[int]:
    """Return the row of each move's probability; -1 where a player chooses."""
    return [probabilities(p) for p in kind.probabilities] or [-1] * len(kind.moves)
