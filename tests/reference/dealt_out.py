"""A game of hands as plain rules: a pair of hands is dealt, then cards one by one, as in a tree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from seqform.form.hands import HandGame
from seqform.game.betting_tree import LOSS, TIE, WIN
from seqform.game.rules import CHANCE


class State(NamedTuple):
    """Numbers of both hands (none before they are dealt), the public node, cards dealt face up."""

    hands: tuple[int, ...]
    node: int
    board: tuple[int, ...]


class DealtOut:
    """The rules of a game of hands."""

    num_players = 2

    def __init__(self, game: HandGame) -> None:
        self.game = game
        self.cards = [[set(hand) for hand in held.hands.tolist()] for held in game.ranges]

    def root(self) -> State:
        return State((), 0, ())

    def player(self, state: State) -> int:
        return int(self.game.betting.player[state.node]) if state.hands else CHANCE

    def chance(self, state: State) -> list[tuple[Any, Fraction]]:
        if not state.hands:
            mine, theirs = self.game.ranges
            pairs = {
                (one, other): int(mine.weights[one]) * int(theirs.weights[other])
                for one, first in enumerate(self.cards[0])
                for other, second in enumerate(self.cards[1])
                if not first & second
            }
            total = sum(pairs.values())
            return [(pair, Fraction(of, total)) for pair, of in pairs.items()]
        held = self.cards[0][state.hands[0]] | self.cards[1][state.hands[1]]
        gone = held | set(self.game.board) | set(state.board)
        left = [card for card in range(len(self.game.deck)) if card not in gone]
        return [(card, Fraction(1, len(left))) for card in left]

    def actions(self, state: State) -> list[int]:
        return list(self.game.betting.children(state.node))

    def child(self, state: State, action: Any) -> State:
        if not state.hands:
            return state._replace(hands=action)
        if self.player(state) == CHANCE:
            node = self.game.betting.children(state.node)[0]
            return State(state.hands, node, (*state.board, action))
        return state._replace(node=action)

    def infoset(self, state: State) -> tuple[int, int, int, tuple[int, ...]]:
        player = self.player(state)
        return player, state.node, state.hands[player], state.board

    def payoffs(self, state: State) -> list[Fraction]:
        betting, how = self.game.betting, TIE
        if betting.is_showdown[state.node]:
            cards = np.array([*self.game.board, *state.board], dtype=np.int16)
            mine, theirs = (
                int(self.game.strength(held.hands[number : number + 1], cards)[0])
                for held, number in zip(self.game.ranges, state.hands, strict=True)
            )
            how = WIN if mine > theirs else LOSS if mine < theirs else TIE
        paid = betting.paid[state.node, how].tolist()
        return [Fraction(amount, betting.denominator) for amount in paid]
