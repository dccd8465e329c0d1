"""A game of hands as a table: both players' hands, the board, and strategies by hand and board."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, cast

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.form.hand_policies import Policies
from seqform.form.hand_products import HandProducts
from seqform.form.hand_situation import Situation, line_text
from seqform.form.sequence_form import SequenceForm
from seqform.game.betting_tree import LOSS, TIE, WIN
from seqform.game.rules import CHANCE
from seqform.strategies.line.at_line import Around
from seqform.strategies.play.signal_table import CARD, SUITS
from seqform.strategies.play.table import Verdict


class Held(NamedTuple):
    """Where play stands: the public node, both hands by number, and the cards dealt face up."""

    node: int
    hands: tuple[int, int]
    cards: tuple[int, ...]


class HandTable:
    """A table of a game of hands.

    Parameters
    ----------
    form
        The game.
    policies
        What is played against.
    symbols
        Whether suits are shown as symbols, not as letters.
    """

    num_players = 2

    def __init__(self, form: SequenceForm, policies: Policies, symbols: bool = False) -> None:
        self._form, self._policies, self._symbols = form, policies, symbols
        self._structure = policies.structure
        self._game = policies.structure.game
        self._betting, self.unit = self._game.betting, self._game.unit

    @cached_property
    def _chances(self) -> tuple[Floats, Index]:
        """How likely each hand of player 0 is, and all hands of player 1."""
        mine, theirs = self._game.ranges
        every = np.arange(theirs.num_hands)
        shared = self._structure.shared[0]
        products = HandProducts.on_board(shared, np.arange(mine.num_hands), every)
        met = mine.weights * products.met(theirs.weights.astype(float)[None])[0]
        return met / met.sum(), every

    def deal(self, rng: np.random.Generator) -> Held:
        """Deal both hands; the first by what it weighs beside all of the other's, then that."""
        chances, every = self._chances
        mine, theirs = self._game.ranges
        first = int(rng.choice(len(chances), p=chances))
        free = every[~np.isin(theirs.hands, mine.hands[first]).any(axis=1)]
        weights = theirs.weights[free].astype(float)
        second = int(free[rng.choice(len(free), p=weights / weights.sum())])
        return Held(0, (first, second), ())

    def player(self, state: Held) -> int:
        """Return who moves."""
        return int(self._betting.player[state.node])

    def actions(self, state: Held) -> tuple[str, ...]:
        """Return the public actions."""
        children = self._betting.children(state.node)
        return tuple(str(self._betting.actions[child]) for child in children)

    def after(self, state: Held, place: int) -> Held:
        """Return the state after an action."""
        return state._replace(node=int(self._betting.first_child[state.node]) + place)

    def by_chance(self, state: Held, rng: np.random.Generator) -> Held:
        """Return the state after a card was dealt face up, any that nobody holds."""
        held = [self._game.ranges[player].hands[state.hands[player]] for player in (0, 1)]
        taken = {*state.cards, *np.concatenate(held).tolist()}
        left = [card for card in self._structure.cards.tolist() if card not in taken]
        card = left[int(rng.integers(len(left)))]
        child = int(self._betting.first_child[state.node])
        return state._replace(node=child, cards=(*state.cards, card))

    def policy(self, state: Held) -> list[float]:
        """Return what the strategy does with the hand of whoever moves."""
        player, board = self.player(state), self._structure.board_number(state.cards)
        hands = np.array([state.hands[player]])
        chances = self._policies.on(player, [state.node], board, hands)[0, :, 0]
        return chances.tolist()  # type: ignore[no-any-return]

    def news(self, before: Held, state: Held, seat: int) -> str:
        """Say which card lies face up, or what the other did."""
        mover = self.player(before)
        if mover == CHANCE:
            return f"On the table: {self._card(state.cards[-1])}."
        if mover == seat:
            return ""
        who = self._form.player_text(mover)
        return f"{who[:1].upper()}{who[1:]}: {self._betting.actions[state.node]}."

    def view(self, state: Held, seat: int) -> str:
        """Return a player's hand, the board, and what was done."""
        board = " ".join(map(self._card, (*self._game.board, *state.cards)))
        table = f"; on the table: {board}" if board else ""
        done = self.line(state) or "nothing yet"
        return f"Your hand: {self.hand(state, seat)}{table}; done so far: {done}"

    def payoffs(self, state: Held) -> list[float]:
        """Return what both get."""
        how = WIN
        if self._betting.is_showdown[state.node]:
            board = self._structure.board_number(state.cards)
            mine, theirs = (
                int(self._structure.strengths(player, board)[state.hands[player]])
                for player in (0, 1)
            )
            how = WIN if mine > theirs else TIE if mine == theirs else LOSS
        paid = self._betting.paid[state.node, how] / self._betting.denominator
        return paid.tolist()  # type: ignore[no-any-return]

    def reveal(self, state: Held) -> str:
        """Return both players' hands."""
        return f"Player 0 had {self.hand(state, 0)}, player 1 had {self.hand(state, 1)}."

    def verdict(self, state: Held, place: int) -> Verdict:
        """Return what the strategy does with such a hand, and what other actions are worth."""
        player, board = self.player(state), self._structure.board_number(state.cards)
        at = Situation(state.node, player, board, len(state.cards))
        found = Around(self._form, self._policies, at).view(state.node).acting
        held = self._game.ranges[player].hands[state.hands[player]]
        values = cast(Floats, found.action_values)  # whoever acts has them
        worth = values[int((found.cards == held).all(axis=1).argmax())]
        done, hand = self.line(state), self.hand(state, player)
        return Verdict(
            f"{hand} after {done}" if done else f"{hand} at first",
            self.actions(state),
            tuple(self.policy(state)),
            place,
            float(worth.max() - worth[place]),
        )

    def hand(self, state: Held, player: int) -> str:
        """Return how a player's hand is written."""
        cards = self._game.ranges[player].hands[state.hands[player]].tolist()
        return "".join(self._card(card) for card in reversed(cards))

    def line(self, state: Held) -> str:
        """Return how the state's public node is written, with the cards that were dealt."""
        names = [self._game.deck[card] for card in state.cards]
        return line_text(self._betting, state.node, names)

    def _card(self, card: int) -> str:
        name = self._game.deck[card]
        found = CARD.fullmatch(name) if self._symbols else None
        return found[1] + SUITS[found[2]] if found else name
