"""Boards, who may hold what, and symmetries: against what is tried one by one."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from seqform.base.arrays import Ints
from seqform.form.hand_structure import HandStructure
from seqform.form.hand_symmetries import Symmetry, places_in
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder

SUITS = 3
DECK = tuple(rank + suit for rank in "234" for suit in "shd")


def betting(deals: int) -> BettingTree:
    builder = BettingTreeBuilder()
    node = builder.root
    for _ in range(deals):
        node = builder.deal(node)
    builder.showdown(node, 1)
    return builder.build()


def of_suits(order: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card // SUITS * SUITS + order[card % SUITS] for card in range(len(DECK)))


ALL_SUITS = tuple(of_suits(order) for order in permutations(range(SUITS)))


def flushes(hands: Ints, board: Ints) -> Ints:
    """The rank, and more for cards of the suit of the last card on the board."""
    return (hands // SUITS).sum(axis=1) + 10 * (hands % SUITS == board[-1] % SUITS).sum(axis=1)


def spades(hands: Ints, board: Ints) -> Ints:
    return (hands % SUITS == 0).sum(axis=1)


def every(size: int, board: tuple[int, ...] = ()) -> HandRange:
    left = [card for card in range(len(DECK)) if card not in board]
    hands = np.array(list(combinations(left, size)))
    return HandRange(hands, np.ones(len(hands), dtype=np.int64))


def some(seed: int, size: int, board: tuple[int, ...]) -> HandRange:
    """Return a range that some of the suits' permutations may keep."""
    rng = random.Random(seed)
    keep = rng.sample(ALL_SUITS, rng.choice([0, 1, 1]))
    weight: dict[tuple[int, ...], int] = {}
    for hand in every(size, board).hands.tolist():
        if tuple(hand) in weight or rng.random() < 0.3:
            continue
        drawn, orbit = rng.choice([1, 1, 2]), {tuple(hand)}
        for _ in range(6):
            orbit |= {tuple(sorted(map(by.__getitem__, of))) for of in orbit for by in keep}
        weight |= {of: drawn for of in orbit if not set(of) & set(board)}
    hands = sorted(weight) or [tuple(every(size, board).hands[0].tolist())]
    return HandRange(np.array(hands), np.array([weight.get(of, 1) for of in hands]))


def structure(
    mine: HandRange,
    theirs: HandRange,
    deals: int,
    board: tuple[int, ...] = (),
    strength: Any = flushes,
    symmetries: Any = ALL_SUITS,
) -> HandStructure:
    game = HandGame(DECK, board, (mine, theirs), betting(deals), strength, tuple(symmetries))
    return HandStructure(game)


def random_structure(seed: int) -> HandStructure:
    rng = random.Random(seed)
    board = tuple(rng.sample(range(len(DECK)), rng.randint(0, 2)))
    sizes = rng.choice([(1, 1), (2, 2), (1, 2)])
    mine, theirs = (some(seed * 2 + who, size, board) for who, size in enumerate(sizes))
    deals = rng.randint(1, 2)
    return structure(mine, theirs, deals, board, rng.choice([flushes, flushes, spades]))


def is_symmetry(of: HandStructure, by: tuple[int, ...]) -> bool:
    """Tell by the definition whether a permutation of the deck leaves a game as it is."""
    game = of.game
    if {by[card] for card in game.board} != set(game.board):
        return False
    weights = [
        dict(zip(map(tuple, held.hands.tolist()), held.weights.tolist(), strict=True))
        for held in game.ranges
    ]
    for held in weights:
        if {tuple(sorted(by[c] for c in h)): w for h, w in held.items()} != held:
            return False
    return True


def keeps_strengths(of: HandStructure, by: tuple[int, ...]) -> bool:
    game = of.game
    for dealt in permutations(of.cards.tolist(), of.num_dealt):
        for held in game.ranges:
            for hand in held.hands.tolist():
                if set(hand) & set(dealt):
                    continue
                pairs = [(hand, dealt), (sorted(by[c] for c in hand), [by[c] for c in dealt])]
                here, there = (
                    int(game.strength(np.array([cards]), np.array([*game.board, *board]))[0])
                    for cards, board in pairs
                )
                if here != there:
                    return False
    return True


SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_boards_are_in_order_and_found_by_their_cards(seed: int) -> None:
    of = random_structure(seed)
    for dealt in range(of.num_dealt + 1):
        expected = list(permutations(of.cards.tolist(), dealt))
        assert [tuple(board) for board in of.boards(dealt).tolist()] == expected
        assert of.num_boards(dealt) == len(expected)
        assert [of.board_number(board) for board in expected] == list(range(len(expected)))
        if dealt:
            earlier = of.boards(dealt - 1)[of.parents(dealt)]
            assert (earlier == of.boards(dealt)[:, :-1]).all()


