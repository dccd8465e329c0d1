"""The deck of 52 cards: how cards are numbered, named and read.

Card number = 4 * rank + suit, with ranks 2, 3, ..., 9, T, J, Q, K, A from 0 to 12, and suits in the
order clubs, diamonds, hearts, spades. So the deck is 2c, 2d, 2h, 2s, 3c, ..., As.
"""

from __future__ import annotations

import re

from seqform.base.errors import InvalidParameterError

RANKS, SUITS = "23456789TJQKA", "cdhs"
NUM_RANKS, NUM_SUITS = len(RANKS), len(SUITS)

DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The name of each card, by its number."""

SUIT_SWAPS = tuple(
    tuple(
        card + {first: second - first, second: first - second}.get(card % NUM_SUITS, 0)
        for card in range(len(DECK))
    )
    for first in range(NUM_SUITS)
    for second in range(first + 1, NUM_SUITS)
)
"""Exchanges of two suits, as permutations of the deck; they generate all others of suits."""


def card_number(name: str) -> int | None:
    """Return the number of the card of a name, such as ``"Qs"``; None if there is none.

    Ranks and suits are read in either case, and 10 as T.
    """
    rank, suit = name[:-1].upper().replace("10", "T"), name[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        return None
    return NUM_SUITS * RANKS.index(rank) + SUITS.index(suit)


def read_cards(text: str) -> tuple[int, ...]:
    """Return the numbers of cards that are written one after the other.

    Parameters
    ----------
    text
        Such as ``"QsJh2h"`` or ``"Qs Jh 2h"``.

    Raises
    ------
    InvalidParameterError
        If something else stands there, or a card stands there twice.

    Examples
    --------
    >>> read_cards("2c 3d"), read_cards("AsKs")
    ((0, 5), (51, 47))
    """
    found: list[int] = []
    for match in re.finditer(r"(10|[^\s,])([^\s,]?)", text):
        number = card_number(match[0])
        if number is None:
            raise InvalidParameterError(
                f"{match[0]!r}, at character {match.start() + 1} of {text!r}, is no card: write a "
                f"rank of {RANKS} and a suit of {SUITS}, such as Qs"
            )
        if number in found:
            raise InvalidParameterError(f"{DECK[number]} is twice in {text!r}: leave one out")
        found.append(number)
    return tuple(found)


def cards_text(cards: tuple[int, ...] | list[int]) -> str:
    """Return the names of cards, one after the other.

    Examples
    --------
    >>> cards_text((0, 5))
    '2c3d'
    """
    return "".join(DECK[card] for card in cards)
