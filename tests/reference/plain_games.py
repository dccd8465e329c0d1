"""Kuhn, Leduc and liar's dice as plain rules over states: nothing shared with the signal games they
are compared with."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from seqform.game.rules import CHANCE, TERMINAL

State = tuple[Any, ...]


class PlainLeduc:
    """State: (cards dealt, actions of round 1, actions of round 2). With one round it is
    Kuhn-like."""

    num_players, ante = 2, 1

    def __init__(self, deck: list[int], bets: tuple[int, ...], max_bets: int) -> None:
        self.deck, self.bets, self.max_bets = deck, bets, max_bets

    def root(self) -> State:
        return ((),) + ("",) * len(self.bets)

    def round(self, state: State) -> int:
        """Return the round in which somebody must act, or -1 if the hand is over or a card is
        due."""
        for number, line in enumerate(state[1:]):
            if line.endswith("f"):
                return -1
            if not (line.endswith("c") or line.endswith("kk")):
                return number
        return -1

    def player(self, state: State) -> int:
        cards, lines = state[0], state[1:]
        if any(line.endswith("f") for line in lines):
            return TERMINAL
        number = self.round(state)
        if number < 0:
            return TERMINAL
        if len(cards) < 2 + number:
            return CHANCE
        return len(lines[number]) % 2

    def chance(self, state: State) -> list[tuple[int, Fraction]]:
        left = list(self.deck)
        for card in state[0]:
            left.remove(card)
        return [(card, Fraction(left.count(card), len(left))) for card in sorted(set(left))]

    def actions(self, state: State) -> str:
        line = state[1 + self.round(state)]
        raises = line.count("b") + line.count("r")
        facing = bool(line) and line[-1] in "br"
        more = raises < self.max_bets
        if facing:
            return "fcr" if more else "fc"
        return "kb" if more else "k"

    def child(self, state: State, action: object) -> State:
        if self.player(state) == CHANCE:
            return ((*state[0], action), *state[1:])
        number = self.round(state)
        lines = list(state[1:])
        lines[number] += str(action)
        return (state[0], *lines)

    def infoset(self, state: State) -> Hashable:
        player = self.player(state)
        return (player, state[0][player], state[0][2:], state[1:])

    def paid(self, state: State) -> list[int]:
        paid = [self.ante, self.ante]
        for number, line in enumerate(state[1:]):
            for turn, action in enumerate(line):
                if action == "c":
                    paid[turn % 2] = max(paid)
                elif action in "br":
                    paid[turn % 2] = max(paid) + self.bets[number]
        return paid

    def strength(self, cards: tuple[int, ...], player: int) -> tuple[Any, ...]:
        rank = cards[player] // 10
        return (len(cards) > 2 and rank == cards[2] // 10, rank)

    def payoffs(self, state: State) -> tuple[int, int]:
        paid = self.paid(state)
        for line in state[1:]:
            if line.endswith("f"):
                folder = (len(line) - 1) % 2
                return (-paid[0], paid[0]) if folder == 0 else (paid[1], -paid[1])
        mine, theirs = self.strength(state[0], 0), self.strength(state[0], 1)
        stake = min(paid) * ((mine > theirs) - (mine < theirs))
        return stake, -stake


def plain_kuhn(cards: int = 3) -> PlainLeduc:
    """Cards are 10 * rank."""
    return PlainLeduc([10 * rank for rank in range(cards)], (1,), 1)


def plain_leduc(ranks: int, suits: int, merge: bool, max_bets: int = 2) -> PlainLeduc:
    """Cards are 10 * rank + suit, or 10 * rank where suits are merged."""
    return PlainLeduc(
        [10 * rank + (0 if merge else suit) for rank in range(ranks) for suit in range(suits)],
        (2, 4),
        max_bets,
    )


class PlainRhodeIsland(PlainLeduc):
    """Three rounds; cards are 10 * rank + suit."""

    ante = 5

    def __init__(self, ranks: int, suits: int, max_bets: int) -> None:
        super().__init__(
            [10 * rank + suit for rank in range(ranks) for suit in range(suits)],
            (10, 20, 20),
            max_bets,
        )
        self.ranks = ranks

    def strength(self, cards: tuple[int, ...], player: int) -> tuple[Any, ...]:
        return hand_strength([divmod(card, 10) for card in (cards[player], *cards[2:])], self.ranks)


HANDS = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush"]


def hand_strength(hand: list[tuple[int, int]], ranks: int) -> tuple[int, tuple[int, ...]]:
    """Return how good a hand of three cards (rank, suit) is: the place of its name in HANDS, then
    what decides between equals."""
    names = ["high card"]
    descending = sorted((rank for rank, _ in hand), reverse=True)
    # By their highest cards, the lowest first.
    straights = [[2, 1, 0]] if ranks == 3 else [[1, 0, ranks - 1]] if ranks > 3 else []
    straights += [[low + 2, low + 1, low] for low in range(ranks - 2) if ranks > 3]
    tops = [sorted(straight) for straight in straights]
    decides = descending
    if any(descending.count(rank) == 2 for rank in descending):
        names.append("pair")
        decides = sorted(descending, key=lambda rank: (descending.count(rank), rank), reverse=True)
    if len({suit for _, suit in hand}) == 1:
        names.append("flush")
    if sorted(descending) in tops:
        names.append("straight")
        decides = [tops.index(sorted(descending))]
        if "flush" in names:
            names.append("straight flush")
    if len(set(descending)) == 1:
        names.append("three of a kind")
    return max(map(HANDS.index, names)), tuple(decides)


class PlainLiarsDice:
    """State: (rolls, bids); a bid is (quantity, face), and None is the call."""

    num_players = 2

    def __init__(self, sides: int) -> None:
        self.sides = sides

    def root(self) -> State:
        return ((), ())

    def player(self, state: State) -> int:
        rolls, bids = state
        if len(rolls) < 2:
            return CHANCE
        return TERMINAL if bids and bids[-1] is None else len(bids) % 2

    def chance(self, state: State) -> list[tuple[int, Fraction]]:
        return [(face, Fraction(1, self.sides)) for face in range(1, self.sides + 1)]

    def actions(self, state: State) -> list[Any]:
        bids = state[1]
        higher = [
            (q, f)
            for q in (1, 2)
            for f in range(1, self.sides + 1)
            if not bids or (q, f) > bids[-1]
        ]
        return [*higher, None] if bids else higher

    def child(self, state: State, action: Any) -> State:
        rolls, bids = state
        return ((*rolls, action), bids) if len(rolls) < 2 else (rolls, (*bids, action))

    def infoset(self, state: State) -> Hashable:
        player = self.player(state)
        return player, state[0][player], state[1]

    def payoffs(self, state: State) -> tuple[int, int]:
        rolls, bids = state
        quantity, face = bids[-2]
        caller = (len(bids) - 1) % 2
        true = sum(roll in (face, self.sides) for roll in rolls) >= quantity
        winner = 1 - caller if true else caller
        return (1, -1) if winner == 0 else (-1, 1)
