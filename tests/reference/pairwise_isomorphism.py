"""GameShrink on signal trees as the textbook has it: observations compared in pairs, with perfect
matchings and disjoint sets.

Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
Sections 3 to 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.cluster.hierarchy import DisjointSet
from scipy.sparse.csgraph import maximum_bipartite_matching

from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import EVERYONE

Observation = tuple[int, ...]


def has_perfect_matching(
    left: Sequence[Any], right: Sequence[Any], alike: Callable[[Any, Any], bool]
) -> bool:
    """Tell whether all of `left` can be paired with all of `right` so that pairs are alike."""
    if len(left) != len(right):
        return False
    if not left:
        return True
    edges = sp.csr_array(np.array([[int(alike(a, b)) for b in right] for a in left]))
    return bool((maximum_bipartite_matching(edges, perm_type="column") >= 0).all())


class SignalTree:
    """One player's filtered signal tree: what it has seen, stage by stage, with copies of a card
    told apart."""

    def __init__(self, game: Any, player: int) -> None:
        self.game, self.player = game, player
        self.cards = [card for card, copies in enumerate(game.deck.copies) for _ in range(copies)]
        self.recipients: list[int] = []
        self.stages: list[int] = []
        self.outcomes: list[tuple[Hashable, int]] = []
        self._walk(game.root(), [])
        self.stages.sort()
        self.deals = [list(self._deal(stage)) for stage in self.stages]
        self.nodes = [sorted({self.seen(deal) for deal in deals}) for deals in self.deals]
        self.payoffs = [self._payoffs(stage) for stage in range(len(self.stages))]

    def _walk(self, state: Any, recipients: list[int]) -> None:
        player = self.game.player(state)
        if len(recipients) > len(self.recipients):
            self.recipients = recipients
        if player == CHANCE:
            self._walk(self.game.child(state, None), [*recipients, self.game.recipient(state)])
            return
        if len(recipients) not in self.stages:
            self.stages.append(len(recipients))
        if player == TERMINAL:
            if (end := (self.game.outcome(state), len(recipients))) not in self.outcomes:
                self.outcomes.append(end)
            return
        for action in self.game.actions(state):
            self._walk(self.game.child(state, action), recipients)

    def _deal(self, signals: int, dealt: Observation = ()) -> Iterator[Observation]:
        if signals == 0:
            yield dealt
            return
        for card in range(len(self.cards)):
            if self.game.deck.replacement or card not in dealt:
                yield from self._deal(signals - 1, (*dealt, card))

    def seen(self, deal: Observation) -> Observation:
        return tuple(
            card
            for card, who in zip(deal, self.recipients, strict=False)
            if who in (self.player, EVERYONE)
        )

    def _payoffs(self, stage: int) -> dict[Observation, Counter[Any]]:
        """Count how often each node wins, ties and loses, against everything else that may have
        been dealt."""
        found: dict[Observation, Counter[Any]] = {node: Counter() for node in self.nodes[stage]}
        signals = np.array(
            [[self.cards[card] for card in deal] for deal in self.deals[stage]], dtype=np.int32
        )
        for outcome, at in self.outcomes:
            if at == self.stages[stage]:
                paid = self.game.payoffs(outcome, signals.reshape(len(self.deals[stage]), at))[
                    :, 0
                ].tolist()
                for deal, payoff in zip(self.deals[stage], paid, strict=True):
                    found[self.seen(deal)][outcome, payoff] += 1
        return found

    def parent(self, stage: int, node: Observation) -> Observation:
        return node[: len(self.seen(tuple(range(self.stages[stage - 1]))))]

    def children(self, stage: int, node: Observation) -> list[Observation]:
        if stage + 1 == len(self.stages):
            return []
        return [child for child in self.nodes[stage + 1] if self.parent(stage + 1, child) == node]


def shrink_signals(game: Any, player: int) -> list[dict[Observation, int]]:
    """Return, for each stage, the class of each of the player's nodes."""
    tree = SignalTree(game, player)
    alike = DisjointSet([(stage, node) for stage, nodes in enumerate(tree.nodes) for node in nodes])
    histogram: dict[tuple[int, Observation], Counter[Any]] = {}
    for stage in reversed(range(len(tree.stages))):
        below = {node: tree.children(stage, node) for node in tree.nodes[stage]}
        for node in tree.nodes[stage]:
            paid = {(stage, *key): count for key, count in tree.payoffs[stage][node].items()}
            histogram[stage, node] = sum(
                (histogram[stage + 1, child] for child in below[node]), Counter(paid)
            )
        for a, b in combinations(tree.nodes[stage], 2):
            if (
                histogram[stage, a] != histogram[stage, b]
                or tree.payoffs[stage][a] != tree.payoffs[stage][b]
            ):
                continue
            if has_perfect_matching(
                below[a], below[b], lambda x, y, s=stage + 1: alike.connected((s, x), (s, y))
            ):  # type: ignore[misc]
                alike.merge((stage, a), (stage, b))
    classes: list[dict[Observation, int]] = []
    for stage, nodes in enumerate(tree.nodes):
        numbers: dict[Hashable, int] = {}
        above = [classes[-1][tree.parent(stage, node)] if stage else 0 for node in nodes]
        keys = [(parent, alike[stage, node]) for parent, node in zip(above, nodes, strict=True)]
        classes.append(
            {
                node: numbers.setdefault(key, len(numbers))
                for node, key in zip(nodes, keys, strict=True)
            }
        )
    return classes
