"""Ranges as 1,326 numbers, in the orders of several programs.

=============  ====================================================  ===========================
order          hands                                                 of
=============  ====================================================  ===========================
``ascending``  2c2d, 2c2h, 2c2s, 2c3c, 2c3d, ..., AhAs               this package
``pio``        2d2c, 2h2c, 2h2d, 2s2c, 2s2d, 2s2h, 3c2c, ..., AsAh   PioSOLVER's show_hand_order
``libratus``   2s2h, 2s2d, 2s2c, 2s3s, 2s3h, 2s3d, ..., AdAc         the endgames of Libratus
=============  ====================================================  ===========================

In the first one the lower card leads: all hands with 2c, then those with 2d. Pio's has the higher
card lead: all hands whose higher card is 2d, then 2h. Libratus' is the first one with suits in the
order spades, hearts, diamonds, clubs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np

from games.hand_classes import HANDS, NUM_HANDS, hand_name, hand_number
from games.playing_cards import NUM_SUITS
from games.range_text import weight_text
from games.weighted_hands import WeightedHands
from seqform.base.arrays import Index
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.number import ratio

ORDERS = ("ascending", "pio", "libratus")


@cache
def hand_order(order: str) -> Index:
    """Return the number of each hand of an order, int64 (1326,).

    Raises
    ------
    UnknownNameError
        If there is no such order.
    """
    if order not in ORDERS:
        raise UnknownNameError.of("order of hands", order, ORDERS)
    if order == "ascending":
        return np.arange(NUM_HANDS)
    if order == "pio":
        return np.lexsort(HANDS.T)
    other_suit = HANDS // NUM_SUITS * NUM_SUITS + NUM_SUITS - 1 - HANDS % NUM_SUITS
    return np.array([hand_number(*hand) for hand in other_suit.tolist()])


def read_numbers(text: str, order: str) -> WeightedHands:
    """Return the range of 1,326 numbers, between which there are spaces, lines, commas.

    Parameters
    ----------
    text
        Numbers from 0 to 1, decimals or fractions.
    order
        One of `ORDERS`.

    Raises
    ------
    InvalidParameterError
        If there are more or fewer, or one is none, or not from 0 to 1.
    UnknownNameError
        If there is no such order.
    """
    places, words = hand_order(order), [word for word in re.split(r"[\s,;]+", text) if word]
    if len(words) != NUM_HANDS:
        raise InvalidParameterError(
            f"a range of numbers has {NUM_HANDS:,} of them, and here are {len(words):,}"
        )
    weights = [Fraction(0)] * NUM_HANDS
    for count, (place, word) in enumerate(zip(places, words, strict=True), start=1):
        try:
            weights[place] = ratio(word)
        except (ValueError, ZeroDivisionError):
            raise InvalidParameterError(
                f"number {count:,}, of {hand_name(place)}, is {word!r:.40}: write a number from 0 "
                "to 1"
            ) from None
    return WeightedHands(tuple(weights))


def numbers_text(hands: WeightedHands, order: str) -> str:
    """Return a range as 1,326 decimals with spaces between them.

    They are exact, except for fractions without an end such as 1/3: of these they are what floats
    hold.
    """
    return " ".join(_decimals([hands.weights[place] for place in hand_order(order)]))


def _decimals(weights: Sequence[Fraction]) -> list[str]:
    texts = [weight_text(weight) for weight in weights]
    return [
        f"{Decimal(repr(float(weight))):f}" if "/" in text else text
        for text, weight in zip(texts, weights, strict=True)
    ]
