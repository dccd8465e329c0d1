"""Expansion: from the rules of a game to its tree, level by level, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import count
from typing import Any

import numpy as np

from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError
from seqform.base.interner import Interner
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number, as_number, check_num_players
from seqform.base.progress import tell
from seqform.base.summary import counted
from seqform.game import needs
from seqform.game.asked_labels import AskedLabels
from seqform.game.checks import (
    check_key,
    checked_actions,
    checked_payoffs,
    checked_player,
    outcomes_of,
    placing,
)
from seqform.game.labels import Visit, require_distinct
from seqform.game.probe import RulesWalk
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.game.size_estimate import OR_RAISE, TRIED_FROM, why_too_large
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

MAX_NODES = 5_000_000
MAX_DEPTH = 120_000

SEARCHED = "search it to a depth (method='alphabeta' with depth=4), "
"""What to do about a game without hidden information."""

REPLAYED_MOVES = 10_000
"""How much of a path too long is replayed in search of a state that comes back."""


def expand(game: Game, max_nodes: int = MAX_NODES, max_depth: int = MAX_DEPTH) -> GameTree:
    """Return the tree of an implicit game.

    Parameters
    ----------
    game
        The rules (see `seqform.game.rules.Game`).
    max_nodes, max_depth
        Limits that turn an endless or cyclic game into an error.

    Raises
    ------
    InvalidGameError
        If the rules break a requirement of docs/data-model.md.
    GameTooLargeError
        If a limit is used up: nodes, depth, 4 GB of memory, or half of what is available; or as
        soon as random probes show that one will be.
    """
    return validate(_Expansion(game, max_nodes, max_depth).run())


class _Expansion:
    """The columns of the tree while it grows; one list per column, in node order."""

    def __init__(self, game: Game, max_nodes: int, max_depth: int) -> None:
        self.game = game
        self.num_players = check_num_players(game.num_players)
        rewards: Callable[[Any], Sequence[Number] | None] | None = getattr(game, "rewards", None)
        self.rewards = rewards
        self.max_nodes, self.max_depth = max_nodes, max_depth
        self.player: list[int] = []
        self.infoset: list[int] = []
        self.num_children: list[int] = []
        self.payoff: list[int] = []
        self.label = [-1]
        self.probability = [-1]
        self.labels = Interner()
        # the number of each key, for each player
        self.infosets: list[dict[Hashable, int]] = [{} for _ in range(self.num_players)]
        self.infoset_labels: list[Hashable] = []
        self.payoff_rows: dict[tuple[Number, ...], int] = {}
        self.probability_rows: dict[Number, int] = {}
        self.label_rows: dict[tuple[Hashable, ...], list[int]] = {}
        self.written = AskedLabels(game, self.num_players)
        self.memory = MemoryLimit()
        self.is_probed = False
        self.is_perfect = needs.declares_perfect_information(game)
        numbers = count()
        # with perfect information every node is an information set, whether or not its state comes
        # again
        self.get_infoset = (
            (lambda state: Visit((state, next(numbers)))) if self.is_perfect else game.infoset
        )

    def run(self) -> GameTree:
        """Expand level after level until there are no states left."""
        with placing(self._here):
            self._expand_all()
        tree = self._freeze()
        if self.written.names_infosets:
            for player, known in enumerate(self.infosets):
                keys = list(known)
                texts = (tree.infoset_text(infoset) for infoset in known.values())
                require_distinct(player, texts, keys)
        return tree

    def _expand_all(self) -> None:
        states, depth = [self.game.root()], 0
        while states:
            below: list[Any] = []
            done = 0
            while done < len(states):
                self._check_limits(depth)
                chunk = states[done : done + self.memory.next_look - len(self.player)]
                below += self._expand_chunk(chunk, depth)
                done += len(chunk)
            states = below
            depth += 1

    def _expand_chunk(self, states: list[Any], depth: int) -> list[Any]:
        """Append the rows of `states` and return their children."""
        check_time(f"building the tree, {len(self.label):,} nodes so far")
        game, children = self.game, []
        get_player, get_payoffs, get_child = game.player, game.payoffs, game.child
        get_actions, get_infoset = game.actions, self.get_infoset
        payoff_rows, label_rows, infosets = self.payoff_rows, self.label_rows, self.infosets
        player_column, infoset_column = self.player, self.infoset
        count_column, payoff_column = self.num_children, self.payoff
        movers = frozenset(range(TERMINAL, self.num_players))
        name_node = self.written.name_node
        for state in states:
            if name_node is not None:
                name_node(state)
            player = get_player(state)
            if type(player) is not int or player not in movers:
                player = checked_player(player, self.num_players)
            player_column.append(player)
            if player == TERMINAL:
                payoffs = get_payoffs(state)
                row = payoff_rows.get(payoffs) if type(payoffs) is tuple else None
                payoff_column.append(self._payoff_row(payoffs) if row is None else row)
                infoset_column.append(-1)
                count_column.append(0)
                continue
            payoff_column.append(self._reward_row(state) if self.rewards else -1)
            if player == CHANCE:
                actions = self._chance_edges(state)
                infoset_column.append(-1)
            else:
                given = get_actions(state)
                actions = given if type(given) is tuple else checked_actions(given)
                key = get_infoset(state)
                try:
                    row = infosets[player].get(key)
                except TypeError:  # it cannot be a key, which is said below
                    row = None
                infoset_column.append(self._new_infoset(player, key) if row is None else row)
                self.probability += (-1,) * len(actions)
            try:
                codes = label_rows.get(actions)
            except TypeError:  # they cannot be labels, which is said below
                codes = None
            if codes is None:
                codes = [self.labels(action) for action in checked_actions(actions)]
                label_rows[actions] = codes
            self.label += codes
            if len(self.label) > self.max_nodes:
                self._check_limits(depth)
            children += [get_child(state, action) for action in actions]
            count_column.append(len(codes))
        return children

    def _new_infoset(self, player: int, key: Hashable) -> int:
        check_key(key)
        self.infosets[player][key] = len(self.infoset_labels)
        self.infoset_labels.append(key)
        if self.written.names_infosets:
            self.written.name_infoset(player, key)
        return len(self.infoset_labels) - 1

    def _chance_edges(self, state: Any) -> tuple[Hashable, ...]:
        labels, probabilities = outcomes_of(self.game.chance(state))
        rows = self.probability_rows
        for probability in probabilities:
            row = rows.get(probability)
            if row is None:
                row = rows.setdefault(as_number(probability), len(rows))
            self.probability.append(row)
        return labels

    def _payoff_row(self, payoffs: Sequence[Number] | None) -> int:
        row = checked_payoffs(payoffs, self.num_players)
        return self.payoff_rows.setdefault(row, len(self.payoff_rows))

    def _reward_row(self, state: Any) -> int:
        rewards = self.rewards(state) if self.rewards else None
        return -1 if rewards is None else self._payoff_row(rewards)

    def _check_limits(self, depth: int) -> None:
        tell(f"building the tree: {counted(len(self.label), 'node')}")
        if len(self.label) > self.max_nodes:
            limit = (
                f"{counted(self.max_nodes, 'node')} (raise max_nodes= if it is meant to be larger)"
            )
        elif depth > self.max_depth:
            limit = (
                f"{counted(self.max_depth, 'move')} on one path "
                "(raise max_depth= if it is meant to be longer)"
            )
        elif self.memory.is_used_up(len(self.player)):
            limit = f"{self.memory} (use smaller parameters)"
        else:
            self._probe()
            return
        raise GameTooLargeError(
            f"the game does not end within {limit}: {counted(len(self.label), 'node')} and "
            f"{counted(depth, 'move')} "
            f"deep so far{self._repetition()}"
        )

    def _probe(self) -> None:
        """Give a tree up early that random probes show to be too large."""
        if self.is_probed or len(self.label) < TRIED_FROM:
            return
        self.is_probed = True
        why = why_too_large(RulesWalk(self.game), self.max_nodes)
        if why is not None:
            raise GameTooLargeError(
                f"the game does not end within {counted(self.max_nodes, 'node')}: {why}; "
                f"{SEARCHED if self.is_perfect else ''}{OR_RAISE}"
            )

    def _repetition(self) -> str:
        """Return a hint for the user: whether a state comes back on the newest path (a cycle)."""
        labels = self.labels.values()
        game, state = self.game, self.game.root()
        seen: dict[Any, int] = {}
        for step, row in enumerate(self._path(len(self.label) - 1)[:REPLAYED_MOVES]):
            if state in seen:
                return (
                    f"; it is cyclic: the state after {counted(step, 'move')}, "
                    f"{state!r}, is the state after {counted(seen[state], 'move')}"
                )
            seen[state] = step
            state = game.child(state, labels[row])
        return "; no state was seen twice on the path that was checked"

    def _path(self, node: int) -> list[int]:
        """Return the label rows from the root to `node`, from numbers of children alone."""
        counts = np.array(self.num_children, dtype=np.int64)
        ends = 1 + np.cumsum(counts)
        rows = []
        while node > 0:
            rows.append(self.label[node])
            node = int(np.searchsorted(ends, node, side="right"))
        return rows[::-1]

    def _here(self) -> str:
        return self._describe(len(self.num_children))

    def _describe(self, node: int) -> str:
        labels = self.labels.values()
        path = [str(labels[row]) for row in self._path(node)]
        return f"node {node} ({' > '.join(path[-12:])})" if path else f"node {node} (the root)"

    def _freeze(self) -> GameTree:
        count = np.array(self.num_children, dtype=np.int64)
        columns = {
            "parent": np.append(-1, np.repeat(np.arange(len(count)), count)),
            "first_child": np.where(count > 0, 1 + np.cumsum(count) - count, -1),
            "num_children": count,
            "player": np.array(self.player),
            "infoset": np.array(self.infoset),
            "label": np.array(self.label),
            "probability": np.array(self.probability),
            "payoff": np.array(self.payoff),
        }
        return GameTree.from_columns(
            columns,
            num_players=self.num_players,
            probabilities=tuple(self.probability_rows),
            payoffs=tuple(self.payoff_rows),
            labels=self.labels.values(),
            infoset_labels=tuple(self.infoset_labels),
            unit=getattr(self.game, "unit", "units"),
            given=self.written.given(self.labels.values()),
        )
