"""Where a player's lines of betting stand on a board: one row a line, street by street.

A *line* is a player's last own action. A vector over the player's sequences on a board of d cards
is one array (num_rows, num_hands). First come the lines that were ended before the last of these
cards was dealt, and that play goes on from. Then come the actions of the public nodes on the
street, those with equally many own moves before them side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index, Ints
from seqform.game.betting_tree import BettingTree

NO_LINE = -1
"""The line of a player who has not acted yet, as `BettingTree.last_own` calls it."""


class Group(NamedTuple):
    """A player's public nodes on a street, none below another, with equally many actions."""

    nodes: tuple[int, ...]
    num_actions: int
    rows: slice
    """Those of the actions, node by node."""
    above: Index
    """int64 (num_nodes,): the row of the line that leads to each node."""
    passes: tuple[slice, ...]
    """Nodes of which no two follow the same line."""

    @property
    def shape(self) -> tuple[int, int]:
        """How the rows are seen as a table of nodes and actions."""
        return len(self.nodes), self.num_actions


class Street(NamedTuple):
    """The rows of a player on boards with a number of cards."""

    dealt: int
    num_open: int
    """Rows of lines that were ended on streets before; of the first street the empty sequence's."""
    num_rows: int
    groups: tuple[Group, ...]
    """In the order of play."""
    row: dict[int, int]
    """The row of each line."""
    up: Index
    """int64 (num_open,): the row on the street before of each line that was ended there or earlier;
    nothing on the first street."""


def streets_of(betting: BettingTree, player: int) -> tuple[Street, ...]:
    """Return a player's rows on each street, by cards dealt."""
    line = betting.last_own(player)
    moves = _moves(betting, player, line)
    found: list[Street] = []
    for dealt in range(betting.num_dealt + 1):
        is_open = (betting.dealt >= dealt) & ((line == NO_LINE) | (betting.dealt[line] < dealt))
        lines = np.unique(line[is_open]).tolist() if dealt else [NO_LINE]
        up = [found[-1].row[one] for one in lines] if dealt else []
        row = {one: place for place, one in enumerate(lines)}
        nodes = np.flatnonzero((betting.player == player) & (betting.dealt == dealt))
        groups = tuple(_groups(betting, nodes.tolist(), line, moves, row))
        num_open, num_rows = len(lines), len(row)
        found.append(Street(dealt, num_open, num_rows, groups, row, np.array(up, dtype=np.int64)))
    return tuple(found)


def _moves(betting: BettingTree, player: int, line: Ints) -> list[int]:
    """Return how many own moves a player has made before each node."""
    moves = [0] * betting.num_nodes
    for node in range(1, betting.num_nodes):
        parent = int(betting.parent[node])
        moves[node] = moves[parent] + (betting.player[parent] == player)
    return moves


def _groups(
    betting: BettingTree, nodes: list[int], line: Ints, moves: list[int], row: dict[int, int]
) -> list[Group]:
    """Return the groups of nodes, and give their actions rows."""
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node in nodes:
        alike[moves[node], int(betting.num_children[node])].append(node)
    found = []
    for (_, num_actions), members in sorted(alike.items()):
        order, passes = passes_of(line[members].tolist())
        ordered, first = [members[place] for place in order], len(row)
        for node in ordered:
            for child in betting.children(node):
                row[child] = len(row)
        above = np.array([row[int(line[node])] for node in ordered], dtype=np.int64)
        found.append(Group(tuple(ordered), num_actions, slice(first, len(row)), above, passes))
    return found


def passes_of(above: Sequence[int]) -> tuple[list[int], tuple[slice, ...]]:
    """Order things by what they are added to, so that a few passes suffice.

    Returns
    -------
    order, passes
        The places of the things in a new order, and slices of it: no two things of one pass are
        added to the same.
    """
    turns: dict[int, int] = defaultdict(int)
    passes: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(above):
        passes[turns[one]].append(place)
        turns[one] += 1
    order = [place for turn in sorted(passes) for place in passes[turn]]
    ends = np.cumsum([len(passes[turn]) for turn in sorted(passes)]).tolist()
    return order, tuple(slice(a, b) for a, b in zip([0, *ends], ends, strict=False))
