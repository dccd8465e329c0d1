"""Count how often each hand beats each other before the flop: `python -m tools.preflop_equities`.

All boards are gone through; of those that differ in suits only one, with how many there are. On
each board all hands are compared with all. What a pair of hands comes to is then the mean over the
24 permutations of the suits, which has to be a whole number. It takes some ten seconds on one core,
and writes the file that `games.preflop_equities` reads.
"""

from __future__ import annotations

import numba
import numpy as np

from games.hand_classes import HANDS, NUM_HANDS
from games.hand_ranks import NUM_STRENGTHS, hand_strength
from games.playing_cards import DECK, NUM_RANKS, NUM_SUITS
from games.preflop_equities import (
    FILE,
    KIND,
    VERSION,
    hand_images,
    kinds_of_pairs,
    packed,
    pairs_apart,
    representatives,
)
from seqform.base.array_file import write_arrays

BOARD = 5
"""Cards of a board."""

AT_ONCE = 255
"""Boards that are counted together, within 8 bits."""

NOBODY, LAST = 0, 255
"""Places of hands that meet the board: they beat nobody, and nobody beats them. Those of others are
between, as hands of one board have some 140 strengths at most."""


def boards_up_to_suits() -> tuple[np.ndarray, np.ndarray]:
    """Return boards of which no two differ in suits only, and how many there are of each.

    Returns
    -------
    boards, times
        int16 (134459, 5), and int64 (134459,).
    """
    boards = np.zeros((1, 0), dtype=np.int16)
    for _ in range(BOARD):  # each card is above those before it
        last = boards[:, -1] if boards.shape[1] else np.full(1, -1, dtype=np.int16)
        more = len(DECK) - 1 - last.astype(np.int64)
        begin = np.cumsum(more) - more
        card = np.arange(more.sum()) - np.repeat(begin - last - 1, more)
        boards = np.column_stack([np.repeat(boards, more, axis=0), card.astype(np.int16)])
    ranks = np.zeros((len(boards), NUM_SUITS), dtype=np.int64)  # of each suit, as bits
    for card in boards.T.astype(np.int64):
        ranks[np.arange(len(boards)), card % NUM_SUITS] |= 1 << card // NUM_SUITS
    ranks.sort(axis=1)
    _, first, times = np.unique(
        ranks @ (1 << NUM_RANKS * np.arange(NUM_SUITS)), return_index=True, return_counts=True
    )
    return boards[first], times


def count_wins(boards: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return on how many of some boards each hand beats each other: int64 (1326, 1326).

    Hands that meet a board neither win nor lose there.

    Parameters
    ----------
    boards
        Their cards, int16 (num_boards, 5).
    times
        How often each counts, int64 (num_boards,).
    """
    wins = np.zeros((NUM_HANDS, NUM_HANDS), dtype=np.int64)
    meets = np.zeros((len(DECK), NUM_HANDS), dtype=bool)
    for column in HANDS.T:
        meets[column, np.arange(NUM_HANDS)] = True
    for often in np.unique(times):
        alike = boards[times == often]
        for begin in range(0, len(alike), AT_ONCE):
            some = alike[begin : begin + AT_ONCE]
            strength = np.array([hand_strength(HANDS, board) for board in some])
            own, other = np.empty((2, *strength.shape), dtype=np.uint8)
            _place(strength, meets[some].any(axis=1), own, other)
            _add_wins(own, other, often, wins)
    return wins


@numba.njit(boundscheck=False)
def _place(strength, meeting, own, other):
    """Rank the strengths of each board: as they compare, and as they are compared with.

    Parameters
    ----------
    strength
        Of all hands on each board, int32 (num_boards, num_hands).
    meeting
        Whether they meet the board, bool (num_boards, num_hands).
    own, other
        Filled here: uint8 (num_boards, num_hands).
    """
    place = np.zeros(NUM_STRENGTHS, dtype=np.uint8)
    for board in range(len(strength)):
        place[:] = 0
        for hand in range(strength.shape[1]):
            if not meeting[board, hand]:
                place[strength[board, hand]] = 1
        last = NOBODY
        for of in range(NUM_STRENGTHS):
            if place[of]:
                last += 1
                place[of] = last
        for hand in range(strength.shape[1]):
            if meeting[board, hand]:
                own[board, hand], other[board, hand] = NOBODY, LAST
            else:
                own[board, hand] = other[board, hand] = place[strength[board, hand]]


@numba.njit(boundscheck=False)
def _add_wins(own, other, often, wins):
    """Add to `wins` how often each hand is before each other on some boards.

    Parameters
    ----------
    own, other
        What `_place` made of at most 255 boards.
    often
        How often each board counts.
    wins
        int64 (num_hands, num_hands).
    """
    num_boards, num_hands = own.shape
    nothing, one = np.uint8(0), np.uint8(1)
    row = np.empty(num_hands, dtype=np.uint8)
    for hand in range(num_hands):
        row[:] = nothing
        for board in range(num_boards):
            mine, theirs = own[board, hand], other[board]
            for there in range(num_hands):  # all of it in 8 bits: 32 at once
                row[there] = np.uint8(row[there] + (one if mine > theirs[there] else nothing))
        for there in range(num_hands):
            wins[hand, there] += often * row[there]


def over_suits(wins: np.ndarray) -> np.ndarray:
    """Return how often one hand of each class beats each other, on all boards.

    Parameters
    ----------
    wins
        What `count_wins` returned of all boards up to suits.

    Returns
    -------
    int64 (169, 1326)
        The mean over all permutations of the suits; 0 for hands that share a card.

    Raises
    ------
    ArithmeticError
        If one of them is no whole number: then the boards were not all there.
    """
    total = sum(wins[image[representatives()][:, None], image] for image in hand_images())
    whole, left = np.divmod(np.where(pairs_apart(), total, 0), len(hand_images()))
    if left.any():
        raise ArithmeticError("numbers of boards do not divide by the permutations of the suits")
    return whole


def by_kind(wins: np.ndarray, losses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the first hand of each kind of pair wins, and loses: int64 (47008,).

    Parameters
    ----------
    wins, losses
        Of one hand of each class against each other, int64 (169, 1326).
    """
    of, apart = kinds_of_pairs(), pairs_apart()
    first, second = np.zeros((2, of.num_kinds), dtype=np.int64)
    first[of.kind[apart]] = np.where(of.is_swapped, losses, wins)[apart]
    second[of.kind[apart]] = np.where(of.is_swapped, wins, losses)[apart]
    return first, second


def main() -> None:
    """Write the file."""
    wins = count_wins(*boards_up_to_suits())
    first, second = by_kind(over_suits(wins), over_suits(wins.T))
    write_arrays(FILE, KIND, VERSION, {}, {"wins": packed(first), "losses": packed(second)})


if __name__ == "__main__":
    main()
