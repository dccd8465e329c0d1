"""From the ends of a game back to its root: a depth-first pass over its states.

It has a stack of its own, so that depth is bounded by memory only, and a table of the states
already settled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from math import inf
from operator import add
from typing import Any, NamedTuple

from seqform.base.deadline import check_time
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    OutOfTimeError,
    UnsupportedGameError,
)
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number, check_num_players, is_exact
from seqform.base.summary import counted
from seqform.game.checks import (
    checked_actions,
    checked_chance,
    checked_payoffs,
    checked_player,
    describe_path,
    placing,
)
from seqform.game.many_states import PROBED_FROM, too_many_states
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.perfect_information.decision import Decision, Trace, Values, labels_along
from seqform.perfect_information.imperfection import SingletonCheck
from seqform.perfect_information.result import TELL_EVERY, ProgressCallback, SearchProgress
from seqform.perfect_information.rounding import Extent

Entry = tuple[Values, Hashable | None]
"""What a subgame pays each player, and the action chosen at its root; None at terminal and chance
states."""

Settled = tuple[Values, Hashable | None, int]
"""An entry, and how many nodes the longest path has from its state to an end."""

Decide = Callable[[Any, int, tuple[Hashable, ...], list[Values]], Entry]
"""Chooses at a state: given the state, who moves, the actions, and the values of what they lead
to."""


class _Inner(NamedTuple):
    """A state whose children are being settled; `probabilities` is empty unless chance moves."""

    state: Any
    player: int
    actions: tuple[Hashable, ...]
    probabilities: tuple[Number, ...]


class Traversal:
    """Settles subgames.

    `table` holds those that were settled, `statistics` counts what it took, and `extent` says how
    far rounding errors may add up.

    Parameters
    ----------
    game
        The rules.
    decide
        Who chooses what.
    table
        Where settled states are kept.
    max_nodes
        How many states to enter at most.
    trace
        Called with every decision.
    deadline
        Until when, by `time.perf_counter`.
    callback
        Called with the progress.
    """

    def __init__(
        self,
        game: Game,
        decide: Decide,
        table: dict[Any, Settled],
        max_nodes: int | None = None,
        trace: Trace | None = None,
        deadline: float = inf,
        callback: ProgressCallback | None = None,
    ) -> None:
        self.game, self.decide, self.table = game, decide, table
        self.max_nodes, self.deadline = max_nodes, deadline
        self.trace, self.callback = trace, callback
        self.num_players = check_num_players(game.num_players)
        self.rewards: Callable[[Any], Any] | None = getattr(game, "rewards", None)
        self._players = range(self.num_players)
        self.statistics = {"nodes": 0, "table_hits": 0}
        self._singletons = SingletonCheck(game)
        self._payoffs: dict[Any, Values] = {}
        self._path: dict[Any, None] = {}
        self._memory = MemoryLimit()
        self._start = self._told = time.perf_counter()
        self._longest = self._widest = 0
        self._is_probed = False
        self._has_exact_chances = True
        self._pays_on_the_way = False

    @property
    def extent(self) -> Extent:
        """How large and deep what was gone through is, for the bound on rounding errors."""
        numbers = [number for row in self._payoffs.values() for number in row]
        exact = self._has_exact_chances and all(map(is_exact, numbers))
        largest = max((abs(float(number)) for number in numbers), default=0.0)
        zero = all(sum(row) == 0 for row in self._payoffs.values())
        payments = self._longest if self._pays_on_the_way else 1
        return Extent(self._longest, self._widest, payments, largest, exact, zero)

    def settle(self, root: Any) -> Settled:
        """Return what the subgame that begins at `root` pays, and the action chosen there.

        Raises
        ------
        InvalidGameError
            If the rules break a requirement of docs/data-model.md, or a state comes back on a path.
        UnsupportedGameError
            If somebody cannot tell two states apart.
        GameTooLargeError
            If `max_nodes` or the memory is used up.
        OutOfTimeError
            If the deadline is over.
        """
        self._path.clear()
        with placing(self._here, (InvalidGameError, UnsupportedGameError)):
            return self._settle(root)

    def _settle(self, root: Any) -> Settled:
        table, path, child, mover = self.table, self._path, self.game.child, self.game.player
        todo: list[Any] = [root]  # states to enter, above the inner states that wait for them
        values: list[Values] = []  # of the children settled so far of the inner states that wait
        heights: list[int] = []  # of the same children
        limit = inf if self.max_nodes is None else self.max_nodes
        before, nodes, hits = self.statistics["nodes"], 0, 0
        check_at = self._memory.next_look - before
        while todo:
            state = todo.pop()
            if type(state) is _Inner:
                inner, first = state, len(values) - len(state.actions)
                entry = self._choose(inner, values[first:])
                height = 1 + max(heights[first:])
                del values[first:], heights[first:]
                state = inner.state
            else:
                known = table.get(state)
                if known is not None:
                    hits += 1
                    settled = known
                    values.append(known[0])
                    heights.append(known[2])
                    continue
                if state in path:
                    raise InvalidGameError(
                        f"the game is cyclic: {state!r} comes back; "
                        "put what changes (a count of moves) into the state"
                    )
                path[state] = None
                nodes += 1
                if nodes > limit or nodes >= check_at:
                    self._check_limits(nodes, len(path))
                    check_at = self._memory.next_look - before
                player = mover(state)
                if player != TERMINAL:
                    inner = self._open(state, player)
                    todo.append(inner)
                    todo += [child(state, action) for action in reversed(inner.actions)]
                    continue
                entry, height = (self._row(self.game.payoffs(state)), None), 1
            del path[state]
            table[state] = settled = (*entry, height)
            values.append(entry[0])
            heights.append(height)
        self.statistics["nodes"] += nodes
        self.statistics["table_hits"] += hits
        self._longest = max(self._longest, settled[2])
        return settled

    def _open(self, state: Any, player: int) -> _Inner:
        if player == CHANCE:
            return self._open_chance(state)
        if type(player) is not int or player not in self._players:
            player = checked_player(player, self.num_players)
        if self._singletons.needed:
            self._singletons(player, state)
        return _Inner(state, player, checked_actions(self.game.actions(state)), ())

    def _open_chance(self, state: Any) -> _Inner:
        labels, probabilities = checked_chance(self.game.chance(state))
        self._widest = max(self._widest, len(labels))
        self._has_exact_chances &= all(map(is_exact, probabilities))
        return _Inner(state, CHANCE, labels, probabilities)

    def _row(self, payoffs: Any) -> Values:
        """Return payoffs or rewards, checked when they are first seen."""
        row = self._payoffs.get(payoffs) if type(payoffs) is tuple else None
        if row is None:
            row = checked_payoffs(payoffs, self.num_players)
            self._payoffs[row] = row
        return row

    def _choose(self, inner: _Inner, options: list[Values]) -> Entry:
        if inner.probabilities:
            values, chosen = mean(inner.probabilities, options), None
        else:
            values, chosen = self.decide(inner.state, inner.player, inner.actions, options)
        rewards = self.rewards(inner.state) if self.rewards else None
        if rewards is not None:
            self._pays_on_the_way = True
            rewards = self._row(rewards)
            values = tuple(map(add, rewards, values))
        if self.trace:
            path = labels_along(self.game, list(self._path))
            options_seen = tuple(zip(inner.actions, options, strict=True))
            self.trace(Decision(path, inner.player, options_seen, chosen, values, rewards=rewards))
        return values, chosen

    def _check_limits(self, nodes: int, depth: int) -> None:
        if self.max_nodes is not None and nodes > self.max_nodes:
            limit = (
                f"{counted(self.max_nodes, 'node')} (raise max_nodes= if it is meant to be larger)"
            )
        elif self._memory.is_used_up(self.statistics["nodes"] + nodes):
            limit = f"{self._memory} (use smaller parameters)"
        else:
            self._check_clock(nodes)
            self._probe(nodes)
            return
        raise GameTooLargeError(
            f"the game does not end within {limit}: "
            f"{counted(nodes, 'state')} entered and {counted(depth, 'move')} deep so far"
        )

    def _probe(self, nodes: int) -> None:
        """Give up early on a game that random plays show to have too many states."""
        if self._is_probed or nodes < PROBED_FROM:
            return
        self._is_probed = True
        why = too_many_states(self.game, self._memory, nodes, self.max_nodes)
        if why is not None:
            raise GameTooLargeError(why)

    def _check_clock(self, nodes: int) -> None:
        check_time(f"going through the game, {nodes:,} states so far")
        now = time.perf_counter()
        if now > self.deadline:
            raise OutOfTimeError(
                f"the time limit was over after {counted(nodes, 'state')}, "
                "before the game was solved: raise time_limit="
            )
        if self.callback and now > self._told + TELL_EVERY:
            self._told = now
            self.callback(SearchProgress(now - self._start, nodes))

    def _here(self) -> str:
        return describe_path(self.game, list(self._path))


def mean(probabilities: tuple[Number, ...], options: list[Values]) -> Values:
    """Return the expectation of payoff vectors."""
    return tuple(
        sum(p * u for p, u in zip(probabilities, column, strict=True))
        for column in zip(*options, strict=True)
    )
