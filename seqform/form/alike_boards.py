"""Boards that are alike: with the same tables, and the same strategies, by other observations.

That suits can be exchanged is a hint, and no more. It says which observation of one board may be
which of another. Whether the boards are alike is then seen by comparing all that best responses on
them are made of, entry by entry. What is found out on one of them holds on the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.form.board_game import BoardGame
from seqform.form.board_paid import Tables
from seqform.form.boards import Blocks
from seqform.game.observations import Classes

Images = tuple[dict[int, Ints], dict[int, Ints]]
"""For each player, by stages from the first with boards: the observations of a board."""


class Pairs(NamedTuple):
    """The pairs of observations in the tables of a board: places of both players', int64."""

    mine: Index
    theirs: Index


class AlikeBoards:
    """Finds, of boards that are asked for one after the other, those that are like an earlier one.

    Parameters
    ----------
    game
        The game by boards.
    classes
        What strategies tell apart.
    """

    def __init__(self, game: BoardGame, classes: Classes) -> None:
        self._game, self._classes = game, classes
        self._boards, self._structure = game.boards, game.structure
        self._stages = range(self._boards.first, self._structure.num_stages)
        self._earlier = {
            (player, stage): self._structure.earlier(player, stage)
            for player in (0, 1)
            for stage in self._stages
            if stage
        }
        self._found: set[int] = set()

    def is_known(self, board: int) -> bool:
        """Tell whether a board was found to be like one that was asked for."""
        return board in self._found

    def like(self, board: int, tables: Tables) -> list[Images]:
        """Return the boards like this one, by the observations that are those of this one there."""
        self._found.add(board)
        own = self._observations(board)
        pairs = {stage: _pairs(self._boards.blocks(board, stage)) for stage in self._stages}
        reached, found = [own], list[Images]()
        for images in reached:
            for maps in self._structure.exchanges:
                there = _exchanged(images, maps)
                other = self._board_of(there)
                if other in self._found:
                    continue
                if self._is_alike(own, there, other) and self._pays_alike(
                    tables, pairs, there, other
                ):
                    self._found.add(other)
                    reached.append(there)
                    found.append(there)
        return found

    def _observations(self, board: int) -> Images:
        mine, theirs = (
            {stage: seen[stage].on(board) for stage in self._stages} for seen in self._boards.seen
        )
        return mine, theirs

    def _board_of(self, images: Images) -> int:
        """Return the board of the first observation."""
        seen, first = self._boards.seen[0][self._boards.first], images[0][self._boards.first][0]
        place = np.flatnonzero(seen.observed == first)[0]
        return int(np.searchsorted(seen.bounds, place, side="right")) - 1

    def _is_alike(self, own: Images, there: Images, other: int) -> bool:
        """Tell whether these are all observations of a board, with the same classes above each."""
        every = self._observations(other)
        for player in (0, 1):
            for stage in self._stages:
                mine, theirs = own[player][stage], there[player][stage]
                if not np.array_equal(np.sort(theirs), np.sort(every[player][stage])):
                    return False
                if not self._have_same_classes(player, stage, mine, theirs):
                    return False
                if stage > self._boards.first:
                    before = self._boards.seen[player][stage - 1].place
                    above, there_above = (self._earlier[player, stage][of] for of in (mine, theirs))
                    if (there[player][stage - 1][before[above]] != there_above).any():
                        return False
        return True

    def _have_same_classes(self, player: int, stage: int, mine: Ints, theirs: Ints) -> bool:
        """Tell whether observations have the same classes, and so have those that they came from.

        What is before the first stage with boards is looked at from there.
        """
        of = self._classes[player]
        if (of[stage][mine] != of[stage][theirs]).any():
            return False
        if stage > self._boards.first:
            return True
        for earlier in range(stage - 1, -1, -1):
            above = self._game.above(player, stage, earlier)
            if (of[earlier][above[mine]] != of[earlier][above[theirs]]).any():
                return False
        return True

    def _pays_alike(
        self, tables: Tables, pairs: dict[int, Pairs], there: Images, other: int
    ) -> bool:
        """Tell whether the tables of two boards are the same, entry by entry."""
        here, where = Tables(self._game, other), dict[int, Index | None]()
        for group in self._game.groups:
            stage = group.stages[0]
            if not self._game.has_boards(group):
                continue
            blocks, paid = here.of(group, 0)
            if stage not in where:
                places = [
                    self._boards.seen[player][stage].place[there[player][stage]]
                    for player in (0, 1)
                ]
                where[stage] = _entries(blocks, places[0], places[1], pairs[stage])
            at = where[stage]
            if at is None or not np.array_equal(paid[at], tables.of(group, 0)[1]):
                return False
        return True


def _exchanged(images: Images, maps: dict[tuple[int, int], Ints]) -> Images:
    mine, theirs = (
        {stage: maps[player, stage][of] for stage, of in images[player].items()}
        for player in (0, 1)
    )
    return mine, theirs


def _pairs(blocks: Blocks) -> Pairs:
    """Return the pairs of places in the order of player 0's tables."""
    block = np.repeat(np.arange(len(blocks.tables) - 1), np.diff(blocks.tables))
    within = np.arange(blocks.tables[-1]) - blocks.tables[block]
    theirs, mine = np.divmod(within, np.diff(blocks.starts[0])[block])
    return Pairs(blocks.starts[0][block] + mine, blocks.starts[1][block] + theirs)


def _entries(blocks: Blocks, mine: Ints, theirs: Ints, pairs: Pairs) -> Index | None:
    """Return where pairs of another board's places are in player 0's tables, all of them.

    None if that is not so. `mine` and `theirs` are permutations: the place of each of the other's.
    """
    of_mine, of_theirs = (
        np.repeat(np.arange(len(blocks.tables) - 1), np.diff(starts)) for starts in blocks.starts
    )
    place, other = mine[pairs.mine], theirs[pairs.theirs]
    block = of_mine[place]
    if len(pairs.mine) != blocks.tables[-1] or (block != of_theirs[other]).any():
        return None
    width = np.diff(blocks.starts[0])[block]
    within: Index = (other - blocks.starts[1][block]) * width + place - blocks.starts[0][block]
    return blocks.tables[block] + within
