"""A player's plan, and what the other's sequences are paid against it, board by board.

Sums are made in the order in which `KroneckerPayoff` makes them, so that they are rounded alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Ints
from seqform.form.board_game import Betting, BoardGame
from seqform.form.board_kernels import extend, multiply
from seqform.form.boards import Blocks, Entries
from seqform.form.from_signals import NOWHERE, LeafGroup, SequenceNumbering
from seqform.form.listed_paid import ListedPaid
from seqform.form.protocol import Paid, Played

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


class Tables:
    """What outcomes pay on a board, made once for both players."""

    def __init__(self, game: BoardGame, board: int) -> None:
        self._boards, self._board = game.boards, board
        self._blocks: dict[int, Blocks] = {}
        self._entries: dict[tuple[int, int], Entries] = {}
        self._tables: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    def of(self, group: LeafGroup, own: int) -> tuple[Blocks, Floats]:
        """Return where the blocks are, and a player's tables."""
        stage, key = group.stages[0], (group.row, group.stages[0])
        if stage not in self._blocks:
            self._blocks[stage] = self._boards.blocks(self._board, stage)
        blocks = self._blocks[stage]
        if key not in self._tables:
            entries = self._entries_of(self._boards.structure.outcomes[group.row][1], stage)
            self._tables[key] = self._boards.tables(group.row, blocks, entries)
        return blocks, self._tables[key][own]

    def _entries_of(self, at: int, stage: int) -> Entries:
        """Return where deals of a stage are in the tables of another, for all outcomes there."""
        if (at, stage) not in self._entries:
            blocks = self._blocks[stage]
            self._entries[at, stage] = self._boards.entries(self._board, at, stage, blocks)
        return self._entries[at, stage]


class BettingTerm(NamedTuple):
    """What a group of ends pays one player: lines, stakes, and whether rows have one sign."""

    group: LeafGroup
    mine: Index
    theirs: Index
    stakes: sp.csr_array
    has_signs: bool

    def product(self, table: Factor, vectors: Floats) -> tuple[Floats, Floats]:
        """Return what lines are paid by the opponent's, and the same with all positive.

        Both are (num_lines, num_observations).
        """
        paid = self.paid(table, vectors)
        if self.has_signs and table.has_sign:
            return paid, np.abs(paid)  # each is a sum of numbers with one sign
        return paid, self._times(abs(self.stakes), table.absolute(), vectors)

    def paid(self, table: Factor, vectors: Floats) -> Floats:
        """Return what lines are paid by the opponent's."""
        return self._times(self.stakes, table, vectors)

    @staticmethod
    def _times(stakes: sp.csr_array, table: Factor, vectors: Floats) -> Floats:
        """Take the fewer lines through the table of observations."""
        if stakes.shape[0] <= stakes.shape[1]:
            return table.times(stakes @ vectors)
        found: Floats = stakes @ table.times(vectors)
        return found


class Factor(Protocol):
    """A table by both players' observations."""

    @property
    def has_sign(self) -> bool:
        """Whether no two entries have different signs."""

    def absolute(self) -> Factor:
        """Return the table with all entries made positive."""

    def times(self, vectors: Floats) -> Floats:
        """Return the product with each row of the opponent's vectors."""


class SparseFactor(NamedTuple):
    """That before there are boards: the player's own observations by the opponent's."""

    table: sp.csr_array

    @property
    def has_sign(self) -> bool:
        """Whether no two entries have different signs."""
        return _has_sign(self.table.data)

    def absolute(self) -> SparseFactor:
        """Return the table with all entries made positive."""
        return SparseFactor(abs(self.table))

    def times(self, vectors: Floats) -> Floats:
        """Return the product with each row of the opponent's vectors."""
        product: Floats = (self.table @ np.ascontiguousarray(vectors.T)).T
        return product


class BoardFactor(NamedTuple):
    """That of a board, in blocks."""

    blocks: Blocks
    tables: Floats
    own: int

    @property
    def has_sign(self) -> bool:
        """Whether no two entries have different signs."""
        return _has_sign(self.tables)

    def absolute(self) -> BoardFactor:
        """Return the table with all entries made positive."""
        return BoardFactor(self.blocks, np.abs(self.tables), self.own)

    def times(self, vectors: Floats) -> Floats:
        """Return the product with each row of the opponent's vectors."""
        mine, theirs = self.blocks.starts[self.own], self.blocks.starts[1 - self.own]
        out = np.empty((len(vectors), int(mine[-1])))
        rows = np.ascontiguousarray(vectors)
        multiply(rows, theirs, mine, self.blocks.tables, self.tables, out)
        return out


class BoardPayoffs:
    """What one player's sequences are paid."""

    def __init__(self, game: BoardGame, player: int) -> None:
        self._game, self._player = game, player
        self._terms = [self._term(group) for group in game.groups]

    def _term(self, group: LeafGroup) -> BettingTerm:
        own = self._player
        lines = self._game.lines(group)
        stakes = group.stakes.T.tocsr() if own else group.stakes
        signs = sp.csr_array((np.sign(stakes.data), stakes.indices, stakes.indptr), stakes.shape)
        has_signs = bool((abs(signs.sum(axis=1)) == np.diff(stakes.indptr)).all())
        return BettingTerm(group, lines[own], lines[1 - own], stakes, has_signs)

    def against(self, plan: Vectors, board: int | None, tables: Tables | None) -> Paid:
        """Return what is paid at the stages of a board, or before there are boards."""
        game, own = self._game, self._player
        gradient, magnitude = self._zeros(board), self._zeros(board)
        for term, factor in self._factors(board, tables):
            stages = term.group.stages
            paid, size = term.product(factor, plan[stages[1 - own]][term.theirs])
            _add(gradient[stages[own]], term.mine, paid)
            _add(magnitude[stages[own]], term.mine, size)
        for stage, size in magnitude.items():
            gradient[stage] /= -game.denominator if own else game.denominator
            size /= game.denominator  # noqa: PLW2901 - in place
        return ListedPaid(gradient, magnitude, None)

    def numerators(self, plan: Vectors, board: int | None, tables: Tables | None) -> Vectors:
        """Return the denominator times what is paid, player 0's payoffs; exact while sums are."""
        own, total = self._player, self._zeros(board)
        for term, factor in self._factors(board, tables):
            stages = term.group.stages
            paid = term.paid(factor, plan[stages[1 - own]][term.theirs])
            _add(total[stages[own]], term.mine, paid)
        return total

    def _zeros(self, board: int | None) -> Vectors:
        game, own = self._game, self._player
        return {
            stage: np.zeros((count, game.num_places(own, stage, board)))
            for stage, count in game.betting[own].num_lines.items()
            if (stage < game.boards.first) == (board is None)
        }

    def _factors(
        self, board: int | None, tables: Tables | None
    ) -> Iterator[tuple[BettingTerm, Factor]]:
        own = self._player
        for term in self._terms:
            if self._game.has_boards(term.group) == (board is None):
                continue
            if tables is not None:
                yield term, BoardFactor(*tables.of(term.group, own), own)
            else:
                sparse = self._game.table_above(term.group)
                sparse = sparse.T.tocsr() if own else sparse
                yield term, SparseFactor(sparse)


def _has_sign(numbers: Floats) -> bool:
    return bool((numbers >= 0).all() or (numbers <= 0).all())


def _add(vectors: Floats, lines: Index, paid: Floats) -> None:
    """Add to some lines, each in its place: all of them at once would be copied twice."""
    for line, row in zip(lines.tolist(), paid, strict=True):
        vectors[line] += row
