"""The 1,326 hands of two cards, and the 169 classes that hands are in before suits matter.

A class is a pair (``QQ``, 6 hands), two ranks of one suit (``AKs``, 4 hands), or two ranks of two
suits (``AKo``, 12 hands). Classes are a matrix of 13 x 13, aces first: pairs on the diagonal, hands
of one suit above it.
"""

from __future__ import annotations

import numpy as np

from games.playing_cards import DECK, NUM_RANKS, NUM_SUITS, RANKS, card_number
from seqform.base.arrays import Index, Ints
from seqform.base.errors import InvalidParameterError
from seqform.game.labels import NamedGrid

HANDS: Ints = np.column_stack(np.triu_indices(len(DECK), 1)).astype(np.int16)
"""Cards of each hand, int16 (1326, 2): 2c2d, 2c2h, 2c2s, 2c3c, ..., AhAs."""
NUM_HANDS = len(HANDS)

NUM_CLASSES = NUM_RANKS**2


def hand_number(one: int, other: int) -> int:
    """Return the number of the hand of two cards, in either order."""
    low, high = min(one, other), max(one, other)
    return low * (2 * len(DECK) - low - 3) // 2 + high - 1


def hand_name(number: int) -> str:
    """Return how a hand is written, the higher card first: ``"AsKh"``."""
    low, high = map(int, HANDS[number])
    return DECK[high] + DECK[low]


def read_hand(text: str) -> int:
    """Return the number of a hand such as ``"AsKh"``, whose cards may be in either order.

    Raises
    ------
    InvalidParameterError
        If it is none.
    """
    cards = card_number(text[:2]), card_number(text[2:])
    if cards[0] is None or cards[1] is None or cards[0] == cards[1]:
        raise InvalidParameterError(f"{text!r} is no hand: write two cards, such as AsKh")
    return hand_number(cards[0], cards[1])


def class_number(high: int, low: int, suffix: str) -> int:
    """Return the number of a class, 13 * row + column.

    Parameters
    ----------
    high, low
        Ranks, 0 for the two; they are equal for pairs.
    suffix
        ``"s"`` for one suit, ``"o"`` for two.
    """
    first, second = NUM_RANKS - 1 - high, NUM_RANKS - 1 - low
    return NUM_RANKS * first + second if suffix == "s" else NUM_RANKS * second + first


def class_name(number: int) -> str:
    """Return how a class is written.

    Examples
    --------
    >>> [class_name(number) for number in (0, 1, 13, 14, 168)]
    ['AA', 'AKs', 'AKo', 'KK', '22']
    """
    row, column = divmod(number, NUM_RANKS)
    ranks = RANKS[::-1]
    name = ranks[min(row, column)] + ranks[max(row, column)]
    return name + ("" if row == column else "s" if row < column else "o")


CLASS_GRID = NamedGrid(
    tuple(RANKS[::-1]), tuple(RANKS[::-1]), tuple(map(class_name, range(NUM_CLASSES)))
)
"""The matrix of classes, for games that know hands by their names."""


def _classes() -> Ints:
    rank = NUM_RANKS - 1 - HANDS // NUM_SUITS
    low, high = rank.T  # the second card is of the higher rank
    is_suited = HANDS[:, 0] % NUM_SUITS == HANDS[:, 1] % NUM_SUITS
    found: Ints = np.where(is_suited, NUM_RANKS * high + low, NUM_RANKS * low + high)
    return found.astype(np.int16)


CLASS_OF: Ints = _classes()
"""The class of each hand, int16 (1326,)."""

HANDS_OF: tuple[Index, ...] = tuple(np.flatnonzero(of == CLASS_OF) for of in range(NUM_CLASSES))
"""The hands of each class."""
