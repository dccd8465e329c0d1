"""Counterfactual regret minimization by walking histories: slow, obvious, and written from the
papers, not from the engines."""

from __future__ import annotations

from collections import defaultdict
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.tree.tree import GameTree

Numbers = list[float]


class PlainCFR:
    """A two-player zero-sum tree and, by information set, regrets, newest regrets and sums of
    strategies.

    In iteration t player 0 learns against player 1's strategy, then player 1 against what player 0
    plays now (or, without alternating, what it played before). Learning: old regrets are
    discounted, then the new ones are added; CFR+ forgets what is negative after that. The strategy
    that a player used, before it learned, enters its average.
    """

    def __init__(self, tree: GameTree, rule: RegretRule) -> None:
        self.tree, self.rule, self.t, self.weight = tree, rule, 0, 0.0
        sizes = dict(enumerate(tree.infoset_num_actions.tolist()))
        self.regret: dict[int, Numbers] = {h: [0.0] * n for h, n in sizes.items()}
        self.newest: dict[int, Numbers] = {h: [0.0] * n for h, n in sizes.items()}
        self.sums: dict[int, Numbers] = {h: [0.0] * n for h, n in sizes.items()}

    def strategy(self, infoset: int) -> Numbers:
        """Match regrets, or what they would be next if the newest ones came again."""
        regrets, trust = self.regret[infoset], self.rule.prediction
        if trust:
            regrets = [
                self.kept(r, self.t + 1) + trust * n
                for r, n in zip(regrets, self.newest[infoset], strict=True)
            ]
        positive = [max(r, 0.0) for r in regrets]
        total = sum(positive)
        return [p / total for p in positive] if total > 0 else [1 / len(positive)] * len(positive)

    def kept(self, regret: float, t: int) -> float:
        """Return what iteration t keeps of a regret."""
        share = min(t / self.rule.horizon, 1.0)
        exponent = (
            self.rule.alpha + self.rule.drift[0] * share
            if regret > 0
            else self.rule.beta + self.rule.drift[1] * share
        )
        return regret * discount(t - 1, exponent)

    def iterate(self) -> None:
        """Let both players learn once."""
        strategies = {h: self.strategy(h) for h in self.regret}
        self.t += 1
        rule, share = self.rule, min(self.t / self.rule.horizon, 1.0)
        exponent = rule.gamma + (rule.drift[2] if share == 1 else 0)
        self.newest_weight = max(
            (self.t / rule.horizon) ** exponent * exp(rule.drift[2] * (share - 1)), 1e-30
        )
        for player in (0, 1):
            new: dict[int, Numbers] = defaultdict(list)
            own_reach: dict[int, float] = {}
            self.walk(0, player, strategies, 1.0, 1.0, new, own_reach)
            for infoset, regrets in new.items():
                self.learn(infoset, regrets, strategies[infoset], own_reach[infoset])
            if self.rule.alternating:
                strategies |= {h: self.strategy(h) for h in new}
        self.weight += self.newest_weight

    def walk(
        self,
        node: int,
        player: int,
        strategies: dict[int, Numbers],
        own: float,
        others: float,
        new: dict[int, Numbers],
        own_reach: Any,
    ) -> float:
        """Return what a history is worth to the player, and collect counterfactual regrets below
        it."""
        tree = self.tree
        here = float(tree.payoffs[tree.payoff[node]][player]) if tree.payoff[node] >= 0 else 0.0
        children = tree.children(node)
        if tree.player[node] == CHANCE:
            chances = [float(tree.probabilities[tree.probability[child]]) for child in children]
            below = [
                self.walk(c, player, strategies, own, others * p, new, own_reach)
                for c, p in zip(children, chances, strict=True)
            ]
            return here + sum(p * v for p, v in zip(chances, below, strict=True))
        if not children:
            return here
        infoset = int(tree.infoset[node])
        mix = strategies[infoset]
        mine = tree.player[node] == player
        below = [
            self.walk(
                c,
                player,
                strategies,
                own * (p if mine else 1.0),
                others * (1.0 if mine else p),
                new,
                own_reach,
            )
            for c, p in zip(children, mix, strict=True)
        ]
        worth = sum(p * v for p, v in zip(mix, below, strict=True))
        if mine:
            before = new.get(infoset) or [0.0] * len(mix)
            new[infoset] = [r + others * (v - worth) for r, v in zip(before, below, strict=True)]
            own_reach[infoset] = own
        return here + worth

    def learn(self, infoset: int, new: Numbers, used: Numbers, reach: float) -> None:
        """Average the strategy that was used, discount the regrets so far, add the new ones."""
        rule, old = self.rule, self.regret[infoset]
        for a, p in enumerate(used):
            self.sums[infoset][a] += self.newest_weight * reach * p
            kept = self.kept(old[a], self.t) + new[a]
            self.regret[infoset][a] = max(kept, 0.0) if rule.beta == float("-inf") else kept
        self.newest[infoset] = new

    def plans(self, form: SequenceForm) -> tuple[NDArray[np.float64], ...]:
        """Return the average plans by the numbers of the sequence form of the same tree."""
        plans = []
        for treeplex, infosets in zip(form.treeplexes, form.tree_infosets, strict=True):
            sums = [total / self.weight for h in infosets.tolist() for total in self.sums[h]]
            plans.append(np.array([1.0, *sums]))
            assert len(plans[-1]) == treeplex.num_sequences
        return tuple(plans)


def discount(t: int, exponent: float) -> float:
    """Return ``t ** exponent / (t ** exponent + 1)``; for infinite exponents its limit. At t = 0
    there is nothing to discount."""
    if exponent == float("inf") or t == 0:
        return 1.0
    if exponent == float("-inf"):
        return 0.0
    return float(t**exponent / (t**exponent + 1))
