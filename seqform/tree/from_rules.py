"""Expansion: from the rules of a game to its tree, level by level, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain, count
from typing import Any

import numpy as np

from seqform.base.errors import GameTooLargeError, InvalidGameError, SeqformError
from seqform.base.interner import Interner
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number, as_number, check_num_players
from seqform.game.checks import checked_payoffs, unknown_player
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.tree.tree import GameTree
from seqform.tree.validate import validate

MAX_NODES = 5_000_000
MAX_DEPTH = 120_000
CHUNK = 4096
"""States expanded between two looks at the limits."""

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
        If a limit is used up: nodes, depth, 4 GB of memory, or half of this machine's.
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
        self.memory = MemoryLimit()
        numbers = count()
        # with perfect information every node is an information set, whether or not its state comes
        # again
        self.get_infoset = (
            (lambda state: (state, next(numbers)))
            if getattr(game, "perfect_information", False)
            else game.infoset
        )

    def run(self) -> GameTree:
        """Expand level after level until there are no states left."""
        try:
            self._expand_all()
        except (SeqformError, MemoryError):
            raise
        except Exception as error:  # a mistake in the rules: say at which state they made it
            raise InvalidGameError(
                f"the rules raised {type(error).__name__}: {error}, at {self._here()}"
            ) from error
        return self._freeze()

    def _expand_all(self) -> None:
        states, depth = [self.game.root()], 0
        while states:
            chunks = (states[i : i + CHUNK] for i in range(0, len(states), CHUNK))
            states = list(chain.from_iterable(self._expand_chunk(some, depth) for some in chunks))
            depth += 1

    def _expand_chunk(self, states: list[Any], depth: int) -> list[Any]:
        """Append the rows of `states` and return their children."""
        self._check_limits(depth)
        players = list(map(self.game.player, states))
        self._check_players(players)
        game, children = self.game, []
        get_payoffs, get_actions, get_child = game.payoffs, game.actions, game.child
        get_infoset = self.get_infoset
        payoff_rows, label_rows = self.payoff_rows, self.label_rows
        infosets, infoset_labels = self.infosets, self.infoset_labels
        infoset_column, count_column, payoff_column = self.infoset, self.num_children, self.payoff
        self.player += players
        for state, player in zip(states, players, strict=True):
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
                actions = tuple(get_actions(state))
                key = get_infoset(state)
                row = infosets[player].get(key)
                if row is None:
                    row = infosets[player][key] = len(infoset_labels)
                    infoset_labels.append(key)
                infoset_column.append(row)
                self.probability += (-1,) * len(actions)
            codes = label_rows.get(actions)
            if codes is None:
                codes = label_rows[actions] = [self.labels(action) for action in actions]
            self.label += codes
            count_column.append(len(codes))
            children += [get_child(state, action) for action in actions]
        return children

    def _chance_edges(self, state: Any) -> tuple[Hashable, ...]:
        outcomes = tuple(self.game.chance(state))
        rows = self.probability_rows
        for _, probability in outcomes:
            row = rows.get(probability)
            if row is None:
                row = rows.setdefault(self._number(probability), len(rows))
            self.probability.append(row)
        return tuple(label for label, _ in outcomes)

    def _payoff_row(self, payoffs: Sequence[Number] | None) -> int:
        try:
            row = checked_payoffs(payoffs, self.num_players)
        except InvalidGameError as error:
            raise InvalidGameError(f"{error}, at {self._here()}") from None
        return self.payoff_rows.setdefault(row, len(self.payoff_rows))

    def _reward_row(self, state: Any) -> int:
        rewards = self.rewards(state) if self.rewards else None
        return -1 if rewards is None else self._payoff_row(rewards)

    def _number(self, value: object) -> Number:
        try:
            return as_number(value)
        except InvalidGameError as error:
            raise InvalidGameError(f"{error}, at {self._here()}") from None

    def _check_players(self, players: list[int]) -> None:
        """Check who moves at the nodes that come next."""
        valid = range(TERMINAL, self.num_players)
        if not set(players).issubset(valid):
            wrong = next(i for i, p in enumerate(players) if p not in valid)
            raise InvalidGameError(
                f"{unknown_player(players[wrong], self.num_players)}, at "
                f"{self._describe(len(self.player) + wrong)}"
            )

    def _check_limits(self, depth: int) -> None:
        if len(self.label) > self.max_nodes:
            limit = f"{self.max_nodes:,} nodes (raise max_nodes if it is meant to be larger)"
        elif depth > self.max_depth:
            limit = (
                f"{self.max_depth:,} moves on one path "
                "(raise max_depth if it is meant to be longer)"
            )
        elif self.memory.is_used_up():
            limit = str(self.memory)
        else:
            return
        raise GameTooLargeError(
            f"the game does not end within {limit}: {len(self.label):,} nodes and {depth:,} moves "
            f"deep so far{self._repetition()}"
        )

    def _repetition(self) -> str:
        """Return a hint for the user: whether a state comes back on the newest path (a cycle)."""
        labels = self.labels.values()
        game, state = self.game, self.game.root()
        seen: dict[Any, int] = {}
        for step, row in enumerate(self._path(len(self.label) - 1)[:REPLAYED_MOVES]):
            if state in seen:
                return (
                    f"; it is cyclic: the state after {step} moves, "
                    f"{state!r}, is the state after {seen[state]} moves"
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
        )
