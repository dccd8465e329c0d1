"""Deviations in random recursive games, against all pure ones, each solved in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from seqform.recursive.bound import Case
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import prove_stationary
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from tests.random_recursive_games import random_recursive_game
from tests.reference.stationary_deviations import (
    best_deviation,
    count_deviations,
    in_fractions,
    own_worth,
    positions,
)
from tests.strategies import seeds

MOST = 60
"""Deviations that are tried."""


@st.composite
def graphs(draw: Any, players: int = 2, **options: Any) -> StageGraph:
    graph = stage_graph(
        random_recursive_game(
            draw(seeds),
            players=players,
            stages=draw(st.integers(1, 2)),
            depth=draw(st.integers(1, 3)),
            alike=draw(st.booleans()),
            going_on=draw(st.sampled_from([0.3, 0.7, 0.95])),
            **options,
        )
    )
    assume(count_deviations(graph) <= MOST)
    return graph


def random_stationary(graph: StageGraph, seed: int) -> StationaryProfile:
    """Return strategies in which some actions have no probability."""
    rng = np.random.default_rng(seed)
    return StationaryProfile(
        graph,
        tuple(
            tuple(
                t.to_behavior(rng.random(t.num_sequences) * (rng.random(t.num_sequences) < 0.6))
                for t in stage.form.treeplexes
            )
            for stage in graph.stages
        ),
    )


def check(graph: StageGraph, seed: int) -> None:
    """See that what is proven of strategies holds of them, and is near what is so."""
    profile = random_stationary(graph, seed)
    proof = prove_stationary(profile)
    plans = in_fractions(proof.plans)
    best, own = best_deviation(graph, plans), own_worth(graph, plans)
    facing = Facing(profile.as_played(proof.plans))
    found, values = facing.best(), facing.values()
    for s, seat in positions(graph):
        assert best[s, seat] <= proof.upper[s][seat]
        assert found[s, seat] == pytest.approx(float(best[s, seat]), abs=1e-9)
        assert values[s, seat] == pytest.approx(float(own[s, seat]), abs=1e-9)
        if proof.deviations.case is not Case.HORIZON:
            assert proof.upper[s][seat] - best[s, seat] < Fraction(1, 10**8)
        if proof.worth is None:
            assert proof.lower[s][seat] <= own[s, seat]
            assert proof.lower[s][seat] == graph.constant_sum - proof.upper[s][1 - seat]
        else:
            assert proof.lower[s][seat] <= own[s, seat]
            if proof.worth.case is not Case.HORIZON:
                assert own[s, seat] - proof.lower[s][seat] < Fraction(1, 10**8)


@given(graphs(), seeds)
def test_nothing_is_proven_of_two_players_that_is_not_so(graph: StageGraph, seed: int) -> None:
    assert graph.constant_sum == 1
    check(graph, seed)


@given(graphs(zero_sum=False), seeds)
def test_gains_hold_where_payoffs_add_up_to_anything(graph: StageGraph, seed: int) -> None:
    check(graph, seed)


@given(graphs(players=3), seeds)
def test_gains_hold_for_three_players(graph: StageGraph, seed: int) -> None:
    check(graph, seed)
