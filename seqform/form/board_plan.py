"""A player's realization plan in a signal game, board by board, from a strategy by classes."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Ints
from seqform.form.board_game import Betting, BoardGame
from seqform.form.board_kernels import extend
from seqform.form.from_signals import NOWHERE, SequenceNumbering
from seqform.form.protocol import Played

if TYPE_CHECKING:
    from seqform.form.signal_strategy import SignalStrategy

Vectors = dict[Hashable, Floats]
"""By stages, float64 (num_lines, num_observations): entries for a player's sequences there."""


class BoardPlan:
    """A player's plan; the products are those of `Treeplex.to_plan`."""

    def __init__(self, game: BoardGame, strategy: SignalStrategy, player: int) -> None:
        self._game, self._player = game, player
        self._classes = strategy.classes[player]
        betting = Betting(SequenceNumbering(strategy.structure, strategy.classes, player))
        behavior, stages = strategy.behaviors[player], range(game.structure.num_stages)
        self._behavior = {stage: betting.by_line(behavior, stage) for stage in stages}

    @cached_property
    def above(self) -> Played:
        """The plan at the stages before there are boards."""
        classes = dict(enumerate(self._classes[: self._game.boards.first]))
        return self._extended({NOWHERE: np.ones((1, 1))}, classes, None)

    def on(self, board: int) -> Played:
        """Return the plan on a board, and at the stages before."""
        seen = self._game.boards.seen[self._player]
        classes = {stage: self._classes[stage][of.on(board)] for stage, of in seen.items()}
        return self._extended(dict(self.above.plan), classes, board)

    def _extended(self, plan: Vectors, classes: dict[int, Ints], board: int | None) -> Played:
        """Return a plan with that of more stages, which is multiplied node by node."""
        game, player = self._game, self._player
        for stage, of in classes.items():
            plan[stage] = np.empty((len(self._behavior[stage]), len(of)))
        equations, least = [0.0], [0.0]
        for _, node in game.nodes(player, board):
            off, lowest = extend(
                self._behavior[node.stage][node.lines],
                classes[node.stage],
                plan[node.stage_above][node.line_above],
                game.places_above(player, node, board),
                plan[node.stage][node.lines],
            )
            equations.append(off)
            least.append(lowest)
        return Played(plan, (max(equations), -min(least)))
