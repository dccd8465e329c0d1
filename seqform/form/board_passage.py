"""How a signal game is gone through board by board, at last what is before there are boards.

Steps are in the order of `Treeplex.runs`, and sums in that of `KroneckerPayoff`. So what is found
by maxima is what whole vectors give, to the last bit. Boards that are seen to be alike are gone
through once, in the order of the first of them (`seqform.form.alike_boards`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats, Ints
from seqform.form.alike_boards import AlikeBoards, Images
from seqform.form.board_game import Betting, BoardGame, Node
from seqform.form.board_kernels import add_following
from seqform.form.board_paid import BoardPayoffs, BoardPlan, Tables
from seqform.form.boards import EXACT
from seqform.form.from_signals import NOWHERE, SequenceNumbering, sequence_maps
from seqform.form.protocol import Integers, Paid, Parts, Played
from seqform.form.treeplex import Treeplex

if TYPE_CHECKING:
    from seqform.form.signal_strategy import SignalStrategy
    from seqform.form.whole_form import WholeForm

ROOM = EXACT.bit_length() - 1
"""Bits of integers that floats hold, in which products are made."""

NARROWEST = 26
"""Bits of the limbs of plans for which there must be room: two of them make a plan."""

MOST_PAID = 2**35
"""The largest payoff, in stake units and ways to deal: times 2^52 it fits into two limbs."""


def holds_integers(game: WholeForm) -> bool:
    """Tell whether products with plans in integers are exact in two limbs."""
    is_held = game.boards.numerator_bound() << (NARROWEST + 1) < 1 << ROOM
    return is_held and total_paid(game) <= MOST_PAID


def total_paid(game: WholeForm) -> Fraction:
    """Return the largest payoff, in stake units and ways to deal."""
    return game.boards.denominator * Fraction(game.largest_payoff)


class BoardStep(NamedTuple):
    """What is decided at a public node, on a board or before there are boards.

    A vector has a part for each stage, (num_lines, num_observations). Values of nodes on boards are
    added to what is before them there, once they are known of all boards; until then they are a
    part of their own, in the order of the observations.
    """

    block: BoardBlock
    player: int
    at: int
    node: Node
    is_here: bool
    """Whether the node is on this block, and not on boards, which come after it in the game."""
    is_above: bool
    """Whether what is above it is before there are boards, and it is not."""

    def entries(self, parts: Parts) -> Any:
        """Return the entries of the actions: (num_actions, num_observations)."""
        if self.is_here:
            return parts[self.node.stage][self.node.lines]
        return parts["on boards", self.at][None]

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return a reduction over the actions of each observation."""
        if self.is_here:
            return operation.reduce(parts[self.node.stage][self.node.lines], axis=0)
        return parts["on boards", self.at]

    def spread(self, values: Any) -> Any:
        """Return the values, which stand for each action."""
        return values

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add values to the line above, here or before there are boards."""
        block, node, player = self.block, self.node, self.player
        if self.is_above and block.board is not None:
            seen = block.game.boards.seen[player][node.stage]
            key = "on boards", self.at
            if key not in later:
                later[key] = np.empty(len(seen.observed), dtype=values.dtype)
            later[key][seen.on(block.board)] = values
            for images in block.alike:
                later[key][images[player][node.stage]] = values
        elif node.stage_above == node.stage:
            above = parts[node.stage][node.line_above]
            above += values
        else:
            places = block.game.places_above(player, node, block.board)
            add_following(parts[node.stage_above][node.line_above], places, values)


class BoardBlock(NamedTuple):
    """A board and those like it, or what is before there are boards."""

    game: BoardGame
    payoffs: Sequence[BoardPayoffs]
    board: int | None = None
    tables: Tables | None = None
    alike: Sequence[Images] = ()

    @property
    def times(self) -> int:
        """How many boards it stands for."""
        return 1 + len(self.alike)

    @property
    def is_last(self) -> bool:
        """Whether it is what is before there are boards."""
        return self.board is None

    def steps(self, player: int) -> Iterator[BoardStep]:
        """Yield the nodes of a player, from the last own moves to the first."""
        first, has_board = self.game.boards.first, self.board is not None
        for at, node in self.game.nodes(player, self.board, backward=True):
            is_on_boards = node.stage >= first
            is_above = is_on_boards and node.stage_above < first
            yield BoardStep(self, player, at, node, is_on_boards == has_board, is_above)

    def paid(self, player: int, plans: Sequence[Parts]) -> Paid:
        """Return what is paid at the stages of the board, or before there are boards."""
        return self.payoffs[player].against(plans[1 - player], self.board, self.tables)

    def numerators(self, player: int, plans: Sequence[Parts]) -> Parts:
        """Return that in int64; products are made in floats, which hold them."""
        made = self.payoffs[player].numerators(plans[1 - player], self.board, self.tables)
        sign = -1 if player else 1
        return {stage: sign * of.astype(np.int64) for stage, of in made.items()}

    def root(self, parts: Parts) -> Any:
        """Return the entry of the empty sequence, which is before all boards."""
        return parts[NOWHERE][0, 0]


class LaidOut:
    """Vectors over a player's sequences by classes, of which members have equal entries."""

    def __init__(self, strategy: SignalStrategy, player: int, vectors: Sequence[Exact]) -> None:
        self._player, self._classes = player, strategy.classes[player]
        betting = Betting(SequenceNumbering(strategy.structure, strategy.classes, player))
        self._by_stage: list[dict[int, Floats]] = []
        for vector in vectors:
            of: Floats = vector.astype(float)
            stages = {at: betting.by_line(of, at) for at in range(len(self._classes))}
            self._by_stage.append({NOWHERE: of[:1].reshape(1, 1), **stages})

    def on(self, block: BoardBlock) -> list[Parts]:
        """Return each on a board, or before there are boards."""
        classes = classes_on(block, self._classes, self._player)
        return [
            {NOWHERE: of[NOWHERE], **{at: of[at][:, cl] for at, cl in classes.items()}}
            for of in self._by_stage
        ]


