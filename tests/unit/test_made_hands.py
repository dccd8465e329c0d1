"""Names of made hands and draws: by examples, and beside a plain teller of one hand at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.hand_classes import HANDS
from games.made_hands import DRAWS, MADE_HANDS, draw_number, made_hand, made_number
from games.playing_cards import DECK, read_cards
from seqform.base.errors import InvalidParameterError
from tests.reference import plain_made_hands

EXAMPLES = [
    ("AhQh", "QsJh2h", "top pair, flush draw"),
    ("KsKc", "QsJh2h", "overpair"),
    ("TsTc", "QsJh2h", "underpair"),
    ("JsJc", "QsJh2h", "set"),
    ("JsTc", "QsJh2h", "second pair"),
    ("Ts2c", "QsJh2h", "low pair"),
    ("JsQc", "QsJh2h", "two pair"),
    ("AsKc", "QsJh2h", "ace high, gutshot"),
    ("KsTc", "QsJh2h", "no pair, straight draw"),
    ("AsKc", "QsJhTh", "straight"),
    ("AsKc", "QsQh7h", "ace high"),
    ("7s6c", "QsQh7h", "second pair"),
    ("Qc6c", "QsQh7h", "trips"),
    ("8s8c", "QsQh7h", "underpair"),
    ("7s7c", "QsQh7h", "full house"),
    ("4s5c", "As2h3d", "straight"),
    ("5s6c", "As2h3d", "no pair, gutshot"),
    ("4s6c", "3s5h7d", "straight"),
    ("8h9h", "6h7hAsKd", "no pair, flush draw and straight draw"),
    ("5h9h", "6h7hAsKd", "no pair, flush draw and gutshot"),
    ("4s8c", "5h6h7hKd", "straight"),
    ("4h8h", "5h6h7hKd", "straight flush"),
    ("9s2d", "5h6h7h8d", "straight"),
    ("2s3d", "5h6h7h8d", "no pair"),
    ("Ah2d", "5h6h7h8d", "ace high, flush draw"),
    ("7s2d", "5h9hJhKh", "no pair"),
    ("2s3d", "5h6h7h8d9c", "the board"),
    ("Ts3d", "5h6h7h8d9c", "straight"),
    ("AsAd", "KsKhKcQdQc", "full house"),
    ("2s2d", "KsKhKcQdQc", "the board"),
    ("AsTd", "KsKhKcKdQc", "four of a kind"),
    ("2h3d", "QsJhTh9s4c", "no pair"),
]


@pytest.mark.parametrize(("hand", "board", "name"), EXAMPLES)
def test_what_people_call_hands(hand: str, board: str, name: str) -> None:
    assert made_hand(np.array([read_cards(hand)]), np.array(read_cards(board))).tolist() == [name]


@given(st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_names_are_those_of_a_plain_teller(size: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    board = draw.choice(draw.integers(12, 53), size, replace=False)
    near = HANDS[~np.isin(HANDS, board).any(axis=1)]
    hands = near[draw.choice(len(near), 30, replace=False)]
    names = [[DECK[card] for card in hand] for hand in hands.tolist()]
    of_board = [DECK[card] for card in board]
    made, draws = made_number(hands, board).tolist(), draw_number(hands, board).tolist()
    assert [MADE_HANDS[of] for of in made] == [
        plain_made_hands.made(hand, of_board) for hand in names
    ]
    assert [DRAWS[of] for of in draws] == [plain_made_hands.draw(hand, of_board) for hand in names]


def test_hands_that_meet_the_board_harm_nobody() -> None:
    board = np.array(read_cards("AcAdAhAs2c"))
    assert len(made_hand(HANDS, board)) == len(HANDS)


@pytest.mark.parametrize(
    ("hand", "board", "why"),
    [
        ("AhKh", "QsJh", "the board has 2 cards"),
        ("AhKh", "QsJh2h3h4h5h", "the board has 6 cards"),
        ("AhKhQh", "2s3s4s", "are of two cards"),
    ],
)
def test_what_has_no_name_is_refused(hand: str, board: str, why: str) -> None:
    with pytest.raises(InvalidParameterError, match=why):
        made_hand(np.array([read_cards(hand)]), np.array(read_cards(board)))
