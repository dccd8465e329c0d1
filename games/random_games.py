"""Seeded random games with perfect recall, for tests and experiments."""

from __future__ import annotations

import random
from fractions import Fraction

from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

LARGEST = 10_000
"""Players, and actions at a node."""

OwnHistory = tuple[tuple[object, int], ...]


def random_game(
    seed: int = 0,
    players: int = 2,
    depth: int = 5,
    branching: int = 3,
    zero_sum: bool = True,
    max_payoff: int = 10,
    chance: float = 0.2,
    hidden: float = 0.7,
    rewards: bool = False,
) -> GameTree:
    """Return a random game with perfect recall and exact numbers.

    Nodes of one player with the same own past and equally many actions are put into one information
    set with probability `hidden` each. The player cannot distinguish them, and has perfect recall.

    Parameters
    ----------
    seed
        Equal seeds and parameters give equal games.
    players, depth, branching
        Players; longest path; most actions at a node (at least one).
    zero_sum
        Whether payoffs add up to zero; else they are independent.
    max_payoff
        Payoffs are integers from ``-max_payoff`` to ``max_payoff``.
    chance
        Share of inner nodes at which chance moves.
    hidden
        Share of decision nodes that join an information set already there, where one fits.
    rewards
        Whether some inner nodes pay too.

    Raises
    ------
    InvalidParameterError
        If a count is too small, or a share is not from 0 to 1.
    """
    require("players", players, 1, LARGEST)
    require("branching", branching, 1, LARGEST)
    require("depth", depth, 0)
    require("max_payoff", max_payoff, 0)
    for name, share in (("chance", chance), ("hidden", hidden)):
        if not 0 <= share <= 1:
            raise InvalidParameterError(f"{name}={share} is a share: use a number from 0 to 1")
    rng = random.Random(seed)
    b = TreeBuilder(players)
    known: dict[tuple[int, OwnHistory], list[tuple[object, int]]] = {}
    queue: list[tuple[int, int, tuple[OwnHistory, ...]]] = [(b.root, 0, ((),) * players)]

    def payoffs() -> tuple[int, ...]:
        values = [rng.randint(-max_payoff, max_payoff) for _ in range(players)]
        if zero_sum:
            values[-1] = -sum(values[:-1])
        return tuple(values)

    for node, level, histories in queue:
        kind = _kind(rng, level, depth, players, chance)
        if kind == TERMINAL:
            b.terminal(node, payoffs())
            continue
        if rewards and rng.random() < 0.3:
            b.reward(node, payoffs())
        if kind == CHANCE:
            weights = [rng.randint(0 if i else 1, 4) for i in range(rng.randint(1, branching))]
            children = b.chance(
                node, [(f"c{i}", Fraction(w, sum(weights))) for i, w in enumerate(weights)]
            )
            queue += [(child, level + 1, histories) for child in children]
            continue
        infoset, num_actions = _infoset(rng, known, kind, histories[kind], branching, hidden)
        for i, child in enumerate(
            b.decision(node, kind, infoset, [f"a{i}" for i in range(num_actions)])
        ):
            longer = (*histories[kind], (infoset, i))
            queue.append((child, level + 1, (*histories[:kind], longer, *histories[kind + 1 :])))
    return b.freeze()


def _kind(rng: random.Random, level: int, depth: int, players: int, chance: float) -> int:
    if level >= depth or (level > 1 and rng.random() < 0.15):
        return TERMINAL
    return CHANCE if rng.random() < chance else rng.randrange(players)


def _infoset(
    rng: random.Random,
    known: dict[tuple[int, OwnHistory], list[tuple[object, int]]],
    player: int,
    history: OwnHistory,
    branching: int,
    hidden: float,
) -> tuple[object, int]:
    """Return the information set that a node joins, or a new one, and its number of actions."""
    fitting = known.setdefault((player, history), [])
    if fitting and rng.random() < hidden:
        return rng.choice(fitting)
    total = sum(map(len, known.values()))
    fitting.append((f"p{player}h{total}", rng.randint(1, branching)))
    return fitting[-1]


RANDOM = GameEntry("random", "A seeded random game with perfect recall", random_game)
