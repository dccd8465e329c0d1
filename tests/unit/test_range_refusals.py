"""What is no range is refused: where it is wrong, what was expected, and what is there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.hand_classes import read_hand
from games.hand_orders import numbers_text, read_numbers
from games.hand_ranges import parse_range
from games.playing_cards import card_number, cards_text, read_cards
from games.weighted_hands import WeightedHands
from seqform.base.errors import InvalidParameterError, UnknownNameError

REFUSED = [
    ("QQ+, AZs", "expected a hand such as AKs", "AZs"),
    ("QQ AKs QQ++", "expected a hand such as", "QQ++"),
    ("AKx", "expected a hand such as", "AKx"),
    ("10s9s", "expected a hand such as", "10s9s"),
    ("QQ-", "expected a hand such as", "QQ-"),
    ("\u212aK", "expected a hand such as", "\u212aK"),
    ("anyAA", "expected a hand such as", "anyAA"),
    ("15%AA", "expected a hand such as", "15%AA"),
    (";; :0.5", "expected a hand such as", ":"),
    ("AK ]", "expected a hand such as", "]"),
    ("AKs:0,5", "decimals have a point, as in AKs:0.5", "5"),
    ("KA", "expected the higher rank first, AK", "KA"),
    ("AK 2Ts+", "expected the higher rank first, T2", "2Ts+"),
    ("QQs", "expected QQ, as pairs are of two suits", "QQs"),
    ("22-77o", "expected 77, as pairs are of two suits", "22-77o"),
    ("A5s-A2", "expected both ends to have the same suffix", "A5s-A2"),
    ("22 - A5", "expected ends that are pairs, share the first rank", "22 - A5"),
    ("AA-AK", "expected ends that are pairs, share the first rank", "AA-AK"),
    ("T9s-64s", "expected ends that are pairs, share the first rank", "T9s-64s"),
    ("AhAh", "expected two different cards", "AhAh"),
    ("AhKh+", r"expected one hand, as \+ and - go with ranks only", "AhKh+"),
    ("AhKh-AhQh", r"expected one hand, as \+ and - go with ranks only", "AhKh-AhQh"),
    ("AKs:1.5", "expected a weight from 0 to 1", "1.5"),
    ("AKs:-0.5", "expected a weight from 0 to 1", "-0.5"),
    ("AKs:101 %", "expected a weight from 0 to 1", "101 %"),
    ("AKs:half", "expected a weight from 0 to 1", "half"),
    ("AKs:1/0", "expected a weight from 0 to 1", "1/0"),
    ("AKs:nan", "expected a weight from 0 to 1", "nan"),
    ("AKs:1e-9999999", "expected a weight from 0 to 1", "1e-9999999"),
    ("QQ:, AK", "expected a weight from 0 to 1", ","),
    ("0%", "expected a share above 0% and up to 100%", "0%"),
    ("QQ, top 101%:0.5", "expected a share above 0% and up to 100%", "top 101%"),
    ("[50]AK:0.2[/50]", r"expected no weight within \[50\]", ":"),
    ("AK[/50]", "expected a bracket to be open here", "[/50]"),
    ("[50]AK[/40]", r"expected \[/50\] here, not '\[/40\]'", "[/40]"),
    ("[50]AK[40]", r"expected \[/50\] before the next bracket", "[40]"),
    ("[50%]AK[/50%]", "expected a weight in percent, such as", "[50%]"),
    ("[101]AK[/101]", "expected a weight in percent, such as", "[101]"),
    ("[50 AK", "expected a weight in percent, such as", "[50 "),
]


def shown(text: str) -> tuple[str, str, str]:
    """Return what is said of a text, the line that is shown, and what is marked in it."""
    with pytest.raises(InvalidParameterError) as refused:
        parse_range(text)
    said, line, carets = str(refused.value).split("\n")
    assert set(carets.strip()) == {"^"}
    first = carets.index("^")
    return said, line.strip(), line[first : len(carets)]


@pytest.mark.parametrize(("text", "why", "marked"), REFUSED)
def test_what_is_not_understood_is_marked(text: str, why: str, marked: str) -> None:
    said, line, at = shown(text)
    assert (line, at) == (text, marked)
    assert said.startswith(f"a range, character {text.rindex(marked) + 1}: ")
    with pytest.raises(InvalidParameterError, match=why):
        parse_range(text)


def test_the_end_is_marked_where_something_is_missing() -> None:
    for text, why in (("[50]AK", "expected [/50] before"), ("AKs:", "expected a weight")):
        said, line, at = shown(text)
        assert (line, at) == (text, "")
        assert said.startswith(f"a range, character {len(text) + 1}: {why}")


@pytest.mark.parametrize("text", ["", " \n", ";,"])
def test_a_range_without_a_hand_must_be_meant(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="write random:0 for no hand"):
        parse_range(text)


def test_lines_are_counted() -> None:
    said, line, at = shown("QQ+\n\nAK, \tJJ*, 22\n55")
    assert said.startswith("a range, line 3, character 6: ")
    assert (line, at) == ("AK,  JJ*, 22", "JJ*")


def test_of_long_lines_a_part_is_shown() -> None:
    said, line, at = shown("AKs, " * 1000 + "oops, " + "QQ, " * 1000)
    assert said.startswith("a range, character 5001: ")
    assert at == "oops"
    assert line.startswith("...")
    assert line.endswith("...")
    assert len(line) < 100
    said, line, at = shown("A" * 10_000)
    assert len(said + line + at) < 400


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ([1] * 1325, "each of 1,326 hands, not 1,325"),
        ([0] * 1325 + [Fraction(3, 2)], "the weight of AsAh is 1.5: weights are from 0 to 1"),
        ([-1] + [0] * 1325, "the weight of 2d2c is -1: weights are from 0 to 1"),
    ],
)
def test_weights_are_shares_of_all_hands(weights: list[Fraction], why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        WeightedHands(tuple(weights))


def test_a_game_needs_a_hand() -> None:
    with pytest.raises(InvalidParameterError, match="the range has no hand"):
        parse_range("random:0").hand_range()


def test_weights_that_are_too_fine_can_be_rounded() -> None:
    hands = parse_range("AA:0.1234567890123456789, KK:1/3, QQ:1/10000000")
    with pytest.raises(InvalidParameterError, match="a common denominator of 20 digits"):
        hands.hand_range()
    rounded, dropped = hands.rounded(1_000_000)
    assert dropped == ("QdQc", "QhQc", "QsQc", "QhQd", "QsQd", "QsQh")
    assert [rounded[hand] for hand in ("AsAh", "KsKh", "QsQh")] == [
        Fraction(123_457, 10**6),
        Fraction(333_333, 10**6),
        0,
    ]
    with pytest.raises(InvalidParameterError, match="rounded to 1 / 0: use 1 or more"):
        hands.rounded(0)
    assert rounded.hand_range().weights.tolist() == [333_333] * 6 + [123_457] * 6


def test_whole_weights_are_below_two_to_the_53() -> None:
    for below, fits in ((2**53 - 1, True), (2**53, False)):
        hands = parse_range(f"AA, KK:1/{below}")
        if fits:
            assert hands.hand_range().weights.max() == below
        else:
            with pytest.raises(InvalidParameterError, match="below 2\\*\\*53"):
                hands.hand_range()


NUMBERS = numbers_text(parse_range("QQ+"), "pio")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NUMBERS + " 1", "has 1,326 of them, and here are 1,327"),
        ("", "has 1,326 of them, and here are 0"),
        ("x" + NUMBERS[1:], "number 1, of 2d2c, is 'x'"),
        (NUMBERS.replace("0 0 0", "0 1/0 0", 1), "number 2, of 2h2c, is '1/0'"),
        (NUMBERS[:-1] + "7", "the weight of AsAh is 7"),
    ],
)
def test_numbers_of_ranges_are_1326_from_0_to_1(text: str, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        read_numbers(text, "pio")


def test_orders_have_names() -> None:
    for use in (lambda: read_numbers(NUMBERS, "poi"), lambda: numbers_text(parse_range("AA"), "")):
        with pytest.raises(UnknownNameError, match="there is no order of hands"):
            use()


@pytest.mark.parametrize("text", ["AhK", "AhAh", "ZhKh", "", "AhKhQh", "AhKx"])
def test_a_hand_is_two_cards(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="write two cards, such as AsKh"):
        read_hand(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("QsJh2", "'2', at character 5 of 'QsJh2', is no card: write a rank of"),
        ("Qs 1h", "'1h', at character 4 of"),
        ("Qsx", "'x', at character 3 of"),
        ("Qs, Jh, qS", "Qs is twice in"),
    ],
)
def test_what_is_no_card_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        read_cards(text)


def test_cards_are_read_as_people_write_them() -> None:
    assert read_cards("QsJh2h") == read_cards(" qS, jh 2H ") == (43, 38, 2)
    assert read_cards("10c") == read_cards("Tc") == (32,)
    assert read_cards("") == ()
    assert cards_text(read_cards("QsJh2h")) == "QsJh2h"
    assert [card_number(name) for name in ("", "Q", "QQ", "sQ", "Qss", "2c")] == [None] * 5 + [0]
