"""Deals: all ways to deal the first k signals of a deck, one table for each k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import takewhile
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Index, Ints
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError, InvalidGameError, UnsupportedGameError
from seqform.base.memory import require_memory
from seqform.base.summary import counted
from seqform.game.checks import is_integer, repeated

BYTES_PER_DEAL = 30
"""Of a table of deals while it is made: the signals, the deal they extend, and what is left."""

SMALL_TABLE = 1_000_000
"""Deals up to which nobody asks the system whether they fit."""

LARGEST_TABLE = 4
"""Codes are renumbered through a table of all codes while that is at most so many times longer than
the list of codes."""


@dataclass(frozen=True)
class Deck:
    """What chance deals from.

    Parameters
    ----------
    cards
        The distinct signals, named.
    copies
        How many there are of each.
    replacement
        True if a dealt signal can come again (dice), False if it is gone (cards).
    symmetries
        Permutations of the positions of `cards` that leave the game as it is, such as exchanging
        two suits; generators are enough.
    """

    cards: tuple[Hashable, ...]
    copies: tuple[int, ...]
    replacement: bool = False
    symmetries: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        # sums and products of numpy's small integers would wrap around
        plain = (int(n) if isinstance(n, np.integer) else n for n in self.copies)
        object.__setattr__(self, "copies", tuple(plain))

    @property
    def size(self) -> int:
        """How many cards there are, copies counted."""
        return sum(self.copies)

    def num_ways(self, num_signals: int) -> int:
        """Return in how many ways `num_signals` signals can be dealt, copies distinguished."""
        return prod(self.size if self.replacement else self.size - i for i in range(num_signals))

    def check(self, num_signals: int) -> None:
        """Validate the deck, and that `num_signals` can be dealt from it.

        Raises
        ------
        InvalidGameError
            R4: if the deck is malformed, or has fewer cards than that.
        """
        if type(self.cards) is not tuple:
            raise InvalidGameError("R4: the cards of a deck are a tuple; give it such")
        each = len(self.copies) == len(self.cards) and all(map(is_integer, self.copies))
        if not each or min(self.copies, default=1) < 1:
            raise InvalidGameError(
                "R4: every card of a deck needs one whole number of copies, at least 1"
            )
        if (text := repeated(self.cards)) is not None:
            raise InvalidGameError(
                f"R4: two cards of the deck are called {text!r}; "
                "give each a name of its own, and equal cards a number of copies"
            )
        if any(sorted(symmetry) != list(range(len(self.cards))) for symmetry in self.symmetries):
            raise InvalidGameError(
                "R4: every symmetry of a deck must be a permutation of its cards"
            )
        if not self.replacement and self.size < num_signals:
            raise InvalidGameError(
                f"R4: {counted(num_signals, 'signal')} cannot be dealt from a "
                f"deck of {counted(self.size, 'card')}; use more ranks or suits"
            )


@cache
def num_deals(deck: Deck, num_signals: int) -> int:
    """Return how many sequences of `num_signals` signals can be dealt; copies are alike.

    Without replacement that is k! times the coefficient of t^k in the product over cards of sum
    over j <= copies of t^j / j!.
    """
    if deck.replacement:
        return int(len(deck.cards) ** num_signals)
    polynomial = [Fraction(1)] + [Fraction(0)] * num_signals
    for copies in deck.copies:
        terms = (
            [polynomial[k - j] / factorial(j) for j in range(min(copies, k) + 1)]
            for k in range(num_signals + 1)
        )
        polynomial = [sum(some, start=Fraction(0)) for some in terms]
    return int(factorial(num_signals) * polynomial[num_signals])


class Deals:
    """All deals of 0, 1, 2, ... signals; those of k+1 are sorted by the deal of k they extend.

    Lists are indexed by k. ``signals[k]`` is int32 (num_deals, k). ``parent[k]`` is the deal of k-1
    signals that each deal extends. ``multiplicity[k]`` is the number of copies of the last signal
    that were left. The deals of k+1 signals that extend a deal are ``num_children[k]`` from
    ``first[k]`` on.

    With `first_signals`, only those deals that begin with one of them.

    Raises
    ------
    InvalidGameError
        If the deck is malformed or too small.
    GameTooLargeError
        If there were more than `max_deals` deals; nothing is allocated then.
    """

    def __init__(
        self,
        deck: Deck,
        num_signals: int,
        max_deals: int,
        first_signals: Sequence[int] | None = None,
    ) -> None:
        deck.check(num_signals)
        self.deck = deck
        self.signals: list[Ints] = [np.zeros((1, 0), dtype=np.int32)]
        self.parent: list[Ints] = [np.full(1, -1, dtype=np.int32)]
        self.multiplicity: list[NDArray[np.integer[Any]]] = [np.ones(1, dtype=np.int32)]
        self.first: list[Index] = []
        self.num_children: list[Index] = []
        for k in range(num_signals):
            if len(self.signals[-1]) * len(deck.cards) > max_deals:
                raise GameTooLargeError(
                    f"{num_signals} signals have more than {max_deals:,} deals; "
                    "use a smaller deck or fewer signals"
                )
            most = len(self.signals[-1]) * len(deck.cards)
            if most > SMALL_TABLE:
                require_memory(
                    BYTES_PER_DEAL * most,
                    f"a table of {most:,} deals",
                    "use a smaller deck or fewer signals",
                )
            self._deal(first_signals if k == 0 else None)

    def count(self, num_signals: int) -> int:
        """Return how many deals of `num_signals` signals there are."""
        return len(self.signals[num_signals])

    def ways(self, num_signals: int, deals: Ints | None = None) -> Index:
        """Return how many ways there are to make each deal if copies are distinguished.

        Of all deals of so many signals, or of some. Its probability is that over ``deck.num_ways``.

        Raises
        ------
        UnsupportedGameError
            If there are so many ways that int64 may not hold them.
        """
        if self.deck.num_ways(num_signals) >= 2**63:
            raise UnsupportedGameError(
                f"the ways to deal {num_signals} signals do not fit into 63 bits; use fewer "
                "copies of each card"
            )
        if deals is not None:
            some = np.ones(len(deals), dtype=np.int64)
            for k in range(num_signals, 0, -1):
                some *= self.multiplicity[k][deals]
                deals = self.parent[k][deals]
            return some
        ways = np.ones(1, dtype=np.int64)
        for k in range(1, num_signals + 1):
            ways = ways[self.parent[k]] * self.multiplicity[k]
        return ways

    def probability(self, num_signals: int, multiplicity: int) -> Fraction:
        """Return the probability of the last signal of a deal, given the others."""
        return Fraction(
            multiplicity, self.deck.num_ways(num_signals) // self.deck.num_ways(num_signals - 1)
        )

    def observation(self, num_signals: int, seen: tuple[int, ...]) -> Ints:
        """Return what somebody who sees the signals at positions `seen` observes.

        One number for each deal, int32, without gaps.
        Numbers follow the order in which the seen signals would be sorted.
        """
        check_time("going through the deals")
        columns, cards = self.signals[num_signals].T, len(self.deck.cards)
        code, largest = np.zeros(self.count(num_signals), dtype=np.int32), 1
        for i in seen:
            if largest * cards >= 2**31:  # renumber first, so that codes never overflow
                code = renumber(code)
                largest = int(code.max()) + 1
            code *= np.int32(cards)
            code += columns[i]
            largest *= cards
        return renumber(code)

    def _deal(self, allowed: Sequence[int] | None) -> None:
        check_time("going through the deals")
        signals, cards = self.signals[-1], len(self.deck.cards)
        copies = np.array(self.deck.copies)
        left = np.tile(copies.astype(np.min_scalar_type(copies.max())), (len(signals), 1))
        if not self.deck.replacement:
            for column in signals.T:
                left[np.arange(len(signals)), column] -= 1
        possible = left > 0
        if allowed is not None:
            possible &= np.isin(np.arange(cards), allowed)
        num_children = np.count_nonzero(possible, axis=1)
        parent = np.repeat(np.arange(len(signals), dtype=np.int32), num_children)
        # one signal of all deals lies side by side
        columns = np.empty((signals.shape[1] + 1, len(parent)), dtype=np.int32)
        for i, column in enumerate(signals.T):
            columns[i] = column[parent]
        columns[-1] = np.broadcast_to(np.arange(cards, dtype=np.int32), possible.shape)[possible]
        self.signals.append(columns.T)
        self.parent.append(parent)
        self.multiplicity.append(left[possible])
        self.num_children.append(num_children)
        self.first.append(np.cumsum(num_children) - num_children)


def renumber(code: Ints) -> Ints:
    """Replace codes by their ranks among the distinct ones."""
    largest = int(code.max(initial=0))
    if largest > LARGEST_TABLE * len(code) + 1000:
        return np.unique(code, return_inverse=True)[1].astype(np.int32)
    present = np.zeros(largest + 1, dtype=bool)
    present[code] = True
    return (np.cumsum(present, dtype=np.int32) - np.int32(1))[code]


def card_kinds(deck: Deck) -> list[str]:
    """Return what cards are called together that symmetries of the deck exchange: their ranks.

    Examples
    --------
    >>> card_kinds(Deck(("Js", "Jh", "Q"), (1, 1, 1), symmetries=((1, 0, 2),)))
    ['J', 'J', 'Q']
    """
    texts = [str(card) for card in deck.cards]
    kind = list(range(len(texts)))
    for images in deck.symmetries:
        for card, image in enumerate(images):
            low, high = sorted((kind[card], kind[image]))
            kind = [low if of == high else of for of in kind]
    members: dict[int, list[str]] = {}
    for card, of in enumerate(kind):
        members.setdefault(of, []).append(texts[card])
    called = {of: _beginning(names) for of, names in members.items()}
    repeated = Counter(called.values())
    for of, name in called.items():
        if not name or repeated[name] > 1:
            called[of] = "|".join(members[of])
    return [called[of] for of in kind]


def _beginning(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


def kinds_of_cards(deck: Deck) -> dict[str, str]:
    """Return the kind of each card by its text; nothing where all kinds are single cards."""
    texts, kinds = [str(card) for card in deck.cards], card_kinds(deck)
    return {} if len(set(kinds)) == len(texts) else dict(zip(texts, kinds, strict=True))
