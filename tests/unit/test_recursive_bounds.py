"""Edges of what is proven of recursive games: large weights, small sums, claims that are not so."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from seqform import TreeBuilder, matrix_game
from seqform.base.errors import InvalidGameError
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.proof import prove_stationary
from seqform.recursive.stage_form import StageForm, check_chances, outcome_stage, stage_form
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
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
    proof = prove_stationary(StationaryProfile(graph, (tuple(behaviors),)))
    against = graph.meetings(0, 0).exactly_against(proof.plans[0], 2**44)
    total = against.of_plan(proof.plans[0][0].astype(object), len(graph.stages[0].leads)).sum()
    assert Fraction(int(total), against.denominator * 2**44) == 1
    best = best_deviation(graph, in_fractions(proof.plans))
    for seat in range(2):
        assert 0 <= proof.upper[0][seat] - best[0, seat] < Fraction(1, 10**9)


def two_outcomes(weights: Any = (1, 2, 0, 3), denominator: int = 3) -> StageForm:
    """Return a stage of outcomes: seat 0 chooses, and then chance says who has won."""
    form = stage_form(matrix_game([[0], [0]]))
    places = np.array([[1, 2], [1, 1]])
    won, lost = np.array(weights[:2]), np.array(weights[2:])
    outcomes = [("won", places, won), ("lost", places[:, ::-1], lost)]
    return outcome_stage(form.treeplexes, form.origin, outcomes, denominator)


def test_chances_of_outcomes_that_add_up_are_taken() -> None:
    form = two_outcomes((1, 2, 1, 2))
    assert form.num_entries == 4
    assert stage_form(form) is form
    for kind in (np.int8, np.uint64, object):
        assert two_outcomes(np.array([1, 2, 1, 2], dtype=kind)).weights.dtype == np.int64
    large = 2**80
    form = two_outcomes(np.array([1, large - 1, 1, large - 1], dtype=object), large)
    assert form.weights.tolist() == [1, large - 1, 1, large - 1]


@pytest.mark.parametrize(
    ("weights", "denominator"),
    [
        ((1, 2, 0, 3), 3),
        ((1, 2, 1, 1), 3),
        ((4, 2, 1, -1), 3),
        ((1, 2, 1, 2), 4),
        ((0, 0, 0, 0), 0),
        ((-1, -2, -1, -2), -3),
        ((0.5, 0.25, 0.75, 0.5), 1),
        (np.array([1 + 2**61 - 1, 2, 1, 2], dtype=object), 3),
        (np.array([2**61 - 1 + 1, 2, 1, 2], dtype=np.uint64), 3),
        (np.array([1, 2, 1, 2 * (2**61 - 1) + 2], dtype=object), 3),
    ],
)
def test_chances_of_outcomes_that_do_not_add_up_are_refused(weights: Any, denominator: int) -> None:
    with pytest.raises(InvalidGameError, match=r"R4: (the )?chances of"):
        two_outcomes(weights, denominator)


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": np.array([1, 2, 1, 1])},
        {"weights": np.array([1, 2, 1, 2], dtype=np.int32)},
        {"weights": np.array([1.0, 2, 1, 2])},
        {"weights": np.array([1, 2, 1, np.int64(2)], dtype=object)},
        {"places": np.array([[1, 2, -1, 1], [1, 1, 1, 1]])},
        {"places": np.array([[1, 2, 3, 1], [1, 1, 1, 1]])},
        {"places": np.array([[1, 2, 2, 1]])},
        {"leaf": np.array([0, 0, 1, 2])},
        {"leaf": np.array([0, 0, -1, 1])},
        {"leaf": np.array([0, 0, 1])},
        {"denominator": 6},
    ],
)
def test_a_stage_made_by_hand_is_looked_at(changes: dict[str, Any]) -> None:
    form = replace(two_outcomes((1, 2, 1, 2)), **changes)
    with pytest.raises(InvalidGameError, match="R4"):
        check_chances(form)
    game = TableGame({"hand": form}, lambda key, leaf: End((1, 0)), first="hand")
    with pytest.raises(InvalidGameError, match="stage 'hand': R4"):
        stage_graph(game)