def classes_on(block: BoardBlock, classes: Sequence[Ints], player: int) -> dict[int, Ints]:
    """Return, by stages, the class of each of a player's observations on a block."""
    boards = block.game.boards
    if block.board is None:
        return dict(enumerate(classes[: boards.first]))
    return {at: classes[at][of.on(block.board)] for at, of in boards.seen[player].items()}


class WholePlans(Sequence[Exact]):
    """Plans by classes as plans of the whole game, made when one is asked for."""

    def __init__(self, strategy: SignalStrategy, plans: tuple[Exact, ...]) -> None:
        self._strategy, self._plans = strategy, plans

    @cached_property
    def _made(self) -> tuple[Exact, ...]:
        structure, classes = self._strategy.structure, self._strategy.classes
        maps = sequence_maps(structure, structure.identity, classes)
        return tuple(plan[images] for plan, images in zip(self._plans, maps, strict=True))

    def __len__(self) -> int:
        return len(self._plans)

    def __getitem__(self, player: Any) -> Any:
        return self._made[player]


class BoardPassage:
    """A game by boards, and strategies by classes of observations."""

    def __init__(self, form: WholeForm, strategy: SignalStrategy) -> None:
        self.form, self._game, self._strategy = form, form.boards, strategy
        self._payoffs = [BoardPayoffs(self._game, player) for player in (0, 1)]

    @cached_property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        """Those by classes."""
        of = self._strategy
        return tuple(SequenceNumbering(of.structure, of.classes, p).treeplex for p in (0, 1))

    @property
    def behaviors(self) -> tuple[Floats, ...]:
        """Those of the strategy."""
        return self._strategy.behaviors

    def blocks(self) -> Iterator[BoardBlock]:
        """Yield the boards, those that are alike once, and what is before them."""
        game, alike = self._game, AlikeBoards(self._game, self._strategy.classes)
        for board in range(game.boards.count):
            if not alike.is_known(board):
                tables = Tables(game, board)
                yield BoardBlock(game, self._payoffs, board, tables, alike.like(board, tables))
        yield BoardBlock(game, self._payoffs)

    @cached_property
    def _plans(self) -> list[BoardPlan]:
        return [BoardPlan(self._game, self._strategy, player) for player in (0, 1)]

    def played(self, player: int, block: BoardBlock) -> Played:
        """Return a player's plan on a board, stages before it included."""
        plan = self._plans[player]
        return plan.above if block.board is None else plan.on(block.board)

    def laid_out(self, player: int, vectors: Sequence[Exact]) -> LaidOut:
        """Return vectors by classes, to be asked on boards."""
        return LaidOut(self._strategy, player, vectors)

    def gathered(self, player: int, block: BoardBlock, parts: Parts) -> Floats:
        """Return a vector on a board by classes, of which members are added up."""
        numbering = SequenceNumbering(self._strategy.structure, self._strategy.classes, player)
        betting, classes = Betting(numbering), self._strategy.classes[player]
        total = np.zeros(numbering.num_sequences)
        if NOWHERE in parts:
            total[0] = parts[NOWHERE][0, 0]
        for stage, of in classes_on(block, classes, player).items():
            sums = np.zeros((numbering.num_classes[stage], len(parts[stage])))
            np.add.at(sums, of, parts[stage].T)
            for at, node in enumerate(betting.nodes):
                if node.stage == stage:
                    there = sums[:, node.lines].ravel()
                    first = int(numbering.first_sequence[at])
                    total[first : first + len(there)] = there
        return block.times * total

    def whole(self, plans: tuple[Exact, ...]) -> WholePlans:
        """Return plans by classes as plans of the whole game."""
        return WholePlans(self._strategy, plans)

    def integers(self) -> Integers:
        """Return the bounds of the game; a pass adds up disjoint parts of an expected payoff."""
        total, bound = -(-total_paid(self.form) // 1), self._game.numerator_bound()
        return Integers(self._game.denominator, bound, int(total), ROOM)
