"""A walk through a game of OpenSpiel, for random probes of its size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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
