"""A game of hands as plain rules: chance deals both hands at once, then one card at a time."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.game.hands import HandGame
from seqform.game.rules import CHANCE


class HandRules:
    """The rules; a state is (public node, both hands, cards dealt face up), or None at first."""

    num_players = 2

    def __init__(self, game: HandGame) -> None:
        self.game, self.unit = game, game.unit
        self.ranges = [
            {
                tuple(hand): weight
                for hand, weight in zip(of.hands.tolist(), of.weights.tolist(), strict=True)
            }
            for of in game.ranges
        ]

    def root(self) -> Any:
        return None

    def player(self, state: Any) -> int:
        return CHANCE if state is None else int(self.game.betting.player[state[0]])

    def chance(self, state: Any) -> list[tuple[Hashable, Fraction]]:
        if state is None:
            mine, theirs = self.ranges
            pairs = {
                (h, g): w * v
                for h, w in mine.items()
                for g, v in theirs.items()
                if not set(h) & set(g)
            }
            total = sum(pairs.values())
            return [(pair, Fraction(weight, total)) for pair, weight in pairs.items()]
        _, hands, dealt = state
        gone = {*self.game.board, *hands[0], *hands[1], *dealt}
        left = [card for card in range(len(self.game.deck)) if card not in gone]
        return [(card, Fraction(1, len(left))) for card in left]

    def actions(self, state: Any) -> list[str]:
        betting = self.game.betting
        return [str(betting.actions[child]) for child in betting.children(state[0])]

    def child(self, state: Any, action: Any) -> Any:
        if state is None:
            return 0, action, ()
        node, hands, dealt = state
        children = self.game.betting.children(node)
        if self.player(state) == CHANCE:
            return children[0], hands, (*dealt, action)
        return children[self.actions(state).index(action)], hands, dealt

    def infoset(self, state: Any) -> str:
        node, hands, dealt = state
        hand = "".join(self.game.deck[card] for card in reversed(hands[self.player(state)]))
        return f"{hand}:{self.line(node, dealt)}"

    def line(self, node: int, dealt: tuple[int, ...]) -> str:
        words, cards, betting = [], list(dealt), self.game.betting
        while node > 0:
            action = betting.actions[node]
            words.append(f"[{self.game.deck[cards.pop()]}]" if action is None else action)
            node = int(betting.parent[node])
        text = "-".join(reversed(words))
        for old, new in (("]-[", ""), ("-[", "/"), ("]-", "/"), ("[", ""), ("]", "")):
            text = text.replace(old, new)
        return text

    def payoffs(self, state: Any) -> list[Fraction]:
        node, hands, dealt = state
        betting = self.game.betting
        return [Fraction(int(paid), betting.denominator) for paid in self._paid(node, hands, dealt)]

    def _paid(self, node: int, hands: Any, dealt: tuple[int, ...]) -> Any:
        paid = self.game.betting.paid[node]
        if len(dealt) < self.game.betting.num_dealt:
            return paid[0]
        board = np.array([*self.game.board, *dealt], dtype=np.int16)
        mine, theirs = (
            int(self.game.strength(np.array([hand], dtype=np.int16), board)[0]) for hand in hands
        )
        return paid[0 if mine > theirs else 1 if mine == theirs else 2]
