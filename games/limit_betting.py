"""The betting of limit poker, for any number of players: what Kuhn, Leduc and Rhode Island share.

Everybody antes and is dealt a private card. A round is opened by the first player who has not
folded, player 0 being the first of all, and goes around the table past those who have. As long as
nobody has bet a player checks or bets; after a bet a player folds, calls or raises. The round ends
when all others who stay have called the last bet or raise, or when everybody has checked. What a
player paid before folding stays in the pot. Where one player is left the hand ends; after the last
round those who stay show their hands.

With stacks that end, nobody puts in more than the shortest of them, the *cap*. What is beyond it
nobody could win, so antes, bets and raises that it does not allow in full go up to it. Players who
have put in the cap are all-in: nobody bets any more, and all check until hands are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Ints
from seqform.game.deals import Deck
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE

MAX_HANDS = 10_000_000
"""The strengths of all hands are put into a table if there are at most so many."""


class Betting(NamedTuple):
    """A public state: everything but the cards."""

    paid: tuple[int, ...]
    """What each player has put into the pot."""
    staying: tuple[int, ...]
    """Who has not folded."""
    to_deal: int
    actor: int = 0
    to_act: int = 0
    """How many players, the actor included, have to act before the round ends without a raise."""
    round: int = 0
    bets: int = 0
    """Bets and raises made in this round."""
    end: str = ""
    """How the hand ended: 'fold' or 'showdown'."""


@dataclass(frozen=True)
class LimitBetting:
    """One private card each, a community card before every later round, fixed bet sizes.

    Parameters
    ----------
    deck
        The cards.
    strength
        Maps hands of shape (num_hands, rounds), the private card and then the community cards, to
        integers of shape (num_hands,). The strongest hand takes the pot; equal ones split it.
    ante, bets, max_bets
        Chips paid by each player before the deal, the size of a bet in each round, bets and raises
        a round.
    num_players
        Who sits at the table, player 0 acting first.
    cap
        The most chips that anybody puts in, antes too: the shortest stack. None for no limit.
    """

    deck: Deck
    strength: Callable[[Ints], Ints]
    ante: int
    bets: tuple[int, ...]
    max_bets: int
    num_players: int = 2
    unit: str = "chips"
    cap: int | None = None

    def root(self) -> Betting:
        """Return the state before the deal."""
        players = tuple(range(self.num_players))
        return Betting(
            paid=(self._capped(self.ante),) * self.num_players,
            staying=players,
            to_deal=self.num_players,
            to_act=self.num_players,
        )

    def player(self, state: Betting) -> int:
        """Return who acts."""
        if state.end:
            return TERMINAL
        return CHANCE if state.to_deal else state.actor

    def recipient(self, state: Betting) -> int:
        """Return who sees the next card: player 0, player 1 and so on, then everyone."""
        return self.num_players - state.to_deal if state.round == 0 else EVERYONE

    def actions(self, state: Betting) -> tuple[str, ...]:
        """Return the legal actions."""
        highest = max(state.paid)
        more = state.bets < self.max_bets and highest < self._capped(highest + 1)
        if not state.bets:
            return ("check", "bet") if more else ("check",)
        return ("fold", "call", "raise") if more else ("fold", "call")

    def child(self, state: Betting, action: object) -> Betting:
        """Return the state after an action, or after a card (None)."""
        if action is None:
            return state._replace(to_deal=state.to_deal - 1)
        if action == "fold":
            return self._fold(state)
        highest = max(state.paid)
        if action in ("check", "call"):
            return self._pass_on(_paying(state, highest), state.to_act - 1)
        raised = _paying(state, self._capped(highest + self.bets[state.round]))
        return self._pass_on(raised._replace(bets=state.bets + 1), len(state.staying) - 1)

    def _capped(self, chips: int) -> int:
        """Return so many chips, or the cap if that is less."""
        return chips if self.cap is None else min(chips, self.cap)

    def _fold(self, state: Betting) -> Betting:
        staying = tuple(player for player in state.staying if player != state.actor)
        if len(staying) == 1:
            return state._replace(staying=staying, end="fold")
        return self._pass_on(state._replace(staying=staying), state.to_act - 1)

    def _pass_on(self, state: Betting, to_act: int) -> Betting:
        """Return the state in which the next player acts, or the next round begins."""
        if to_act:
            later = [player for player in state.staying if player > state.actor]
            actor = later[0] if later else state.staying[0]
            return state._replace(actor=actor, to_act=to_act)
        if state.round + 1 == len(self.bets):
            return state._replace(end="showdown")
        return Betting(
            paid=state.paid,
            staying=state.staying,
            to_deal=1,
            actor=state.staying[0],
            to_act=len(state.staying),
            round=state.round + 1,
        )

    def hand_strengths(self, signals: Ints, player: int) -> Ints:
        """Return the strength of a player's hand in each deal; every hand is evaluated once.

        `signals` has shape (num_deals, signals dealt): all private cards, then those on the table.
        """
        hand = (player, *range(self.num_players, signals.shape[1]))
        cards = len(self.deck.cards)
        if cards ** len(hand) > MAX_HANDS:
            return self.strength(signals[:, hand])
        codes = np.zeros(len(signals), dtype=np.int32)
        for position in hand:
            codes *= cards
            codes += signals[:, position]
        return self._table(len(hand))[codes]

    def _table(self, size: int) -> Ints:
        """Return the strengths of all hands of so many cards; made once, as deals come in parts."""
        if size not in self._tables:
            cards = len(self.deck.cards)
            hands = np.indices((cards,) * size, dtype=np.int32).reshape(size, -1).T
            strengths = self.strength(hands)
            self._tables[size] = strengths.astype(np.min_scalar_type(strengths.max(initial=0)))
        return self._tables[size]

    @cached_property
    def _tables(self) -> dict[int, Ints]:
        return {}


def _paying(state: Betting, total: int) -> Betting:
    """Return the state in which the actor has put in so much."""
    mine = state.actor
    return state._replace(paid=(*state.paid[:mine], total, *state.paid[mine + 1 :]))
