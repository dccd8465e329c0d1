"""The matrix of 169 classes: its numbers, its text, and its picture."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hand_classes import HANDS, class_name
from games.hand_matrix import class_means, matrix_text, range_matrix
from games.hand_matrix_svg import matrix_svg, range_svg
from games.hand_ranges import parse_range
from games.playing_cards import DECK, read_cards
from seqform.base.errors import InvalidParameterError
from tests.reference.plain_ranges import is_meant

SVG = "{http://www.w3.org/2000/svg}"


@given(st.integers(1, 1326), st.integers(0, 2**32 - 1))
def test_means_are_those_of_hands_one_by_one(count: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    chosen = draw.choice(1326, count, replace=False)
    values, weights = draw.normal(size=count), draw.integers(0, 3, size=count)
    values[weights == 0] = np.nan
    matrix = class_means(HANDS[chosen], values, weights)
    of = draw.integers(169)
    inside = [
        (value, weight)
        for hand, value, weight in zip(HANDS[chosen].tolist(), values, weights, strict=True)
        if weight and is_meant(class_name(of), DECK[hand[0]], DECK[hand[1]])
    ]
    total = sum(weight for _, weight in inside)
    mean = sum(value * weight for value, weight in inside) / total if total else np.nan
    assert matrix[divmod(int(of), 13)] == pytest.approx(mean, nan_ok=True)


def test_of_ranges_hands_that_meet_the_board_are_left_out() -> None:
    held = parse_range("AA, AhKh:0.5, KQo:0.25")
    matrix = range_matrix(held)
    assert (matrix[0, 0], matrix[0, 1], matrix[1, 0], matrix[2, 1]) == (1, 0.125, 0, 0.25)
    assert np.nansum(matrix) == 1.375
    matrix = range_matrix(held, read_cards("AsAcAd"))
    assert np.isnan(matrix[0, 0])
    assert matrix[0, 1] == 0.5
    assert np.isnan(matrix).sum() == 1


def test_the_text_has_shares_in_percent() -> None:
    held = parse_range("QQ+, AKs:0.996, A5s-A4s:0.5, 32o:0.001, AKo:1/3, 72s:0.994, 82s:0.005")
    lines = matrix_text(range_matrix(held, read_cards("2c2d2h"))).splitlines()
    assert lines[0].split() == list("AKQJT98765432")
    assert " ".join(lines[1].split()) == "A 100 >99 . . . . . . . 50 50 . ."
    assert " ".join(lines[2].split()) == "K 33 100 . . . . . . . . . . ."
    assert lines[7].split()[-1] == "<1"
    assert lines[8].split()[-1] == "99"
    assert lines[13] == "2" + "     ." * 10 + "     ." + "    <1"
    assert all(line.isascii() and len(line) <= 79 for line in lines)


def test_the_text_of_numbers_fits_as_well() -> None:
    draw = np.random.default_rng(0)
    matrix = draw.normal(size=(13, 13)) * 10.0 ** draw.integers(-4, 9, size=(13, 13))
    matrix[3, 4] = -0.0
    lines = matrix_text(matrix, percent=False).splitlines()
    assert [len(line.split()) for line in lines] == [13] + [14] * 13
    assert max(map(len, lines)) == 79
    assert lines[4].split()[5] == "0.00"
    for line, row in zip(lines[1:], matrix, strict=True):
        for text, value in zip(line.split()[1:], row, strict=True):
            last_place = 10.0 ** -len(text.partition(".")[2])
            assert abs(float(text) - value) <= (abs(value) if "e" in text else last_place) / 1.99


def test_the_picture_has_a_cell_for_each_class() -> None:
    held = parse_range("QQ+, AKs:1/3")
    root = ET.fromstring(range_svg(held, title="<in position>"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[0] == "<in position>"
    assert texts[1:5] == ["AA", "100%", "AKs", "33.3%"]
    assert [text for text in texts[1:] if "%" not in text] == [class_name(of) for of in range(169)]
    assert sum("%" in text for text in texts) == 4  # nothing stands where nothing is held
    filled = [float(box.get("width")) for box in root.iter(f"{SVG}rect") if box.get("fill-opacity")]
    assert filled == [44, 14.67, 44, 44]
    assert held._repr_html_().startswith("<svg")


def test_actions_stand_side_by_side_with_a_legend() -> None:
    share = np.full((13, 13), np.nan)
    share[0, 0] = 0.25
    root = ET.fromstring(matrix_svg({"bet & go": share, "check": 3 * share}, numbers=10 * share))
    boxes = [box for box in root.iter(f"{SVG}rect") if box.get("fill-opacity")]
    assert [(float(box.get("x")), float(box.get("width"))) for box in boxes[:2]] == [
        (0, 11),
        (11, 33),
    ]
    assert len({box.get("fill") for box in boxes}) == 2
    assert len(boxes) == 4  # two of them in the legend
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[:2] == ["AA", "2.50"]
    assert texts[-2:] == ["bet & go", "check"]
    assert len(texts) == 169 + 1 + 2


HALF = np.full((13, 13), 0.5)


@pytest.mark.parametrize(
    ("shares", "numbers", "why"),
    [
        ({"bet": HALF[:12]}, None, r"a matrix of classes is 13 x 13, not \(12, 13\)"),
        ({"bet": HALF}, HALF.ravel(), r"a matrix of classes is 13 x 13, not \(169,\)"),
        ({"a": HALF, "b": HALF, "c": HALF}, None, "at most 1 together"),
        ({"a": -HALF}, None, "shares of a class are 0 or more"),
        ({str(each): HALF / 10 for each in range(7)}, None, "there are 6 colors for 7 shares"),
    ],
)
def test_what_cannot_be_drawn_is_refused(shares: dict, numbers: object, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        matrix_svg(shares, numbers)


@pytest.mark.parametrize(
    ("values", "weights", "why"),
    [
        ([1.0], 1.0, "1,326 hands have values of shape"),
        ([1.0] * 1326, [1.0], "and weights of shape"),
        ([1.0] * 1326, [-1.0] * 1326, "weights of hands are 0 or more"),
        ([1.0] * 1326, [np.nan] * 1326, "weights of hands are 0 or more"),
    ],
)
def test_means_need_a_number_for_each_hand(values: list, weights: object, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        class_means(HANDS, values, weights)


def test_without_shares_there_are_numbers_only() -> None:
    root = ET.fromstring(matrix_svg({}, HALF))
    assert [text.text for text in root.iter(f"{SVG}text")][:2] == ["AA", "0.50"]