def test_a_board_that_cannot_be_is_refused() -> None:
    of = structure(every(1, (0,)), every(1, (0,)), 2, (0,))
    for cards in ([0], [1, 1], [99]):
        with pytest.raises(ValueError, match="not in list"):
            of.board_number(cards)


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_that_meet_a_board_are_not_alive(seed: int) -> None:
    of = random_structure(seed)
    for player in (0, 1):
        for dealt in range(of.num_dealt + 1):
            expected = [
                [not set(hand) & set(board) for hand in of.game.ranges[player].hands.tolist()]
                for board in of.boards(dealt).tolist()
            ]
            assert (of.avoids(player, dealt) == np.array(expected)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_hands_are_found(seed: int) -> None:
    of = random_structure(seed)
    hands = [held.hands.tolist() for held in of.game.ranges]
    for player in (0, 1):
        expected = [
            hands[1 - player].index(hand) if hand in hands[1 - player] else -1
            for hand in hands[player]
        ]
        assert of.same_hand[player].tolist() == expected


def test_hands_of_many_cards_are_found() -> None:
    """Their cards one after another are more digits than a number of 64 bits has."""
    hands = np.array([range(start, start + 13) for start in range(40)])
    held = HandRange(hands, np.ones(len(hands), dtype=np.int64))
    asked = np.array([hands[7], [*range(12), 51], hands[0], hands[39]])
    assert places_in(asked, held).tolist() == [7, -1, 0, 39]


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetries_are_those_that_leave_the_game_as_it_is(seed: int) -> None:
    of = random_structure(seed)
    kept = {by for by in ALL_SUITS if is_symmetry(of, by)}
    identity = tuple(range(len(DECK)))
    expected = kept if all(keeps_strengths(of, by) for by in kept) else {identity}
    found = of.symmetries
    assert {tuple(one.cards.tolist()) for one in found} == expected
    assert found[0].cards.tolist() == list(identity)
    for one in found:
        check_images(of, one)


def check_images(of: HandStructure, one: Symmetry) -> None:
    for held, image in zip(of.game.ranges, one.hands, strict=True):
        there = held.hands[image]
        assert (np.sort(one.cards[held.hands], axis=1) == there).all()
        assert (held.weights[image] == held.weights).all()


def test_some_games_have_symmetries_and_some_have_none() -> None:
    counts = {len(random_structure(seed).symmetries) for seed in SEEDS}
    assert 1 in counts
    assert counts & {2, 3, 6}


def ranks(hands: Ints, board: Ints) -> Ints:
    """The ranks, and more for those of the last card on the board."""
    rank = hands // SUITS
    return rank.sum(axis=1) + 10 * (rank == board[-1] // SUITS).sum(axis=1)


ALL, ACES = every(2), np.array([[2, 5], [2, 8], [5, 8]])
EXCHANGES = {
    "by rank": structure(ALL, ALL, 1, strength=ranks),
    "hands of one card": structure(every(1), ALL, 1, strength=ranks),
    "a known card": structure(every(2, (4,)), every(2, (4,)), 1, (4,), ranks),
    "flushes": structure(ALL, ALL, 1),
    "spades": structure(ALL, ALL, 1, strength=spades),
    "one range of one suit": structure(
        ALL, HandRange(ACES, np.array([1, 1, 2])), 1, strength=spades
    ),
}


@pytest.mark.parametrize("name", [*EXCHANGES, *range(4)])
def test_cards_may_change_places_if_exchanging_them_leaves_the_game_as_it_is(name: Any) -> None:
    of = EXCHANGES[name] if name in EXCHANGES else random_structure(name)
    expected = list(range(len(DECK)))
    for first, card in combinations(of.cards.tolist(), 2):
        by = list(range(len(DECK)))
        by[first], by[card] = card, first
        if is_symmetry(of, tuple(by)) and keeps_strengths(of, tuple(by)):
            expected[card] = min(expected[card], first)
    assert of.alike_cards.tolist() == expected


def test_cards_change_places_by_rank_or_by_suit() -> None:
    by_rank = [0, 0, 0, 3, 3, 3, 6, 6, 6]
    assert EXCHANGES["by rank"].alike_cards.tolist() == by_rank
    assert EXCHANGES["a known card"].alike_cards.tolist() == [0, 0, 0, 3, 4, 3, 6, 6, 6]
    assert EXCHANGES["flushes"].alike_cards.tolist() == list(range(9))
    assert EXCHANGES["spades"].alike_cards.tolist() == [0, 1, 1, 0, 1, 1, 0, 1, 1]
    assert EXCHANGES["one range of one suit"].alike_cards.tolist() == [0, 1, 2, 0, 1, 5, 0, 1, 5]


def test_exchanges_of_neighbours_generate_all() -> None:
    hints = (of_suits((1, 0, 2)), of_suits((0, 2, 1)))
    found = structure(every(2), every(2), 1, symmetries=hints).symmetries
    assert {tuple(one.cards.tolist()) for one in found} == set(ALL_SUITS)


def test_symmetries_that_strengths_break_are_dropped() -> None:
    assert len(structure(every(1), every(1), 1, strength=spades).symmetries) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_orbits_are_those_of_the_symmetries(seed: int) -> None:
    of = random_structure(seed)
    for dealt, orbits in enumerate(of.orbits):
        boards = [tuple(board) for board in of.boards(dealt).tolist()]
        members: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for at, board in enumerate(boards):
            members[int(orbits.orbit[at])].add(board)
        for number, (first, size) in enumerate(zip(orbits.first, orbits.size, strict=True)):
            images = {
                tuple(one.cards[list(boards[first])].tolist()) if dealt else ()
                for one in of.symmetries
            }
            assert members[number] == images
            assert size == len(images)
            assert boards[first] == min(images)
        for at, board in enumerate(boards):
            first = boards[orbits.first[orbits.orbit[at]]]
            by = of.symmetries[int(orbits.symmetry[at])].cards
            assert tuple(by[card] for card in first) == board


@pytest.mark.parametrize("seed", SEEDS)
def test_what_goes_on_from_a_first_board_includes_all_first_boards(seed: int) -> None:
    of = random_structure(seed)
    for dealt in range(1, of.num_dealt + 1):
        parents = of.parents(dealt)[of.orbits[dealt].first]
        assert set(parents.tolist()) <= set(of.orbits[dealt - 1].first.tolist())
