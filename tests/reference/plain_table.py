"""Limit poker for any number of players as plain rules: every question replays the hand.

Nothing is shared with `games/limit_betting.py`, which is compared with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, NamedTuple

from seqform.game.rules import CHANCE, TERMINAL

Strength = Callable[[int, list[int]], Any]


class Hand(NamedTuple):
    """What a replay finds: who has put in how much, who is in, who waits for a turn."""

    paid: list[int]
    inside: list[int]
    waiting: list[int]
    round: int
    raises: int
    over: bool
    cards_due: int


class PlainTable:
    """A state is a tuple of events: a card (int) or a move (str)."""

    def __init__(
        self,
        players: int,
        deck: list[int],
        strength: Strength,
        ante: int,
        bets: tuple[int, ...],
        max_bets: int,
    ) -> None:
        self.num_players, self.deck, self.strength = players, deck, strength
        self.ante, self.bets, self.max_bets = ante, bets, max_bets
        self.replayed: Any = None

    def root(self) -> tuple[Any, ...]:
        return ()

    def replay(self, state: tuple[Any, ...]) -> Hand:
        if self.replayed != state:  # questions about a state are asked one after the other
            self.replayed, self.hand = state, self._replay(state)
        return self.hand

    def _replay(self, state: tuple[Any, ...]) -> Hand:
        paid = [self.ante] * self.num_players
        inside = list(range(self.num_players))
        number, raises, due = 0, 0, self.num_players
        waiting = list(inside)
        for event in state:
            if isinstance(event, int):
                due -= 1
                continue
            who = waiting.pop(0)
            if event == "fold":
                inside.remove(who)
                if len(inside) == 1:
                    return Hand(paid, inside, [], number, raises, True, 0)
            else:
                paid[who] = max(paid)
            if event in ("bet", "raise"):
                paid[who] += self.bets[number]
                raises += 1
                seats = [(who + step) % self.num_players for step in range(1, self.num_players)]
                waiting = [seat for seat in seats if seat in inside]
            if not waiting:
                if number + 1 == len(self.bets):
                    return Hand(paid, inside, [], number, raises, True, 0)
                number, raises, due, waiting = number + 1, 0, 1, list(inside)
        return Hand(paid, inside, waiting, number, raises, False, due)

    def player(self, state: tuple[Any, ...]) -> int:
        hand = self.replay(state)
        if hand.over:
            return TERMINAL
        return CHANCE if hand.cards_due else hand.waiting[0]

    def chance(self, state: tuple[Any, ...]) -> list[tuple[int, Fraction]]:
        left = list(self.deck)
        for event in state:
            if isinstance(event, int):
                left.remove(event)
        return [(card, Fraction(left.count(card), len(left))) for card in sorted(set(left))]

    def actions(self, state: tuple[Any, ...]) -> list[str]:
        hand = self.replay(state)
        facing = hand.paid[hand.waiting[0]] < max(hand.paid)
        some = ["fold", "call"] if facing else ["check"]
        return some + ["raise" if facing else "bet"] * (hand.raises < self.max_bets)

    def child(self, state: tuple[Any, ...], action: Hashable) -> tuple[Any, ...]:
        return (*state, action)

    def infoset(self, state: tuple[Any, ...]) -> Hashable:
        mine, dealt = self.player(state), 0
        seen: list[Any] = []
        for event in state:
            if isinstance(event, int):
                if dealt >= self.num_players or dealt == mine:
                    seen.append(event)
                dealt += 1
            else:
                seen.append(event)
        return tuple(seen)

    def payoffs(self, state: tuple[Any, ...]) -> list[Fraction]:
        hand = self.replay(state)
        cards = [event for event in state if isinstance(event, int)]
        table = cards[self.num_players :]
        best = hand.inside
        if len(best) > 1:
            strengths = {who: self.strength(cards[who], table) for who in best}
            best = [who for who in best if strengths[who] == max(strengths.values())]
        share = Fraction(sum(hand.paid), len(best))
        return [share * (who in best) - paid for who, paid in enumerate(hand.paid)]


def leduc_strength(card: int, table: list[int], suits: int) -> tuple[bool, int]:
    """Return whether the card pairs the one on the table, and its rank."""
    return card // suits == table[0] // suits, card // suits


def rhode_island_strength(card: int, table: list[int], ranks: int, suits: int) -> Any:
    """Return what compares as hands of three cards do."""
    cards = [card, *table]
    counts = Counter(held // suits for held in cards)
    by_count = sorted(((times, rank) for rank, times in counts.items()), reverse=True)
    flush = len({held % suits for held in cards}) == 1
    held = sorted(counts)
    runs = [sorted({(start + step) % ranks for step in range(3)}) for start in range(-1, ranks - 2)]
    straight = runs.index(held) if len(held) == 3 and held in runs else -1
    if straight >= 0:
        return (5 if flush else 3, straight)
    if by_count[0][0] == 3:
        return (4, by_count)
    if flush:
        return (2, by_count)
    return (1 if by_count[0][0] == 2 else 0, by_count)
