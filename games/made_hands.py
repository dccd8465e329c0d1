"""What people call a hand on a board: top pair, overpair, set, flush draw, gutshot.

A *made hand* is what the player's own two cards make with the board:

* straights, flushes, full houses, four of a kind, straight flushes: the best five cards are that;
  ``the board`` if the five cards of the board alone are, and are as good;
* ``set``: a pair in hand and a third card on the board; ``trips``: one card in hand and two on the
  board; ``two pair``: both cards are paired with the board, at different ranks;
* ``overpair``, ``underpair``: a pair in hand, above all cards of the board, or not;
* ``top pair``, ``second pair``, ``low pair``: one card is paired with the highest rank of the
  board, the second highest, or one below;
* ``ace high``: none of these, with an ace in hand; ``no pair``: none of these.

What lies on the board alone is nobody's: A K on Q Q 7 is ``ace high``, and 7 6 is ``second pair``.

A *draw* is what one more card would make, on boards of three and four cards:

* ``flush draw``: four of a suit, one of them in hand at least, and no flush or better yet;
* ``straight draw``: cards of two ranks or more would make a straight that is better than any that
  they make of the board alone (open-ended, or twice within); ``gutshot``: cards of one rank; and no
  straight or better yet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.hand_ranks import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    category,
    hand_strength,
    straights,
)
from games.playing_cards import NUM_RANKS, NUM_SUITS
from seqform.base.arrays import Index, Ints
from seqform.base.errors import InvalidParameterError

MADE_HANDS = (
    "the board",
    "no pair",
    "ace high",
    "low pair",
    "second pair",
    "underpair",
    "top pair",
    "overpair",
    "two pair",
    "trips",
    "set",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""From bad to good, more or less."""

DRAWS = (
    "",
    "gutshot",
    "straight draw",
    "flush draw",
    "flush draw and gutshot",
    "flush draw and straight draw",
)

BY_CATEGORY = {
    STRAIGHT: "straight",
    FLUSH: "flush",
    FULL_HOUSE: "full house",
    FOUR_OF_A_KIND: "four of a kind",
    STRAIGHT_FLUSH: "straight flush",
}

FLOP, RIVER = 3, 5
"""Cards of a board."""


def made_hand(hands: Ints, board: Ints) -> NDArray[np.str_]:
    """Return what people call each hand: a made hand, and a draw if there is one.

    Parameters
    ----------
    hands
        Cards of each hand, int16 (num_hands, 2). What is said of those that meet the board means
        nothing.
    board
        Three, four or five cards, int16.

    Raises
    ------
    InvalidParameterError
        If there are more or fewer cards.

    Examples
    --------
    >>> from games.playing_cards import read_cards
    >>> hands = np.array([read_cards("AhQh"), read_cards("KsKc"), read_cards("9c8d")])
    >>> made_hand(hands, np.array(read_cards("QsJh2h"))).tolist()
    ['top pair, flush draw', 'overpair', 'no pair, gutshot']
    """
    made, draw = np.array(MADE_HANDS)[made_number(hands, board)], draw_number(hands, board)
    texts = np.array([text and f", {text}" for text in DRAWS])
    return np.strings.add(made, texts[draw])


def made_number(hands: Ints, board: Ints) -> Ints:
    """Return the made hand of each hand, as numbered in `MADE_HANDS`: int32 (num_hands,)."""
    hands, board = _checked(hands, board)
    strength = hand_strength(hands, board)
    best, cases = category(strength), []
    if len(board) == RIVER:
        of_board = hand_strength(board[None], board[:0])
        cases.append(("the board", (strength == of_board) & (category(of_board) >= STRAIGHT)))
    cases += [(name, best == of) for of, name in BY_CATEGORY.items()]
    cases += _pairs(hands // NUM_SUITS, np.bincount(board // NUM_SUITS, minlength=NUM_RANKS))
    numbers = [np.int32(MADE_HANDS.index(name)) for name, _ in cases]
    found: Ints = np.select([case for _, case in cases], numbers, MADE_HANDS.index("no pair"))
    return found.astype(np.int32)


def _pairs(ranks: Ints, on_board: Index) -> list[tuple[str, Any]]:
    """Return what is made by pairs, and which hands have it unless they have one before it."""
    is_pocket = ranks[:, 0] == ranks[:, 1]
    there = on_board[ranks]
    is_paired = there > 0
    place = np.where(is_paired, np.cumsum((on_board > 0)[::-1])[::-1][ranks], NUM_RANKS).min(axis=1)
    highest = np.flatnonzero(on_board)[-1]
    return [
        ("set", is_pocket & is_paired[:, 0]),
        ("overpair", is_pocket & (ranks[:, 0] > highest)),
        ("underpair", is_pocket),
        ("trips", (there > 1).any(axis=1)),
        ("two pair", is_paired.all(axis=1)),
        ("top pair", place == 1),
        ("second pair", place == 2),
        ("low pair", is_paired.any(axis=1)),
        ("ace high", ranks.max(axis=1) == NUM_RANKS - 1),
    ]


def draw_number(hands: Ints, board: Ints) -> Ints:
    """Return the draw of each hand, as numbered in `DRAWS`: int32 (num_hands,)."""
    hands, board = _checked(hands, board)
    if len(board) == RIVER:
        return np.zeros(len(hands), dtype=np.int32)
    best = category(hand_strength(hands, board))
    found: Ints = 3 * ((best < FLUSH) & _is_flush_draw(hands, board)).astype(np.int32)
    return found + np.where(best < STRAIGHT, np.minimum(_straight_outs(hands, board), 2), 0)


def _is_flush_draw(hands: Ints, board: Ints) -> Any:
    there = np.bincount(board % NUM_SUITS, minlength=NUM_SUITS)
    own = (hands[:, :, None] % NUM_SUITS == np.arange(NUM_SUITS)).sum(axis=1)
    return ((own > 0) & (own + there == FLOP + 1)).any(axis=1)


def _straight_outs(hands: Ints, board: Ints) -> Ints:
    """Return of how many ranks a card would make a straight that is not the board's."""
    table, bits = straights(), 1 << np.arange(NUM_RANKS)
    of_board = np.bitwise_or.reduce(bits[board // NUM_SUITS])
    of_all = of_board | np.bitwise_or.reduce(bits[hands // NUM_SUITS], axis=1)
    found: Ints = (table[of_all[:, None] | bits] > table[of_board | bits]).sum(axis=1)
    return found.astype(np.int32)


def _checked(hands: Ints, board: Ints) -> tuple[Ints, Ints]:
    hands, board = np.asarray(hands), np.asarray(board)
    if hands.ndim != 2 or hands.shape[1] != 2:
        raise InvalidParameterError("hands that have names are of two cards")
    if not FLOP <= len(board) <= RIVER:
        raise InvalidParameterError(
            f"the board has {len(board)} cards; hands have names on 3, 4 or 5 of them"
        )
    return hands, board
