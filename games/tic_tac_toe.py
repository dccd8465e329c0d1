"""Tic-tac-toe: the 3,3,3 game."""

from __future__ import annotations

from games.mnk import MNK, mnk


def tic_tac_toe(board: str = "") -> MNK:
    """Return tic-tac-toe, from a position written as ``xoo/..x/...`` if one is given."""
    return mnk(3, 3, 3, board)
