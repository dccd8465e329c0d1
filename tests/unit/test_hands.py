"""Games of hands: ranges, what can be dealt, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from seqform.base.arrays import Ints
from seqform.base.errors import InvalidGameError
from seqform.form.hands import MOST_WEIGHT, HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder


def held(*hands: tuple[int, ...], weights: Any = None) -> HandRange:
    made = np.array(weights if weights is not None else [1] * len(hands))
    return HandRange(np.array(hands), made)


def betting(deals: int = 0) -> BettingTree:
    builder = BettingTreeBuilder()
    node = builder.root
    for _ in range(deals):
        node = builder.deal(node)
    builder.showdown(node, 1)
    return builder.build()


def highest(hands: Ints, board: Ints) -> Ints:
    return hands.max(axis=1)


def game(
    mine: HandRange, theirs: HandRange, deck: str = "234567", deals: int = 0, **rest: Any
) -> HandGame:
    given = {"board": (), "strength": highest} | rest
    return HandGame(tuple(deck), ranges=(mine, theirs), betting=betting(deals), **given)


def test_a_range_is_counted() -> None:
    made = held((0, 3), (1, 2), weights=[5, 1])
    assert (made.num_hands, made.hand_size) == (2, 2)
    assert made.hands.dtype == np.int16
    assert made.weights.dtype == np.int64


def test_a_range_without_some_cards() -> None:
    made = held((0, 3), (1, 2), (2, 3), weights=[5, 1, 2]).without([0])
    assert made is not None
    assert made.hands.tolist() == [[1, 2], [2, 3]]
    assert made.weights.tolist() == [1, 2]
    assert held((0,), (1,)).without([0, 1]) is None


@pytest.mark.parametrize(
    ("hands", "weights", "message"),
    [
        (np.zeros((0, 2), dtype=int), np.zeros(0, dtype=int), "one hand or more"),
        (np.array([1, 2]), np.array([1, 1]), "one hand or more"),
        (np.array([[0.0, 1.0]]), np.array([1]), "one hand or more"),
        (np.array([[1, 0]]), np.array([1]), "ascend"),
        (np.array([[1, 1]]), np.array([1]), "ascend"),
        (np.array([[0, 1], [0, 1]]), np.array([1, 1]), "no two hands are alike"),
        (np.array([[0, 1]]), np.array([1, 1]), "a weight for each hand"),
        (np.array([[0, 1]]), np.array([0.5]), "in whole numbers"),
        (np.array([[0, 1]]), np.array([0]), "at least 1"),
        (np.array([[0, 1]]), np.array([-1]), "at least 1"),
        (np.array([[0, 1]]), np.array([MOST_WEIGHT]), r"below 2\*\*53"),
    ],
)
def test_ranges_that_are_refused(hands: Any, weights: Any, message: str) -> None:
    with pytest.raises(InvalidGameError, match=f"R4: .*{message}"):
        HandRange(hands, weights)


def test_the_largest_weight_is_taken() -> None:
    assert held((0,), weights=[MOST_WEIGHT - 1]).weights.tolist() == [MOST_WEIGHT - 1]


def test_pairs_that_share_a_card_weigh_nothing() -> None:
    made = game(held((0, 1), (2, 3), weights=[5, 7]), held((1, 2), (3, 4), weights=[11, 13]))
    assert made.total_weight == 5 * 13
    assert game(held((0,), (1,)), held((0,), (1,))).total_weight == 2


def test_large_weights_do_not_overflow() -> None:
    most = MOST_WEIGHT - 1
    assert game(held((0,), weights=[most]), held((1,), weights=[most])).total_weight == most**2


def test_cards_left_are_those_that_nobody_has() -> None:
    made = game(held((0, 1)), held((2,)), board=(3,))
    assert made.cards_left == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deck": "223456"}, "two cards of the deck are called '2'"),
        ({"board": (5, 5)}, r"the board \(5, 5\) has a card twice"),
        ({"board": (6,)}, "or one that the deck lacks"),
        ({"board": (0,)}, "player 0 has a hand with a card of the board"),
        ({"theirs": ((2, 6),)}, "player 1 has a hand with a card that the deck lacks"),
        ({"theirs": ((-1, 2),)}, "player 1 has a hand with a card that the deck lacks"),
        ({"deals": 3}, "3 cards are to be dealt face up, and 2 of the deck of 6 are left"),
        ({"symmetries": ((0, 1, 2, 3, 4, 4),)}, "must be a permutation"),
        ({"theirs": ((0, 2), (1, 3))}, "no two hands of the ranges can be dealt together"),
    ],
)
def test_games_that_are_refused(changes: dict[str, Any], message: str) -> None:
    rest = dict(changes)
    theirs = held(*rest.pop("theirs", ((2, 3),)))
    with pytest.raises(InvalidGameError, match=f"R4: .*{message}"):
        game(held((0, 1)), theirs, **rest)


def test_as_many_cards_as_are_left_can_be_dealt() -> None:
    assert game(held((0, 1)), held((2, 3)), deals=2).cards_left == 2
