"""A signal game by boards: each player's lines of betting, and what is paid, without any vector.

A *line* is a player's last action: a public node and a position among its actions. The lines of a
stage are numbered in the order of the player's sequences. So a vector over the sequences of a stage
is a matrix (num_lines, num_observations), of which a board has some of the columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.integer_matrix import IntegerMatrix, longest
from seqform.form.boards import Blocks, Boards, boards_of
from seqform.form.from_signals import (
    NOWHERE,
    LeafGroup,
    Line,
    SequenceNumbering,
    ancestor_classes,
    pair_table,
    payoff_groups,
)
from seqform.game.observations import SignalStructure

AT_ONCE = 1_000_000
"""Deals that are counted at once, to save memory."""


class Node(NamedTuple):
    """A public node at which a player decides, and where its lines and the one above it are."""

    stage: int
    lines: slice
    stage_above: int
    line_above: int


class Counts(NamedTuple):
    """What is counted of a table by both players' observations.

    Parameters
    ----------
    entries
        How many there are.
    longest
        For each player, the most for one of its observations.
    sums
        For each player, the largest sum of absolute values for one of its observations.
    """

    entries: int
    longest: tuple[int, int]
    sums: tuple[int, int]


class Betting:
    """A player's public nodes, in the order of the treeplex, and its lines by stages.

    Before the first action there is one line, at the stage `NOWHERE`.
    """

    def __init__(self, numbering: SequenceNumbering) -> None:
        self.numbering = numbering
        self.num_lines = {NOWHERE: 1}
        first: list[int] = []
        for stage, count in zip(numbering.stage, numbering.num_actions.tolist(), strict=True):
            first.append(self.num_lines.setdefault(stage, 0))
            self.num_lines[stage] += count
        self._first = first
        self.nodes = [self._node(at) for at in range(len(first))]

    def _node(self, at: int) -> Node:
        of, first = self.numbering, self._first[at]
        above = of.line[int(of.nodes[at])]
        lines = slice(first, first + int(of.num_actions[at]))
        return Node(of.stage[at], lines, *self.place(above))

    def place(self, line: Line) -> tuple[int, int]:
        """Return the stage of a line, and its number there."""
        if line is None:
            return NOWHERE, 0
        at = self.numbering.position[line[0]]
        return self.numbering.stage[at], self._first[at] + line[1]

    @cached_property
    def levels(self) -> list[list[int]]:
        """The nodes after equally many own moves, from the first move on."""
        moves = self.numbering.num_moves
        levels: list[list[int]] = [[] for _ in range(max(moves, default=-1) + 1)]
        for at, level in enumerate(moves):
            levels[level].append(at)
        return levels

    def by_line(self, behavior: Floats, stage: int) -> Floats:
        """Return the entries of a vector over sequences at a stage: (num_lines, num_classes)."""
        of, parts = self.numbering, []
        for at, node in enumerate(self.nodes):
            if node.stage == stage:
                first, count = int(of.first_sequence[at]), int(of.num_actions[at])
                stop = first + count * of.num_classes[stage]
                parts.append(behavior[first:stop].reshape(-1, count).T)
        if not parts:
            return np.zeros((0, of.num_classes[stage]))
        return np.ascontiguousarray(np.concatenate(parts))


@dataclass(frozen=True, eq=False)
class BoardGame:
    """A signal game that can be gone through board by board.

    Parameters
    ----------
    boards
        Its boards.
    betting
        Each player's lines.
    groups
        The ends at which something is paid: both players acted last at one stage, or before there
        are boards.
    counts
        What is counted of the table of each group.
    denominator
        What payoffs are over, counted in stake units and ways to deal.
    """

    boards: Boards
    betting: tuple[Betting, Betting]
    groups: tuple[LeafGroup, ...]
    counts: tuple[Counts, ...]
    denominator: int

    @property
    def structure(self) -> SignalStructure:
        """The game."""
        return self.boards.structure

    def lines(self, group: LeafGroup) -> tuple[Index, Index]:
        """Return the numbers of a group's lines, for each player."""
        mine, theirs = (
            np.array([of.place(line)[1] for line in lines])
            for of, lines in zip(self.betting, group.lines, strict=True)
        )
        return mine, theirs

    def numerator_bound(self) -> int:
        """Bound products with a vector of ones, and all that is added up on the way to them."""
        by_player = [0, 0]
        for group, counts in zip(self.groups, self.counts, strict=True):
            for player, stakes in enumerate((group.stakes, group.stakes.T.tocsr())):
                norm = IntegerMatrix(stakes, stakes.data).norm
                by_player[player] += max(1, norm) * max(1, counts.sums[player])
        return max(by_player)

    def has_boards(self, group: LeafGroup) -> bool:
        """Tell whether a group is paid by boards, and not by what is seen before there are any."""
        return group.stages[0] >= self.boards.first

    def table_above(self, group: LeafGroup) -> sp.csr_array:
        """Return what a group that has no boards pays by the players' observations."""
        return table_above(self.structure, group)

    def above(self, player: int, stage: int, earlier: int) -> Index:
        """Return the observation at an earlier stage that each one at a stage came from."""
        structure = self.structure
        count = structure.num_observations(player, stage)
        return ancestor_classes(structure, structure.identity, player, stage, earlier, count)

    def nodes(
        self, player: int, board: int | None, backward: bool = False
    ) -> list[tuple[int, Node]]:
        """Return a player's nodes on a board, numbered, or those at the stages before.

        Parameters
        ----------
        backward
            From the last own moves to the first; among equally many in the order of the nodes.
            Before there are boards that includes nodes of boards which follow what is before.
        """
        return self._nodes[player, board is None, backward]

    @cached_property
    def _nodes(self) -> dict[tuple[int, bool, bool], list[tuple[int, Node]]]:
        first, found = self.boards.first, {}
        for player, betting in enumerate(self.betting):
            nodes = list(enumerate(betting.nodes))
            back = [(at, betting.nodes[at]) for level in betting.levels[::-1] for at in level]
            for above in (True, False):
                found[player, above, False] = [
                    (at, node) for at, node in nodes if (node.stage < first) == above
                ]
            found[player, False, True] = [(at, node) for at, node in back if node.stage >= first]
            found[player, True, True] = [
                (at, node) for at, node in back if node.stage_above < first
            ]
        return found

    def num_places(self, player: int, stage: int, board: int | None) -> int:
        """Return how many observations a player has at a stage, of a board or of all."""
        if stage == NOWHERE:
            return 1
        if board is None:
            return self.structure.num_observations(player, stage)
        return len(self.boards.seen[player][stage].on(board))

    def places_above(self, player: int, node: Node, board: int | None) -> Index:
        """Return where the observation that each one at a node came from is, at the stage above.

        Those on a board stand in the order of the board. Before there are boards there is only the
        order of their numbers.
        """
        latest, known = self._latest[0]
        if latest != board:  # both in one piece: another thread may be at another board
            known = {}
            self._latest[0] = board, known
        key = player, node.stage, node.stage_above
        if key not in known:
            known[key] = self._places_above(player, node, board)
        return known[key]

    def _places_above(self, player: int, node: Node, board: int | None) -> Index:
        key = player, node.stage, node.stage_above
        if node.stage == node.stage_above:
            return np.arange(self.num_places(player, node.stage, board))
        if key not in self._above:
            self._above[key] = self.above(*key)
        if board is None:
            return self._above[key]
        places = self._above[key][self.boards.seen[player][node.stage].on(board)]
        if node.stage_above >= self.boards.first:
            places = self.boards.seen[player][node.stage_above].place[places].astype(np.int64)
        return places

    @cached_property
    def _latest(self) -> list[tuple[int | None, dict[tuple[int, int, int], Index]]]:
        """The latest board, and the places that were looked up on it, which many nodes share."""
        return [(None, {})]

    @cached_property
    def _above(self) -> dict[tuple[int, int, int], Index]:
        return {}


