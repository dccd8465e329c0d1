"""A game of hands: both players hold hands of cards out of ranges, and a board is dealt in public.

The rules are a public betting tree, two ranges, the cards that lie face up already, and what makes
one hand better than another. Deals are never listed: there are hands times hands times boards of
them. What is common to all who work on such a game is in `seqform.form.hand_structure`.

With both hands dealt, each further card is uniform over what is left. So a pair of hands (h, h')
that meet neither each other nor the board has a probability in proportion to w_0(h) w_1(h').
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints, Mask
from seqform.base.errors import InvalidGameError
from seqform.base.number import Number
from seqform.game.betting_tree import BettingTree
from seqform.game.checks import repeated

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm

Strength = Callable[[Ints, Ints], Ints]
"""Maps hands (num_hands, k) and the cards of a whole board (m,) to integers (num_hands,): the more,
the better. What it says of hands that meet the board is not looked at."""

Grouping = Callable[[Ints, Ints], Sequence[str]]
"""Maps hands (num_hands, k) that avoid a board, and the cards of that board (m,), known ones
included, to what each hand is called there: hands of one name stand together in tables."""


class HandGrid(NamedTuple):
    """How hands are laid out as a matrix of classes.

    Parameters
    ----------
    rows, columns
        What stands before each row, and over each column.
    cells
        Maps hands (num_hands, k) to the numbers of their cells, row by row: int64 (num_hands,).
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Callable[[Ints], Index]


class HandClasses(NamedTuple):
    """How several hands are written at once, such as ``AKs`` or ``QQ+``.

    Parameters
    ----------
    names
        Maps hands (num_hands, k) to the name of the class that each is of.
    meant
        Maps a text, such as one of these names, and hands (num_hands, k) to which of them it stands
        for: bool (num_hands,). Raises `InvalidParameterError` if it is no such text.
    """

    names: Callable[[Ints], Sequence[str]]
    meant: Callable[[str, Ints], Mask]


MOST_WEIGHT = 2**53
"""Weights are integers below it, which floats hold."""


@dataclass(frozen=True, eq=False)
class HandRange:
    """The hands that a player may hold, and how likely each is beside the others.

    Parameters
    ----------
    hands
        int16 (num_hands, k): positions of cards in the deck; each row ascends, and no two are
        alike.
    weights
        int64 (num_hands,): positive; only their ratios matter.
    """

    hands: Ints
    weights: Index

    def __post_init__(self) -> None:
        hands, weights = np.asarray(self.hands), np.asarray(self.weights)
        if hands.ndim != 2 or hands.dtype.kind not in "iu" or not hands.size:
            raise InvalidGameError(
                "R4: a range needs one hand or more, each of equally many cards (positions)"
            )
        if (np.diff(hands, axis=1) <= 0).any() or len(np.unique(hands, axis=0)) < len(hands):
            raise InvalidGameError("R4: the cards of each hand ascend, and no two hands are alike")
        if weights.shape != hands.shape[:1] or weights.dtype.kind not in "iu":
            raise InvalidGameError("R4: a range needs a weight for each hand, in whole numbers")
        if (weights <= 0).any() or (weights >= MOST_WEIGHT).any():
            raise InvalidGameError("R4: weights of hands are at least 1 and below 2**53")
        object.__setattr__(self, "hands", np.ascontiguousarray(hands, dtype=np.int16))
        object.__setattr__(self, "weights", weights.astype(np.int64))

    @property
    def num_hands(self) -> int:
        """How many hands there are."""
        return len(self.hands)

    @property
    def hand_size(self) -> int:
        """Cards of a hand."""
        return int(self.hands.shape[1])

    def without(self, cards: Sequence[int]) -> HandRange | None:
        """Return the range without hands that hold any of some cards; None if nothing is left."""
        kept = ~np.isin(self.hands, np.array(cards, dtype=np.int16)).any(axis=1)
        return HandRange(self.hands[kept], self.weights[kept]) if kept.any() else None


