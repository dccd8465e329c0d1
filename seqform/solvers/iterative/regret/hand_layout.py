"""Where the hands of a game of hands stand on its boards, as regret minimization goes through them.

Boards that stand for their orbits are all that is looked at. On each a player's hands that meet no
card of it stand in some order, filled up to whole vectors: on whole boards from the weakest to the
strongest, so that sums over those that are weaker are running sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Floats, Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret.hand_rounds import WIDTH, Round, rounds_of

LARGEST_HAND = 2
"""Cards that are told apart one by one in sums: a hand of more shares more than whole hands."""


class Held(NamedTuple):
    """A player's hands on the boards of a street; places are counted from 0 on each board.

    Parameters
    ----------
    start
        int64 (num_boards + 1,): the first place of each board among all; multiples of `WIDTH`.
    hand
        int32 (num_places,): the hand in the range; the number of hands where a vector is filled up.
    paid_as
        int32 (num_places,): the hand that stands for those that symmetries make of it without
        moving a card of the board. They are paid what it is paid, to the last digit, so that they
        are played alike for ever: what an own hand reads below is of the hand it is paid as.
    cards
        int32 (num_places, 2): the cards of each hand, as rows of sums by card. Row 0 is for the sum
        of all. A card that is not there reads as row ``num_cards + 1``, whose sum is 0.
    adds
        The same of the hand itself, as rows that it adds to; a card that is not there adds to row
        ``num_cards + 2``, which nobody reads.
    group
        int32 (num_boards + 1,): the first group of each board among all.
    groups
        int32 (num_groups, 3): hands that follow each other and compare alike with all of the
        opponent's: how many of these are weaker, how many are not stronger, and the place behind
        the group. None before the last street.
    same
        int32 (num_places,): the opponent's place with the same hand, or the number of its places on
        the board where there is none, or where sums by card have it already.
    """

    start: Index
    hand: Ints
    paid_as: Ints
    cards: Ints
    adds: Ints
    group: Ints
    groups: Ints
    same: Ints


class Street(NamedTuple):
    """One street: its betting, and the boards that stand for their orbits.

    Parameters
    ----------
    round
        The betting.
    held
        Each player's hands on the boards.
    parent
        int32 (num_boards,): the board of the street before.
    image
        int64 (num_boards + 1,): the first image of each board among all; the images are those
        boards of its orbit that go on from the same board.
    symmetry
        int16 (num_images,): the symmetry that leads to each image.
    share
        The probability of each whole board divided by that of the one before, and so on: what
        payoffs are multiplied by.
    """

    round: Round
    held: tuple[Held, Held]
    parent: Ints
    image: Index
    symmetry: NDArray[np.int16]
    share: float

    @property
    def num_boards(self) -> int:
        """How many boards stand for all."""
        return len(self.parent)


class Layout(NamedTuple):
    """A game of hands as regret minimization goes through it.

    Parameters
    ----------
    streets
        From the first to the last.
    weights
        For each player float64 (num_hands,): the range, its largest weight 1.
    images
        For each player int32 (num_symmetries, num_hands + 1): the image of each hand.
    num_cards
        Cards of the deck.
    total
        What the products of weights add up to over all pairs of hands that can be dealt.
    """

    streets: tuple[Street, ...]
    weights: tuple[Floats, Floats]
    images: tuple[Ints, Ints]
    num_cards: int
    total: float


def lay_out(structure: HandStructure) -> Layout:
    """Lay out a game of hands.

    Raises
    ------
    UnsupportedGameError
        If hands have more than two cards, or a tie pays something else than half of a win and a
        loss together.
    """
    game = structure.game
    sizes = [held.hand_size for held in game.ranges]
    if max(sizes) > LARGEST_HAND:
        raise UnsupportedGameError(
            f"hands have {max(sizes)} cards: the engine for large games of hands takes up to "
            f"{LARGEST_HAND}"
        )
    rounds, share, streets = rounds_of(game.betting), 1.0, []
    for dealt, betting in enumerate(rounds):
        check_time("laying out boards")
        streets.append(_street(structure, betting, dealt, share))
        share /= max(1, game.cards_left - dealt)
    most = [int(held.weights.max()) for held in game.ranges]
    return Layout(
        streets=tuple(streets),
        weights=(_share(game.ranges[0].weights, most[0]), _share(game.ranges[1].weights, most[1])),
        images=(_images(structure, 0), _images(structure, 1)),
        num_cards=len(game.deck),
        total=game.total_weight / (most[0] * most[1]),
    )


def _share(weights: Index, most: int) -> Floats:
    return weights / most


def _images(structure: HandStructure, player: int) -> Ints:
    """Return the image of each hand by each symmetry; the filling is its own."""
    size = structure.game.ranges[player].num_hands
    return np.array(
        [np.append(symmetry.hands[player], size) for symmetry in structure.symmetries],
        dtype=np.int32,
    )


def _street(structure: HandStructure, betting: Round, dealt: int, share: float) -> Street:
    orbits = structure.orbits[dealt]
    parent, image, symmetry = np.zeros(len(orbits.first), dtype=np.int32), [0], []
    if dealt == 0:
        image, symmetry = [0, 1], [0]
    else:
        above, following = structure.orbits[dealt - 1], len(structure.cards) - dealt + 1
        for number, first in enumerate(orbits.first.tolist()):
            parent[number] = above.orbit[first // following]
            beside = slice(first // following * following, (first // following + 1) * following)
            alike = orbits.symmetry[beside][orbits.orbit[beside] == number]
            symmetry += alike.tolist()
            image.append(len(symmetry))
    return Street(
        betting,
        _held(structure, dealt, orbits.first),
        parent,
        np.array(image, dtype=np.int64),
        np.array(symmetry, dtype=np.int16),
        share,
    )


def _held(structure: HandStructure, dealt: int, boards: Ints) -> tuple[Held, Held]:
    """Return both players' hands on boards."""
    whole = dealt == structure.num_dealt
    parts: tuple[list[Any], list[Any]] = ([], [])
    for board in boards.tolist():
        check_time("laying out hands")
        alive = [_alive(structure, player, dealt, board) for player in (0, 1)]
        strengths = [
            structure.strengths(player, board)[alive[player]] if whole else None
            for player in (0, 1)
        ]
        order = [
            hands if of is None else hands[np.lexsort((_scattered(hands), of))]
            for hands, of in zip(alive, strengths, strict=True)
        ]
        ranked = [None if of is None else np.sort(of) for of in strengths]
        for player in (0, 1):
            twin = _twins(structure, player, dealt, board, order[player])
            parts[player].append(_on_board(structure, player, order, ranked, twin))
    return _joined(parts[0]), _joined(parts[1])


