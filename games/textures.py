"""Textures: what boards of hold'em are called by their suits, pairs, ranks and straights.

=================  ===============  ==============================================================
what               word             means
=================  ===============  ==============================================================
``suits``          rainbow          no two cards are of one suit
..                 two-tone         two cards are of one suit, and no three are
..                 monotone         three or more are: two cards of that suit make a flush
``pairing``        unpaired         all ranks differ
..                 paired           one rank is there twice
..                 two pairs        two ranks are there twice
..                 trips            one rank is there three times or more
``connectedness``  connected        three ranks lie in a straight: two cards make one
..                 gapped           two ranks lie in a straight, and no three do
..                 scattered        no straight has two of the ranks
``high``           A, K, ..., 2     the highest rank
=================  ===============  ==============================================================

A straight is five ranks in a row; the ace stands above the king, and below the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.playing_cards import NUM_RANKS, NUM_SUITS, RANKS

SUITS_WORDS = ("rainbow", "two-tone", "monotone")
PAIRING_WORDS = ("unpaired", "paired", "two pairs", "trips")
CONNECTEDNESS_WORDS = ("scattered", "gapped", "connected")
HIGH_WORDS = tuple(RANKS[::-1])

STRAIGHT = 5
"""Ranks of a straight."""


class Texture(NamedTuple):
    """What a board is called; see the module's text."""

    suits: str
    pairing: str
    connectedness: str
    high: str


WORDS = {
    "suits": SUITS_WORDS,
    "pairing": PAIRING_WORDS,
    "connectedness": CONNECTEDNESS_WORDS,
    "high": HIGH_WORDS,
}
"""All words of each kind, in the order in which tables have them."""


def texture(board: Sequence[int]) -> Texture:
    """Return the texture of a board.

    Parameters
    ----------
    board
        Its cards, numbered as in `games.playing_cards`; at least one.

    Examples
    --------
    >>> from games.playing_cards import read_cards
    >>> texture(read_cards("QsJh2h"))
    Texture(suits='two-tone', pairing='unpaired', connectedness='gapped', high='Q')
    >>> texture(read_cards("AsAh5d3c"))
    Texture(suits='rainbow', pairing='paired', connectedness='connected', high='A')
    """
    ranks = [card // NUM_SUITS for card in board]
    of_suit = max(Counter(card % NUM_SUITS for card in board).values())
    return Texture(
        suits=SUITS_WORDS[min(of_suit, 3) - 1],
        pairing=_pairing(ranks),
        connectedness=CONNECTEDNESS_WORDS[min(in_straight(ranks), 3) - 1],
        high=RANKS[max(ranks)],
    )


def _pairing(ranks: Sequence[int]) -> str:
    times = sorted(Counter(ranks).values(), reverse=True)
    if times[0] > 2:
        return "trips"
    return PAIRING_WORDS[times.count(2)]


def in_straight(ranks: Sequence[int]) -> int:
    """Return how many different ranks lie in one straight, at most.

    Examples
    --------
    >>> [in_straight(ranks) for ranks in ([12, 0, 1], [8, 9, 3], [5, 5])]
    [3, 2, 1]
    """
    places = {rank + 1 for rank in ranks} | {0 for rank in ranks if rank == NUM_RANKS - 1}
    lowest = range(NUM_RANKS + 2 - STRAIGHT)
    return max(len(places & set(range(low, low + STRAIGHT))) for low in lowest)
