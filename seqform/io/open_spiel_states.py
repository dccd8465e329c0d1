"""States of a game of OpenSpiel: a walk for random probes of its size, and the one below moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seqform.game.rules import TERMINAL
from seqform.io.distinct_labels import distinct_labels
from seqform.tree.path_of_labels import find_state
from seqform.tree.views import Edge


class OpenSpielWalk:
    """A walk on which each state becomes the next; see `seqform.game.probe.Walk`.

    Parameters
    ----------
    game
        A sequential game of OpenSpiel.
    """

    def __init__(self, game: Any) -> None:
        self._game = game

    def root(self) -> Any:
        """Return the initial state."""
        return self._game.new_initial_state()

    def moves(self, state: Any) -> Sequence[int]:
        """Return OpenSpiel's numbers of actions or outcomes."""
        return () if state.is_terminal() else state.legal_actions()

    def child(self, state: Any, move: int) -> Any:
        """Return the state itself, after the move."""
        state.apply_action(move)
        return state

    def copies(self, state: Any) -> int:
        """Return 1: every state is looked at."""
        return 1

    def key(self, state: Any) -> None:
        """Return None: states of OpenSpiel are not compared."""


class OpenSpielBelow:
    """A game of OpenSpiel that begins below some moves.

    Parameters
    ----------
    game
        A sequential game of OpenSpiel.
    at
        The names of the moves, joined by commas.

    Raises
    ------
    UnknownNameError
        If no moves are called so; with those there are.
    """

    def __init__(self, game: Any, at: str) -> None:
        self._game, self._state = game, find_state(_States(game), at)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def new_initial_state(self) -> Any:
        """Return the state below the moves."""
        return self._state.clone()


class _States:
    """The moves of a game of OpenSpiel; see `seqform.tree.path_of_labels.Moves`."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def root(self) -> Any:
        """Return the initial state."""
        return self._game.new_initial_state()

    def player(self, state: Any) -> int:
        """Return who moves, by OpenSpiel's number, or that nobody does."""
        return TERMINAL if state.is_terminal() else int(state.current_player())

    def edges(self, state: Any) -> list[Edge]:
        """Return the moves by the names that the tree has for them."""
        moves, player = state.legal_actions(), state.current_player()
        names = distinct_labels([state.action_to_string(player, move) for move in moves])
        return [
            Edge(name, None, state.child(move)) for name, move in zip(names, moves, strict=True)
        ]
