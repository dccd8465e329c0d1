"""Seeded random games with perfect recall, for tests and experiments."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from fractions import Fraction
from math import log10
from typing import NamedTuple

from games.parameters import require
from seqform.base.errors import GameTooLargeError, InvalidParameterError
from seqform.base.summary import counted
from seqform.game.catalogue import GameEntry
from seqform.game.least_cost import least_cost
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

PROBED_FROM = 20_000
"""Nodes from which on a level tells how large the game will be."""

MOST = 15_000_000
"""Expected nodes from which a game is refused; such a tree does not fit into 4 GB."""

LATE = 4
"""Levels that tell how the next ones grow."""

ENDS = 0.15
"""Share of the nodes from the third level on at which play ends."""

LARGEST = 10_000
"""Players, and actions at a node."""


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
    nodes: int = 0,
    infoset_nodes: int = 0,
) -> GameTree:
    """Return a random game with perfect recall and exact numbers.

    Nodes of one player with the same own past and equally many actions are put into one information
    set with probability `hidden` each. The player cannot distinguish them, and has perfect recall.

    Parameters
    ----------
    seed
        Equal seeds and parameters give equal games.
    players
        How many there are.
    depth
        Moves of the longest path.
    branching
        The most actions of a node, each of which has at least one.
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
    nodes
        From so many nodes on, all that are open are ends; 0 for no such limit. The tree grows level
        by level, and has a few more.
    infoset_nodes
        Most nodes of an information set; 0 for no limit.

    Raises
    ------
    InvalidParameterError
        If a count is too small, or a share is not from 0 to 1.
    GameTooLargeError
        If so many nodes are to be expected that they will not fit into memory.
    """
    require("players", players, 1, LARGEST)
    require("branching", branching, 1, LARGEST)
    require("depth", depth, 0)
    require("max_payoff", max_payoff, 0)
    require("nodes", nodes, 0)
    require("infoset_nodes", infoset_nodes, 0)
    for name, share in (("chance", chance), ("hidden", hidden)):
        if not 0 <= share <= 1:
            raise InvalidParameterError(f"{name}={share} is a share: use a number from 0 to 1")
    rng = random.Random(seed)
    b = TreeBuilder(players)
    infosets = _Infosets(rng, branching, hidden, infoset_nodes)
    # each player's last own action at each node, which tells all own actions before it
    own = [array("i", [0]) for _ in range(players)]

    def payoffs() -> tuple[int, ...]:
        values = [rng.randint(-max_payoff, max_payoff) for _ in range(players)]
        if zero_sum:
            values[-1] = -sum(values[:-1])
        return tuple(values)

    node, level, next_level, widths = b.root, 0, 1, [1]
    while node < len(own[0]):
        if node == next_level:
            level, next_level = level + 1, len(own[0])
            widths.append(next_level - node)
            if not nodes:
                _check_size(widths, depth, branching)
        is_full = 0 < nodes <= len(own[0])
        kind = TERMINAL if is_full else _kind(rng, level, depth, players, chance)
        if kind == TERMINAL:
            b.terminal(node, payoffs())
        else:
            if rewards and rng.random() < 0.3:
                b.reward(node, payoffs())
            if kind == CHANCE:
                weights = [rng.randint(0 if i else 1, 4) for i in range(rng.randint(1, branching))]
                children = b.chance(
                    node, [(f"c{i}", Fraction(w, sum(weights))) for i, w in enumerate(weights)]
                )
            else:
                infoset = infosets.at(kind, own[kind][node])
                actions = [f"a{i}" for i in range(infoset.num_actions)]
                children = b.decision(node, kind, infoset.label, actions)
            for player, last in enumerate(own):
                last.extend([last[node]] * len(children))
                if player == kind:
                    last[children[0] :] = array("i", infoset.actions)
        node += 1
    return b.freeze()


class _Infoset(NamedTuple):
    """An information set, and the numbers of its actions among all the player's."""

    label: str
    first: int
    num_actions: int

    @property
    def actions(self) -> range:
        return range(self.first, self.first + self.num_actions)


class _Infosets:
    """The information sets there are, by the player and the player's last action before them."""

    def __init__(self, rng: random.Random, branching: int, hidden: float, most: int) -> None:
        self.rng, self.branching, self.hidden, self.most = rng, branching, hidden, most
        self.fitting: dict[tuple[int, int], list[_Infoset]] = {}
        self.sizes: Counter[str] = Counter()
        self.total, self.num_actions = 0, 0

    def at(self, player: int, last: int) -> _Infoset:
        """Return the information set that a node joins, or a new one."""
        fitting = self.fitting.setdefault((player, last), [])
        if fitting and self.rng.random() < self.hidden:
            return self._joined(self.rng.choice(fitting), fitting)
        num_actions = self.rng.randint(1, self.branching)
        fitting.append(_Infoset(f"p{player}h{self.total}", self.num_actions + 1, num_actions))
        self.total += 1
        self.num_actions += num_actions
        return self._joined(fitting[-1], fitting)

    def _joined(self, infoset: _Infoset, fitting: list[_Infoset]) -> _Infoset:
        """Count a node of an information set, which no other fits into once it is full."""
        self.sizes[infoset.label] += 1
        if self.sizes[infoset.label] == self.most:
            fitting.remove(infoset)
        return infoset


def _check_size(widths: list[int], depth: int, branching: int) -> None:
    """Refuse a game that is about to grow too large, going by how wide its levels are so far.

    Levels grow as they do in expectation, or as they did of late if that is less.
    """
    built, level = sum(widths), len(widths) - 1
    if built < PROBED_FROM or level <= LATE:
        return
    expected = (1 - ENDS) * (1 + branching) / 2
    growth = min(log10(expected), log10(widths[-1] / widths[-1 - LATE]) / LATE)
    last = log10(widths[-1]) + growth * (depth - level)
    if last > log10(MOST):
        raise GameTooLargeError(
            f"the random game has {counted(built, 'node')} in {level} of its "
            f"{counted(depth, 'level')}, and about "
            f"10^{last:.1f} are to be expected; {least_cost(last)}; "
            "use a smaller depth or branching, or nodes=100000 to end it there"
        )


def _kind(rng: random.Random, level: int, depth: int, players: int, chance: float) -> int:
    if level >= depth or (level > 1 and rng.random() < ENDS):
        return TERMINAL
    return CHANCE if rng.random() < chance else rng.randrange(players)


RANDOM = GameEntry("random", "A seeded random game with perfect recall", random_game)
