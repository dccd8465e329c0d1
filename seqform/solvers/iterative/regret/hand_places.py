"""Where the hands of both players stand on one board, and how they are compared and summed up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints, Numbers
from seqform.solvers.iterative.regret.hand_orbits import HandOrbits
from seqform.solvers.iterative.regret.hand_rounds import filled

LARGEST_HAND = 2
"""Cards that are told apart one by one in sums: a hand of more shares more than whole hands."""


class Standing(NamedTuple):
    """A player's hands on a board; of those that are alike one stands for all.

    Parameters
    ----------
    hands
        int64 (num_places,): the hand at each place.
    size
        int64 (num_places,): how many hands are alike.
    strength
        int32 (num_places,): how strong they are; None before the last street.
    codes
        int64 (num_places,): the numbers of `HandOrbits.on_board`, ascending.
    place
        int64 (num_places,): the place of the hands of each number.
    """

    hands: Index
    size: Index
    strength: Ints | None
    codes: Index
    place: Index

    def places(self, codes: Index) -> Index:
        """Return where hands of some numbers stand."""
        return self.place[np.searchsorted(self.codes, codes)]


class OnBoard:
    """Both players' hands on a board.

    Parameters
    ----------
    orbits
        Which hands are alike.
    dealt, board
        The board's length, and its number.
    """

    def __init__(self, orbits: HandOrbits, dealt: int, board: int) -> None:
        self.structure = orbits.structure
        self._cards, self._codes = orbits.on_board(dealt, board)
        self._alike = np.bincount(self._cards[self.structure.cards], minlength=len(self._cards))
        np.subtract.at(self._alike, self._cards[self.structure.boards(dealt)[board]], 1)
        self._alive = orbits.alive(dealt, board)
        whole = dealt == self.structure.num_dealt
        self.standing = [self._stand(player, board if whole else None) for player in (0, 1)]

    def _stand(self, player: int, whole: int | None) -> Standing:
        alive = self._alive[player]
        codes, first, size = np.unique(
            self._codes[player][alive], return_index=True, return_counts=True
        )
        hands, strength = alive[first], None
        order = np.argsort(hands)
        if whole is not None:
            strength = self.structure.strengths(player, whole)[hands]
            order = np.lexsort((_scattered(hands), strength))
            strength = strength[order]
        return Standing(hands[order], size[order], strength, codes, np.argsort(order))

    def num_places(self, player: int) -> int:
        """Return how many places a player's hands take, in whole vectors."""
        return filled(len(self.standing[player].hands))

    def columns(self, player: int) -> dict[str, Numbers]:
        """Return what `Held` says of a player's hands but of boards, under the same names."""
        standing, size = self.standing[player], self.num_places(player)
        held, num_cards = self.structure.game.ranges[player], len(self._cards)
        hands = held.hands[standing.hands]
        cards = np.full((size, LARGEST_HAND), num_cards + 1, dtype=np.int32)
        cards[: len(hands), : held.hand_size] = self._cards[hands] + 1
        counts = np.zeros((size, 1 + LARGEST_HAND))
        counts[: len(hands), 0] = standing.size
        of_each = standing.size[:, None] / self._alike[self._cards[hands]]
        counts[: len(hands), 1 : 1 + held.hand_size] = of_each
        return {
            "hand": self._filled(standing.hands, size, held.num_hands),
            "size": self._filled(standing.size, size, 0),
            "cards": cards,
            "adds": cards + (cards == num_cards + 1).astype(np.int32),
            "counts": counts,
            "groups": self._groups(player, size),
            "same": self._same(player, size),
        }

    def _filled(self, numbers: Any, size: int, filling: int) -> Ints:
        found = np.full(size, filling, dtype=np.int32)
        found[: len(numbers)] = numbers
        return found

    def _groups(self, player: int, size: int) -> Ints:
        """Return the groups of hands of rising strengths; the last one has what fills up."""
        mine, theirs = (self.standing[who].strength for who in (player, 1 - player))
        if mine is None or theirs is None or not size:
            return np.zeros((0, 3), dtype=np.int32)
        places = [np.searchsorted(theirs, mine, side=side) for side in ("left", "right")]
        compared = np.full((size, 2), len(theirs), dtype=np.int32)  # what fills up is above all
        compared[: len(mine)] = np.column_stack(places)
        last = np.append((np.diff(compared, axis=0) != 0).any(axis=1), True)
        behind = np.flatnonzero(last) + 1
        return np.column_stack([compared[last], behind]).astype(np.int32)

    def _same(self, player: int, size: int) -> Ints:
        """Return the opponent's place with the same hand, or with one that is alike to it."""
        nowhere = self.num_places(1 - player)
        found = np.full(size, nowhere, dtype=np.int32)
        if {of.hand_size for of in self.structure.game.ranges} == {LARGEST_HAND}:
            hands = self.standing[player].hands
            same = self.structure.same_hand[player][hands]
            there = self.standing[1 - player].places(self._codes[1 - player][same[same >= 0]])
            found[: len(hands)][same >= 0] = there
        return found


def _scattered(hands: Index) -> Index:
    """Return a number for each hand by whose order few neighbors share cards.

    A sum to which two hands in a row add is waited for.
    """
    return hands * 40503 % 65536