def count_tables(boards: Boards, groups: Sequence[LeafGroup]) -> list[Counts]:
    """Return what is counted of the table of each group by the players' observations."""
    found: dict[tuple[int, tuple[int, int]], Counts] = {}
    for group in groups:
        key = group.row, group.stages
        if key in found:
            continue
        if group.stages[0] < boards.first:
            found[key] = _counts(table_above(boards.structure, group))
        elif boards.each_is_an_entry(group.row, group.stages[0]):
            found[key] = _counts_by_deals(boards, group)
        else:
            found[key] = _counts_by_boards(boards, group)
    return [found[group.row, group.stages] for group in groups]


def table_above(structure: SignalStructure, group: LeafGroup) -> sp.csr_array:
    """Return what a group that has no boards pays by the players' observations."""
    return pair_table(structure, structure.identity, group.row, group.stages)


def _counts_by_deals(boards: Boards, group: LeafGroup) -> Counts:
    """Count a table of which each deal is an entry."""
    structure, stage = boards.structure, group.stages[0]
    sizes = [structure.num_observations(player, stage) for player in (0, 1)]
    filled, sums = ([np.zeros(size) for size in sizes] for _ in range(2))
    payoffs, ways = structure.payoffs[group.row], boards.ways[stage]
    for start in range(0, len(ways), AT_ONCE):
        deals = slice(start, start + AT_ONCE)
        paid = np.abs(payoffs[deals] * ways[deals])
        for player, size in enumerate(sizes):
            observed = structure.observations[player][stage][deals]
            filled[player] += np.bincount(observed, paid != 0, size)
            sums[player] += np.bincount(observed, paid, size)
    most = (int(filled[0].max()), int(filled[1].max()))
    return Counts(int(filled[0].sum()), most, (int(sums[0].max()), int(sums[1].max())))


