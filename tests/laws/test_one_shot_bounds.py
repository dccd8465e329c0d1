"""What the one-shot deviation check says is true of the numbers as given: exactly of exact ones,
within its bound of floats. Compared with fractions, on trees at the edges of what floats hold."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from seqform import TreeBuilder
from seqform.concepts.subgame_perfect import SUBGAME_PERFECT
from seqform.game.rules import CHANCE
from seqform.perfect_information import (
    backward_induction,
    backward_induction_tree,
    check_one_shot,
)
from seqform.perfect_information.tree_induction import TreeInduction
from seqform.tree.as_rules import TreeGame
from seqform.tree.tree import GameTree
from tests.float_games import float_game

Choices = Any
EDGES = [2**50, 2**52, 2**53, 2**53 + 1, -(2**53), 2**70, Fraction(2**53, 3), Fraction(1, 2**60)]


def edge_game(seed: int) -> GameTree:
    """Return a tree whose payoffs differ by less than floats of their size can say."""
    rng = random.Random(seed)
    players, base = rng.choice([1, 2, 3]), rng.choice(EDGES)
    b, level = TreeBuilder(players), [0]
    for depth in range(4):
        below = []
        for node in level:
            if depth == 3 or (depth and rng.random() < 0.2):
                b.terminal(node, [base + rng.randint(-3, 3) for _ in range(players)])
                continue
            if depth and rng.random() < 0.3:
                b.reward(node, [rng.choice([1, -1, 0]) * base for _ in range(players)])
            if seed % 2 and rng.random() < 0.3:
                below += b.chance(node, [("a", Fraction(1, 3)), ("b", Fraction(2, 3))])
            else:
                actions = range(rng.choice([1, 2, 3]))
                below += b.decision(node, rng.randrange(players), (depth, node), actions)
        level = below
    return b.freeze()


def in_fractions(tree: GameTree, best_child: Choices) -> tuple[list[Fraction], Fraction]:
    """Return what choices pay, and the most that anybody gains by another one."""
    values: list[list[Fraction]] = [[]] * tree.num_nodes
    largest = Fraction(0)
    for node in reversed(range(tree.num_nodes)):
        row = tree.payoffs[tree.payoff[node]] if tree.payoff[node] >= 0 else [0] * tree.num_players
        paid, children, mover = list(map(Fraction, row)), tree.children(node), tree.player[node]
        weights = {int(best_child[node]): Fraction(1)}
        if mover == CHANCE:
            weights = {c: Fraction(tree.probabilities[tree.probability[c]]) for c in children}
        elif children:
            best = max(values[child][mover] for child in children)
            largest = max(largest, best - values[int(best_child[node])][mover])
        for child in children:
            weight = weights.get(child, Fraction(0))
            paid = [a + weight * u for a, u in zip(paid, values[child], strict=True)]
        values[node] = paid
    return values[0], largest


def perturbed(tree: GameTree, best_child: Choices, seed: int) -> Choices:
    """Return other choices at some decisions."""
    rng, choices = random.Random(seed), best_child.copy()
    for node in np.flatnonzero(tree.player >= 0).tolist():
        if rng.random() < 0.3:
            choices[node] = rng.choice(tree.children(node))
    return choices


def test_exact_games_are_compared_exactly() -> None:
    for seed in range(120):
        tree = edge_game(seed)
        found = backward_induction_tree(tree)
        assert in_fractions(tree, found.best_child)[1] == check_one_shot(tree, found).gap == 0
        rules = backward_induction(TreeGame(tree))
        assert check_one_shot(TreeGame(tree), rules).gap == 0
        choices = perturbed(tree, found.best_child, seed)
        certificate = check_one_shot(tree, TreeInduction(found.values, choices))
        value, gain = in_fractions(tree, choices)
        assert (list(certificate.value), certificate.largest_gain) == (value, gain)


def test_games_of_floats_have_a_bound() -> None:
    for seed in range(120):
        tree = float_game(seed, players=1 + seed % 3, zero_sum=seed % 3 == 1, hidden=False)
        found = backward_induction_tree(tree)
        for choices in (found.best_child, perturbed(tree, found.best_child, seed)):
            certificate = check_one_shot(tree, TreeInduction(found.values, choices))
            value, gain = in_fractions(tree, choices)
            assert Fraction(certificate.gap) >= gain
            for computed, true in zip(certificate.value, value, strict=True):
                assert abs(Fraction(computed) - true) <= Fraction(certificate.rounding)


@pytest.mark.parametrize("gain", [Fraction(1, 10**400), 2**53 + 1, Fraction(1, 3)])
def test_a_gain_is_never_rounded_down(gain: Any) -> None:
    b = TreeBuilder(1)
    worse, better = b.decision(b.root, 0, "h", ["worse", "better"])
    b.terminal(worse, [0])
    rare, often = b.chance(
        better, [("rare", Fraction(1, 10**200)), ("often", 1 - Fraction(1, 10**200))]
    )
    small = gain < 1e-300
    b.terminal(rare, [gain * 10**200 if small else gain])
    b.terminal(often, [0 if small else gain])
    tree = b.freeze()
    found = backward_induction_tree(tree)
    worst = TreeInduction(found.values, np.where(found.best_child >= 0, 1, -1))
    assert Fraction(SUBGAME_PERFECT.certify(tree, worst).gap) >= gain
