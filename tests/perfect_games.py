"""Random games of perfect information, as trees and as rules in which states come again."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from games.random_games import random_game
from seqform.game.rules import CHANCE, TERMINAL


@st.composite
def perfect_trees(
    draw: Any,
    players: tuple[int, ...] = (1, 2, 3),
    zero_sum: tuple[bool, ...] = (True, False),
    chance: tuple[float, ...] = (0.0, 0.3),
    depth: int = 5,
) -> Any:
    return random_game(
        seed=draw(st.integers(0, 10_000)),
        players=draw(st.sampled_from(players)),
        depth=draw(st.integers(0, depth)),
        branching=draw(st.integers(1, 3)),
        zero_sum=draw(st.sampled_from(zero_sum)),
        max_payoff=draw(st.sampled_from([1, 10])),
        chance=draw(st.sampled_from(chance)),
        hidden=0.0,
        rewards=draw(st.booleans()),
    )


class Lattice:
    """A game in which many histories lead to one state: (level, place), with a few places on each
    level.

    `evaluate` and `search_order` are there for searches; the evaluation is far from the truth.
    """

    def __init__(
        self,
        seed: int,
        players: int = 2,
        chance: float = 0.0,
        rewards: bool = True,
        levels: int = 6,
        width: int = 4,
    ) -> None:
        rng = random.Random(seed)
        self.num_players, self.levels = players, levels
        places = [(level, place) for level in range(levels + 1) for place in range(width)]
        self.movers = {
            s: CHANCE if rng.random() < chance else rng.randrange(players) for s in places
        }
        self.ends = {s: s[0] == levels or (s[0] > 1 and rng.random() < 0.15) for s in places}
        self.moves = {s: tuple(rng.sample(range(width), rng.randint(1, width))) for s in places}
        self.paid = {s: self._draw(rng) for s in places}
        self.rewarded = {s for s in places if rewards and rng.random() < 0.3}
        self.estimates = {s: rng.randint(-9, 9) for s in places}

    def _draw(self, rng: random.Random) -> tuple[int, ...]:
        values = [rng.randint(-4, 4) for _ in range(self.num_players)]
        return (values[0], -values[0]) if self.num_players == 2 else tuple(values)

    def root(self) -> Any:
        return 0, 0

    def player(self, state: Any) -> int:
        return TERMINAL if self.ends[state] else self.movers[state]

    def actions(self, state: Any) -> Any:
        return self.moves[state]

    def chance(self, state: Any) -> Any:
        return [(move, Fraction(1, len(self.moves[state]))) for move in self.moves[state]]

    def child(self, state: Any, action: Any) -> Any:
        return state[0] + 1, action

    def infoset(self, state: Any) -> Any:
        return state

    def payoffs(self, state: Any) -> Any:
        return self.paid[state]

    def rewards(self, state: Any) -> Any:
        return self.paid[state] if state in self.rewarded else None

    def search_order(self, state: Any) -> Any:
        return sorted(self.moves[state], key=lambda place: self.estimates[state[0] + 1, place])

    def evaluate(self, state: Any) -> int:
        return self.estimates[state]


class Chain:
    """One player moves `length` times, one way only, and is paid 1; every move pays `step`."""

    num_players = 2

    def __init__(self, length: int, step: int = 0) -> None:
        self.length, self.step = length, step

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return TERMINAL if state == self.length else state % 2

    def actions(self, state: int) -> Any:
        return ("on",)

    def chance(self, state: int) -> Any:
        return ()

    def child(self, state: int, action: Any) -> int:
        return state + 1

    def infoset(self, state: int) -> int:
        return state

    def payoffs(self, state: int) -> Any:
        return (1, -1)

    def rewards(self, state: int) -> Any:
        return (self.step, -self.step)


class Coin:
    """Chance tosses a coin and player 0 says what it shows, seeing it or not; it draws its
    states."""

    num_players, unit = 1, "points"

    def __init__(self, is_seen: bool) -> None:
        self.is_seen = is_seen

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return (CHANCE, 0, TERMINAL)[len(state)]

    def chance(self, state: str) -> list[tuple[str, Fraction]]:
        return [("h", Fraction(1, 3)), ("t", Fraction(2, 3))]

    def actions(self, state: str) -> list[str]:
        return ["h", "t"]

    def child(self, state: str, action: str) -> str:
        return state + action

    def infoset(self, state: str) -> str:
        return state if self.is_seen else "?"

    def payoffs(self, state: str) -> list[int]:
        return [int(state[0] == state[1])]

    def draw(self, state: str) -> str:
        return f"[{state}]"


class TwoCoins(Coin):
    """The same against a player who loses what player 0 wins."""

    num_players = 2

    def payoffs(self, state: str) -> list[int]:
        won = int(state[0] == state[1])
        return [won, -won]
