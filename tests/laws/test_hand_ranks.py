"""Strengths of poker hands, beside counts that are known, a plain evaluator, and a library."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hand_ranks import CATEGORIES, NUM_STRENGTHS, category, hand_strength
from games.playing_cards import DECK
from seqform.base.errors import InvalidParameterError
from tests.reference.plain_poker import best_of

COUNTS = {
    "high card": 1_302_540,
    "pair": 1_098_240,
    "two pair": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 40,
}
"""Of all 2,598,960 hands of five cards; in every book."""

NONE = np.zeros(0, dtype=np.int16)


@cache
def all_fives() -> np.ndarray:
    of_two = [np.array(list(combinations(range(52), 2)), dtype=np.int16)] * 2
    first = np.array(list(combinations(range(52), 3)), dtype=np.int16)
    rows = [
        np.column_stack([np.repeat(low[None], len(high), axis=0), high])
        for low in first
        if len(high := of_two[0][of_two[0][:, 0] > low[-1]])
    ]
    return np.concatenate(rows)


def random_hands(seed: int, count: int, size: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return np.argsort(draw.random((count, 52)), axis=1)[:, :size].astype(np.int16)


def test_all_hands_of_five_cards_are_counted():
    strengths = hand_strength(all_fives(), NONE)
    counts = np.bincount(category(strengths))
    assert dict(zip(CATEGORIES, counts.tolist(), strict=True)) == COUNTS
    assert np.array_equal(np.unique(strengths), np.arange(NUM_STRENGTHS))
    assert strengths.dtype == np.int32


@given(st.integers(5, 7), st.integers(0, 2**32 - 1))
def test_hands_compare_as_those_of_a_plain_evaluator(size, seed):
    hands = random_hands(seed, 12, size)
    plain = [best_of([DECK[card] for card in hand]) for hand in hands.tolist()]
    strengths = hand_strength(hands, NONE).tolist()
    assert category(np.array(strengths)).tolist() == [of for of, _ in plain]
    for one, other in combinations(range(len(hands)), 2):
        assert (strengths[one] < strengths[other]) == (plain[one] < plain[other])
        assert (strengths[one] == strengths[other]) == (plain[one] == plain[other])


@given(st.integers(5, 7), st.integers(0, 7), st.integers(0, 2**32 - 1))
def test_it_does_not_matter_which_cards_are_the_board(size, on_board, seed):
    cards = random_hands(seed, 1, size)
    split = size - min(on_board, size - 1)
    together = hand_strength(cards, NONE)
    assert hand_strength(cards[:, :split], cards[0, split:]).tolist() == together.tolist()


@given(st.integers(0, 2**32 - 1))
def test_hands_that_meet_the_board_harm_no_other(seed):
    every = np.array(list(combinations(range(52), 2)), dtype=np.int16)
    board = random_hands(seed, 1, 5)[0]
    apart = ~np.isin(every, board).any(axis=1)
    alone = hand_strength(every[apart], board)
    assert np.array_equal(hand_strength(every, board)[apart], alone)


def test_four_of_a_kind_on_the_board_with_hands_that_meet_it():
    every = np.array(list(combinations(range(52), 2)), dtype=np.int16)
    for quads in (0, 20, 24, 48):  # lowest and highest ranks of both halves of a key
        strengths = hand_strength(every, np.array([*range(quads, quads + 4), 12], dtype=np.int16))
        assert len(strengths) == 1326


@pytest.mark.parametrize("size", [5, 6, 7])
def test_ranks_are_those_of_a_library(size):
    compare_with_library(random_hands(size, 60_000, size))


@pytest.mark.long
def test_ranks_are_those_of_a_library_on_all_fives_and_a_million_sevens():
    compare_with_library(all_fives())
    compare_with_library(random_hands(8, 1_000_000, 7))


def compare_with_library(hands: np.ndarray) -> None:
    theirs = [phevaluator.evaluate_cards(*hand) for hand in hands.tolist()]
    assert np.array_equal(NUM_STRENGTHS - np.array(theirs), hand_strength(hands, NONE))


@pytest.mark.parametrize(("hand", "board"), [(2, 2), (2, 6), (4, 0), (8, 0)])
def test_poker_ranks_five_to_seven_cards(hand, board):
    with pytest.raises(InvalidParameterError, match=f"hands of {hand} on a board of {board} have"):
        hand_strength(np.arange(hand)[None], np.arange(10, 10 + board))
