"""Random signal games, and the small poker games that many tests go through."""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abstraction.equal_rows import combine
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.limit_poker import LimitPoker
from games.rhode_island import rhode_island
from seqform.game.deals import Deck
from seqform.game.observations import Classes, SignalStructure
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE

POKER = {
    "kuhn": kuhn(),
    "kuhn, 4 cards": kuhn(4),
    "leduc": leduc(),
    "leduc, suits merged": leduc(merge_suits=True),
    "leduc, 5 ranks": leduc(5),
    "leduc, 4 ranks, 3 suits merged": leduc(4, 3, merge_suits=True),
    "rhode island, 2x2, 2 bets": rhode_island(2, 2, 2),
    "rhode island, 2x3": rhode_island(2, 3, 1),
    "rhode island, 3x2": rhode_island(3, 2, 1),
    "rhode island, 3x3": rhode_island(3, 3, 1),
    "rhode island, 4x2": rhode_island(4, 2, 1),
    "rhode island, 3x2, 2 bets": rhode_island(3, 2, 2),
    "liar's dice, 2 dice of 2 sides": liars_dice(2, 2),
}
LARGE = ("rhode island, 3x3", "rhode island, 4x2", "rhode island, 3x2, 2 bets")
POKER_BY_SIZE = [pytest.param(name, marks=[pytest.mark.long] * (name in LARGE)) for name in POKER]
"""Names of all, for laws that look at whole trees: large ones are for `make test-long`."""


@dataclass(frozen=True)
class Public:
    """A node of the public tree: who moves, what follows each action, and at the end an outcome and
    a stake."""

    player: int
    children: tuple[Public, ...] = ()
    dealt: int = 0
    end: str = ""
    stake: Any = 0


@dataclass(frozen=True, eq=False)
class RandomSignalGame:
    """A signal game whose states are the nodes of a tree; payoffs at stake 1 are looked up by a
    weighted sum of signals."""

    deck: Deck
    tree: Public
    recipients: tuple[int, ...]
    weights: dict[str, NDArray[np.int32]]
    table: NDArray[np.int32]
    num_players: int = 2
    unit: str = "points"

    def root(self) -> Public:
        return self.tree

    def player(self, state: Public) -> int:
        return state.player

    def recipient(self, state: Public) -> int:
        return self.recipients[state.dealt]

    def actions(self, state: Public) -> tuple[Hashable, ...]:
        return tuple("abc"[: len(state.children)])

    def child(self, state: Public, action: Any) -> Public:
        return state.children[0 if action is None else "abc".index(action)]

    def outcome(self, state: Public) -> str:
        return state.end

    def stake(self, state: Public) -> Any:
        return state.stake

    def payoffs(self, outcome: str, signals: NDArray[np.int32]) -> NDArray[np.int32]:
        index = (signals * self.weights[outcome][: signals.shape[1]]).sum(axis=1) % len(self.table)
        return np.column_stack([self.table[index], -self.table[index]])


def random_signal_game(seed: int) -> RandomSignalGame:
    """Return a small game: at most 4 signals from a deck of up to 3 cards, some with copies, or of
    dice."""
    rng = random.Random(seed)
    replacement = rng.random() < 0.25
    copies = tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 3)))
    deck = Deck(tuple("xyz"[: len(copies)]), copies, replacement)
    most = rng.randint(0, 3 if replacement else min(4, deck.size))
    weights = {
        end: np.array([rng.randint(0, 2) for _ in range(4)], dtype=np.int32) for end in ("u", "v")
    }
    table = np.array([rng.randint(-2, 2) for _ in range(rng.randint(1, 5))], dtype=np.int32)
    recipients = tuple(rng.choice([0, 1, EVERYONE]) for _ in range(most))
    return RandomSignalGame(
        deck, _public(rng, rng.randint(0, 5), most, 0), recipients, weights, table
    )


def _public(rng: random.Random, depth: int, most: int, dealt: int) -> Public:
    if dealt < most and rng.random() < (0.7 if dealt < 2 else 0.3):
        return Public(CHANCE, (_public(rng, depth, most, dealt + 1),), dealt)
    if depth == 0 or rng.random() < 0.15:
        return Public(
            TERMINAL,
            dealt=dealt,
            end=rng.choice("uv"),
            stake=rng.choice([0, 1, -1, 2, Fraction(1, 2), Fraction(-2, 3)]),
        )
    children = tuple(
        _public(rng, rng.randint(0, depth - 1), most, dealt) for _ in range(rng.randint(1, 3))
    )
    return Public(rng.randrange(2), children, dealt)


def random_classes(structure: SignalStructure, seed: int) -> Classes:
    """Merge observations at random that came from one class."""
    rng = np.random.default_rng(seed)
    kinds = int(rng.integers(1, 6))
    found = []
    for player in (0, 1):
        above = np.zeros(structure.num_observations(player, 0), dtype=np.int64)
        stages = [combine(above, rng.integers(0, kinds, len(above)))]
        for stage in range(1, structure.num_stages):
            above = stages[-1][structure.earlier(player, stage)]
            stages.append(combine(above, rng.integers(0, kinds, len(above))))
        found.append(tuple(stages))
    return (found[0], found[1])


class Marked(LimitPoker):
    """Poker in which one deal pays something of its own at the showdown."""

    marked: Any = None

    def payoffs(self, outcome: str, signals: Any) -> Any:
        paid = np.array(super().payoffs(outcome, signals))
        if len(self.marked) == signals.shape[1] and outcome == "showdown":
            paid[(signals == self.marked).all(axis=1)] = (7, -7)
        return paid


def marked(ranks: int, suits: int, deal: tuple[int, ...]) -> Any:
    game: Any = rhode_island(ranks, suits, 1)
    fields = {name: getattr(game, name) for name in type(game).__dataclass_fields__}
    made: Any = Marked(**fields)
    object.__setattr__(made, "marked", np.array(deal))
    return made


SMALL = ("rhode-island", "-p", "ranks=4", "-p", "suits=2", "-p", "max_bets=1")
