"""Decks and deals by hand: what is refused, how many deals there are, and how likely each is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest

from seqform.base.errors import GameTooLargeError, InvalidGameError
from seqform.game.deals import Deals, Deck, num_deals, renumber

URN = Deck(("red", "blue"), (2, 1))
COIN = Deck(("heads", "tails"), (1, 1), replacement=True)


@pytest.mark.parametrize(
    ("deck", "words"),
    [
        (Deck(("a", "b"), (1, 0)), "one whole number of copies, at least 1"),
        (Deck(("a", "b"), (1,)), "one whole number of copies, at least 1"),
        (Deck(("a",), (1, 1)), "one whole number of copies, at least 1"),
        (Deck(("a", "b"), (1, 1), symmetries=((0, 1), (1, 1))), "a permutation of its cards"),
        (Deck(("a", "b"), (1, 1), symmetries=((0,),)), "a permutation of its cards"),
        (URN, "4 signals cannot be dealt from a deck of 3 cards"),
    ],
)
def test_a_deck_that_cannot_be_dealt_from_is_refused(deck: Deck, words: str) -> None:
    with pytest.raises(InvalidGameError, match=f"R4: .*{words}"):
        deck.check(4)


def test_all_cards_can_be_dealt_and_dice_again_and_again() -> None:
    URN.check(3)
    COIN.check(4)
    Deck(("a", "b"), (1, 1), symmetries=((1, 0), (0, 1))).check(2)


@pytest.mark.parametrize("deck", [URN, COIN, Deck(("x", "y", "z"), (1, 2, 1))])
def test_deals_are_all_ways_to_draw(deck: Deck) -> None:
    """Each deal is listed once, with the ways to draw it from cards that are told apart."""
    deals = Deals(deck, 3, 1000)
    for k in range(4):
        expected = {}
        for deal in product(range(len(deck.cards)), repeat=k):
            left, ways = list(deck.copies), 1
            for card in deal:
                ways *= left[card]
                left[card] -= not deck.replacement
            if ways:
                expected[deal] = ways
        assert list(map(tuple, deals.signals[k].tolist())) == sorted(expected)
        assert deals.ways(k).tolist() == [expected[deal] for deal in sorted(expected)]
        assert deals.count(k) == num_deals(deck, k) == len(expected)
        assert deck.num_ways(k) == sum(expected.values())


def test_deals_follow_the_deal_that_they_extend() -> None:
    deals = Deals(URN, 3, 100)
    assert [signals.tolist() for signals in deals.signals] == [
        [[]],
        [[0], [1]],
        [[0, 0], [0, 1], [1, 0]],
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
    ]
    assert [parent.tolist() for parent in deals.parent] == [[-1], [0, 0], [0, 0, 1], [0, 1, 2]]
    left = [multiplicity.tolist() for multiplicity in deals.multiplicity]
    assert left == [[1], [2, 1], [1, 1, 2], [1, 1, 1]]
    assert [first.tolist() for first in deals.first] == [[0], [0, 2], [0, 1, 2]]
    assert [count.tolist() for count in deals.num_children] == [[2], [2, 1], [1, 1, 1]]


def test_the_last_signal_is_as_likely_as_copies_are_left() -> None:
    assert Deals(URN, 3, 100).probability(2, 1) == Fraction(1, 2)
    assert Deals(URN, 3, 100).probability(1, 2) == Fraction(2, 3)
    assert Deals(COIN, 3, 100).probability(3, 1) == Fraction(1, 2)


def test_copies_may_differ_much() -> None:
    deals = Deals(Deck(("rare", "common"), (1, 300)), 2, 100)
    assert deals.ways(1).tolist() == [1, 300]
    assert deals.ways(2).tolist() == [300, 300, 300 * 299]


def test_as_many_deals_as_allowed_are_listed() -> None:
    deck = Deck(tuple("abcd"), (1,) * 4)
    assert Deals(deck, 3, 12 * 4).count(3) == factorial(4)
    with pytest.raises(GameTooLargeError, match="3 signals have more than 47 deals"):
        Deals(deck, 3, 12 * 4 - 1)


def test_deals_may_begin_with_chosen_signals_only() -> None:
    deals = Deals(Deck(tuple("abc"), (1,) * 3), 2, 100, first_signals=[2, 0])
    assert deals.signals[2].tolist() == [[0, 1], [0, 2], [2, 0], [2, 1]]


@pytest.mark.parametrize("seen", [(), (0,), (1,), (0, 2), (2, 0), (0, 1, 2)])
def test_observations_are_numbered_by_what_is_seen(seen: tuple[int, ...]) -> None:
    deals = Deals(Deck(tuple("abcd"), (1, 2, 1, 1)), 3, 1000)
    columns = [tuple(deal[i] for i in seen) for deal in deals.signals[3].tolist()]
    ranks = {what: rank for rank, what in enumerate(sorted(set(columns)))}
    assert deals.observation(3, seen).tolist() == [ranks[what] for what in columns]


@pytest.mark.parametrize("largest", [9, 10**4, 2**31 - 1])
def test_codes_become_their_ranks(largest: int) -> None:
    """By a table of all codes, or by sorting where there are few codes and large ones."""
    codes = np.array([7, 0, largest, 7, 3], dtype=np.int32)
    ranks = renumber(codes)
    assert ranks.tolist() == [2, 0, 3, 2, 1]
    assert ranks.dtype == np.int32
    assert renumber(codes[:0]).tolist() == []


def test_what_no_deck_has_is_refused_before_anything_is_dealt() -> None:
    with pytest.raises(InvalidGameError, match="a tuple"):
        Deck(["a", "b"], (1, 1)).check(1)
    with pytest.raises(InvalidGameError, match="R4"):
        Deals(Deck(("a", "b"), (1, 1)), 3, 10**6)


def test_memory_of_large_tables_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr("seqform.game.deals.require_memory", lambda size, *_: asked.append(size))
    deck = Deck(tuple("abcd"), (1,) * 4)
    Deals(deck, 2, 100)
    assert asked == []
    monkeypatch.setattr("seqform.game.deals.SMALL_TABLE", 4)
    Deals(deck, 2, 100)
    assert asked == [30 * 16]
