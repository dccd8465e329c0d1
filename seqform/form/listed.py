"""From a game in another representation to its sequence form; any other game stays as it is."""

from __future__ import annotations

from typing import Any

from seqform.game.kinds import is_hand_game, is_other_form


def listed(game: Any) -> Any:
    """Return the explicit form of a game in another representation; any other game as it is.

    Raises
    ------
    GameTooLargeError
        If that does not fit into memory, with the numbers.
    """
    if is_hand_game(game):
        from seqform.form.hand_form import hand_form  # most games are not of hands

        return hand_form(game)
    return game.explicit() if is_other_form(game) else game
