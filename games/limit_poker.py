"""Two-player limit poker as a signal game: what Kuhn, Leduc and Rhode Island hold'em share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Ints
from seqform.game.deals import Deck
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE

MAX_CARDS = 10_000
"""Of a deck, each of which is written down; two of them make a hundred million deals."""

MAX_HANDS = 10_000_000
"""The strengths of all hands are put into a table if there are at most so many."""


class Betting(NamedTuple):
    """A public state: everything but the cards."""

    round: int = 0
    to_deal: int = 2
    actor: int = 0
    checked: bool = False
    bets: int = 0
    paid: tuple[int, int] = (0, 0)
    end: str = ""


@dataclass(frozen=True)
class LimitPoker:
    """One private card each, a community card before every later round, fixed bet sizes.

    Player 0 acts first in every round. Not facing a bet: check or bet; facing one: fold, call, or
    raise while fewer than `max_bets` bets and raises were made in the round.

    Parameters
    ----------
    deck
        The cards.
    strength
        Maps hands of shape (num_hands, rounds), the private card and then the community cards, to
        integers of shape (num_hands,). The stronger hand takes the pot; equal ones split it.
    ante, bets, max_bets
        Chips paid by each player before the deal, the size of a bet in each round, bets and raises
        a round.
    """

    deck: Deck
    strength: Callable[[Ints], Ints]
    ante: int
    bets: tuple[int, ...]
    max_bets: int
    num_players: int = 2
    unit: str = "chips"

    def root(self) -> Betting:
        """Return the state before the deal."""
        return Betting(paid=(self.ante, self.ante))

    def player(self, state: Betting) -> int:
        """Return who acts."""
        if state.end:
            return TERMINAL
        return CHANCE if state.to_deal else state.actor

    def recipient(self, state: Betting) -> int:
        """Return who sees the next card: player 0, player 1, then everyone."""
        return 2 - state.to_deal if state.round == 0 else EVERYONE

    def actions(self, state: Betting) -> tuple[str, ...]:
        """Return the legal actions."""
        more = state.bets < self.max_bets
        if state.paid[0] == state.paid[1]:
            return ("check", "bet") if more else ("check",)
        return ("fold", "call", "raise") if more else ("fold", "call")

    def child(self, state: Betting, action: object) -> Betting:
        """Return the state after an action, or after a card (None)."""
        if action is None:
            return state._replace(to_deal=state.to_deal - 1)
        if action == "fold":
            return state._replace(end="fold")
        if action == "check" and not state.checked:
            return state._replace(actor=1 - state.actor, checked=True)
        highest = max(state.paid)
        if action in ("check", "call"):
            return self._close_round(state._replace(paid=(highest, highest)))
        mine = highest + self.bets[state.round]
        paid = (mine, state.paid[1]) if state.actor == 0 else (state.paid[0], mine)
        return state._replace(actor=1 - state.actor, bets=state.bets + 1, paid=paid)

    def _close_round(self, state: Betting) -> Betting:
        if state.round + 1 == len(self.bets):
            return state._replace(end="showdown")
        return Betting(round=state.round + 1, to_deal=1, paid=state.paid)

    def outcome(self, state: Betting) -> str:
        """Return how the hand ended: 'fold' or 'showdown'."""
        return state.end

    def stake(self, state: Betting) -> int:
        """Return what the loser has paid; negative if that is player 0, who folded."""
        loses = state.end == "fold" and state.actor == 0
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
        return self._strengths(signals, 0), self._strengths(signals, 1)

    def _strengths(self, signals: Ints, player: int) -> Ints:
        """Return the strength of a player's hand in each deal; every hand is evaluated once."""
        codes = np.zeros(len(signals), dtype=np.int32)
        hand = (player, *range(2, signals.shape[1]))
        cards = len(self.deck.cards)
        if cards ** len(hand) > MAX_HANDS:
            return self.strength(signals[:, hand])
        for position in hand:
            codes *= cards
            codes += signals[:, position]
        hands = np.indices((cards,) * len(hand), dtype=np.int32).reshape(len(hand), -1).T
        strengths = self.strength(hands)
        return strengths.astype(np.min_scalar_type(strengths.max(initial=0)))[codes]


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
