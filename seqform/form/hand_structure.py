"""What a game of hands is made of, for all who work on it: boards, who may hold what, symmetries.

A *board* is what was dealt face up since the game began, in order; the known cards are left out.
Boards of d cards are numbered in lexicographic order, so those that go on from board b are ``b * n,
..., b * n + n - 1``, where n further cards are left. Nothing here has the size of pairs of hands.

Boards that are images of each other are played alike. The first of each orbit stands for the rest:
boards that go on from one that stands for others include all those that do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import perm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Index, Ints, Mask
from seqform.base.deadline import check_time
from seqform.form.hand_products import SharedCards, shared_cards
from seqform.form.hand_symmetries import (
    Symmetry,
    find_alike_cards,
    find_symmetries,
    places_in,
)

if TYPE_CHECKING:
    from seqform.form.hands import HandGame


class Orbits(NamedTuple):
    """The boards of one length, up to symmetry.

    Parameters
    ----------
    first
        int32 (num_orbits,): the board that stands for each orbit, ascending.
    size
        int32 (num_orbits,): how many boards it stands for.
    orbit
        int32 (num_boards,): the orbit of each board.
    symmetry
        int16 (num_boards,): the symmetry that leads from the first board of its orbit to each one.
    """

    first: Ints
    size: Ints
    orbit: Ints
    symmetry: NDArray[np.int16]

    def counted(self, sets: Mask) -> int:
        """Return of how many hands on all boards something holds: bool (num_orbits, num_hands)."""
        return int((sets.sum(axis=1, dtype=np.int64) * self.size).sum())


class HandStructure:
    """The boards and symmetries of a game of hands.

    Parameters
    ----------
    game
        The game.
    """

    def __init__(self, game: HandGame) -> None:
        self.game = game
        self._fewer: dict[tuple[tuple[int, ...], ...], HandStructure] = {}
        self._strengths: dict[tuple[int, int], Ints] = {}
        self.is_part = False
        """Whether it was made with some of the game's symmetries only."""
        known = set(game.board)
        self.cards: Ints = np.array(
            [card for card in range(len(game.deck)) if card not in known], dtype=np.int16
        )
        """The cards that are not known to lie face up, ascending."""

    @property
    def num_dealt(self) -> int:
        """Cards that are dealt face up before a showdown."""
        return self.game.betting.num_dealt

    @cached_property
    def shared(self) -> tuple[SharedCards, SharedCards]:
        """The sets of cards that hands of both players may share, by who is paid."""
        mine, theirs = (held.hands for held in self.game.ranges)
        return shared_cards(mine, theirs), shared_cards(theirs, mine)

    def num_boards(self, dealt: int) -> int:
        """Return how many boards of a length there are."""
        return perm(len(self.cards), dealt)

    def boards(self, dealt: int) -> Ints:
        """Return the cards of all boards of a length: int16 (num_boards, dealt), in order."""
        return self._boards[dealt]

    @cached_property
    def _boards(self) -> list[Ints]:
        found: list[Ints] = [np.zeros((1, 0), dtype=np.int16)]
        for dealt in range(self.num_dealt):
            check_time("dealing boards")
            before, left = found[-1], len(self.cards) - dealt
            is_left = np.ones((len(before), len(self.cards)), dtype=bool)
            place = np.searchsorted(self.cards, before)
            np.put_along_axis(is_left, place, False, axis=1)
            further = np.broadcast_to(self.cards, is_left.shape)[is_left]
            found.append(np.column_stack([np.repeat(before, left, axis=0), further]))
        return found

    def parents(self, dealt: int) -> Index:
        """Return for each board of a length the one that it goes on from."""
        return np.arange(self.num_boards(dealt)) // (len(self.cards) - dealt + 1)

    def board_number(self, cards: Sequence[int]) -> int:
        """Return the number of the board of some cards, in order.

        Raises
        ------
        ValueError
            If a card cannot be dealt, or twice.
        """
        number, left = 0, self.cards.tolist()
        for card in cards:
            number = number * len(left) + left.index(card)
            left.remove(card)
        return number

    def avoids(self, player: int, dealt: int) -> Mask:
        """Return which hands meet no card of a board: bool (num_boards, num_hands)."""
        hands, boards = self.game.ranges[player].hands, self.boards(dealt)
        found = np.ones((len(boards), len(hands)), dtype=bool)
        for held in hands.T:
            for card in boards.T:
                found &= held[None, :] != card[:, None]
        return found

    def strengths(self, player: int, board: int) -> Ints:
        """Return how strong each hand of a player is on a whole board: int32 (num_hands,).

        It is found once, and kept.
        """
        if (player, board) not in self._strengths:
            known = np.array(self.game.board, dtype=np.int16)
            cards = np.concatenate([known, self._boards[-1][board]])
            found = np.asarray(self.game.strength(self.game.ranges[player].hands, cards))
            self._strengths[player, board] = found
        return self._strengths[player, board]

    @cached_property
    def same_hand(self) -> tuple[Ints, Ints]:
        """For each player, the number of each hand in the other's range; -1 where it is not there.

        int32 (num_hands,). Where players hold hands of different sizes it is nowhere.
        """
        mine, theirs = self.game.ranges
        return places_in(mine.hands, theirs), places_in(theirs.hands, mine)

    @cached_property
    def without_symmetries(self) -> HandStructure:
        """The same game, in which every board stands for itself."""
        return (
            self if not self.game.symmetries else HandStructure(replace(self.game, symmetries=()))
        )

    def with_symmetries(self, kept: Sequence[Symmetry]) -> HandStructure:
        """Return the same game with some of its symmetries only, which are a group."""
        if len(kept) == len(self.symmetries):
            return self
        if len(kept) == 1:
            return self.without_symmetries
        cards = tuple(tuple(of.cards.tolist()) for of in kept)
        if cards not in self._fewer:
            fewer = HandStructure(replace(self.game, symmetries=cards))
            fewer.__dict__.update(symmetries=tuple(kept), _boards=self._boards)  # known already
            fewer.__dict__["without_symmetries"] = self.without_symmetries
            fewer._strengths = self._strengths
            fewer.is_part = True
            self._fewer[cards] = fewer
        return self._fewer[cards]

    def common(self, *parts: HandStructure) -> HandStructure:
        """Return the game with those of its symmetries that all of some of its structures have."""
        known = [{tuple(of.cards.tolist()) for of in part.symmetries} for part in parts]
        kept = [
            of
            for of in self.symmetries
            if all(tuple(of.cards.tolist()) in cards for cards in known)
        ]
        return self.with_symmetries(kept)

    def is_of(self, structure: HandStructure) -> bool:
        """Tell whether this is a game, whichever of its symmetries it has."""
        fewer = (structure, structure.without_symmetries, *structure._fewer.values())
        return any(self is one for one in fewer)

    def images(self, symmetry: Symmetry, dealt: int) -> Index:
        """Return the number of the board that a symmetry makes of each one of a length."""
        boards, weights = self.boards(dealt), _place_values(len(self.cards), dealt)
        codes = np.searchsorted(self.cards, boards) @ weights  # ascending, as boards are
        there = np.searchsorted(self.cards, symmetry.cards[boards]) @ weights
        return np.searchsorted(codes, there)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of those that the game names; the identity is the first."""
        return find_symmetries(self)

    @cached_property
    def alike_cards(self) -> Ints:
        """For each card the first of those that it may change places with: int32 (num_cards,)."""
        return find_alike_cards(self)

    @cached_property
    def orbits(self) -> tuple[Orbits, ...]:
        """The boards of each length up to symmetry, by cards dealt."""
        return tuple(self._orbits(dealt) for dealt in range(self.num_dealt + 1))

    def _orbits(self, dealt: int) -> Orbits:
        boards, weights = self.boards(dealt), _place_values(len(self.cards), dealt)
        codes = np.searchsorted(self.cards, boards) @ weights
        least, by = codes.copy(), np.zeros(len(boards), dtype=np.int16)
        for number, symmetry in enumerate(self.symmetries):
            there = np.searchsorted(self.cards, symmetry.cards[boards]) @ weights
            # the symmetry leads from a board to `there`; its inverse is wanted where `there` leads
            image = np.searchsorted(codes, there)
            better = codes < least[image]
            least[image[better]] = codes[better]
            by[image[better]] = number
        first, orbit, size = np.unique(least, return_inverse=True, return_counts=True)
        places: Ints = np.asarray(np.searchsorted(codes, first), dtype=np.int32)
        return Orbits(
            first=places,
            size=size.astype(np.int32),
            orbit=orbit.astype(np.int32),
            symmetry=by,
        )


def _place_values(base: int, digits: int) -> Index:
    return np.array([base ** (digits - 1 - place) for place in range(digits)], dtype=np.int64)
