"""What lies below a public node of a betting tree, street by street, as it is gone through.

On a street the nodes that play can come to are rows. Those that players decide at are in groups:
equally deep, of one player, and with equally many actions, so that a group is gone through at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.game.betting_tree import BettingTree
from seqform.game.rules import CHANCE, TERMINAL


class Decisions(NamedTuple):
    """Nodes at which a player decides, none below another."""

    player: int
    nodes: tuple[int, ...]
    rows: Index
    """int64 (num_nodes,)."""
    children: Index
    """int64 (num_nodes, num_actions): the rows that actions lead to."""


class Outline(NamedTuple):
    """The rows of a street below where play comes in; the first are the nodes that it comes in at.

    Parameters
    ----------
    dealt
        Cards that lie face up, beside those that were known.
    row
        The row of each node.
    groups
        In the order of play.
    folds, showdowns, deals
        The rows of ends and of nodes after which a card is dealt: int64.
    ends
        The public nodes of folds and showdowns, in that order: int64.
    """

    dealt: int
    row: dict[int, int]
    groups: tuple[Decisions, ...]
    folds: Index
    showdowns: Index
    deals: Index
    ends: tuple[Index, Index]


def outlines(betting: BettingTree, node: int) -> tuple[Outline, ...]:
    """Return what lies below a node: its street, and those that follow up to the last card.

    A street that no play comes to any more has no rows.
    """
    found, starts = [], [node]
    for dealt in range(int(betting.dealt[node]), betting.num_dealt + 1):
        found.append(_outline(betting, dealt, starts))
        nodes = np.array(list(found[-1].row), dtype=np.int64)
        starts = [int(betting.first_child[deal]) for deal in nodes[found[-1].deals].tolist()]
    return tuple(found)


def _outline(betting: BettingTree, dealt: int, starts: Sequence[int]) -> Outline:
    """Return the outline of a street."""
    row, kinds = dict[int, int](), defaultdict[str, list[int]](list)
    groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    level, depth = list(starts), 0
    while level:
        row |= {node: len(row) + place for place, node in enumerate(level)}
        below = []
        for node in level:
            player, count = int(betting.player[node]), int(betting.num_children[node])
            if player == TERMINAL:
                kinds["fold" if betting.is_fold[node] else "show"].append(node)
            elif player == CHANCE:
                kinds["deal"].append(node)
            else:
                groups[depth, player, count].append(node)
                below += list(betting.children(node))
        level, depth = below, depth + 1
    decisions = [_decisions(betting, row, of[1], nodes) for of, nodes in sorted(groups.items())]
    folds, showdowns = (np.array(kinds[of], dtype=np.int64) for of in ("fold", "show"))
    folded, shown, deals = (_rows(row, kinds[of]) for of in ("fold", "show", "deal"))
    return Outline(dealt, row, tuple(decisions), folded, shown, deals, (folds, showdowns))


def _decisions(
    betting: BettingTree, row: dict[int, int], player: int, nodes: Sequence[int]
) -> Decisions:
    children = [_rows(row, list(betting.children(node))) for node in nodes]
    return Decisions(player, tuple(nodes), _rows(row, nodes), np.stack(children))


def _rows(row: dict[int, int], nodes: Sequence[int]) -> Index:
    return np.array([row[node] for node in nodes], dtype=np.int64)
