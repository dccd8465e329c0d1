"""Lists of boards, as people ask for them, and how many others each board stands for.

=========================  =======================================================================
written                    boards
=========================  =======================================================================
``QsJh2h8c``               one board, of three to five cards
``turns of QsJh2h``        all turns of a flop
``rivers of QsJh2h8c``     all rivers of a turn
``rivers of QsJh2h``       all turns and rivers of a flop; their order does not matter on a river
``flops``                  all flops
``25 flops``               so many flops of all textures, each of which counts the same
=========================  =======================================================================

Boards of the lists are written with a colon before the cards that might have been others:
``QsJh2h:8c``. Of those, suits apart, that both ranges leave alike one stands for all, and its
weight is how many there are. With ranges in which no suit is special ``flops`` are 1,755 that stand
for 22,100.

For ``25 flops`` all flops stand in a row: by pairing, suits, ranks from high to low, and cards
(`games.textures`). The row is cut into 25 parts of equally many, and the one in the middle of each
part is taken. So every texture has about its share, and their plain mean is a mean over flops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from games.hand_classes import HANDS, hand_number
from games.playing_cards import DECK, NUM_SUITS, SUIT_SWAPS, cards_text, read_cards
from games.textures import PAIRING_WORDS, SUITS_WORDS, texture
from games.weighted_hands import WeightedHands
from seqform.base.errors import InvalidParameterError
from seqform.form.hand_symmetries import generated

FLOP, TURN, RIVER = 3, 4, 5
"""Cards of a board."""

NUM_FLOPS = 22_100

COLON = ":"
LATER = re.compile(r"(turns|rivers)\s+of\s+(.+)", re.IGNORECASE)
FLOPS = re.compile(r"(?:(\d+)\s+)?flops", re.IGNORECASE)
WRITTEN = (
    "write a board such as QsJh2h, 'turns of QsJh2h', 'rivers of QsJh2h8c', 'flops' or '25 flops'"
)


class ListedBoard(NamedTuple):
    """A board of a list.

    Parameters
    ----------
    known
        Cards that all boards of the list have.
    dealt
        Cards that might have been others; none for a board by itself.
    """

    known: tuple[int, ...]
    dealt: tuple[int, ...] = ()

    @property
    def cards(self) -> tuple[int, ...]:
        """All cards."""
        return self.known + self.dealt

    def __str__(self) -> str:
        colon = COLON if self.dealt else ""
        return cards_text(self.known) + colon + cards_text(self.dealt)


def read_board(text: str) -> ListedBoard:
    """Return the board of a text such as ``QsJh2h8c`` or ``QsJh2h:8c``.

    Raises
    ------
    InvalidParameterError
        If it is none.
    """
    known, _, dealt = text.partition(COLON)
    cards = read_cards(known + " " + dealt)
    if not FLOP <= len(cards) <= RIVER:
        raise InvalidParameterError(f"{text!r} has {len(cards)} cards, and a board 3 to 5")
    count = len(read_cards(known))
    return ListedBoard(cards[:count], cards[count:])


def boards_of(text: str) -> list[str]:
    """Return the boards of a text, which are as above and have commas between them.

    Raises
    ------
    InvalidParameterError
        If something else stands there, or the board before ``turns of`` has other than 3 cards.

    Examples
    --------
    >>> boards_of("rivers of QsJh2h8c, Td9d6h")[-2:]
    ['QsJh2h8c:As', 'Td9d6h']
    >>> len(boards_of("turns of QsJh2h")), len(boards_of("flops")), boards_of("2 flops")
    (49, 22100, ['9c8s7h', '7s6c2c'])
    """
    return [str(board) for word in text.split(",") for board in _boards(word.strip())]


def _boards(word: str) -> list[ListedBoard]:
    if later := LATER.fullmatch(word):
        return _later(later[1].lower(), later[2])
    if flops := FLOPS.fullmatch(word):
        return [ListedBoard((), cards) for cards in _flops()] if flops[1] is None else _some(word)
    try:
        return [read_board(word)]
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{error}; {WRITTEN}") from None


def _later(street: str, text: str) -> list[ListedBoard]:
    """Return all boards of a street that go on from a board."""
    known, whole = read_cards(text), TURN if street == "turns" else RIVER
    if not FLOP <= len(known) < whole:
        begin = "a flop of 3 cards" if whole == TURN else "a flop or a turn of 3 or 4 cards"
        raise InvalidParameterError(
            f"'{street} of {text}': {len(known)} cards stand there, not {begin}"
        )
    left = [card for card in range(len(DECK)) if card not in known]
    return [ListedBoard(known, dealt) for dealt in combinations(left, whole - len(known))]


@cache
def _flops() -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(range(len(DECK) - 1, -1, -1), FLOP))  # the highest card first


def _some(word: str) -> list[ListedBoard]:
    """Return so many flops from the middles of equal parts of all, ordered by texture."""
    count = int(word.split(maxsplit=1)[0])
    if not 1 <= count <= NUM_FLOPS:
        raise InvalidParameterError(f"{word!r}: there are 1 to {NUM_FLOPS:,} of them")
    ordered = sorted(_flops(), key=_by_texture)
    return [ListedBoard(ordered[(2 * n + 1) * NUM_FLOPS // (2 * count)]) for n in range(count)]


def _by_texture(flop: tuple[int, ...]) -> tuple[object, ...]:
    of = texture(flop)
    ranks = [-(card // NUM_SUITS) for card in flop]
    return PAIRING_WORDS.index(of.pairing), SUITS_WORDS.index(of.suits), ranks, flop


def alike(known: Sequence[int], ranges: Iterable[WeightedHands]) -> list[tuple[int, ...]]:
    """Return the permutations of suits, as permutations of the deck, that change nothing.

    They keep the known cards, and the weights of all hands that avoid these.
    """
    left = [held.without(known)[0].weights for held in ranges]
    every = generated(dict.fromkeys((tuple(range(len(DECK))), *SUIT_SWAPS)))
    return [
        suits
        for suits in every
        if {suits[card] for card in known} == set(known)
        and all(
            weights[number] == weights[hand_number(suits[low], suits[high])]
            for weights in left
            for number, (low, high) in enumerate(HANDS.tolist())
        )
    ]


def stands_for(board: ListedBoard, suits: Sequence[tuple[int, ...]]) -> int:
    """Return how many boards of its list a board stands for; 0 if another stands for it.

    Parameters
    ----------
    board
        The board. One by itself stands for itself.
    suits
        What `alike` returns of its known cards.
    """
    images = {tuple(sorted(of[card] for card in board.dealt)) for of in suits}
    return len(images) if min(images) == tuple(sorted(board.dealt)) else 0