@dataclass(frozen=True, eq=False)
class HandGame:
    """A two-player game of hands.

    Parameters
    ----------
    deck
        The name of each card, no two alike.
    board
        Positions of the cards that lie face up before anybody acts.
    ranges
        What each player may hold; sizes of hands may differ. No hand meets the board.
    betting
        Who acts, and what is paid; as many cards are dealt face up as it says.
    strength
        What makes a hand better, once all cards are dealt.
    symmetries
        Permutations of the deck that may leave the game as it is, such as those of the suits. They
        are hints: which of them do is found out.
    unit
        What payoffs are counted in.
    player_names
        A name for each player, or none.
    card_kinds
        The kind of each card, such as its rank, where several cards are of one kind.
    beyond
        What each player's payoffs are counted beyond, such as half of the pot: people read the
        value with it added, as the share of the pot. Nothing else hangs on it.
    notes
        What people should know of how the game came to be, such as hands that were left out.
    groups
        How hands are put together in tables, by name; the first is what short answers show.
    grid
        How hands are laid out as a matrix; None if they are not.
    classes
        How several hands are written at once; None if they are not.

    Raises
    ------
    InvalidGameError
        R4: if cards are doubled or unknown, a hand meets the board, no two hands can be dealt
        together, or the deck is too small.
    """

    deck: tuple[str, ...]
    board: tuple[int, ...]
    ranges: tuple[HandRange, HandRange]
    betting: BettingTree
    strength: Strength
    symmetries: tuple[tuple[int, ...], ...] = ()
    unit: str = "chips"
    player_names: tuple[str, ...] = ()
    card_kinds: dict[str, str] | None = None
    beyond: tuple[Number, ...] = ()
    notes: tuple[str, ...] = ()
    groups: Mapping[str, Grouping] = field(default_factory=dict)
    grid: HandGrid | None = None
    classes: HandClasses | None = None

    num_players = 2

    def hand_text(self, hand: Sequence[int]) -> str:
        """Return how a hand is written: its cards, those first that are last in the deck."""
        return "".join(self.deck[card] for card in reversed(hand))

    def __post_init__(self) -> None:
        if (text := repeated(self.deck)) is not None:
            raise InvalidGameError(f"R4: two cards of the deck are called {text!r}")
        cards = range(len(self.deck))
        if len(set(self.board)) < len(self.board) or not set(self.board) <= set(cards):
            raise InvalidGameError(
                f"R4: the board {self.board!r} has a card twice, or one that the deck lacks"
            )
        for player, held in enumerate(self.ranges):
            if held.hands.min() < 0 or held.hands.max() >= len(self.deck):
                raise InvalidGameError(
                    f"R4: player {player} has a hand with a card that the deck lacks"
                )
            if np.isin(held.hands, self.board).any():
                raise InvalidGameError(
                    f"R4: player {player} has a hand with a card of the board; leave it out"
                )
        if self.cards_left < self.betting.num_dealt:
            raise InvalidGameError(
                f"R4: {self.betting.num_dealt} cards are to be dealt face up, and "
                f"{max(self.cards_left, 0)} of the deck of {len(self.deck)} are left"
            )
        if any(sorted(symmetry) != list(cards) for symmetry in self.symmetries):
            raise InvalidGameError("R4: every symmetry of a deck must be a permutation of it")
        if not self.total_weight:
            raise InvalidGameError(
                "R4: no two hands of the ranges can be dealt together: each of player 0's shares "
                "a card with each of player 1's"
            )

    @property
    def cards_left(self) -> int:
        """Cards that a further one is dealt from, once both hands are known."""
        return len(self.deck) - len(self.board) - sum(held.hand_size for held in self.ranges)

    @property
    def constant_sum(self) -> Number | None:
        """What the players get together at every end, or None if that varies."""
        return self.betting.constant_sum

    @cached_property
    def total_weight(self) -> int:
        """The sum of w_0(h) w_1(h') over all pairs of hands that can be dealt together."""
        mine, theirs = self.ranges
        total, weights = 0, theirs.weights.astype(object)
        holders = [(theirs.hands == card).any(axis=1) for card in range(len(self.deck))]
        for hand, weight in zip(mine.hands.tolist(), mine.weights.tolist(), strict=True):
            blocked = np.logical_or.reduce([holders[card] for card in hand])
            total += weight * int(weights[~blocked].sum())
        return total

    def explicit(self) -> SequenceForm:
        """Return the sequence form, whose vectors are made when they are asked for."""
        from seqform.form.hand_form import hand_form

        return hand_form(self)
