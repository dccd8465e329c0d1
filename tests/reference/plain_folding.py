"""Folding and sure actions by their definitions: slow, and without hashing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from seqform.form.treeplex import Treeplex
from seqform.tree.tree import GameTree


class PlainFolding:
    """What follows each sequence of a treeplex, written out as nested values.

    `infosets` and `sequences` hold what follows at each, None where it is left out or forced.
    """

    def __init__(self, treeplex: Treeplex, payoffs: Any, kept: Any) -> None:
        self.treeplex = treeplex
        self.rows = [Counter(_entries(row)) for row in payoffs.toarray().tolist()]
        self.after: list[list[int]] = [[] for _ in range(treeplex.num_sequences)]
        self.kept = kept
        for infoset, parent in enumerate(treeplex.parent_sequence.tolist()):
            self.after[parent].append(infoset)
        self.infosets: list[Any] = [None] * treeplex.num_infosets
        self.follow(0)

    def follow(self, sequence: int) -> tuple[Counter[int], Counter[Any]]:
        """Return what a sequence pays, forced moves included, and the choices that follow it."""
        row, choices = Counter(self.rows[sequence]), Counter[Any]()
        for infoset in self.after[sequence]:
            first = int(self.treeplex.first_sequence[infoset])
            actions = range(first, int(self.treeplex.first_sequence[infoset + 1]))
            found = [self.follow(action) for action in actions if self.kept[action]]
            different = {_frozen(pays, then): (pays, then) for pays, then in found}
            if len(different) == 1:
                ((pays, then),) = different.values()
                row.update(pays)
                choices.update(then)
            else:
                self.infosets[infoset] = frozenset(different)
                choices[self.infosets[infoset]] += 1
        return row, choices

    @property
    def num_kept(self) -> int:
        """Sequences that have to be told apart, the empty one included."""
        return 1 + sum(len(actions) for actions in {*self.infosets} - {None})


def _entries(row: list[int]) -> dict[int, int]:
    return {column: value for column, value in enumerate(row) if value}


def _frozen(pays: Counter[int], then: Counter[Any]) -> tuple[Any, Any]:
    return frozenset((c, v) for c, v in pays.items() if v), frozenset(then.items())


def surely_worse(tree: GameTree) -> set[tuple[int, int]]:
    """Return the actions, as (information set, place), that are left out round after round."""
    gone: set[tuple[int, int]] = set()
    while True:
        found: dict[int, list[Any]] = {}
        _visit(tree, 0, gone, found)
        worse = set()
        for infoset, actions in found.items():
            sign = 1 if tree.infoset_player[infoset] == 0 else -1
            ranges = {
                place: sorted((sign * min(low), sign * max(high)))
                for place, (low, high) in enumerate(actions)
                if low
            }
            best = max(ranges, key=lambda place: (ranges[place][0], -place))
            worse |= {
                (infoset, place)
                for place, (_, most) in ranges.items()
                if place != best and most <= ranges[best][0]
            }
        if not worse:
            return gone
        gone |= worse


def _visit(
    tree: GameTree, node: int, gone: set[tuple[int, int]], found: dict[int, list[Any]]
) -> tuple[Any, Any]:
    """Return the least and the greatest payoff of player 0 from a node on."""
    here = tree.payoffs[tree.payoff[node]][0] if tree.payoff[node] >= 0 else 0
    ends, infoset = [], int(tree.infoset[node])
    for place, child in enumerate(tree.children(node)):
        if (infoset, place) in gone:
            continue
        ends.append(_visit(tree, child, gone, found))
        if infoset >= 0:
            actions = found.setdefault(infoset, [([], []) for _ in tree.children(node)])
            actions[place][0].append(ends[-1][0])
            actions[place][1].append(ends[-1][1])
    if not ends:
        return here, here
    return here + min(low for low, _ in ends), here + max(high for _, high in ends)


def kept_actions(tree: GameTree, infosets: Any, gone: set[tuple[int, int]]) -> Any:
    """Return for a player's sequences whether they are kept, bool (num_sequences,)."""
    kept = [True]
    for infoset in infosets.tolist():
        num = int(tree.infoset_num_actions[infoset])
        kept += [(infoset, place) not in gone for place in range(num)]
    return np.array(kept)
