"""Finding out that information is not perfect: two states of one information set."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from seqform.base.errors import NotForThisGameError
from seqform.game import needs
from seqform.game.checks import check_key
from seqform.game.rules import Game


class SingletonCheck:
    """Remembers the state of every information set met.

    Games that declare `perfect_information` are believed.
    """

    def __init__(self, game: Game) -> None:
        self.needed = not needs.declares_perfect_information(game)
        self._game = game
        self._states: dict[tuple[int, Hashable], Any] = {}

    def __call__(self, player: int, state: Any) -> None:
        """Check that `player` was at no other state with the same information set.

        Raises
        ------
        NotForThisGameError
            Naming both.
        """
        key = self._game.infoset(state)
        if key is None:
            check_key(key)
        other = self._states.setdefault((player, key), state)
        if other != state:
            raise NotForThisGameError(
                f"{needs.confused(player, repr(state), repr(other))}, "
                f"both have the information set {key!r}"
            )
