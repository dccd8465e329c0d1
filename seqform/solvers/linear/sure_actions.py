"""Actions of a zero-sum game's tree that are worse than another one whatever happens afterwards.

Below every edge there is a least and a greatest payoff. If at each node of an information set an
action pays at most so much, and another one at each node at least as much, the first is dominated:
what the two pay is a mean over these nodes and over what is below them, with the same weights of
the nodes. It is left out, and the bounds above it move, round after round. In liar's dice nobody
who can see that a bid is wrong makes another one, and nobody doubts a bid that is sure to be right.

That is a small part of what the reduction `dominated` finds (docs/explanation/dominated-actions.md,
whose Theorem 1 says that an equilibrium without these actions is one with them). But it takes one
pass over the tree for each round.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Index, Mask
from seqform.base.deadline import check_time
from seqform.form.sequence_form import SequenceForm
from seqform.tree.tree import GameTree

Integers = NDArray[np.int64]

LARGEST = 2**62
"""Payoffs over their common denominator, along any path, for which int64 is large enough."""


def sequences_worth_playing(form: SequenceForm) -> tuple[Mask, Mask]:
    """Return which sequences of both players do not end with an action that is surely no better.

    Some action of every information set is kept. Where the form has no tree, or payoffs that are
    not exact, all are.
    """
    tree = form.tree
    payoffs = None if tree is None else _integer_payoffs(tree)
    if tree is None or payoffs is None:
        first, second = (np.ones(t.num_sequences, dtype=np.bool_) for t in form.treeplexes)
        return first, second
    kept = _Elimination(tree, payoffs).kept()
    starts = np.cumsum(tree.infoset_num_actions) - tree.infoset_num_actions
    masks = []
    for treeplex, numbers in zip(form.treeplexes, form.tree_infosets, strict=True):
        within = np.arange(1, treeplex.num_sequences)
        within -= np.repeat(treeplex.first_sequence[:-1], treeplex.num_actions)
        actions = np.repeat(starts[numbers], treeplex.num_actions) + within
        masks.append(np.append(True, kept[actions]))
    return masks[0], masks[1]


def _integer_payoffs(tree: GameTree) -> Integers | None:
    """Return player 0's payoff on arriving at each node, times a common denominator.

    None if payoffs are floats, or too large for int64.
    """
    if not tree.is_exact:
        return None
    table = [Fraction(row[0]) for row in tree.payoffs]
    common = lcm(*(value.denominator for value in table))
    numbers = [int(value * common) for value in table]
    if max(map(abs, numbers), default=0) * (tree.depth + 1) >= LARGEST:
        return None
    return np.array([*numbers, 0], dtype=np.int64)[tree.payoff]


class _Elimination:
    """Rounds of leaving out actions; those of all information sets are numbered one by one.

    Parameters
    ----------
    tree
        The game.
    payoffs
        int64 (num_nodes,): player 0's, on arriving at each node.
    """

    def __init__(self, tree: GameTree, payoffs: Integers) -> None:
        self.tree, self.payoffs = tree, payoffs
        self.counts = tree.infoset_num_actions.astype(np.int64)
        self.starts = np.cumsum(self.counts) - self.counts
        self.owner = np.repeat(np.arange(len(self.counts)), self.counts)
        self.edges = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
        before = tree.parent[self.edges]
        self.actions = self.starts[tree.infoset[before]] + self.edges - tree.first_child[before]
        self.sign = np.where(tree.player[before] == 0, 1, -1)
        self.families = list(_families(tree))

    def kept(self) -> Mask:
        """Return which actions are left when no more are dominated."""
        kept = np.ones(len(self.owner), dtype=np.bool_)
        while True:
            check_time("leaving out actions that are surely worse")
            worse = self._worse(kept)
            if not worse.any():
                return kept
            kept &= ~worse

    def _worse(self, kept: Mask) -> Mask:
        """Return which of the actions that are kept are dominated by another one of them."""
        possible = np.ones(self.tree.num_nodes, dtype=np.bool_)
        possible[self.edges] = kept[self.actions]
        least, most = self._bounds(possible)
        for level in self.tree.levels():
            possible[level] &= possible[self.tree.parent[level]]
        seen = possible[self.edges]
        actions, edges, sign = self.actions[seen], self.edges[seen], self.sign[seen]
        low = np.full(len(kept), LARGEST)
        high = -low
        np.minimum.at(low, actions, np.where(sign > 0, least[edges], -most[edges]))
        np.maximum.at(high, actions, np.where(sign > 0, most[edges], -least[edges]))
        alive = np.zeros(len(kept), dtype=np.bool_)
        alive[actions] = True
        return self._below_best(low, high, alive)

    def _below_best(self, low: Integers, high: Integers, alive: Mask) -> Mask:
        """Return which actions pay at most what the one with the greatest least payoff does."""
        low = np.where(alive, low, -LARGEST)
        order = np.lexsort((np.arange(len(low)), -low, self.owner))
        best = order[self.starts]  # of equals the first
        alive &= np.arange(len(low)) != best[self.owner]
        worse: Mask = alive & (high <= low[best][self.owner])
        return worse

    def _bounds(self, possible: Mask) -> tuple[Integers, Integers]:
        """Return the least and the greatest payoff from each node on."""
        least, most = self.payoffs.copy(), self.payoffs.copy()
        for inner, below, starts in reversed(self.families):
            left = possible[below]
            least[inner] += np.minimum.reduceat(np.where(left, least[below], LARGEST), starts)
            most[inner] += np.maximum.reduceat(np.where(left, most[below], -LARGEST), starts)
        return least, most


def _families(tree: GameTree) -> Iterator[tuple[Index, slice, Index]]:
    """Yield for each level the nodes that have children, where these are, and where each's are."""
    for level in [slice(0, 1), *tree.levels()]:
        parents = np.flatnonzero(tree.num_children[level]) + level.start
        if len(parents):
            inner = parents[np.argsort(tree.first_child[parents], kind="stable")]
            first, last = tree.first_child[inner], inner[-1]
            below = slice(int(first[0]), int(tree.first_child[last] + tree.num_children[last]))
            yield inner, below, first - below.start
