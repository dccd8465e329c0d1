"""How often each class of hands wins all-in before the flop, counted over all boards and hands.

Boards that differ in suits only are counted once, with how many there are. It takes a minute.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from games.hand_classes import HANDS, HANDS_OF, hand_number
from games.hand_ranks import hand_strength

BEYOND = 10_000
"""A strength for hands that meet the board: no hand is better."""

HOLDERS = np.array(
    [[hand_number(card, beside) for beside in range(52) if beside != card] for card in range(52)]
)
"""The 51 hands that hold each card."""


def chances(boards: np.ndarray) -> list[Fraction]:
    """Return for each class the chance to win, and half of that to tie.

    Parameters
    ----------
    boards
        All boards of five cards, int16 (2598960, 5).
    """
    first, count = up_to_suits(boards)
    points = sum(int(times) * _points(boards[of]) for of, times in zip(first, count, strict=True))
    most = 2 * comb(50, 5) * comb(45, 2)
    return [Fraction(int(points[hands].sum()), most * len(hands)) for hands in HANDS_OF]


def up_to_suits(boards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a board of each kind, and how many there are of it."""
    sets = np.zeros((len(boards), 4), dtype=np.int64)
    for card in boards.T.astype(np.int64):
        sets[np.arange(len(boards)), card % 4] |= 1 << card // 4
    sets.sort(axis=1)
    keys = sets @ (1 << 13 * np.arange(4))
    _, first, count = np.unique(keys, return_index=True, return_counts=True)
    return first, count


def _points(board: np.ndarray) -> np.ndarray:
    """Return for each hand twice the hands that it beats, and once those that it ties with."""
    strength = hand_strength(HANDS, board).astype(np.int16)
    meets = np.isin(HANDS, board).any(axis=1)
    strength[meets] = BEYOND
    ordered = np.sort(strength)
    points = np.searchsorted(ordered, strength) + np.searchsorted(ordered, strength, side="right")
    for card in HANDS.T:  # hands that share a card are not dealt together
        shared, own = strength[HOLDERS[card]], strength[:, None]
        points -= (shared < own).sum(axis=1) + (shared <= own).sum(axis=1)
    return np.where(
        meets, 0, points + 1
    )  # it was counted as a tie with itself, and twice taken off
