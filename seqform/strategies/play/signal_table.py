"""A two-player signal game as a table: cards, what was bet, and a strategy by classes of cards."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.form.from_signals import SequenceNumbering, build_signal_form
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.rules import CHANCE
from seqform.game.signals import EVERYONE
from seqform.strategies.analysis import StrategyAnalysis
from seqform.strategies.analyze import analyze
from seqform.strategies.play.table import Verdict

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
CARD = re.compile(r"(10|[2-9TJQKA])([shdc])")


class Seen(NamedTuple):
    """Where a hand stands: the public node and state, and all signals, dealt or to come."""

    node: int
    public: Any
    deal: int


class SignalTable:
    """A table of a signal game.

    Parameters
    ----------
    strategy
        What is played against.
    symbols
        Whether suits are shown as symbols, not as letters.
    """

    num_players = 2

    def __init__(self, strategy: SignalStrategy, symbols: bool = False) -> None:
        self.strategy, self.structure = strategy, strategy.structure
        self.game, self.tree = self.structure.game, self.structure.public
        self.unit = str(getattr(self.game, "unit", "units"))
        self._symbols = symbols
        self._children: dict[int, list[int]] = {}
        for node, above in enumerate(self.tree.parent):
            self._children.setdefault(above, []).append(node)
        self._numbering = [
            SequenceNumbering(self.structure, strategy.classes, player) for player in (0, 1)
        ]

    @cached_property
    def _analysis(self) -> StrategyAnalysis:
        form = build_signal_form(self.structure, self.strategy.classes)
        return analyze(form, form.profile(self.strategy.behaviors))

    @cached_property
    def _ways(self) -> Index:
        return np.cumsum(self.structure.deals.ways(self.structure.stages[-1]))

    def deal(self, rng: np.random.Generator) -> Seen:
        """Deal all signals; each is seen when its time comes."""
        drawn = int(rng.integers(int(self._ways[-1])))
        deal = int(np.searchsorted(self._ways, drawn, side="right"))
        return Seen(0, self.game.root(), deal)

    def player(self, state: Seen) -> int:
        """Return who moves."""
        return int(self.tree.player[state.node])

    def actions(self, state: Seen) -> tuple[Hashable, ...]:
        """Return the public actions."""
        return self.tree.actions(state.node)

    def after(self, state: Seen, place: int) -> Seen:
        """Return the state after an action."""
        public = self.game.child(state.public, self.actions(state)[place])
        return Seen(self._children[state.node][place], public, state.deal)

    def by_chance(self, state: Seen, rng: np.random.Generator) -> Seen:
        """Return the state after the next signal was dealt."""
        public = self.game.child(state.public, None)
        return Seen(self._children[state.node][0], public, state.deal)

    def policy(self, state: Seen) -> list[float]:
        """Return what the strategy does with the cards of whoever moves."""
        player, first = self.player(state), self._first(state)
        count = len(self.actions(state))
        chances = self.strategy.behaviors[player][first : first + count]
        return chances.tolist()  # type: ignore[no-any-return]

    def news(self, before: Seen, state: Seen, seat: int) -> str:
        """Say which card somebody sees, or what the other did."""
        mover = self.player(before)
        if mover == CHANCE:
            position = self.tree.num_signals[before.node]
            recipient = self.structure.recipients[position]
            card = self._card(self._signals(state.deal)[position])
            if recipient == EVERYONE:
                return f"On the table: {card}."
            return f"You are dealt {card}." if recipient == seat else ""
        done = str(self.tree.labels.values()[self.tree.action[state.node]])
        return "" if mover == seat else f"Player {mover}: {done}."

    def view(self, state: Seen, seat: int) -> str:
        """Return a player's cards, what was done, and what is in the pot if the game says it."""
        cards = " ".join(map(self._card, self._seen(state, seat)))
        done = self.tree.history(state.node) or "nothing yet"
        paid = getattr(state.public, "paid", None)
        seen = f"Your cards: {cards}; done so far: {done}"
        if paid is None:
            return seen
        return f"{seen}; in the pot: {sum(paid)} {self.unit}, {paid[seat]} of them yours"

    def payoffs(self, state: Seen) -> list[float]:
        """Return what both get."""
        row = self.tree.outcome[state.node]
        outcome, stage = self.structure.outcomes[row]
        signals = self._signals(state.deal)[: self.structure.stages[stage]]
        paid = self.game.payoffs(outcome, np.array([signals], dtype=np.int32))[0]
        return [float(self.tree.stake[state.node] * share) for share in paid]

    def reveal(self, state: Seen) -> str:
        """Return both players' own cards, as far as they were dealt."""
        dealt = self.tree.num_signals[state.node]
        signals = self._signals(state.deal)[:dealt]
        own = []
        for player in (0, 1):
            cards = [
                self._card(signal)
                for signal, who in zip(signals, self.structure.recipients, strict=False)
                if who == player
            ]
            own.append(f"layer {player} had {' '.join(cards) or 'nothing'}")
        return f"P{', p'.join(own)}."

    def verdict(self, state: Seen, place: int) -> Verdict:
        """Return what the strategy does with such cards, and what other actions are worth."""
        player, first, actions = self.player(state), self._first(state), self.actions(state)
        worth = self._analysis.players[player].action_values[first : first + len(actions)]
        cards = " ".join(map(self._card, self._seen(state, player)))
        done = self.tree.history(state.node)
        return Verdict(
            f"{cards} after {done}" if done else f"{cards} at first",
            actions,
            tuple(self.policy(state)),
            place,
            float(worth.max() - worth[place]),
        )

    def _first(self, state: Seen) -> int:
        """Return the first sequence of the information set of whoever moves."""
        player = self.player(state)
        of, stage = self._numbering[player], self.structure.stage_of_node[state.node]
        deal = self._deal_at(state.deal, self.structure.stages[stage])
        observed = self.structure.observations[player][stage][deal]
        at = of.position[state.node]
        known = int(self.strategy.classes[player][stage][observed])
        return int(of.first_sequence[at] + of.num_actions[at] * known)

    def _deal_at(self, deal: int, num_signals: int) -> int:
        """Return the deal of fewer signals that a whole one extends."""
        for k in range(self.structure.stages[-1], num_signals, -1):
            deal = int(self.structure.deals.parent[k][deal])
        return deal

    def _signals(self, deal: int) -> list[int]:
        return self.structure.deals.signals[self.structure.stages[-1]][deal].tolist()  # type: ignore[no-any-return]

    def _seen(self, state: Seen, seat: int) -> list[int]:
        dealt = self._signals(state.deal)[: self.tree.num_signals[state.node]]
        recipients = self.structure.recipients
        return [s for s, who in zip(dealt, recipients, strict=False) if who in (seat, EVERYONE)]

    def _card(self, signal: int) -> str:
        name = str(self.game.deck.cards[signal])
        found = CARD.fullmatch(name) if self._symbols else None
        return found[1] + SUITS[found[2]] if found else name
