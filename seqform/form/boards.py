"""Boards: a signal game taken apart by what everybody has seen.

What is played on different boards never meets: no deal is on two of them. So what is computed over
all deals can be computed board by board, and no vector over all sequences has to be held. Nothing
here knows of symmetries.

A board is what everybody has seen at the first stage at which everybody has seen something. Its
observations at a later stage come in *blocks*: those with the same public signals by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Ints
from seqform.base.integer_matrix import largest
from seqform.game.observations import SignalStructure
from seqform.game.signals import EVERYONE

EXACT = 2**53
"""Integers that floats hold, up to here all of them."""


class Seen(NamedTuple):
    """What a player observes at a stage, board by board.

    Parameters
    ----------
    observed
        int32 (num_observations,): the observations of a board side by side, block by block, and in
        a block by their numbers.
    bounds
        int64 (num_boards + 1,): where each board begins.
    place
        int32 (num_observations,): the place of each observation on its board.
    block
        int32 (num_observations,): the block of each, in the order of `observed`.
    """

    observed: Ints
    bounds: Index
    place: Ints
    block: Ints

    def on(self, board: int) -> Ints:
        """Return the observations of a board."""
        return self.observed[self.bounds[board] : self.bounds[board + 1]]


class Blocks(NamedTuple):
    """The blocks of a board at a stage.

    Parameters
    ----------
    starts
        For each player int64 (num_blocks + 1,): where each block begins.
    tables
        int64 (num_blocks + 1,): where the table of each begins, if they are in one array.
    """

    starts: tuple[Index, Index]
    tables: Index


class Entries(NamedTuple):
    """Where in both players' tables of a board a deal's payoff is added: int64 (num_deals,)."""

    deals: Ints
    mine: Index
    theirs: Index


@dataclass(frozen=True, eq=False)
class Boards:
    """The boards of a signal game.

    Parameters
    ----------
    structure
        The game.
    first
        The stage from which on there are boards.
    count
        How many there are.
    seen
        For each player, by stages from `first` on.
    deals
        By stages from `first` on: the deals of each board side by side, and where boards begin.
    ways
        By stages from `first` on: in how many ways all signals of the game can be dealt after each
        deal, int64.
    """

    structure: SignalStructure
    first: int
    count: int
    seen: tuple[dict[int, Seen], dict[int, Seen]]
    deals: dict[int, tuple[Ints, Index]]
    ways: dict[int, Index]

    def blocks(self, board: int, stage: int) -> Blocks:
        """Return the blocks of a board."""
        starts = []
        for seen in (self.seen[0][stage], self.seen[1][stage]):
            block = seen.block[seen.bounds[board] : seen.bounds[board + 1]]
            changes = np.flatnonzero(np.diff(block)) + 1
            starts.append(np.concatenate([[0], changes, [len(block)]]))
        sizes = np.diff(starts[0]) * np.diff(starts[1])
        return Blocks((starts[0], starts[1]), np.concatenate([[0], np.cumsum(sizes)]))

    def each_is_an_entry(self, row: int, stage: int) -> bool:
        """Tell whether an outcome is at a stage, at which deals are pairs of observations.

        They are if each signal was seen by somebody: no two deals are the same pair.
        """
        structure, at = self.structure, self.structure.outcomes[row][1]
        seen = {*structure.seen(0, stage), *structure.seen(1, stage)}
        return stage == at and len(seen) == structure.stages[at]

    def entries(self, board: int, at: int, stage: int, blocks: Blocks) -> Entries:
        """Return where what is paid at a stage, in deals of the board, is in tables of another."""
        structure = self.structure
        order, bounds = self.deals[at]
        deals = order[bounds[board] : bounds[board + 1]]
        before = deals
        for dealt in range(structure.stages[at], structure.stages[stage], -1):
            before = structure.deals.parent[dealt][before]
        places = [
            self.seen[player][stage].place[structure.observations[player][stage][before]]
            for player in (0, 1)
        ]
        of_block = np.repeat(np.arange(len(blocks.tables) - 1), np.diff(blocks.starts[0]))
        block = of_block[places[0]]
        within = [place - of[block] for place, of in zip(places, blocks.starts, strict=True)]
        start = blocks.tables[block]
        mine, theirs = (
            start + within[1 - own] * np.diff(blocks.starts[own])[block] + within[own]
            for own in (0, 1)
        )
        return Entries(deals, mine, theirs)

    def tables(self, row: int, blocks: Blocks, entries: Entries) -> tuple[Floats, Floats]:
        """Return what an outcome pays on a board, in ways to deal all signals of the game.

        Of each player one array of tables, block by block: a row for each observation of the
        opponent at a stage, and a column for each of the player's.
        """
        at, size = self.structure.outcomes[row][1], int(blocks.tables[-1])
        paid = self.structure.payoffs[row][entries.deals] * self.ways[at][entries.deals]
        mine, theirs = (
            np.bincount(of, paid, size).astype(float, copy=False)
            for of in (entries.mine, entries.theirs)
        )
        return mine, theirs


def boards_of(structure: SignalStructure) -> Boards | None:
    """Return the boards of a game.

    None where there are none, or sums over the deals may not be exact in floats, or it would not be
    seen in which order a player's observations follow each other: then what is computed by boards
    might be rounded otherwise.
    """
    stages = range(structure.num_stages)
    first = next((stage for stage in stages if _public(structure, stage)), None)
    all_ways = structure.game.deck.num_ways(structure.stages[-1])
    if first is None or any(of.dtype.kind not in "iu" for of in structure.payoffs):
        return None
    if max(map(largest, structure.payoffs)) * all_ways >= EXACT:
        return None
    board = _public_codes(structure, first)
    count = int(board.max()) + 1
    seen: tuple[dict[int, Seen], dict[int, Seen]] = ({}, {})
    deals, ways, deck = {}, {}, structure.game.deck
    for stage in range(first, structure.num_stages):
        dealt = structure.stages[stage]
        ways[stage] = structure.deals.ways(dealt) * (all_ways // deck.num_ways(dealt))
        of_deal = board if stage == first else board[structure.ancestor(stage, first)]
        deals[stage] = side_by_side(of_deal, count)
        block = _public_codes(structure, stage)
        for player in (0, 1):
            deal = structure.representatives[player][stage]
            seen[player][stage] = _seen(of_deal[deal], block[deal], count)
    found = Boards(structure, first, count, seen, deals, ways)
    return found if _is_in_order(found) else None


def _public(structure: SignalStructure, stage: int) -> tuple[int, ...]:
    """Return the positions of the signals that everybody has seen at a stage."""
    recipients = structure.recipients[: structure.stages[stage]]
    return tuple(place for place, who in enumerate(recipients) if who == EVERYONE)


def _public_codes(structure: SignalStructure, stage: int) -> Ints:
    """Return a number for what everybody has seen in each deal of a stage."""
    return structure.deals.observation(structure.stages[stage], _public(structure, stage))


def side_by_side(part: Ints, count: int) -> tuple[Ints, Index]:
    """Return things by their part, in the order of their numbers, and where each part begins."""
    small = part.astype(np.uint16) if count <= 2**16 else part  # which numpy sorts by digits
    order = np.argsort(small, kind="stable").astype(np.int32)
    return order, np.concatenate([[0], np.cumsum(np.bincount(part, minlength=count))])


def _seen(board: Ints, block: Ints, count: int) -> Seen:
    key = board.astype(np.int64) * (int(block.max()) + 1) + block
    observed = np.argsort(key, kind="stable").astype(np.int32)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(board, minlength=count))])
    place = np.empty(len(board), dtype=np.int32)
    place[observed] = np.arange(len(board)) - np.repeat(bounds[:-1], np.diff(bounds))
    return Seen(observed, bounds, place, block[observed])


def _is_in_order(boards: Boards) -> bool:
    """Tell whether observations that follow one and the same are by their numbers on each board."""
    structure = boards.structure
    for player in (0, 1):
        for stage in range(boards.first + 1, structure.num_stages):
            observed = boards.seen[player][stage].observed
            above = structure.earlier(player, stage)[observed]
            order = np.argsort(above, kind="stable")
            ascending = np.diff(observed[order]) > 0
            if not (ascending | (np.diff(above[order]) != 0)).all():
                return False
    return True
