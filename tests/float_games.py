"""Random games of floats of all sizes, and what is true of them in fractions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from games.random_games import random_game
from seqform import TreeBuilder
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree
from tests.reference.exact_values import best_value

Entries = dict[tuple[int, ...], list[Fraction]]


def float_game(seed: int, players: int = 2, zero_sum: bool = True, hidden: bool = True) -> GameTree:
    """Return a random game whose probabilities and payoffs are floats of wildly different sizes.

    Some payoffs nearly cancel others, and chance's probabilities add up to 1 but for rounding.
    """
    rng = random.Random(seed)
    tree = random_game(
        seed,
        players,
        depth=rng.randint(1, 5),
        zero_sum=zero_sum,
        chance=rng.choice([0.2, 0.5, 0.8]),
        hidden=rng.choice([0.7, 1.0]) if hidden else 0.0,
        rewards=rng.random() < 0.3,
    )
    payoffs = _Payoffs(rng, players, zero_sum)
    spread = rng.choice([0, 3, 20, 120])
    b = TreeBuilder(players)
    stack = [(0, b.root)]
    while stack:
        old, new = stack.pop()
        mover, children = int(tree.player[old]), tree.children(old)
        if mover == TERMINAL:
            b.terminal(new, payoffs.row(ends=True))
            continue
        if tree.payoff[old] >= 0:
            b.reward(new, payoffs.row())
        if mover == CHANCE:
            weights = [10 ** rng.uniform(-spread, 0) for _ in children]
            total = sum(weights)
            made = b.chance(new, [(i, weight / total) for i, weight in enumerate(weights)])
        else:
            made = b.decision(new, mover, int(tree.infoset[old]), range(len(children)))
        stack += zip(children, made, strict=True)
    return b.freeze()


class _Payoffs:
    """Draws payoffs between 10**-size and 10**size; some are others' negatives, up to a factor."""

    def __init__(self, rng: random.Random, players: int, zero_sum: bool) -> None:
        self.rng, self.players, self.zero_sum = rng, players, zero_sum
        self.size = rng.choice([0, 2, 9, 30, 150, 290])
        self.constant = rng.choice([0.0, 0.0, 1.0, 0.1, 1e9])
        self.drawn = [1.0]

    def row(self, ends: bool = False) -> tuple[float, ...]:
        if self.zero_sum and self.players == 2:
            payoff = self._payoff()
            return payoff, (self.constant if ends else 0.0) - payoff
        return tuple(self._payoff() for _ in range(self.players))

    def _payoff(self) -> float:
        rng = self.rng
        if rng.random() < 0.3:
            return max(-1e299, min(1e299, -rng.choice(self.drawn) / rng.choice([1, 3, 7, 0.7])))
        self.drawn.append(rng.choice([-1, 1]) * 10 ** rng.uniform(-self.size, self.size))
        return self.drawn[-1]


def exact_plans(treeplexes: Sequence[Treeplex], profile: Profile) -> list[list[Fraction]]:
    """Return the plans of a profile, its probabilities made to sum to 1 exactly."""
    plans = []
    for treeplex, behavior in zip(treeplexes, profile.behaviors, strict=True):
        plan = [Fraction(1)] * treeplex.num_sequences
        for h in range(treeplex.num_infosets):
            first, stop = (int(s) for s in treeplex.first_sequence[h : h + 2])
            shares = [Fraction(float(p)) for p in behavior[first:stop]]
            above = plan[int(treeplex.parent_sequence[h])] / sum(shares)
            plan[first:stop] = [above * share for share in shares]
        plans.append(plan)
    return plans


def exact_best(
    treeplexes: Sequence[Treeplex],
    entries: Entries,
    plans: Sequence[Sequence[Fraction]],
    player: int,
    paid: int | None = None,
) -> Fraction:
    """Return the most that `player` can get against the others' plans.

    `paid` is whose payoffs are counted; -1 counts player 0's, negated.
    """
    column, sign = (0, -1) if paid == -1 else (player if paid is None else paid, 1)
    gains = [Fraction(0)] * treeplexes[player].num_sequences
    for key, row in entries.items():
        weight = sign * row[column]
        for other, s in enumerate(key):
            weight *= 1 if other == player else plans[other][s]
        gains[key[player]] += weight
    return best_value(treeplexes[player], gains)


def exact_value(entries: Entries, plans: Sequence[Sequence[Fraction]], player: int) -> Fraction:
    """Return what a player gets."""
    total = Fraction(0)
    for key, row in entries.items():
        weight = row[player]
        for other, s in enumerate(key):
            weight *= plans[other][s]
        total += weight
    return total


def merged_entries(entries: Entries, images: Sequence[Any]) -> Entries:
    """Add up the entries whose sequences have the same images."""
    merged: Entries = {}
    for key, row in entries.items():
        place = tuple(int(image[s]) for image, s in zip(images, key, strict=True))
        sums = merged.setdefault(place, [Fraction(0)] * len(row))
        merged[place] = [a + b for a, b in zip(sums, row, strict=True)]
    return merged


def wild_profile(form: SequenceForm, seed: int) -> Profile:
    """Return a random profile with probabilities of all sizes, some of them 0."""
    rng = np.random.default_rng(seed)
    power = rng.choice([0.0, 2.0, 20.0, 150.0])
    behaviors = []
    for treeplex in form.treeplexes:
        weights = 10 ** rng.uniform(-power, 0, treeplex.num_sequences)
        behaviors.append(treeplex.to_behavior(weights * (rng.random(len(weights)) < 0.7)))
    return Profile.from_behaviors(form.treeplexes, behaviors)


FLOATS = """
from seqform import TreeBuilder
def game():
    b = TreeBuilder(2)
    b.terminal(b.root, (0.5, -0.5))
    return b.freeze()
"""
