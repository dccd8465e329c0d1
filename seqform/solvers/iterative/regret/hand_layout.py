"""Where the hands of a game of hands stand on its boards, as regret minimization goes through them.

Boards and hands that are alike (`hand_orbits`) are played alike, and one of them stands for all. On
each board a player's hands that meet no card of it stand in some order, filled up to whole vectors:
on whole boards from the weakest to the strongest, so that sums over those that are weaker are
running sums.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Ints, Numbers
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.hand_structure import HandStructure
from seqform.solvers.iterative.regret.hand_orbits import HandOrbits
from seqform.solvers.iterative.regret.hand_places import (
    LARGEST_HAND,
    OnBoard,
)
from seqform.solvers.iterative.regret.hand_rounds import WIDTH, Round, rounds_of


class Held(NamedTuple):
    """A player's hands on the boards of a street; places are counted from 0 on each board.

    Parameters
    ----------
    start
        int64 (num_boards + 1,): the first place of each board among all; multiples of `WIDTH`.
    hand
        int32 (num_places,): the hand in the range that stands for those alike; the number of hands
        where a vector is filled up.
    size
        int32 (num_places,): how many hands are alike on the board; 0 where a vector is filled up.
    parent
        int32 (num_places,): the place of the same hand on the board of the street before, among all
        of that street, whose number is that of what fills up; on the first street the hand.
    images
        float64 (num_places,): how often what it is paid counts for its parent: so many cards can
        be dealt by which that comes to this hand on this board, or to what is alike.
    cards
        int32 (num_places, 2): the cards of each hand, as rows of sums by card. Row 0 is for the sum
        of all. A card that is not there reads as row ``num_cards + 1``, whose sum is 0.
    adds
        The same of the hand itself, as rows that it adds to; a card that is not there adds to row
        ``num_cards + 2``, which nobody reads.
    counts
        float64 (num_places, 3): what its reach is multiplied by where it is added: how many hands
        are alike, and how many of them have a certain card that is alike to each of its own.
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
    size: Ints
    parent: Ints
    images: Floats
    cards: Ints
    adds: Ints
    counts: Floats
    group: Ints
    groups: Ints
    same: Ints

    @property
    def num_places(self) -> int:
        """How many places all boards have together."""
        return len(self.hand)


class Street(NamedTuple):
    """One street: its betting, and the boards that stand for all.

    Parameters
    ----------
    round
        The betting.
    held
        Each player's hands on the boards.
    place
        For each player int32 (num_orbits, num_hands): on each board that stands for others in the
        structure the place of each hand, or of what is alike; and the number of places where the
        hand meets a card.
    orbit
        int32 (num_boards,): which of the structure's orbits each board stands for.
    share
        The probability of each whole board divided by that of the one before, and so on: what
        payoffs are multiplied by.
    """

    round: Round
    held: tuple[Held, Held]
    place: tuple[Ints, Ints]
    orbit: Ints
    share: float

    @property
    def num_boards(self) -> int:
        """How many boards stand for all."""
        return len(self.orbit)


class Layout(NamedTuple):
    """A game of hands as regret minimization goes through it.

    Parameters
    ----------
    streets
        From the first to the last.
    weights
        For each player float64 (num_hands,): the range, its largest weight 1.
    num_cards
        Cards of the deck.
    total
        What the products of weights add up to over all pairs of hands that can be dealt.
    """

    streets: tuple[Street, ...]
    weights: tuple[Floats, Floats]
    num_cards: int
    total: float


