"""Limit poker: the game of two players, which table and deck Kuhn, Leduc and Rhode Island share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.limit_betting import Betting, LimitBetting
from games.limit_poker_for_many import LimitPokerForMany
from seqform.base.arrays import Ints
from seqform.game.deals import Deck

MAX_PLAYERS = 10
"""At one table, as in OpenSpiel; of eight at Kuhn poker there are 10 ** 8 nodes already."""

MAX_CARDS = 10_000
"""Of a deck, each of which is written down; two of them make a hundred million deals."""


@dataclass(frozen=True)
class LimitPoker(LimitBetting):
    """Limit poker for two players: what the loser has paid is at stake."""

    def outcome(self, state: Betting) -> str:
        """Return how the hand ended: 'fold' or 'showdown'."""
        return state.end

    def stake(self, state: Betting) -> int:
        """Return what the loser has paid; negative if that is player 0, who folded."""
        loses = state.staying == (1,)
        return -min(state.paid) if loses else min(state.paid)

    def payoffs(self, outcome: str, signals: Ints) -> NDArray[np.int8]:
        """Return what each player wins, net of what it paid in, for each chip at stake."""
        paid = np.ones((2, len(signals)), dtype=np.int8)
        compared = self.strengths(outcome, signals)
        if compared is not None:
            mine, theirs = compared
            np.subtract(mine > theirs, mine < theirs, out=paid[0], dtype=np.int8)
        np.negative(paid[0], out=paid[1])
        return paid.T

    def strengths(self, outcome: str, signals: Ints) -> tuple[Ints, Ints] | None:
        """Return the strengths of both hands in each deal where hands are shown, else None."""
        if outcome != "showdown":
            return None
        return self.hand_strengths(signals, 0), self.hand_strengths(signals, 1)


def limit_poker(
    players: int,
    deck: Deck,
    strength: Callable[[Ints], Ints],
    *,
    ante: int,
    bets: tuple[int, ...],
    max_bets: int,
    cap: int | None = None,
) -> LimitPoker | LimitPokerForMany:
    """Return limit poker for so many players; see `LimitBetting` for the parameters."""
    kind = LimitPoker if players == 2 else LimitPokerForMany
    return kind(deck, strength, ante, bets, max_bets, players, cap=cap)


def rank_names(ranks: int) -> tuple[str, ...]:
    """Name ranks from the lowest up.

    Fewer than thirteen end in K; the thirteenth is the ace; more are numbers.
    """
    if ranks < 13:
        return tuple("23456789TJQK"[-ranks:])
    if ranks == 13:
        return tuple("23456789TJQKA")
    return tuple(str(rank) for rank in range(1, ranks + 1))


def card_deck(ranks: int, suits: int, merge_suits: bool) -> Deck:
    """Return a deck of `ranks` x `suits` cards.

    With `merge_suits`, cards of one rank are copies of one card.
    """
    names = rank_names(ranks)
    if merge_suits:
        return Deck(names, (suits,) * ranks)
    suit_names = "shdc" if suits <= 4 else [str(suit) for suit in range(1, suits + 1)]
    endings = suit_names[:suits] if suits > 1 else [""]
    cards = tuple(name + ending for name in names for ending in endings)
    return Deck(cards, (1,) * len(cards), symmetries=suit_exchanges(ranks, suits))


def suit_exchanges(ranks: int, suits: int) -> tuple[tuple[int, ...], ...]:
    """Return the exchanges of neighbouring suits, which generate all permutations of the suits.

    Each is a permutation of the cards: where each card goes.
    """
    cards = np.arange(ranks * suits).reshape(ranks, suits)
    exchanges = []
    for suit in range(suits - 1):
        exchanged = cards.copy()
        exchanged[:, [suit, suit + 1]] = cards[:, [suit + 1, suit]]
        exchanges.append(tuple(exchanged.ravel().tolist()))
    return tuple(exchanges)