def _scattered(hands: Index) -> Index:
    """Return a number for each hand by whose order few neighbors share cards.

    A sum to which two hands in a row add is waited for.
    """
    return hands * 40503 % 65536


def _alive(structure: HandStructure, player: int, dealt: int, board: int) -> Index:
    """Return the hands that meet no card of a board."""
    cards = structure.boards(dealt)[board]
    return np.flatnonzero(~np.isin(structure.game.ranges[player].hands, cards).any(axis=1))


def _twins(structure: HandStructure, player: int, dealt: int, board: int, order: Index) -> Ints:
    """Return the place of the hand that each is paid as, on one board."""
    cards, size = structure.boards(dealt)[board], structure.game.ranges[player].num_hands
    first = np.arange(size)
    for symmetry in structure.symmetries[1:]:
        if (symmetry.cards[cards] == cards).all():
            first = np.minimum(first, symmetry.hands[player])
    place = np.arange(size)
    place[order] = np.arange(len(order))
    found = np.arange(_filled(len(order)), dtype=np.int32)
    found[: len(order)] = place[first[order]]
    return found


def _on_board(
    structure: HandStructure, player: int, order: list[Index], ranked: list[Any], twin: Ints
) -> tuple[Numbers, ...]:
    """Return the columns of `Held` of one board."""
    held = structure.game.ranges[player]
    mine, theirs = order[player], order[1 - player]
    size, others = _filled(len(mine)), _filled(len(theirs))
    hand = np.full(size, held.num_hands, dtype=np.int32)
    hand[: len(mine)] = mine
    cards, adds = _rows(held.hands[mine], len(structure.game.deck), size)
    groups = np.zeros((0, 3), dtype=np.int32)
    if ranked[player] is not None:
        groups = _groups(ranked[player], ranked[1 - player], size)
    same = np.full(size, others, dtype=np.int32)
    if {of.hand_size for of in structure.game.ranges} == {LARGEST_HAND}:
        place = np.full(structure.game.ranges[1 - player].num_hands + 1, others, dtype=np.int32)
        place[theirs] = np.arange(len(theirs))
        same[: len(mine)] = place[structure.same_hand[player][mine]]
    return hand, hand[twin], cards[twin], adds, groups, same[twin]


def _groups(mine: Ints, theirs: Ints, size: int) -> Ints:
    """Return the groups of hands of rising strengths; the last one has what fills up the vector."""
    if not size:
        return np.zeros((0, 3), dtype=np.int32)
    places = [np.searchsorted(theirs, mine, side=side) for side in ("left", "right")]
    compared = np.full((size, 2), len(theirs), dtype=np.int32)  # what fills up is above all
    compared[: len(mine)] = np.column_stack(places)
    last = np.append((np.diff(compared, axis=0) != 0).any(axis=1), True)
    behind = np.flatnonzero(last) + 1
    return np.column_stack([compared[last], behind]).astype(np.int32)


def _rows(hands: Ints, num_cards: int, size: int) -> tuple[Ints, Ints]:
    """Return the rows of sums by card that hands read and add to."""
    cards = np.full((size, LARGEST_HAND), num_cards + 1, dtype=np.int32)
    cards[: len(hands), : hands.shape[1]] = hands + 1
    adds = cards + (cards == num_cards + 1).astype(np.int32)
    return cards, adds


def boards_of_places(street: Street, player: int) -> Index:
    """Return the board of each place of a player's hands: int64 (num_places,)."""
    return np.repeat(np.arange(street.num_boards), np.diff(street.held[player].start))


def as_vectors(table: Numbers, filling: float, street: Street, player: int) -> Numbers:
    """Return a table by (orbits, actions, hands) as vectors: (vectors, actions, width).

    Parameters
    ----------
    filling
        What is written where a vector is filled up.
    """
    padded = np.full((*table.shape[:2], table.shape[2] + 1), filling, dtype=table.dtype)
    padded[:, :, :-1] = table
    found = padded[boards_of_places(street, player), :, street.held[player].hand]
    vectors: Numbers = found.reshape(-1, WIDTH, table.shape[1]).transpose(0, 2, 1)
    return vectors


def _filled(count: int) -> int:
    return count + -count % WIDTH


def _joined(parts: list[tuple[Numbers, ...]]) -> Held:
    hand, paid_as, cards, adds, groups, same = map(np.concatenate, zip(*parts, strict=True))
    start = np.cumsum([0, *(len(part[0]) for part in parts)])
    group = np.cumsum([0, *(len(part[4]) for part in parts)]).astype(np.int32)
    return Held(start, hand, paid_as, cards, adds, group, groups, same)
