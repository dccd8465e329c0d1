"""The symmetries of a game of hands, and which cards may change places: found, not assumed.

A permutation of the deck is a symmetry if it keeps the known cards and both ranges with their
weights, and every hand is as strong as its image on the image of the board. A game names
permutations that may be some; of all others those are tried that exchange two cards. Where hands do
not depend on suits, because no flush can be made, cards of a rank change places one by one, and
that makes far more symmetries than can be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Ints
from seqform.base.deadline import check_time

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure
    from seqform.form.hands import HandRange


class Symmetry(NamedTuple):
    """A permutation of the deck that leaves the game as it is.

    Parameters
    ----------
    cards
        int16 (num_cards,): the image of each card.
    hands
        For each player int32 (num_hands,): the image of each hand.
    """

    cards: NDArray[np.int16]
    hands: tuple[Ints, Ints]


def find_symmetries(structure: HandStructure) -> tuple[Symmetry, ...]:
    """Return the symmetries among those that a game names, a group; the identity is the first."""
    identity = np.arange(len(structure.game.deck), dtype=np.int16)
    wanted = {tuple(identity.tolist()): None} | dict.fromkeys(structure.game.symmetries)
    found = [_kept(structure, np.array(cards, dtype=np.int16)) for cards in generated(wanted)]
    kept = [symmetry for symmetry in found if symmetry is not None]
    if len(kept) > 1:
        strengths = _strengths(structure)
        if not all(_are_strengths_kept(structure, of, strengths) for of in kept[1:]):
            return tuple(kept[:1])
    return tuple(kept)


def find_alike_cards(structure: HandStructure) -> Ints:
    """Return for each card the first of those that it may change places with.

    To exchange two of them is a symmetry, and so is every permutation among them: int32
    (num_cards,).
    """
    found: Ints = np.arange(len(structure.game.deck), dtype=np.int32)
    by_range = _by_range(structure)
    pairs = [
        (first, card)
        for card in structure.cards.tolist()
        for first in structure.cards[structure.cards < card].tolist()
        if by_range[first] == by_range[card]
    ]
    if not any(exchange(structure, *pair) for pair in pairs):
        return found  # the ranges say so already, and nothing has to be ranked
    strengths = _strengths(structure)
    profiles = _by_strength(structure, strengths)
    for first, card in pairs:
        if found[first] == first and found[card] == card and profiles[first] == profiles[card]:
            symmetry = exchange(structure, first, card)
            if symmetry is not None and _are_strengths_kept(structure, symmetry, strengths):
                found[card] = first
    return found


def exchange(structure: HandStructure, first: int, second: int) -> Symmetry | None:
    """Return the symmetry that exchanges two cards, as far as known cards and ranges go."""
    cards = np.arange(len(structure.game.deck), dtype=np.int16)
    cards[[first, second]] = second, first
    return _kept(structure, cards)


def _by_range(structure: HandStructure) -> list[tuple[int, ...]]:
    """Return numbers for each card, the same for cards that ranges let change places."""
    return [
        tuple(
            int(held.weights[(held.hands == card).any(axis=1)].sum())
            for held in structure.game.ranges
        )
        for card in range(len(structure.game.deck))
    ]


def _by_strength(structure: HandStructure, strengths: Sequence[Ints]) -> list[tuple[int, ...]]:
    """Return numbers for each card, the same for cards that strengths let change places."""
    boards, ranges = structure.boards(structure.num_dealt), structure.game.ranges
    alive = [
        np.where(structure.avoids(player, structure.num_dealt), of, 0)
        for player, of in enumerate(strengths)
    ]
    by_hand, by_board = ([of.sum(axis=axis, dtype=np.int64) for of in alive] for axis in (0, 1))
    return [
        (
            *(
                int(of[(held.hands == card).any(axis=1)].sum())
                for of, held in zip(by_hand, ranges, strict=True)
            ),
            *(int(of[(boards == card).any(axis=1)].sum()) for of in by_board),
        )
        for card in range(len(structure.game.deck))
    ]


def _strengths(structure: HandStructure) -> list[Ints]:
    """Return each player's strengths on all whole boards: int32 (num_boards, num_hands)."""
    boards = range(structure.num_boards(structure.num_dealt))
    return [np.array([structure.strengths(player, board) for board in boards]) for player in (0, 1)]


def _kept(structure: HandStructure, cards: NDArray[np.int16]) -> Symmetry | None:
    """Return the symmetry of a permutation that keeps the known cards and both ranges."""
    if not np.isin(cards[list(structure.game.board)], structure.game.board).all():
        return None
    images = []
    for held in structure.game.ranges:
        image = places_in(np.sort(cards[held.hands], axis=1), held)
        if (image < 0).any() or (held.weights[image] != held.weights).any():
            return None
        images.append(image)
    return Symmetry(cards, (images[0], images[1]))


def _are_strengths_kept(
    structure: HandStructure, symmetry: Symmetry, strengths: Sequence[Ints]
) -> bool:
    """Tell whether hands are as strong as their images, on all whole boards."""
    check_time("looking for symmetries")
    dealt = structure.num_dealt
    image = structure.images(symmetry, dealt)
    for player, of in enumerate(strengths):
        same = of == of[image][:, symmetry.hands[player]]
        if not (same | ~structure.avoids(player, dealt)).all():
            return False
    return True


def places_in(hands: Ints, held: HandRange) -> Ints:
    """Return where hands are in a range: int32 (num_hands,), -1 where they are not."""
    if not len(hands) or hands.shape[1] != held.hand_size:
        return np.full(len(hands), -1, dtype=np.int32)
    both = np.concatenate([held.hands, hands])
    number, base = np.zeros(len(both), dtype=np.int64), int(both.max()) + 1
    for cards in both.T:  # numbers of few cards after each other: those of many are too large
        codes = number * base + cards
        _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    place = first[number[len(held.hands) :]]
    return np.where(place < len(held.hands), place, -1).astype(np.int32)


def generated(permutations: dict[tuple[int, ...], None]) -> list[tuple[int, ...]]:
    """Return the group that permutations generate, in the order in which they are found."""
    generators, found = list(permutations), dict(permutations)
    reached = list(permutations)
    for one in reached:
        for other in generators:
            product = tuple(other[card] for card in one)
            if product not in found:
                found[product] = None
                reached.append(product)
    return reached
