"""How large a betting tree is, counted state by state: lines that meet in a state are counted once.

What comes after a state depends on the state only, so all lines that lead there after equally many
moves are gone through together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from games.no_limit_rules import NoLimitRules
from games.no_limit_spot import Spot
from seqform.base.deadline import check_time
from seqform.base.errors import GameTooLargeError
from seqform.game.betting_tree import BettingTree

MOST_STATES = 200_000
"""Public states that are gone through at most, which takes some seconds."""

MOST_PUBLIC_NODES = 500_000
"""Nodes of a betting tree that is built."""

SMALLER = "leave out sizes of bets and raises, say a cap, or have small ones merged (merge=0.1)"

Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class PublicCounts:
    """A betting tree in numbers, by how many cards were dealt.

    Parameters
    ----------
    nodes
        Nodes of every kind: where somebody acts, deals, ends.
    deciding, actions
        For each player: nodes where the player acts, and actions there, all together.
    """

    nodes: tuple[int, ...]
    deciding: tuple[Pair, ...]
    actions: tuple[Pair, ...]

    @property
    def num_nodes(self) -> int:
        """Nodes of the public tree, in which a deal has one child."""
        return sum(self.nodes)


def count_public(rules: NoLimitRules) -> PublicCounts:
    """Return how large the tree of some rules is, without building it.

    Raises
    ------
    GameTooLargeError
        If it has more than `MOST_STATES` states.

    Examples
    --------
    >>> count_public(NoLimitRules(200, 900, "bet 50%,100%,a; raise 50%,100%,a"))
    PublicCounts(nodes=(93,), deciding=((16, 16),), actions=((46, 46),))
    """
    nodes = [0] * rules.streets
    deciding, actions = ([[0, 0] for _ in nodes] for _ in range(2))
    layer, seen = {rules.root(): 1}, 0
    while layer:
        check_time("counting a betting tree")
        seen += len(layer)
        if seen > MOST_STATES:
            raise GameTooLargeError(
                f"the betting tree has more than {MOST_STATES:,} public states; {SMALLER}"
            )
        below: dict[Spot, int] = {}
        for spot, lines in layer.items():
            children = rules.children(spot)
            nodes[spot.dealt] += lines
            if not spot.next_is:
                deciding[spot.dealt][spot.actor] += lines
                actions[spot.dealt][spot.actor] += lines * len(children)
            for child in children.values():
                below[child] = below.get(child, 0) + lines
        layer = below
    return PublicCounts(tuple(nodes), _pairs(deciding), _pairs(actions))


def counts_of(tree: BettingTree) -> PublicCounts:
    """Return how large a tree is."""
    levels = tree.num_dealt + 1
    deciding, actions = np.zeros((2, levels, 2), dtype=np.int64)
    acting = tree.player >= 0
    where = tree.dealt[acting], tree.player[acting]
    np.add.at(deciding, where, 1)
    np.add.at(actions, where, tree.num_children[acting])
    nodes = np.bincount(tree.dealt, minlength=levels)
    return PublicCounts(tuple(nodes.tolist()), _pairs(deciding.tolist()), _pairs(actions.tolist()))


def _pairs(of: list[list[int]]) -> tuple[Pair, ...]:
    return tuple((first, second) for first, second in of)


def require_buildable(rules: NoLimitRules) -> None:
    """Validate that a public tree is not too large to be built.

    Raises
    ------
    GameTooLargeError
        If it has more than `MOST_PUBLIC_NODES` nodes.
    """
    count = count_public(rules).num_nodes
    if count > MOST_PUBLIC_NODES:
        raise GameTooLargeError(
            f"the betting tree has {count:,} nodes before any card is dealt, more than the limit "
            f"of {MOST_PUBLIC_NODES:,}; {SMALLER}"
        )
