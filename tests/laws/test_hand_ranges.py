"""Ranges: what is written is what is meant, and is read back as it was."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.hand_classes import (
    CLASS_OF,
    HANDS,
    HANDS_OF,
    class_name,
    hand_name,
    hand_number,
    read_hand,
)
from games.hand_orders import ORDERS, hand_order, numbers_text, read_numbers
from games.hand_ranges import parse_range
from games.playing_cards import DECK, read_cards
from games.preflop_order import best_first, best_share
from games.weighted_hands import WeightedHands
from tests.laws.test_hand_ranks import all_fives
from tests.reference.all_in import chances
from tests.reference.plain_ranges import is_meant

RANKS = "23456789TJQKA"
WEIGHTS = [Fraction(text) for text in ("0", "1", "0.5", "1/3", "0.015625", "1/7")]


@st.composite
def terms(draw: st.DrawFn) -> str:
    """Draw a term: hands of two ranks, maybe to others, or of two cards."""
    high, low = sorted(draw(st.lists(st.integers(0, 12), min_size=2, max_size=2)), reverse=True)
    suffix = "" if high == low else draw(st.sampled_from(["", "s", "o"]))
    end = draw(st.sampled_from(["", "+", "kicker", "run", "cards", "random"]))
    if end == "cards":
        suits = draw(st.tuples(*[st.sampled_from("cdhsx")] * 2))
        if high == low and suits[0] == suits[1] != "x":
            suits = ("c", "x")
        return RANKS[high] + suits[0] + RANKS[low] + suits[1]
    ranks = high, low
    if end == "kicker" and high > low:
        ranks = high, draw(st.integers(0, high - 1))
    elif end in ("kicker", "run"):
        top = draw(st.integers(high - low, 12))
        ranks = top, top - (high - low)
    written = [RANKS[one] + RANKS[other] + suffix for one, other in ((high, low), ranks)]
    return {"": written[0], "+": f"{written[0]}+", "random": end}.get(end, "-".join(written))


@given(st.lists(st.tuples(terms(), st.sampled_from(WEIGHTS)), min_size=1, max_size=4))
def test_what_is_written_is_what_is_meant(entries: list[tuple[str, Fraction]]) -> None:
    hands = parse_range(", ".join(f"{term}:{weight}" for term, weight in entries))
    for number, (low, high) in enumerate(HANDS.tolist()):
        meant = [of for term, of in entries if is_meant(term, DECK[low], DECK[high])]
        assert hands.weights[number] == (meant[-1] if meant else 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, len(WEIGHTS)), st.floats(0, 1))
def test_ranges_are_read_back_as_they_were(seed: int, kinds: int, mixed: float) -> None:
    draw = np.random.default_rng(seed)
    of_class, of_hand = draw.integers(kinds, size=169)[CLASS_OF], draw.integers(kinds, size=1326)
    chosen = np.where(draw.random(1326) < mixed**4, of_hand, of_class)
    hands = WeightedHands(tuple(WEIGHTS[of] for of in chosen))
    assert parse_range(hands.to_text()) == hands


@pytest.mark.parametrize(
    ("written", "short"),
    [
        ("AA, KK, QQ", "QQ+"),
        ("22-AA", "22+"),
        ("77 66 55", "77-55"),
        ("A2s+, A2o+", "A2+"),
        ("A2s+, ATo+", "A2s+, ATo+"),
        ("T9s-87s", "T9s, 98s, 87s"),
        ("AhKh, AsKs, AcKc, AdKd", "AKs"),
        ("KhAh:1/4", "AhKh:0.25"),
        ("AKs, AhKh:0", "AKs, AhKh:0"),
        ("AA:50%, AcAh", "AA:0.5, AhAc"),
        ("random, AA:1/3", "KK-22, " + ", ".join(f"{rank}2+" for rank in "AKQJT9876543"[:-1])),
        ("random:0.5", "random:0.5"),
        ("any two:0", "random:0"),
        ("AsAh, AsAd, AdAh", "AhAd, AsAd, AsAh"),
        ("[50]AK[/50], QQ", "QQ, AK:0.5"),
        ("A5s-A3s:.5; A2s A4s", "A5s:0.5, A4s, A3s:0.5, A2s"),
        ("random, 22+:0, 32+:0, 42+:0", "A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+"),
    ],
)
def test_ranges_are_written_in_short(written: str, short: str) -> None:
    if written == "random, AA:1/3":
        short = "AA:1/3, " + short + ", 32"
    assert parse_range(written).to_text() == short
    assert str(parse_range(written)) == short
    assert repr(parse_range(written)) == f"parse_range({short!r})"


def test_hands_are_numbered_and_named() -> None:
    for number, (low, high) in enumerate(HANDS.tolist()):
        assert hand_number(low, high) == hand_number(high, low) == number
        assert read_hand(hand_name(number)) == number
    names = [class_name(of) for of in range(169)]
    assert len(set(names)) == 169
    for of, hands in enumerate(HANDS_OF):
        pairs = [[DECK[card] for card in HANDS[hand]] for hand in hands]
        assert all(is_meant(names[of], *pair) for pair in pairs)
        assert len(hands) == (6 if len(names[of]) == 2 else 4 if names[of][2] == "s" else 12)


BEGINS = {
    "ascending": "2c2d 2c2h 2c2s 2c3c 2c3d",
    "pio": "2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d 3c2h 3c2s 3d2c",
    "libratus": "2s2h 2s2d 2s2c 2s3s 2s3h",
}
ENDS = {"ascending": "AhAs", "pio": "AsAh", "libratus": "AdAc"}


@pytest.mark.parametrize("order", ORDERS)
def test_orders_begin_as_those_of_other_programs(order: str) -> None:
    places = hand_order(order)
    assert sorted(places.tolist()) == list(range(1326))
    first = [read_hand(hand) for hand in BEGINS[order].split()]
    assert places[: len(first)].tolist() == first
    assert places[-1] == read_hand(ENDS[order])


@pytest.mark.parametrize("order", ORDERS)
def test_numbers_are_read_back_as_they_were(order: str) -> None:
    hands = parse_range("random:0.125, QQ+:0.000000059532137, AKs:0, AhKh:7/8, 76o")
    text = numbers_text(hands, order)
    assert "e" not in text
    assert read_numbers(text, order) == hands
    assert text.split()[list(hand_order(order)).index(read_hand("KhAh"))] == "0.875"


def test_numbers_without_an_end_are_what_floats_hold() -> None:
    text = numbers_text(parse_range("AA:1/3, KK:1/1000000007"), "pio")
    assert set(text.split()) == {"0", "0.3333333333333333", "0.000000000999999993"}
    assert read_numbers(text.replace(" ", ",\n"), "pio")["AsAh"] == Fraction("0.3333333333333333")


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_ranges_of_games_have_whole_weights_in_proportion(seed: int) -> None:
    draw = np.random.default_rng(seed)
    hands = WeightedHands(tuple(WEIGHTS[of] for of in draw.integers(len(WEIGHTS), size=1326)))
    held = hands.hand_range()
    assert held.hands.tolist() == HANDS[hands.held].tolist()
    whole = [Fraction(weight) for weight in held.weights.tolist()]
    exact = [hands.weights[number] for number in hands.held]
    assert {one / other for one, other in zip(whole, exact, strict=True)} == {whole[0] / exact[0]}
    assert np.gcd.reduce(held.weights) == 1


def test_whole_weights_are_the_least_there_are() -> None:
    assert set(parse_range("AA:2/3, KK:4/5").hand_range().weights.tolist()) == {5, 6}


def test_hands_that_meet_a_board_are_dropped_and_told() -> None:
    kept, dropped = parse_range("AhKh, AsKs:0.5, QQ:0, KK").without(read_cards("AhKh"))
    assert dropped == ("KhKc", "KhKd", "KsKh", "AhKh")
    assert dict(kept.items()) == {"KdKc": 1, "KsKc": 1, "KsKd": 1, "AsKs": Fraction(1, 2)}
    assert kept.total == Fraction(7, 2)


def test_spots_that_were_solved_by_others_have_as_many_hands() -> None:
    """The ranges of a flop, Td9d6h, of which postflop-solver said 180 and 265 hands."""
    first = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
    second = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
    board = read_cards("Td9d6h")
    assert [len(parse_range(text).without(board)[0].held) for text in (first, second)] == [180, 265]


def test_the_best_hands_come_first() -> None:
    assert sorted(best_first()) == list(range(169))
    names = [class_name(of) for of in best_share(Fraction(1, 20))]
    assert " ".join(names) == "AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo"
    assert len(best_share(Fraction(9, 1326))) == 1  # AA alone is as near as AA and KK
    assert len(best_share(Fraction(10, 1326))) == 2
    assert len(best_share(Fraction(1))) == 169
    assert len(best_share(Fraction(1, 10**6))) == 1
    assert parse_range("100%").to_text() == "random"
    assert parse_range("top 0.5%:0.5").to_text() == "AA:0.5"


PUBLISHED = {"AA": 0.852037133021, "JTs": 0.575278571076, "72o": 0.345836473153}
"""Of exact counts by several programs; others print as much in fewer digits."""


@pytest.mark.long
def test_the_order_of_hands_before_the_flop_is_that_of_their_chances() -> None:
    found = chances(all_fives())
    assert sorted(range(169), key=lambda of: -found[of]) == list(best_first())
    by_name = {class_name(of): round(float(chance), 12) for of, chance in enumerate(found)}
    assert {name: by_name[name] for name in PUBLISHED} == PUBLISHED
