"""Tic-tac-toe: the 3,3,3 game."""

from __future__ import annotations

from games.mnk import MNK, mnk
from games.sources import UITERWIJK
from seqform.game.catalogue import GameEntry, KnownValue


def tic_tac_toe(board: str = "") -> MNK:
    """Return tic-tac-toe, from a position if one is given.

    Parameters
    ----------
    board
        The position, such as ``xoo/..x/...``: rows from the top.
    """
    return mnk(3, 3, 3, board)


TIC_TAC_TOE = GameEntry(
    "tic-tac-toe",
    "Tic-tac-toe, from any position",
    tic_tac_toe,
    (
        KnownValue(0, UITERWIJK),
        KnownValue(1, "by hand: two ways to make a row are open", {"board": "xoo/.xx/..."}),
    ),
)
