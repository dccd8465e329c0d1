"""Preflop equities are what counting all boards gives, pair by pair and up to suits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.hand_classes import (
    HANDS,
    HANDS_OF,
    NUM_CLASSES,
    NUM_HANDS,
    hand_number,
    read_hand,
)
from games.hand_ranks import hand_strength
from games.preflop_equities import (
    FILE,
    KIND,
    NUM_BOARDS,
    VERSION,
    Showdowns,
    class_pairs,
    hand_images,
    kinds_of_pairs,
    packed,
    pairs_apart,
    representatives,
    showdowns,
    unpacked,
)
from games.preflop_order import best_first
from seqform.base.array_file import read_arrays
from seqform.base.errors import InvalidParameterError
from tools import preflop_equities as making

PUBLISHED = {
    ("AsAh", "KsKh"): (1_410_336, 292_660, 9_308),
    ("AsAh", "KdKc"): (1_388_072, 317_694, 6_538),
    ("AsKs", "QhQd"): (787_966, 917_606, 6_732),
    ("JsTs", "2c2d"): (912_248, 775_969, 24_087),
}

pairs_of_hands = st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True).map(
    lambda cards: (hand_number(*cards[:2]), hand_number(*cards[2:]))
)


def counted(hand: int, other: int) -> Showdowns:
    """Return what a pair comes to, board by board."""
    left = np.setdiff1d(np.arange(52), np.concatenate([HANDS[hand], HANDS[other]]))
    boards = np.fromiter(
        (card for board in combinations(left.tolist(), 5) for card in board), np.int16
    ).reshape(-1, 5)
    mine, theirs = (hand_strength(boards, HANDS[number]) for number in (hand, other))
    wins, losses = int((mine > theirs).sum()), int((mine < theirs).sum())
    return Showdowns(wins, losses, len(boards) - wins - losses)


@pytest.mark.parametrize("hands", PUBLISHED)
def test_published_counts(hands: tuple[str, str]) -> None:
    assert showdowns(*map(read_hand, hands)) == PUBLISHED[hands]


@pytest.mark.parametrize("hands", [("Ts9d", "9c3d"), ("5h4h", "Kh4c")])
def test_a_pair_is_what_its_boards_come_to(hands: tuple[str, str]) -> None:
    one, other = map(read_hand, hands)
    assert showdowns(one, other) == counted(one, other)


@given(pairs_of_hands, st.integers(0, 23))
def test_order_and_suits_change_nothing(hands: tuple[int, int], suits: int) -> None:
    one, other = hands
    found = showdowns(one, other)
    assert sum(found) == NUM_BOARDS
    assert showdowns(other, one) == (found.losses, found.wins, found.ties)
    assert showdowns(*hand_images()[suits, list(hands)].tolist()) == found


@given(st.integers(0, NUM_CLASSES - 1), st.integers(0, NUM_CLASSES - 1))
@settings(max_examples=10)
def test_classes_are_the_sums_of_their_pairs(one: int, other: int) -> None:
    pairs = [
        showdowns(mine, theirs)
        for mine in HANDS_OF[one].tolist()
        for theirs in HANDS_OF[other].tolist()
        if not set(HANDS[mine].tolist()) & set(HANDS[theirs].tolist())
    ]
    of = class_pairs()
    assert of.deals[one, other] == len(pairs)
    sums = [int(sum(counts)) for counts in zip(*pairs, strict=True)]
    assert [int(of.wins[one, other]), int(of.losses[one, other]), int(of.ties[one, other])] == sums


def test_all_pairs_are_there() -> None:
    of = class_pairs()
    assert kinds_of_pairs().num_kinds == 47_008  # published
    assert of.deals.sum() == 1326 * 1225
    assert (of.wins == of.losses.T).all()
    assert (of.ties == of.ties.T).all()
    assert (of.wins + of.losses + of.ties == of.deals * NUM_BOARDS).all()
    assert not any(counts.flags.writeable for counts in of)


def test_classes_by_equity_are_in_the_order_before_the_flop() -> None:
    of = class_pairs()
    points = (2 * of.wins + of.ties).sum(axis=1) / of.deals.sum(axis=1)
    assert np.argsort(-points, kind="stable").tolist() == list(best_first())


def test_hands_that_are_never_dealt_together_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="AsAh and AsKs share a card"):
        showdowns(read_hand("AsAh"), read_hand("KsAs"))
    with pytest.raises(InvalidParameterError, match="no hand 1326"):
        showdowns(0, NUM_HANDS)


# How they are made


def test_boards_up_to_suits_are_as_many_as_published() -> None:
    boards, times = making.boards_up_to_suits()
    assert (len(boards), int(times.sum())) == (134_459, 2_598_960)
    assert (np.diff(boards, axis=1) > 0).all()
    ranks = [tuple(ranks) for ranks in (boards // 4).tolist()]
    of_aces_to_tens = [
        often for often, of in zip(times.tolist(), ranks, strict=True) if of == (8, 9, 10, 11, 12)
    ]
    assert sum(of_aces_to_tens) == 4**5
    assert min(of_aces_to_tens) == 4  # the royal flushes


def test_wins_are_counted_on_each_board() -> None:
    boards = np.array([[0, 5, 10, 15, 51], [0, 4, 8, 12, 16], [1, 2, 3, 50, 51]], dtype=np.int16)
    found = making.count_wins(boards, np.array([4, 24, 4]))
    meant = np.zeros_like(found)
    for board, often in zip(boards, (4, 24, 4), strict=True):
        apart = ~np.isin(HANDS, board).any(axis=1)
        strength = hand_strength(HANDS, board)
        meant += often * ((strength[:, None] > strength) & apart[:, None] & apart)
    assert (found == meant).all()


def test_more_boards_than_are_counted_at_once_are_added_up() -> None:
    board = np.array([[0, 5, 10, 15, 51]], dtype=np.int16)
    one = making.count_wins(board, np.array([1]))
    many = making.count_wins(np.repeat(board, 300, axis=0), np.ones(300, dtype=np.int64))
    assert (many == 300 * one).all()
    assert one.any()


def test_a_count_that_does_not_divide_is_refused() -> None:
    wins = np.zeros((NUM_HANDS, NUM_HANDS), dtype=np.int64)
    hand, other = read_hand("AsAh"), read_hand("KsQd")
    wins[hand, other] = 1
    with pytest.raises(ArithmeticError, match="permutations of the suits"):
        making.over_suits(wins)
    every = np.ones_like(wins)
    assert (making.over_suits(every) == pairs_apart()).all()


def test_what_is_written_by_kinds_is_what_is_shipped() -> None:
    """From the counts of classes' first hands, as they are read, the file's arrays come back."""
    shipped = read_arrays(FILE, KIND, VERSION)[1]
    hands = representatives().tolist()
    apart = pairs_apart()
    wins, losses = np.zeros((2, NUM_CLASSES, NUM_HANDS), dtype=np.int64)
    some = [0, 1, 13, 100, 168]
    for of in some:
        for other in np.flatnonzero(apart[of]).tolist():
            wins[of, other], losses[of, other], _ = showdowns(hands[of], other)
    found = making.by_kind(wins, losses)
    mine = np.unique(kinds_of_pairs().kind[some][apart[some]])
    for name, counts in zip(("wins", "losses"), found, strict=True):
        there = counts[mine] > 0  # a kind is of two classes, the later of which may be left out
        assert there.any()
        assert (counts[mine][there] == unpacked(shipped[name])[mine][there]).all()


@given(st.lists(st.integers(0, 2**24 - 1), min_size=1))
def test_counts_are_unpacked_as_they_were_packed(counts: list[int]) -> None:
    assert unpacked(packed(np.array(counts))).tolist() == counts


@pytest.mark.long
def test_the_file_is_what_the_tool_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "FILE", tmp_path / "made.npz")
    making.main()
    made, shipped = (read_arrays(file, KIND, VERSION)[1] for file in (making.FILE, FILE))
    assert sorted(made) == sorted(shipped) == ["losses", "wins"]
    assert all((made[name] == shipped[name]).all() for name in made)
