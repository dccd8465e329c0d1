"""Random games of many shapes and scales."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from games.random_games import random_game
from seqform import GameTree, build_tree
from seqform.base.number import Number
from tests.random_signal_games import random_signal_game
from tests.shrinkable_games import copied_game, observable_game
from tests.soak.branches import Branch, branch_of, grow

EDGES = tuple(
    sign * (2**bits + step) for sign in (1, -1) for bits in (53, 63) for step in (-1, 0, 1)
)

SCALES: dict[str, Callable[[random.Random], Number]] = {
    "small integers": lambda rng: rng.randint(-9, 9),
    "integers at the edges of 53 and 63 bits": lambda rng: rng.choice(EDGES),
    "integers of 70 bits": lambda rng: rng.randint(-(2**70), 2**70),
    "fractions": lambda rng: Fraction(rng.randint(-99, 99), rng.randint(1, 99)),
    "floats": lambda rng: rng.uniform(-1, 1),
    "floats of 18 magnitudes": lambda rng: rng.uniform(-1, 1) * 10 ** rng.uniform(-9, 9),
    "tiny floats": lambda rng: rng.uniform(-1, 1) * 1e-9,
    "floats that nearly tie": lambda rng: 1.0 + rng.randint(0, 3) * 2.0**-52,
}

CHANCES: dict[str, Callable[[random.Random], Number] | None] = {
    "as drawn": None,
    "fractions": lambda rng: Fraction(rng.randint(1, 99)),
    "floats": lambda rng: rng.uniform(0.01, 1),
    "floats of 8 magnitudes": lambda rng: 10 ** rng.uniform(-8, 0),
}


@dataclass(frozen=True)
class Drawn:
    """A game, what kind it is, and the rules by which it was made, if it is a signal game."""

    tree: GameTree
    kind: str
    signals: Any = None


def draw(seed: int) -> Drawn:
    """Return a random game; equal seeds give equal games."""
    rng = random.Random(seed)
    shape = rng.choices(list(SHAPES), weights=[6, 2, 2, 3, 3, 2])[0]
    if shape == "signals":
        game = random_signal_game(rng.randrange(10**6))
        return Drawn(build_tree(game), "signal game", game)
    scale, odds = rng.choice(list(SCALES)), rng.choice(list(CHANCES))
    tree = SHAPES[shape](rng)
    zero_sum = shape != "for all"
    root = renumber(branch_of(tree), rng, SCALES[scale], CHANCES[odds], zero_sum)
    return Drawn(grow(root, tree.num_players), f"{shape}, {scale}, chances {odds}")


def _hidden(rng: random.Random, **more: Any) -> GameTree:
    return random_game(
        seed=rng.randrange(10**6),
        depth=rng.randint(0, 7),
        branching=rng.randint(1, 3),
        max_payoff=rng.choice([1, 3, 100]),
        chance=rng.choice([0.0, 0.2, 0.5]),
        rewards=rng.random() < 0.3,
        **{"hidden": rng.choice([0.3, 0.7, 1.0]), **more},
    )


SHAPES: dict[str, Callable[[random.Random], GameTree]] = {
    "hidden": _hidden,
    "copies": lambda rng: copied_game(
        random_game(rng.randrange(10**6), depth=rng.randint(1, 4), max_payoff=1), rng.randrange(99)
    ),
    "deals": lambda rng: observable_game(rng.randrange(10**6), depth=rng.randint(1, 3)),
    "open": lambda rng: _hidden(rng, hidden=0.0),
    "for all": lambda rng: _hidden(rng, hidden=0.0, zero_sum=False, players=rng.randint(1, 4)),
    "signals": lambda rng: build_tree(random_signal_game(rng.randrange(10**6))),
}


def renumber(
    root: Branch,
    rng: random.Random,
    scale: Callable[[random.Random], Number],
    odds: Callable[[random.Random], Number] | None,
    zero_sum: bool,
) -> Branch:
    """Return a branch with other payoffs and chances; what was equal stays equal."""
    payoffs: dict[Any, Any] = {None: None}
    chances: dict[Any, Any] = {(): ()}

    def drawn(count: int) -> tuple[Number, ...]:
        values = [scale(rng) for _ in range(count)]
        return (values[0], -values[0]) if zero_sum else tuple(values)

    def other_odds(count: int) -> tuple[Number, ...]:
        weights = [odds(rng) for _ in range(count)]  # type: ignore[misc]
        return tuple(weight / sum(weights) for weight in weights)

    def change(branch: Branch) -> Branch:
        if branch.paid not in payoffs:
            payoffs[branch.paid] = drawn(len(branch.paid or ()))
        if odds is not None and branch.chances not in chances:
            chances[branch.chances] = other_odds(len(branch.chances))
        return replace(
            branch,
            paid=payoffs[branch.paid],
            chances=branch.chances if odds is None else chances[branch.chances],
        )

    return root.mapped(change)
