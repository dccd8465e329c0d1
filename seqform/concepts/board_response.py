"""Best responses in a signal game too large for vectors over its sequences, board by board.

The strategies are kept by classes of observations, as they were found. The game is the one without
any classes: all deals of each board are gone through, and each observation has information sets of
its own. What is computed, and in which order, is what `seqform.concepts.rounding` does with whole
vectors. So best responses, and the bounds on their rounding errors, are the same to the last bit.
Expected payoffs are added up in another order. Boards that are seen to be alike are gone through
once, in the order of the first of them (`seqform.form.alike_boards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from seqform.base.deadline import check_time
from seqform.concepts.rounding import ErrorShares, Response, error_shares
from seqform.form.alike_boards import AlikeBoards, Images
from seqform.form.board_backward import Backward
from seqform.form.board_game import BoardGame
from seqform.form.board_paid import BoardPayoffs, Paid, Tables
from seqform.form.board_plan import BoardPlan, PlanHere, Vectors
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.whole_form import WholeForm


class Answered(NamedTuple):
    """What a player gets and could get, and the largest violations of its plan's constraints."""

    response: Response
    residuals: tuple[float, float]


def responses_by_boards(form: WholeForm, strategy: SignalStrategy) -> list[Answered]:
    """Return each player's best response to the other's strategy.

    Nothing is asked of the form that has the size of the game.
    """
    game = form.boards
    plans = [BoardPlan(game, strategy, player) for player in (0, 1)]
    seats = [Seat(game, player, error_shares(form, player)) for player in (0, 1)]
    boards = AlikeBoards(game, strategy.classes)
    for board in [*range(game.boards.count), None]:
        check_time("certifying an answer")
        if board is not None and boards.is_known(board):
            continue
        tables = None if board is None else Tables(game, board)
        alike = [] if board is None or tables is None else boards.like(board, tables)
        here = [plan.above if board is None else plan.on(board) for plan in plans]
        for player, seat in enumerate(seats):
            paid = seat.payoffs.against(here[1 - player].plan, board, tables)
            seat.take(paid, here[player], board, alike)
    return [seat.answered() for seat in seats]


class Seat:
    """What is found for one player, board after board; at last come the stages before them."""

    def __init__(self, game: BoardGame, player: int, shares: ErrorShares) -> None:
        self.payoffs, self._shares = BoardPayoffs(game, player), shares
        self._widened, self._computed = Backward(game, player), Backward(game, player)
        self._values: list[float] = []
        self._sizes: list[float] = []
        self._residuals: list[tuple[float, float]] = []

    def take(
        self, paid: Paid, here: PlanHere, board: int | None, alike: Sequence[Images] = ()
    ) -> None:
        """Take what the player is paid on a board and on those like it, or before all boards."""
        self._residuals.append(here.residuals)
        widened, times = Vectors(), 1 + len(alike)
        for stage, gradient in paid.gradient.items():
            size, plan = paid.magnitude[stage], here.plan[stage]
            product = gradient * plan
            self._values += [float(product.sum())] * times
            self._sizes += [float(np.multiply(size, plan, out=product).sum())] * times
            size *= self._shares.best
            size += gradient
            widened[stage] = size
        self._widened.take(widened, board, alike)
        self._computed.take(paid.gradient, board, alike)

    def answered(self) -> Answered:
        """Return what was found."""
        best = self._widened.value + self._shares.lost
        error = self._shares.mean * fsum(self._sizes) + self._shares.lost
        of = Response(fsum(self._values), error, best, best - self._computed.value)
        equations, negative = (max(each) for each in zip(*self._residuals, strict=True))
        return Answered(of, (equations, negative))
