"""Ranges of hands as people write them: ``QQ+, AKs, A5s-A2s:0.5, 76o, AhKh:0.25``.

======================  =========================================================================
written                 hands
======================  =========================================================================
``QQ``                  a pair: 6 hands
``QQ+``, ``22-77``      that pair and all above it; pairs from one to another
``AKs``, ``AKo``        of one suit: 4 hands; of two suits: 12
``AK``                  both: 16
``AJs+``, ``AJ+``       the second card goes up to one below the first: AJs, AQs, AKs
``A5s-A2s``             the second card goes from one to another
``T9s-65s``             both cards do, as far apart as they are: T9s, 98s, 87s, 76s, 65s
``AhKh``, ``KhAh``      one hand
``AhKx``                x is any suit: AhKc, AhKd, AhKh, AhKs; ``AhAx`` has 3 hands
``15%``, ``top 15%``    the best hands before the flop, by `games.preflop_order`
``random``, ``any two`` all
======================  =========================================================================

A weight follows by a colon: a decimal, a fraction or in percent, from 0 to 1 (``AKs:0.5``,
``AKs:1/2``, ``AKs:50%``). Without one it is 1. Brackets give it to all between them, in percent, as
GTO+ and Flopzilla do: ``[50]AKs, AQs[/50]``. Entries stand between commas, semicolons, spaces or
lines. Later ones override earlier ones: ``random, AA:0`` is all but aces. Ranks, suits and words
are read in either case, except that the higher rank stands first.

Weights are exact: 0.1 is one tenth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NoReturn

from games.hand_classes import HANDS_OF, NUM_HANDS, class_number, hand_number
from games.playing_cards import NUM_RANKS, NUM_SUITS, RANKS, SUITS
from games.preflop_order import best_share
from games.weighted_hands import WeightedHands
from seqform.base.errors import InvalidParameterError
from seqform.base.number import ratio

FORMS = "a hand such as AKs, QQ, QQ+, AJ+, 22-77, A5s-A2s, T9s-65s, AhKh, 15% or random"

SEPARATORS = re.compile(r"[\s,;]*")
DASHES = "\\u2013-"  # the longer one is common in text that was set
FLAGS = re.IGNORECASE | re.ASCII
END = r"(?=[\s,;:\[\]]|$)"
EVERY = re.compile(rf"(random|any(\s*two(\s*cards)?)?){END}", FLAGS)
TOP = re.compile(rf"(?:top\s*)?(\d+\.?\d*|\.\d+)\s*%{END}", FLAGS)
TERM = re.compile(rf"[^\s,;:\[\]{DASHES}]+(\s*[{DASHES}]\s*[^\s,;:\[\]{DASHES}]*)?")
COLON = re.compile(r"\s*:\s*")
WEIGHT = re.compile(r"[^\s,;:\[\]]+(\s*%)?")
BRACKET = re.compile(r"\[\s*(/?)\s*([^\s\[\]]*)\s*(\]?)")
PERCENT = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)

RANK = f"([{RANKS}])"
CLASS = re.compile(f"{RANK}{RANK}([so]?)", FLAGS)
CARDS = re.compile(f"{RANK}([{SUITS}x]){RANK}([{SUITS}x])", FLAGS)

WINDOW = 36
"""Characters that an error message shows of what is wrong, before that, and after it."""


def parse_range(text: str) -> WeightedHands:
    """Return the hands of a range, with their weights.

    Parameters
    ----------
    text
        As above.

    Raises
    ------
    InvalidParameterError
        If it is not understood, with the place and what was expected there; or has no hand.

    Examples
    --------
    >>> hands = parse_range("QQ+, A5s-A4s:0.5, AhKh:25%")
    >>> hands["AsAh"], hands["5hAh"], hands["KhAh"], hands["KsAs"]
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 4), Fraction(0, 1))
    >>> hands.total
    Fraction(89, 4)
    """
    weights = [Fraction(0)] * NUM_HANDS
    for hands, weight in _Reader(text).entries():
        for hand in hands:
            weights[hand] = weight
    return WeightedHands(tuple(weights))


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.bracket: tuple[str, Fraction] | None = None

    def entries(self) -> Iterator[tuple[Iterable[int], Fraction]]:
        """Return hands and their weight, entry by entry."""
        self._take(SEPARATORS)
        if self.place == len(self.text):
            self._refuse(self.place, self.place, f"expected {FORMS}; write random:0 for no hand")
        while self.place < len(self.text):
            if bracket := self._take(BRACKET):
                self._read_bracket(bracket)
            else:
                hands = self._hands()
                yield hands, self._weight()
            self._take(SEPARATORS)
        if self.bracket is not None:
            self._refuse(self.place, self.place, f"expected [/{self.bracket[0]}] before the end")

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return what stands here, if it is of a pattern, and go on behind it."""
        found = pattern.match(self.text, self.place)
        if found is not None:
            self.place = found.end()
        return found

    def _hands(self) -> Iterable[int]:
        begin = self.place
        if self._take(EVERY):
            return range(NUM_HANDS)
        if top := self._take(TOP):
            share = _share(top[1], 100)
            if not share:
                self._refuse(begin, self.place, "expected a share above 0% and up to 100%")
            return _hands_of(best_share(share))
        term = self._take(TERM)
        if term is None:
            self._refuse(begin, begin + 1, f"expected {FORMS}")
        try:
            return _meant(re.sub(r"\s", "", term[0]).replace("\u2013", "-"))
        except ValueError as error:
            self._refuse(begin, self.place, f"{error}, not {term[0].strip()!r:.40}")

    def _weight(self) -> Fraction:
        begin, colon = self.place, self._take(COLON)
        if colon is None:
            return Fraction(1) if self.bracket is None else self.bracket[1]
        if self.bracket is not None:
            self._refuse(begin, self.place, f"expected no weight within [{self.bracket[0]}]")
        begin, found = self.place, self._take(WEIGHT)
        weight = None if found is None else _share(found[0], 1)
        if weight is None:
            self._refuse(begin, self.place, "expected a weight from 0 to 1: 0.5, 1/2 or 50%")
        return weight

    def _read_bracket(self, found: re.Match[str]) -> None:
        """Open a bracket, or close it."""
        begin = found.start()
        weight = _share(found[2], 100) if PERCENT.fullmatch(found[2]) else None
        if weight is None or not found[3]:
            self._refuse(begin, self.place, "expected a weight in percent, such as [50] or [/50]")
        opened, self.bracket = self.bracket, None
        if not found[1]:
            if opened is not None:
                self._refuse(begin, self.place, f"expected [/{opened[0]}] before the next bracket")
            self.bracket = found[2], weight
        elif opened is None or opened[1] != weight:
            expected = "a bracket to be open" if opened is None else f"[/{opened[0]}]"
            self._refuse(begin, self.place, f"expected {expected} here, not {found[0]!r}")

    def _refuse(self, begin: int, end: int, why: str) -> NoReturn:
        """Raise an error that says what is wrong, and shows where."""
        first = self.text.rfind("\n", 0, begin) + 1
        line = self.text[first:].partition("\n")[0]
        column = begin - first
        length = max(1, min(end, first + len(line), begin + WINDOW) - begin)
        where = f"character {column + 1}"
        if "\n" in self.text.strip():  # a line by itself needs no number
            where = f"line {self.text.count(chr(10), 0, begin) + 1}, {where}"
        left, right = max(0, column - WINDOW), min(len(line), column + length + WINDOW)
        before = "..." * (left > 0)
        shown = before + line[left:right].replace("\t", " ") + "..." * (right < len(line))
        carets = " " * (len(before) + column - left) + "^" * length
        raise InvalidParameterError(f"a range, {where}: {why}\n    {shown}\n    {carets}")


