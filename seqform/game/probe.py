"""A random probe of a game: one play in which every move is equally likely, and what it met.

The nodes that a probe counts are an unbiased estimate of those of the tree: at each depth it counts
the product of the numbers of moves above, one over the probability of being there.

References
----------
Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975,
theorem 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol, runtime_checkable

from seqform.base.summary import counted
from seqform.game.checks import (
    checked_actions,
    checked_player,
    outcomes_of,
    placing,
    root_of,
)
from seqform.game.deals import num_deals
from seqform.game.rules import CHANCE, TERMINAL, Game
from seqform.game.signals import SignalGame, checked_deck

LONGEST = 20_000
"""Moves after which a probe is cut: play that goes on so long may never end."""


@runtime_checkable
class Walk(Protocol):
    """A game as a probe goes down it, state by state."""

    def root(self) -> Any:
        """Return the state in which play begins."""

    def moves(self, state: Any) -> Sequence[Any]:
        """Return the actions or outcomes at a state, those of probability 0 too; none at an end."""

    def child(self, state: Any, move: Any) -> Any:
        """Return the state after a move; the one before need not be kept."""

    def copies(self, state: Any) -> int:
        """Return how many nodes alike the state stands for, as where cards are not looked at."""

    def key(self, state: Any) -> Hashable:
        """Return what tells that a state comes back on its path; None if nothing does."""


@dataclass(frozen=True)
class Probe:
    """What one play met, and what it counts.

    Parameters
    ----------
    nodes, terminal_nodes
        Unbiased estimates of those of the tree, unless the probe was cut.
    depth
        Moves that were made.
    inner, children
        Nodes met that have children, and how many children they had, all together.
    cut
        Whether play went on.
    endless
        How play came back to a state, so that it need not end; None if it did not.
    """

    nodes: int
    terminal_nodes: int
    depth: int
    inner: int
    children: float
    cut: bool = False
    endless: str | None = None


def probe(
    walk: Walk,
    choose: Callable[[int], int],
    longest: float = LONGEST,
    enough: float = inf,
    end: float = inf,
) -> Probe:
    """Play once from the root.

    Parameters
    ----------
    walk
        The game.
    choose
        Takes how many moves there are, and returns one's position: each equally likely.
    longest, enough, end
        The probe is cut after so many moves, or nodes counted, or at a time by `time.perf_counter`.
    """
    state, weight, seen = walk.root(), 1, dict[Hashable, int]()
    nodes, depth, children = 0, 0, 0.0
    while True:
        key, alike = walk.key(state), walk.copies(state)
        nodes += weight * alike
        if key is not None:
            if key in seen:
                first = f"the state after {counted(seen[key], 'move')}"
                back = f"the state after {counted(depth, 'move')}, {key!r}, is {first}"
                return Probe(nodes, 0, depth, depth, children, endless=back)
            seen[key] = depth
        moves = walk.moves(state)
        if not moves:
            return Probe(nodes, weight * alike, depth, depth, children)
        if depth >= longest or nodes > enough or time.perf_counter() > end:
            return Probe(nodes, 0, depth, depth, children, cut=True)
        state = walk.child(state, moves[choose(len(moves))])
        children += len(moves) * walk.copies(state) / alike
        weight, depth = weight * len(moves), depth + 1


class RulesWalk:
    """A walk through a game given by its rules, whose answers are checked."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def root(self) -> Any:
        """Return the root."""
        return root_of(self._game)

    def moves(self, state: Any) -> Sequence[Any]:
        """Return the actions, or the outcomes of chance."""
        with placing(lambda: f"the state {state!r}"):
            player = checked_player(self._game.player(state), self._game.num_players)
            if player == TERMINAL:
                return ()
            if player == CHANCE:
                return outcomes_of(self._game.chance(state))[0]
            return checked_actions(self._game.actions(state))

    def child(self, state: Any, move: Any) -> Any:
        """Return the state after a move."""
        with placing(lambda: f"the state {state!r}"):
            return self._game.child(state, move)

    def is_chance(self, state: Any) -> bool:
        """Return whether chance moves."""
        return self._game.player(state) == CHANCE

    def copies(self, state: Any) -> int:
        """Return 1: every state is looked at."""
        return 1

    def key(self, state: Any) -> Hashable:
        """Return the state."""
        return state  # type: ignore[no-any-return]


class SignalWalk:
    """A walk through the public states of a signal game, each of which stands for all its deals.

    A state is a public state, and how many signals are dealt.

    Parameters
    ----------
    game
        The rules.
    public
        Whether to count public states, and not the nodes of the game.
    """

    def __init__(self, game: SignalGame, public: bool = False) -> None:
        self._game, self._public = game, public
        self._deals: dict[int, int] = {}

    def root(self) -> tuple[Any, int]:
        """Return the first public state, with no signals dealt."""
        with placing(lambda: "the first public state", kinds=()):
            return self._game.root(), 0

    def moves(self, state: tuple[Any, int]) -> Sequence[Any]:
        """Return the actions; a deal is one move, whatever is dealt."""
        with placing(lambda: f"the public state {state[0]!r}"):
            player = checked_player(self._game.player(state[0]), self._game.num_players)
            if player == TERMINAL:
                return ()
            return (None,) if player == CHANCE else checked_actions(self._game.actions(state[0]))

    def child(self, state: tuple[Any, int], move: Any) -> tuple[Any, int]:
        """Return the state after an action or a deal."""
        with placing(lambda: f"the public state {state[0]!r}"):
            return self._game.child(state[0], move), state[1] + self.is_chance(state)

    def is_chance(self, state: tuple[Any, int]) -> bool:
        """Return whether a signal is dealt."""
        return self._game.player(state[0]) == CHANCE

    def copies(self, state: tuple[Any, int]) -> int:
        """Return the number of deals."""
        if self._public:
            return 1
        dealt = state[1]
        if dealt not in self._deals:
            self._deals[dealt] = num_deals(checked_deck(self._game.deck, dealt), dealt)
        return self._deals[dealt]

    def key(self, state: tuple[Any, int]) -> Hashable:
        """Return the state."""
        return state