def lay_out(structure: HandStructure, classes: Ints | None = None) -> Layout:
    """Lay out a game of hands.

    Parameters
    ----------
    structure
        The game. What its symmetries make of each other is played alike.
    classes
        int32 (num_cards,): for each card the first of those that may change places with it, such as
        `HandStructure.alike_cards`; None where no cards may.

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
    rounds, share = rounds_of(game.betting), 1.0
    streets: list[Street] = []
    orbits = HandOrbits(structure, classes)
    for dealt, betting in enumerate(rounds):
        check_time("laying out boards")
        streets.append(_street(orbits, betting, dealt, share, streets[-1] if streets else None))
        share /= max(1, game.cards_left - dealt)
    most = [int(held.weights.max()) for held in game.ranges]
    return Layout(
        streets=tuple(streets),
        weights=(_share(game.ranges[0].weights, most[0]), _share(game.ranges[1].weights, most[1])),
        num_cards=len(game.deck),
        total=game.total_weight / (most[0] * most[1]),
    )


def _share(weights: Index, most: int) -> Floats:
    return weights / most


def _street(
    orbits: HandOrbits, betting: Round, dealt: int, share: float, before: Street | None
) -> Street:
    structure, boards = orbits.structure, orbits.boards(dealt)
    found = []
    for board in boards.first.tolist():
        check_time("laying out hands")
        found.append(OnBoard(orbits, dealt, board))
    parent = boards.first // (len(structure.cards) - dealt + 1)
    row = structure.orbits[max(dealt - 1, 0)].orbit[parent]
    held = [_held(player, found, boards.images, row, before) for player in (0, 1)]
    return Street(
        round=betting,
        held=(held[0], held[1]),
        place=_places(orbits, dealt, boards.stands_for, found, held),
        orbit=structure.orbits[dealt].orbit[boards.first],
        share=share,
    )


def _held(
    player: int, boards: list[OnBoard], images: Index, row: Ints, before: Street | None
) -> Held:
    """Return a player's hands on all boards, whose parents are rows of `before.place`."""
    parts = [board.columns(player) for board in boards]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    places = [len(part["hand"]) for part in parts]
    hand, parent, sizes = joined["hand"], joined["hand"], np.ones(1)
    if before is not None:
        above, of = before.held[player], before.place[player]
        padded = np.column_stack([of, np.full(len(of), above.num_places, dtype=np.int32)])
        parent = padded[np.repeat(row, places), hand]
        sizes = np.append(above.size, 1)[parent]
    return Held(
        start=np.cumsum([0, *places]),
        group=np.cumsum([0, *(len(part["groups"]) for part in parts)]).astype(np.int32),
        parent=parent,
        images=np.repeat(images, places) * joined["size"] / np.maximum(sizes, 1),
        **joined,
    )


def _places(
    orbits: HandOrbits, dealt: int, stands_for: Ints, boards: list[OnBoard], held: list[Held]
) -> tuple[Ints, Ints]:
    """Return the place of each hand on each board that stands for others in the structure."""
    structure = orbits.structure
    first = structure.orbits[dealt].first
    found = [
        np.full((len(first), hands.num_hands), of.num_places, dtype=np.int32)
        for hands, of in zip(structure.game.ranges, held, strict=True)
    ]
    for row, (board, which) in enumerate(zip(first.tolist(), stands_for.tolist(), strict=True)):
        check_time("laying out hands")
        codes, alive = orbits.on_board(dealt, board)[1], orbits.alive(dealt, board)
        for player, hands in enumerate(alive):
            standing = boards[which].standing[player]
            begin = held[player].start[which]
            found[player][row, hands] = begin + standing.places(codes[player][hands])
    return found[0], found[1]


def as_vectors(table: Numbers, filling: float, street: Street, player: int) -> Numbers:
    """Return what the hands that stand for all do at a node: (vectors, actions, width).

    Parameters
    ----------
    table
        (num_orbits, num_actions, num_hands), by the boards of the structure.
    filling
        What is written where a vector is filled up.
    """
    held = street.held[player]
    padded = np.full((*table.shape[:2], table.shape[2] + 1), filling, dtype=table.dtype)
    padded[:, :, :-1] = table
    found = padded[np.repeat(street.orbit, np.diff(held.start)), :, held.hand]
    vectors: Numbers = found.reshape(-1, WIDTH, table.shape[1]).transpose(0, 2, 1)
    return vectors


def as_table(vectors: Numbers, street: Street, player: int) -> Numbers:
    """Return what all hands do where those do this that stand for them, and 0 for others.

    (num_orbits, num_actions, num_hands); the way back from `as_vectors`.
    """
    count = vectors.shape[1]
    numbers = vectors.transpose(1, 0, 2).reshape(count, -1)
    padded = np.concatenate([numbers, np.zeros((count, 1), dtype=vectors.dtype)], axis=1)
    table: Numbers = padded[:, street.place[player]].transpose(1, 0, 2)
    return table


def is_alike(table: Numbers, street: Street, player: int) -> bool:
    """Tell whether a table says the same of hands that are alike, (orbits, actions, hands).

    What it says of hands that meet a card of the board does not count.
    """
    again = as_table(as_vectors(table, 0.0, street, player), street, player)
    alive = street.place[player] < street.held[player].num_places
    return bool(((again == table) | ~alive[:, None]).all())
