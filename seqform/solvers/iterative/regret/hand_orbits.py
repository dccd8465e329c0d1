"""Which boards are alike in a game of hands, and which hands on a board: they are played alike.

Two kinds of permutations of the deck make images of each other: symmetries that a structure lists,
and cards that may change places one by one (`hand_symmetries`), of which there are too many to
list. Those of the second kind are told by a card's *class*: cards are of one class if they may
change places, so that two rows of different cards are images of each other if their classes are the
same. A listed symmetry takes classes to classes. So boards are alike if one takes the classes of
the first to those of the second; and hands are alike on a board if one does that which leaves the
board's classes as they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret.hand_rounds import filled


class Boards(NamedTuple):
    """The boards of one length that stand for all.

    Parameters
    ----------
    first
        int64 (num_boards,): their numbers, ascending. They go on from boards that stand for all.
    stands_for
        int32 (num_orbits,): for each of the structure's orbits the place of its board in `first`.
    images
        int64 (num_boards,): how many boards alike go on from the board that each one goes on from.
    """

    first: Index
    stands_for: Ints
    images: Index


class HandOrbits:
    """Boards and hands of a game up to its symmetries and exchanges of cards.

    Parameters
    ----------
    structure
        The game, and its symmetries that are listed.
    classes
        int32 (num_cards,): for each card the first of those that it may change places with; None
        where no cards may.
    """

    def __init__(self, structure: HandStructure, classes: Ints | None) -> None:
        self.structure = structure
        images = np.array([symmetry.cards for symmetry in structure.symmetries], dtype=np.int64)
        self._cards: Index = images if classes is None else classes[images].astype(np.int64)
        """The class of each card's image, for each symmetry."""
        self._hands = [
            self._codes(np.sort(self._cards[:, held.hands], axis=-1))
            for held in structure.game.ranges
        ]
        self._avoids = [
            [structure.avoids(player, dealt) for player in (0, 1)]
            for dealt in range(structure.num_dealt + 1)
        ]

    def _codes(self, classes: Index) -> Index:
        """Return a number for each row of classes."""
        base, digits = self._cards.shape[1], classes.shape[-1]
        found: Index = classes @ (base ** np.arange(digits, dtype=np.int64)[::-1])
        return found

    def boards(self, dealt: int) -> Boards:
        """Return the boards of a length that stand for all."""
        structure = self.structure
        boards = structure.boards(dealt)
        code = np.min([self._codes(classes[boards]) for classes in self._cards], axis=0)
        _, first, orbit = np.unique(code, return_index=True, return_inverse=True)
        order = np.argsort(first)
        orbit = np.argsort(order)[orbit]
        beside = orbit
        if dealt:
            before = self.boards(dealt - 1).first
            beside = orbit[np.isin(structure.parents(dealt), before)]
        stands_for = orbit[structure.orbits[dealt].first].astype(np.int32)
        return Boards(first[order], stands_for, np.bincount(beside, minlength=len(first)))

    def alive(self, dealt: int, board: int) -> tuple[Index, Index]:
        """Return both players' hands that meet no card of a board, ascending."""
        first, second = (np.flatnonzero(table[board]) for table in self._avoids[dealt])
        return first, second

    def on_board(self, dealt: int, board: int) -> tuple[Index, tuple[Index, Index]]:
        """Return numbers for cards and for both players' hands: the same for what is alike.

        The numbers of boards that are alike agree with each other; those of cards on the board, and
        of hands with such cards, say nothing.
        """
        codes = self._codes(self._cards[:, self.structure.boards(dealt)[board]])
        leads = codes == codes.min()
        first, second = (hands[leads].min(axis=0) for hands in self._hands)
        return self._cards[leads].min(axis=0), (first, second)

    def num_places(self, dealt: int) -> tuple[int, int]:
        """Return how many places hands take on the boards of a length, of each player.

        Those that stand for all, filled up to whole vectors on each board.
        """
        found = [0, 0]
        for board in self.boards(dealt).first.tolist():
            check_time("counting hands")
            codes, alive = self.on_board(dealt, board)[1], self.alive(dealt, board)
            for player in (0, 1):
                found[player] += filled(len(np.unique(codes[player][alive[player]])))
        return found[0], found[1]
