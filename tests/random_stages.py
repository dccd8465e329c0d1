"""Small random recursive games: stages are random trees, whose leaves end play or lead on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from games.random_games import random_game
from seqform.game.recursive import End, Leaf, Next


@dataclass(frozen=True)
class RandomRecursive:
    """A recursive game whose leaves and seats are drawn.

    Parameters
    ----------
    on
        How likely a leaf leads on.
    alike
        Whether all stages are one tree, with other leads.
    """

    seed: int
    players: int = 3
    count: int = 2
    on: float = 0.5
    alike: bool = False
    endless: tuple[Fraction, ...] = ()
    zero_sum: bool = False

    pays_chips = True

    @property
    def num_players(self) -> int:
        return self.players

    def start(self) -> int:
        return 0

    @cached_property
    def trees(self) -> list[Any]:
        kinds = [
            random_game(
                seed=self.seed + 1000 * kind, players=self.players, depth=4, branching=2, chance=0.3
            )
            for kind in range(1 if self.alike else self.count)
        ]
        return kinds * (self.count if self.alike else 1)

    def stage(self, key: int) -> Any:
        return self.trees[key]

    def leads_to(self, key: int, leaf: Leaf) -> Next | End:
        rng = random.Random(f"{self.seed} {key} {leaf.at}")
        if rng.random() < self.on:
            seats = list(range(self.players))
            rng.shuffle(seats)
            return Next(rng.randrange(self.count), tuple(seats))
        paid = [Fraction(rng.randint(-9, 9)) for _ in range(self.players)]
        if self.zero_sum:
            paid[-1] = -sum(paid[:-1], Fraction(0))
        return End(tuple(paid))


def endless(seed: int, players: int, equal: bool) -> tuple[Fraction, ...]:
    """Return what endless play pays: all alike, or each something else."""
    rng = random.Random(seed)
    first = Fraction(rng.randint(-9, 9), 2)
    return tuple(first if equal else Fraction(rng.randint(-9, 9), 2) for _ in range(players))