def _share(text: str, below: int) -> Fraction | None:
    """Return a number over another; None unless it is from 0 to 1."""
    try:
        found = ratio(text) / below
    except (ValueError, ZeroDivisionError):
        return None
    return found if 0 <= found <= 1 else None


def _meant(term: str) -> Iterable[int]:
    """Return the hands of a term; an error says what was expected instead."""
    if cards := CARDS.fullmatch(term):
        return _of_cards(*cards.groups())
    first, dash, last = term.partition("-")
    is_open = not dash and first.endswith("+")
    ends = [CLASS.fullmatch(end) for end in (first.removesuffix("+") if is_open else first, last)]
    if ends[0] is None or (dash and ends[1] is None):
        raise ValueError(_hint(term))
    high, low, kind = _ranks(ends[0])
    if ends[1] is not None:
        return _between((high, low, kind), _ranks(ends[1]))
    if not is_open:
        return _of([(high, low)], kind)
    if high == low:
        return _of([(rank, rank) for rank in range(high, NUM_RANKS)], kind)
    return _of([(high, rank) for rank in range(low, high)], kind)


def _hint(term: str) -> str:
    if CARDS.match(term):
        return "expected one hand, as + and - go with ranks only"
    if term.replace(".", "").isdigit():
        return f"expected {FORMS}; decimals have a point, as in AKs:0.5"
    return f"expected {FORMS}"


def _ranks(found: re.Match[str]) -> tuple[int, int, str]:
    """Return both ranks of a class and its suffix."""
    high, low = RANKS.index(found[1].upper()), RANKS.index(found[2].upper())
    if high < low:
        raise ValueError(f"expected the higher rank first, {RANKS[low]}{RANKS[high]}")
    if high == low and found[3]:
        raise ValueError(f"expected {2 * RANKS[high]}, as pairs are of two suits")
    return high, low, found[3].lower()


def _between(one: tuple[int, int, str], other: tuple[int, int, str]) -> Iterable[int]:
    """Return the hands between two ends, which may stand in either order."""
    (high, low, kind), (last_high, last_low, last_kind) = one, other
    if kind != last_kind:
        raise ValueError("expected both ends to have the same suffix, as in A5s-A2s")
    if high == last_high and (high > low) == (last_high > last_low):
        between = [(high, rank) for rank in range(min(low, last_low), max(low, last_low) + 1)]
    elif high - low == last_high - last_low:
        gap, ends = high - low, sorted((high, last_high))
        between = [(rank, rank - gap) for rank in range(ends[0], ends[1] + 1)]
    else:
        raise ValueError(
            "expected ends that are pairs, share the first rank, or are as far apart, as in 22-77, "
            "A5s-A2s and T9s-65s"
        )
    return _of(between, kind)


def _of(ranks: Iterable[tuple[int, int]], kind: str) -> list[int]:
    """Return the hands of some ranks, of one suit (``s``), two (``o``), or both."""
    return _hands_of(
        {class_number(high, low, suffix) for high, low in ranks for suffix in kind or "so"}
    )


def _hands_of(classes: Iterable[int]) -> list[int]:
    return [hand for of in classes for hand in HANDS_OF[of].tolist()]


def _of_cards(*written: str) -> list[int]:
    """Return the hands of two ranks and suits, x being any."""
    one, other = (
        [
            NUM_SUITS * RANKS.index(rank.upper()) + SUITS.index(suit)
            for suit in (SUITS if suits in "xX" else suits.lower())
        ]
        for rank, suits in (written[:2], written[2:])
    )
    found = {hand_number(card, beside) for card in one for beside in other if card != beside}
    if not found:
        raise ValueError("expected two different cards")
    return sorted(found)