def _counts_by_boards(boards: Boards, group: LeafGroup) -> Counts:
    total, most, sums, stage = 0, [0, 0], [0, 0], group.stages[0]
    for board in range(boards.count):
        blocks = boards.blocks(board, stage)
        at = boards.structure.outcomes[group.row][1]
        tables = boards.tables(group.row, blocks, boards.entries(board, at, stage, blocks))
        for player in (0, 1):
            rows = _row_starts(blocks, 1 - player)  # one for each observation of the player
            filled = np.add.reduceat(tables[1 - player] != 0, rows, dtype=np.int64)
            most[player] = max(most[player], int(filled.max(initial=0)))
            sizes = np.add.reduceat(np.abs(tables[1 - player]), rows)
            sums[player] = max(sums[player], int(sizes.max(initial=0)))
        total += int(np.count_nonzero(tables[0]))
    return Counts(total, (most[0], most[1]), (sums[0], sums[1]))


def _counts(table: sp.csr_array) -> Counts:
    both = table, table.T.tocsr()
    mine, theirs = (IntegerMatrix(of, of.data).norm for of in both)
    return Counts(int(table.nnz), (longest(both[0]), longest(both[1])), (mine, theirs))


def _row_starts(blocks: Blocks, own: int) -> Index:
    """Return where the rows of a player's tables begin."""
    heights, widths = np.diff(blocks.starts[1 - own]), np.diff(blocks.starts[own])
    offsets = np.concatenate([np.arange(height) for height in heights.tolist()])
    begin: Index = np.repeat(blocks.tables[:-1], heights) + offsets * np.repeat(widths, heights)
    return begin


def board_game(structure: SignalStructure) -> BoardGame | None:
    """Return a signal game by boards.

    None if it has none (`boards_of`), or if somewhere a player acted last before there were boards
    and the other one did not.

    Raises
    ------
    UnsupportedGameError
        If payoffs or stakes are not exact.
    """
    boards = boards_of(structure)
    if boards is None:
        return None
    players = [SequenceNumbering(structure, structure.identity, player) for player in (0, 1)]
    groups, unit = payoff_groups(structure, players)
    together = all(
        group.stages[0] == group.stages[1] or max(group.stages) < boards.first for group in groups
    )
    ways = structure.game.deck.num_ways(structure.stages[-1])
    if not together:
        return None
    mine, theirs = map(Betting, players)
    counts = count_tables(boards, groups)
    paying = [(group, of) for group, of in zip(groups, counts, strict=True) if of.entries]
    paid, counted = zip(*paying, strict=True) if paying else ((), ())
    return BoardGame(boards, (mine, theirs), paid, counted, ways * unit)


def most_following(game: BoardGame, player: int) -> int:
    """Return the most information sets that follow one sequence of a player."""
    betting = game.betting[player]
    after: dict[tuple[int, int], Counter[int]] = {}
    for node in betting.nodes:
        after.setdefault((node.stage_above, node.line_above), Counter())[node.stage] += 1
    kinds = {(stage, tuple(sorted(counts.items()))) for (stage, _), counts in after.items()}
    most = 0
    for stage, counts in kinds:
        following = [n * np.bincount(game.above(player, later, stage)) for later, n in counts]
        most = max(most, int(np.sum(following, axis=0).max()))
    return most
