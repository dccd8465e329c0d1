"""prove, board by board: in a signal game too large for vectors over its sequences.

Plans are integers of at most 2^52, by classes of observations, and are split into two halves of 26
bits. Products of each half are added up in floats, which hold integers below 2^53 exactly: the
bound on them is checked. After that all is int64, a high and a low part. A backward pass adds up
disjoint parts of an expected payoff: none of its sums is larger than the largest payoff, in all
ways to deal, times 2^52.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.deadline import check_time
from seqform.exact.plan_proof import ProvenInterval
from seqform.exact.plans import check_plan, round_plan
from seqform.form.alike_boards import AlikeBoards, Images
from seqform.form.board_game import Betting, BoardGame
from seqform.form.board_kernels import add_following, best_integer
from seqform.form.board_paid import BoardPayoffs, Tables
from seqform.form.board_plan import Vectors
from seqform.form.boards import EXACT
from seqform.form.from_signals import NOWHERE, SequenceNumbering, sequence_maps
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.whole_form import WholeForm

WIDTH = 26
"""Bits of the lower half of a plan's integers; the upper half has at most one more."""

MOST_PAID = 2**35
"""The largest payoff, in stake units and ways to deal: times 2^52 it fits into both parts."""


class BoardInterval(ProvenInterval):
    """What plans by classes of observations prove of a signal game without classes."""

    def __init__(
        self, ends: tuple[Fraction, Fraction], bits: int, strategy: SignalStrategy, game: WholeForm
    ) -> None:
        whole = 1 << bits
        found = {"lower": ends[0], "upper": ends[1], "denominators": (whole, whole), "game": game}
        for name, value in (found | {"_strategy": strategy}).items():
            object.__setattr__(self, name, value)

    _strategy: SignalStrategy

    @cached_property
    def plans(self) -> tuple[Index, Index]:
        """The plans of the whole game, made now."""
        structure, classes = self._strategy.structure, self._strategy.classes
        maps = sequence_maps(structure, structure.identity, classes)
        smaller = integer_plans(self._strategy, self.bits)
        mine, theirs = (plan[images] for plan, images in zip(smaller, maps, strict=True))
        return mine, theirs


def prove_by_boards(game: WholeForm, strategy: SignalStrategy, bits: int) -> BoardInterval | None:
    """Return the interval that strategies by classes prove, their plans rounded to `bits`.

    None if sums may be too large for this.
    """
    boards = game.boards
    paid = boards.denominator * Fraction(game.largest_payoff)
    if boards.numerator_bound() << (WIDTH + 1) >= EXACT or paid > MOST_PAID:
        return None
    plans = [
        IntegerPlan(boards, strategy, player, plan)
        for player, plan in enumerate(integer_plans(strategy, bits))
    ]
    payoffs = [BoardPayoffs(boards, player) for player in (0, 1)]
    passes = [IntegerBackward(boards, player) for player in (0, 1)]
    alike_boards = AlikeBoards(boards, strategy.classes)
    for board in [*range(boards.boards.count), None]:
        check_time("proving an interval")
        if board is not None and alike_boards.is_known(board):
            continue
        tables = None if board is None else Tables(boards, board)
        alike = [] if board is None or tables is None else alike_boards.like(board, tables)
        here = [plan.on(board) for plan in plans]
        for player, of in enumerate(passes):
            halves = [payoffs[player].numerators(half, board, tables) for half in here[1 - player]]
            of.take(halves[0], halves[1], board, alike)
    whole = boards.denominator << bits
    ends = -Fraction(passes[1].value, whole), Fraction(passes[0].value, whole)
    return BoardInterval(ends, bits, strategy, game)


def integer_plans(strategy: SignalStrategy, bits: int) -> tuple[Index, Index]:
    """Return both players' plans by classes, as integers over 2**bits, and checked.

    Members of a class have equal plans. So these are plans of the whole game, too.
    """
    plans = []
    for player in (0, 1):
        treeplex = SequenceNumbering(strategy.structure, strategy.classes, player).treeplex
        plan = round_plan(treeplex, strategy.behaviors[player], bits)
        check_plan(treeplex, plan, 1 << bits)
        plans.append(plan)
    return plans[0], plans[1]


class IntegerPlan:
    """Both halves of a player's plan in integers, board by board."""

    def __init__(self, game: BoardGame, strategy: SignalStrategy, player: int, plan: Index) -> None:
        self._game, self._player = game, player
        self._classes = strategy.classes[player]
        betting = Betting(SequenceNumbering(strategy.structure, strategy.classes, player))
        self._halves: list[Vectors] = []
        for half in (plan & ((1 << WIDTH) - 1), plan >> WIDTH):
            vector: Floats = half.astype(float)
            by_stage = {at: betting.by_line(vector, at) for at in range(len(self._classes))}
            self._halves.append({NOWHERE: vector[:1].reshape(1, 1), **by_stage})

    def on(self, board: int | None) -> list[Vectors]:
        """Return the lower and the upper half on a board, or before there are boards."""
        first, seen = self._game.boards.first, self._game.boards.seen[self._player]
        if board is None:
            classes = dict(enumerate(self._classes[:first]))
        else:
            classes = {at: self._classes[at][of.on(board)] for at, of in seen.items()}
        return [
            {NOWHERE: half[NOWHERE], **{at: half[at][:, of] for at, of in classes.items()}}
            for half in self._halves
        ]


class IntegerBackward:
    """A backward pass in two parts of int64; see `Backward`."""

    def __init__(self, game: BoardGame, player: int) -> None:
        self._game, self._player = game, player
        self._following: dict[int, tuple[Index, Index]] = {}
        self.value = 0

    def take(
        self, lower: Vectors, upper: Vectors, board: int | None, alike: Sequence[Images] = ()
    ) -> None:
        """Take what the player's sequences are paid; for player 1 what player 0 is.

        That is on a board and those like it, or before there are boards.
        """
        sign = -1 if self._player else 1
        low, high = (
            {stage: sign * half.astype(np.int64) for stage, half in of.items()}
            for of in (lower, upper)
        )
        game, player, first = self._game, self._player, self._game.boards.first
        for at, node in game.nodes(player, board, backward=True):
            if (node.stage < first) == (board is None):
                size = low[node.stage].shape[1]
                values = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
                parts = high[node.stage][node.lines], low[node.stage][node.lines]
                best_integer(*parts, WIDTH, *values)
            else:
                values = self._following[at]
            if node.stage_above < first and board is not None:
                seen = game.boards.seen[player][node.stage]
                on = [seen.on(board), *(images[player][node.stage] for images in alike)]
                self._keep(at, len(seen.observed), on, values)
            else:
                places = game.places_above(player, node, board)
                for of, part in zip((high, low), values, strict=True):
                    add_following(of[node.stage_above][node.line_above], places, part)
        if board is None:
            self.value = (int(high[NOWHERE][0, 0]) << WIDTH) + int(low[NOWHERE][0, 0])

    def _keep(self, at: int, size: int, on: list[Ints], values: tuple[Index, Index]) -> None:
        if at not in self._following:
            self._following[at] = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        for whole, part in zip(self._following[at], values, strict=True):
            for observed in on:
                whole[observed] = part
