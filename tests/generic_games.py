"""Games whose payoffs are drawn so that no two actions are worth the same, where correct programs
cannot part ways by rounding."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np

from seqform.tree.tree import GameTree
from tests.random_signal_games import Public, RandomSignalGame


def generic_tree(tree: GameTree, seed: int) -> GameTree:
    """Return a two-player tree with random payoffs that sum to zero."""
    values = np.random.default_rng(seed).uniform(-1, 1, len(tree.payoffs)).tolist()
    return replace(tree, payoffs=tuple((u, -u) for u in values))


def generic_signal_game(game: RandomSignalGame, seed: int) -> RandomSignalGame:
    """Return the game with other stakes and payoffs: integers with three digits."""
    rng = random.Random(seed)

    def other(node: Public) -> Public:
        return replace(
            node, children=tuple(map(other, node.children)), stake=rng.randint(-999, 999)
        )

    table = np.array([rng.randint(-999, 999) for _ in range(7)], dtype=np.int32)
    weights = {
        end: np.array([rng.randint(0, 6) for _ in range(4)], dtype=np.int32) for end in game.weights
    }
    return replace(game, tree=other(game.tree), table=table, weights=weights)


class GenericStakes:
    """A signal game with other stakes: each end of the betting has one drawn for it, near its
    own."""

    def __init__(self, game: Any, seed: int) -> None:
        self.game, self.rng, self.drawn = game, random.Random(seed), {}  # type: ignore[var-annotated]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def stake(self, state: Any) -> int:
        if state not in self.drawn:
            self.drawn[state] = int(1000 * self.game.stake(state)) + self.rng.randint(-300, 300)
        return self.drawn[state]  # type: ignore[no-any-return]
