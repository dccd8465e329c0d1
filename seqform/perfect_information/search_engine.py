"""The search behind minimax and alpha-beta: depth first, fail-soft, with proven bounds in a table.

All numbers are what player 0 gets: it maximises, player 1 minimises. What a state itself pays
(`rewards`) is taken out of the window below it and put back above.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from math import inf
from typing import Any

from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    NotForThisGameError,
    OutOfTimeError,
    UnsupportedGameError,
)
from seqform.base.memory import MemoryLimit
from seqform.base.number import Number, as_number, check_num_players, is_exact
from seqform.base.summary import counted
from seqform.game import needs
from seqform.game.checks import (
    checked_actions,
    checked_payoffs,
    checked_player,
    describe_path,
    placing,
)
from seqform.game.many_states import PROBED_FROM
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.perfect_information.decision import Decision, Trace, labels_along
from seqform.perfect_information.imperfection import SingletonCheck
from seqform.perfect_information.result import TELL_EVERY, ProgressCallback, SearchProgress

ROUNDING = 1e-12
"""How far, as a share of them, inexact payoffs of both players may sum from zero."""


def cancel(first: Number, second: Number) -> bool:
    """Return whether what one player is paid is what the other pays, up to rounding of floats."""
    total: Number = first + second
    if not total or is_exact(total):
        return not total
    return abs(float(total)) <= ROUNDING * abs(float(first))


Window = tuple[Number, Number]
Line = tuple[Hashable, Any] | None
"""A line of play: the first action and the line after it."""

_NO_MOVE = object()


class _Node:
    """A state on the path under search."""

    __slots__ = (
        "alpha",
        "best",
        "beta",
        "left",
        "limited",
        "line",
        "maximises",
        "moves",
        "options",
        "remaining",
        "reward",
        "state",
        "window",
    )

    def __init__(
        self,
        state: Any,
        maximises: bool,
        moves: Iterator[Hashable],
        window: Window,
        remaining: float,
        reward: Number,
    ) -> None:
        self.state, self.maximises, self.moves, self.window = state, maximises, moves, window
        self.remaining, self.reward = remaining, reward
        self.alpha, self.beta = window
        self.best: Number = -inf if maximises else inf
        self.left: Hashable = None  # the move under search
        self.line: Line = None
        self.limited = False
        self.options: list[tuple[Hashable, Number]] = []


class Search:
    """Searches a game.

    Parameters
    ----------
    game
        The rules.
    method
        Its name in messages.
    evaluate
        What stands for the value of a state at the depth limit, if there is a limit.
    prune
        Whether to leave out what cannot matter: alpha-beta; else plain minimax.
    table
        Where bounds are kept.
    ordered
        Whether the game's own `search_order` is followed.
    max_nodes, deadline
        How many states to enter at most; until when by `time.perf_counter`.
    callback, trace
        Called with the progress, and with every decision.
    """

    def __init__(
        self,
        game: Game,
        method: str,
        *,
        evaluate: Callable[[Any], Number] | None,
        prune: bool,
        table: dict[Any, Any],
        ordered: bool = True,
        max_nodes: int | None = None,
        deadline: float = inf,
        callback: ProgressCallback | None = None,
        trace: Trace | None = None,
    ) -> None:
        check_num_players(game.num_players)
        needs.require(needs.two_players(f"R10: {method} is for", game))
        self.game, self.method, self.prune, self.table = game, method, prune, table
        self.max_nodes, self.deadline = max_nodes, deadline
        self.callback, self.trace = callback, trace
        self.evaluate = evaluate
        self.rewards: Callable[[Any], Any] | None = getattr(game, "rewards", None)
        self.order: Callable[[Any], Any] | None = (
            getattr(game, "search_order", None) if ordered else None
        )
        self.nodes = self.cutoffs = self.table_hits = 0
        self.line: Line = None
        self.limited = False
        self._start = self._told = time.perf_counter()
        self._depth: float = inf
        self._is_probed = False
        self._memory, self._singletons = MemoryLimit(), SingletonCheck(game)
        self._check_at = self._next_check()
        self._path: dict[Any, None] = {}
        self._payoffs: dict[Any, Number] = {}

    def run(self, window: Window, depth: float) -> Number:
        """Return the value of the game, or a bound where it is outside of the window.

        `line` is then the line of play that was found, and `limited` whether the depth limit
        was met on the way.

        Raises
        ------
        InvalidGameError
            If the rules break a requirement of docs/data-model.md, or a state comes back on a path.
        UnsupportedGameError
            For chance, imperfect information, or payoffs that do not sum to zero.
        GameTooLargeError
            If `max_nodes` or the memory is used up.
        OutOfTimeError
            If the deadline is over.
        """
        self._path.clear()
        self._depth = depth
        with placing(self._here, (InvalidGameError, UnsupportedGameError)):
            return self._run(self.game.root(), window, depth)

    def _here(self) -> str:
        return describe_path(self.game, list(self._path))

    def _run(self, root: Any, window: Window, depth: float) -> Number:
        stack: list[_Node] = []
        child, found = self.game.child, self._enter(root, *window, depth)
        while True:
            if isinstance(found, _Node):
                stack.append(found)
            elif stack:
                self._credit(stack[-1], found)
            else:
                return found
            node = stack[-1]
            move = _NO_MOVE if node.alpha >= node.beta else next(node.moves, _NO_MOVE)
            if move is _NO_MOVE:
                found = self._close(stack.pop())
            else:
                node.left = move
                found = self._enter(
                    child(node.state, move), node.alpha, node.beta, node.remaining - 1
                )

    def _enter(self, state: Any, alpha: Number, beta: Number, remaining: float) -> _Node | Number:
        """Return what is known of a state, or a node to search it."""
        if state in self._path:
            raise InvalidGameError(
                f"the game is cyclic: {state!r} comes back; "
                "put what changes (a count of moves) into the state"
            )
        self._path[state] = None
        self.nodes += 1
        if self.nodes >= self._check_at:
            self._check_limits()
        found = self._look(state, alpha, beta, remaining)
        if not isinstance(found, _Node):
            del self._path[state]
        return found

    def _look(self, state: Any, alpha: Number, beta: Number, remaining: float) -> _Node | Number:
        self.line, self.limited, first = None, False, None
        player = self.game.player(state)
        if player == TERMINAL:
            return self._pay(self.game.payoffs(state))
        rewards = self.rewards(state) if self.rewards else None
        reward = 0 if rewards is None else self._pay(rewards)
        if reward:
            alpha, beta = alpha - reward, beta - reward
        known = self.table.get(state)
        if known is not None:
            depth, low, high, line = known
            if depth >= remaining and (low >= beta or high <= alpha or low == high):
                self.table_hits += 1
                self.line, self.limited = line, depth < inf
                bound: Number = high if high <= alpha else low
                return bound + reward
            first = line
        if remaining <= 0 and self.evaluate:
            self.limited = True
            return as_number(self.evaluate(state))
        return _Node(
            state, player == 0, self._moves(state, player, first), (alpha, beta), remaining, reward
        )

    def _moves(self, state: Any, player: int, known: Line) -> Iterator[Hashable]:
        """Return the moves at a state, the one that was best before first."""
        if player == CHANCE:
            raise NotForThisGameError(
                f"chance moves, and {self.method} is for games without chance"
            )
        if type(player) is not int or player not in (0, 1):
            player = checked_player(player, 2)
        if self._singletons.needed:
            self._singletons(player, state)
        moves = checked_actions(self.game.actions(state))
        if self.order:
            actions, moves = moves, self.order(state)
            if len(moves) != len(actions) or set(moves) != set(actions):
                raise InvalidGameError(
                    f"search_order gives {list(moves)!r} where the "
                    f"actions are {list(actions)!r}; give each once"
                )
        if known is None:
            return iter(moves)
        return iter((known[0], *(move for move in moves if move != known[0])))

    def _pay(self, payoffs: Any) -> Number:
        """Return what player 0 is paid."""
        known = self._payoffs.get(payoffs) if type(payoffs) is tuple else None
        if known is not None:
            return known
        first, second = checked_payoffs(payoffs, 2)
        if not cancel(first, second):
            words = needs.cancelling(f"R10: {self.method} is for", (first, second))
            raise NotForThisGameError(words)
        self._payoffs[first, second] = first
        return first

    def _credit(self, node: _Node, value: Any) -> None:
        """Take the value of the move that was searched into account."""
        if self.limited:
            node.limited = True
        if self.trace:
            node.options.append((node.left, value))
        if node.maximises:
            if value > node.best:
                node.best, node.line = value, (node.left, self.line)
                if self.prune and value > node.alpha:
                    node.alpha = value
        elif value < node.best:
            node.best, node.line = value, (node.left, self.line)
            if self.prune and value < node.beta:
                node.beta = value

    def _close(self, node: _Node) -> Number:
        """Keep what was found of a node, and return it."""
        value, (alpha, beta) = node.best, node.window
        skipped = tuple(node.moves)
        if skipped:  # behind the last move there is nothing to cut off
            self.cutoffs += 1
        depth = node.remaining if node.limited else inf
        lower, upper = value if value > alpha else -inf, value if value < beta else inf
        self.table[node.state] = depth, lower, upper, node.line
        self.line, self.limited = node.line, node.limited
        if self.trace:
            self._tell(self.trace, node, skipped)
        del self._path[node.state]
        return value + node.reward

    def _tell(self, trace: Trace, node: _Node, skipped: tuple[Hashable, ...]) -> None:
        path = labels_along(self.game, list(self._path))
        chosen = None if node.line is None else node.line[0]
        window = node.window if self.prune else None
        player, options = 0 if node.maximises else 1, tuple(node.options)
        value, rewards = node.best + node.reward, node.reward or None
        trace(Decision(path, player, options, chosen, value, window, skipped, rewards))

    def progress(self) -> SearchProgress:
        """Return how far the search has come."""
        depth = None if self._depth == inf else int(self._depth)
        return SearchProgress(time.perf_counter() - self._start, self.nodes, depth=depth)

    def _check_limits(self) -> None:
        if self.max_nodes is not None and self.nodes > self.max_nodes:
            limit = (
                f"{counted(self.max_nodes, 'node')} (raise max_nodes= if it is meant to be larger)"
            )
            raise GameTooLargeError(
                f"the search does not end within {limit}: {counted(len(self._path), 'move')} "
                "deep so far"
            )
        if self._memory.is_used_up(self.nodes):
            raise GameTooLargeError(
                f"the search does not end within {self._memory}: {counted(self.nodes, 'state')} "
                "entered "
                f"and {counted(len(self._path), 'move')} deep so far; "
                "limit its table (table_size=), or its depth (depth=)"
            )
        self._check_at = self._next_check()
        self._probe()
        now = time.perf_counter()
        if now > self.deadline:
            raise OutOfTimeError("stopped by the time limit")
        if self.callback and now > self._told + TELL_EVERY:
            self._told = now
            self.callback(self.progress())

    def _probe(self) -> None:
        """Say how large the game is, where no depth bounds the search and it does not end soon."""
        if self._is_probed or self._depth < inf or self.nodes < PROBED_FROM:
            return
        self._is_probed = True
        from seqform.perfect_information.long_search import refuse_or_warn  # which loads arrays

        refuse_or_warn(self.game, self.method, self.prune, is_timed=self.deadline < inf)

    def _next_check(self) -> int:
        """Return after how many states to look at the limits again."""
        at = self._memory.next_look
        return at if self.max_nodes is None else min(at, self.max_nodes + 1)
