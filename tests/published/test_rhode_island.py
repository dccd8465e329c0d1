"""Rhode Island hold'em with 52 cards: sizes and classes, published ones and our own."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from games.rhode_island import rhode_island, three_card_strength
from seqform.form.counts_from_signals import count_signal_game
from seqform.game.observations import SignalStructure
from seqform.methods.shrink import shrink
from tests.reference.plain_games import HANDS, hand_strength

CLASSES: dict[str, tuple[list[int], int, int | None]] = {
    "outcome": ([13, 205, 1_774], 1_237_238, 50_428_638),  # Gilpin & Sandholm 2007
    "suit": ([13, 325, 9_997], 6_889_976, 209_538_344),
    "equitable": ([13, 325, 7_969], 5_498_768, 130_629_332),
}


@pytest.fixture(scope="module")
def counts() -> dict[str, Any]:
    return count_signal_game(SignalStructure(rhode_island()))


def test_sizes_of_the_whole_game(counts: dict[str, Any]) -> None:
    assert counts["nodes"] == 1 + 52 + 21 * (2_652 + 928_200 + 318_372_600) == 6_705_372_545
    assert counts["infosets_per_player"] == [26_064_064, 26_064_064]
    assert counts["sequences_per_player"] == [65_160_161, 65_160_161]


@pytest.mark.parametrize("criterion", CLASSES)
def test_classes_and_sizes_of_the_linear_program(criterion: str) -> None:
    classes, rows, nonzeros = CLASSES[criterion]
    record = shrink(rhode_island(), criterion)
    assert record["classes"] == classes
    assert "classes_of_player_1" not in record
    assert record["after"] == {"rows": rows, "columns": rows, "nonzeros": nonzeros}
    assert record["before"]["rows"] == record["before"]["columns"] == 91_224_226
    assert record["ratio"]["rows"] == pytest.approx(91_224_226 / rows, abs=1e-3)


def all_hands(ranks: int, suits: int) -> np.ndarray:
    """Return all hands of three different cards as (rank, suit) pairs."""
    cards = [(rank, suit) for rank in range(ranks) for suit in range(suits)]
    return np.array(list(combinations(cards, 3)), dtype=np.int32)


def strengths(hands: np.ndarray, ranks: int) -> np.ndarray:
    return three_card_strength(hands[..., 0], hands[..., 1], ranks)


def test_there_are_741_different_hands() -> None:
    hands = all_hands(13, 4)
    assert len(hands) == 22_100
    assert len(np.unique(strengths(hands, 13))) == 741


@pytest.mark.parametrize(
    ("ranks", "suits"),
    [(1, 4), (2, 3), (3, 2), (3, 3), (4, 2), (4, 4), (5, 3), (7, 2), (13, 4), (14, 1)],
)
def test_hands_are_ordered_as_the_rules_say(ranks: int, suits: int) -> None:
    hands = all_hands(ranks, suits)
    slow = [hand_strength([tuple(card) for card in hand], ranks) for hand in hands.tolist()]
    place = {strength: i for i, strength in enumerate(sorted(set(slow)))}
    expected = np.array([place[strength] for strength in slow])
    fast = np.unique(strengths(hands, ranks), return_inverse=True)[1]
    assert (fast == expected).all()


NAMED = [
    ("2s 3s As", "straight flush"),
    ("As Ah Ad", "three of a kind"),
    ("2s 2h 2d", "three of a kind"),
    ("Qs Kh As", "straight"),
    ("Js Qh Ks", "straight"),
    ("2s 3h As", "straight"),
    ("Js Ks As", "flush"),
    ("2s 3s 5s", "flush"),
    ("As Ah Ks", "pair"),
    ("2s 2h 3s", "pair"),
    ("Js Kh As", "high card"),
    ("2s Kh As", "high card"),
    ("2s 3h 5s", "high card"),
]


def parse(text: str) -> list[tuple[int, int]]:
    return [("23456789TJQKA".index(card[0]), "shdc".index(card[1])) for card in text.split()]


def test_named_hands_from_the_best_down() -> None:
    """The ace is high in A-K-Q and low in 3-2-A, which is the lowest straight; K-A-2 is none."""
    found = strengths(np.array([parse(text) for text, _ in NAMED]), 13)
    assert (np.diff(found) < 0).all()
    assert [HANDS[hand_strength(parse(text), 13)[0]] for text, _ in NAMED] == [
        name for _, name in NAMED
    ]
