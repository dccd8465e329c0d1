"""Edges of what is proven of recursive games: large weights, small sums, claims that are not so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from seqform import TreeBuilder
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.graph import stage_graph
from seqform.recursive.proof import prove
from seqform.recursive.stationary import StationaryProfile
from tests.random_recursive_games import TableGame
from tests.reference.stationary_deviations import best_deviation, in_fractions


def many_choices(actions: int, share: Fraction) -> Any:
    """Return a game in which both choose, and chance says then whether it has been in vain."""
    builder = TreeBuilder(2)
    for node in builder.decision(builder.root, 0, "a", list(range(actions))):
        for after in builder.decision(node, 1, "b", list(range(actions))):
            for end in builder.chance(after, [("vain", share), ("well", 1 - share)]):
                builder.terminal(end, [0, 0])
    return builder.freeze()


@pytest.mark.parametrize("bits", [30, 53, 58, 59, 60, 61, 62, 63, 64, 90])
@pytest.mark.parametrize("actions", [2, 3, 4, 8])
def test_chances_of_any_denominator_are_added_up_exactly(bits: int, actions: int) -> None:
    def leads(key: int, leaf: Leaf) -> Any:
        first, second, luck = leaf.at  # type: ignore[misc]
        return Next(0, (1, 0)) if luck == "vain" else End((int(first == second), 1))

    tree = many_choices(actions, Fraction((1 << bits - 1) + 1, (1 << bits) - 3))
    graph = stage_graph(TableGame({0: tree}, leads))
    rng = np.random.default_rng(bits)
    behaviors = [
        t.to_behavior(rng.random(t.num_sequences)) for t in graph.stages[0].form.treeplexes
    ]
    proof = prove(StationaryProfile(graph, (tuple(behaviors),)))
    against = graph.meetings(0, 0).exactly_against(proof.plans[0], 2**44)
    total = against.of_plan(proof.plans[0][0].astype(object), len(graph.stages[0].leads)).sum()
    assert Fraction(int(total), against.denominator * 2**44) == 1
    best = best_deviation(graph, in_fractions(proof.plans))
    for seat in range(2):
        assert 0 <= proof.upper[0][seat] - best[0, seat] < Fraction(1, 10**9)
