"""Backward passes over a player's information sets, board by board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seqform.base.arrays import Floats
from seqform.form.alike_boards import Images
from seqform.form.board_game import BoardGame
from seqform.form.board_kernels import add_following, best_action
from seqform.form.board_plan import Vectors
from seqform.form.from_signals import NOWHERE


class Backward:
    """A backward pass over a player's information sets, as `Treeplex.backward` makes it."""

    def __init__(self, game: BoardGame, player: int) -> None:
        self._game, self._player = game, player
        self._following: dict[int, Floats] = {}
        self.value = float("nan")

    def take(self, worth: Vectors, board: int | None, alike: Sequence[Images] = ()) -> None:
        """Go up to what is before the board and those like it, or to the start.

        `worth` is changed.
        """
        game, player = self._game, self._player
        for at, node in game.nodes(player, board, backward=True):
            if (node.stage < game.boards.first) == (board is None):
                here = worth[node.stage][node.lines]
                values = np.empty(here.shape[1])
                best_action(here, values)
            else:
                values = self._following[at]  # of all boards, in the order of the observations
            if node.stage_above < game.boards.first and board is not None:
                seen = game.boards.seen[player][node.stage]
                of = self._following.setdefault(at, np.empty(len(seen.observed)))
                of[seen.on(board)] = values
                for images in alike:
                    of[images[player][node.stage]] = values
            elif node.stage_above == node.stage:
                worth[node.stage_above][node.line_above] += values
            else:
                places = game.places_above(player, node, board)
                add_following(worth[node.stage_above][node.line_above], places, values)
        if board is None:
            self.value = float(worth[NOWHERE][0, 0])
