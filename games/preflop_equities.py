"""How often one hand of two cards beats another when all five cards of the board are dealt.

Two hands that share no card meet on 1,712,304 boards. Up to suits, and to which hand is named
first, there are 47,008 such pairs. Their counts are exact, and lie in a file beside this one:
``python -m tools.preflop_equities`` makes it of all boards.

What push or fold needs is the 169 classes: how many pairs of hands two classes have, which cards in
common make fewer, and what these pairs win, lose and tie together.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.hand_classes import CLASS_OF, HANDS, HANDS_OF, NUM_CLASSES, NUM_HANDS, hand_name
from games.playing_cards import DECK, NUM_SUITS
from seqform.base.array_file import read_arrays
from seqform.base.arrays import Index, Mask, distinct
from seqform.base.errors import InvalidParameterError
from seqform.base.number import check_index

NUM_BOARDS = comb(len(DECK) - 4, 5)
"""Boards that two hands without a common card may meet on: 1,712,304."""

FILE = Path(__file__).with_suffix(".npz")
KIND, VERSION = "seqform preflop equities", 1
"""The file, and what it says that it is."""

BYTES = 3
"""Of a count in the file; those of one place lie side by side, which compresses best."""


class Showdowns(NamedTuple):
    """How often a hand wins, loses and ties against another, of `NUM_BOARDS` boards."""

    wins: int
    losses: int
    ties: int


class ClassPairs(NamedTuple):
    """Classes against each other, added up over their pairs of hands without a common card.

    Parameters
    ----------
    deals
        How many such pairs there are: int64 (169, 169), read-only, as are the others.
    wins, losses, ties
        On how many boards hands of the first class beat those of the second, lose to them, and tie:
        together `NUM_BOARDS` for each pair.
    """

    deals: Index
    wins: Index
    losses: Index
    ties: Index


def showdowns(hand: int, other: int) -> Showdowns:
    """Return how often a hand wins, loses and ties against another.

    Parameters
    ----------
    hand, other
        Their numbers; see `games.hand_classes`.

    Raises
    ------
    InvalidParameterError
        If there is no such hand, or they share a card.

    Examples
    --------
    >>> from games.hand_classes import read_hand
    >>> showdowns(read_hand("AsAh"), read_hand("KsKh"))
    Showdowns(wins=1410336, losses=292660, ties=9308)
    """
    for number in (hand, other):
        check_index(number, NUM_HANDS, "hand")
    if set(HANDS[hand].tolist()) & set(HANDS[other].tolist()):
        raise InvalidParameterError(
            f"{hand_name(hand)} and {hand_name(other)} share a card: they are never dealt together"
        )
    kind = int(CLASS_OF[hand])
    suits = int(np.flatnonzero(hand_images()[:, hand] == representatives()[kind])[0])
    there = hand_images()[suits, other]
    wins, losses = (int(counts[kind, there]) for counts in _wins_and_losses())
    return Showdowns(wins, losses, NUM_BOARDS - wins - losses)


@cache
def class_pairs() -> ClassPairs:
    """Return how the 169 classes do against each other.

    Examples
    --------
    >>> of = class_pairs()  # aces are class 0, and AKs is class 1
    >>> of.deals[0, :2].tolist(), round(float(of.wins[0, 1] / of.deals[0, 1] / NUM_BOARDS), 4)
    ([6, 12], 0.8723)
    """
    wins, losses = _wins_and_losses()
    deals, wins, losses = (_by_class(counts) for counts in (pairs_apart(), wins, losses))
    found = ClassPairs(deals, wins, losses, deals * NUM_BOARDS - wins - losses)
    for counts in found:
        counts.flags.writeable = False
    return found


def _by_class(counts: Index | Mask) -> Index:
    """Add up counts (169, 1326) of one hand of each class over all hands of two classes."""
    of_one = np.zeros((NUM_CLASSES, NUM_CLASSES), dtype=np.int64)
    np.add.at(of_one.T, CLASS_OF, counts.T)
    sizes = np.array([len(hands) for hands in HANDS_OF])
    found: Index = of_one * sizes[:, None]  # suits may be exchanged, so all hands do as one does
    return found


@cache
def _wins_and_losses() -> tuple[Index, Index]:
    """Return how often one hand of each class beats each other, and loses: int64 (169, 1326)."""
    _, arrays = read_arrays(FILE, KIND, VERSION)
    first, second = (unpacked(arrays[name]) for name in ("wins", "losses"))
    of = kinds_of_pairs()
    wins = np.where(of.is_swapped, second[of.kind], first[of.kind])
    losses = np.where(of.is_swapped, first[of.kind], second[of.kind])
    return np.where(pairs_apart(), wins, 0), np.where(pairs_apart(), losses, 0)


def packed(counts: Index) -> NDArray[np.uint8]:
    """Return counts below 2**24 byte by byte, the low ones first: uint8 (3, num_counts)."""
    places = 8 * np.arange(BYTES)[:, None]
    return (counts >> places & 255).astype(np.uint8)


def unpacked(planes: NDArray[np.uint8]) -> Index:
    """Return what `packed` was given, int64."""
    places = 8 * np.arange(BYTES)[:, None]
    found: Index = (planes.astype(np.int64) << places).sum(axis=0)
    return found


class KindsOfPairs(NamedTuple):
    """Pairs of hands up to suits and order; the kinds are numbered in the order of their keys.

    Parameters
    ----------
    num_kinds
        How many there are.
    kind
        Of the representative of each class with each hand: int64 (169, 1326); 0 if they share a
        card.
    is_swapped
        Whether what the file says of the first hand is of the other one: bool (169, 1326).
    """

    num_kinds: int
    kind: Index
    is_swapped: Mask


@cache
def kinds_of_pairs() -> KindsOfPairs:
    """Return the kinds of all pairs.

    The key of a pair (h, h') is the smallest ``2 * (1326 * h + h') + order`` of all pairs that are
    it up to suits and order; ``order`` is 1 where its hands have changed places.
    """
    least = np.full((NUM_CLASSES, NUM_HANDS), 2 * NUM_HANDS**2)
    for image in hand_images():
        one, other = image[representatives()][:, None], image
        for order, key in enumerate((NUM_HANDS * one + other, NUM_HANDS * other + one)):
            np.minimum(least, 2 * key + order, out=least)
    apart = pairs_apart()
    present = distinct(least[apart] >> 1)
    kind = np.where(apart, np.searchsorted(present, least >> 1), 0)
    return KindsOfPairs(len(present), kind, (least & 1).astype(bool))


@cache
def representatives() -> Index:
    """Return the first hand of each class, int64 (169,)."""
    return np.array([hands[0] for hands in HANDS_OF])


@cache
def pairs_apart() -> Mask:
    """Return whether the representative of a class shares no card with a hand: (169, 1326)."""
    mine = HANDS[representatives()]
    shared: Mask = (mine[:, None, :, None] == HANDS[None, :, None, :]).any(axis=(2, 3))
    return ~shared


@cache
def hand_images() -> Index:
    """Return what each hand becomes by each permutation of the suits: int64 (24, 1326)."""
    suits = np.array(list(permutations(range(NUM_SUITS))))
    cards = (HANDS - HANDS % NUM_SUITS).astype(np.int64) + suits[:, HANDS % NUM_SUITS]
    low, high = cards.min(axis=2), cards.max(axis=2)
    found: Index = low * (2 * len(DECK) - low - 3) // 2 + high - 1
    return found
