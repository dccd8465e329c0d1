"""Below: the part of a game that begins at one of its states."""

from __future__ import annotations

from typing import Any

from seqform.game.rules import Game


class Below:
    """A game that begins at another state.

    Parameters
    ----------
    game
        The whole game.
    state
        Where it begins.
    """

    def __init__(self, game: Game, state: Any) -> None:
        self._game, self._state = game, state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def root(self) -> Any:
        """Return that state."""
        return self._state
