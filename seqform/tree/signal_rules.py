"""A signal game seen as rules, from any of its states on: each deal is a move of chance."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from seqform.base.number import Number
from seqform.game.signals import SignalGame
from seqform.tree.start import find_state
from seqform.tree.views import Edge, SignalView


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
