"""Recursive games of two and three players, any sums: gains, learning within stages, sweeps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seqform import TreeBuilder
from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.interrupt import Interrupt
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.deviation import Facing
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import prove_stationary
from seqform.recursive.search import search_recursive
from seqform.recursive.stage_batch import (
    RegretMinimization,
    batches,
    most_gained,
    play_fictitiously,
)
from seqform.recursive.stage_play import MOST_ROUNDS, UntilNobodyGains
from seqform.recursive.stage_solution import stage_game
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.sweeps import comes_round, stage_values
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from seqform.solvers.iterative.regret.many_players_engine import ManyPlayersEngine
from seqform.solvers.iterative.regret.rules import RULES, rule
from tests.random_stages import RandomRecursive, endless
from tests.reference.recursive_gains import horizon

seeds = st.integers(0, 10_000)


def graph_of(seed: int, players: int, equal: bool, **options: Any) -> StageGraph:
    paid = endless(seed, players, equal)
    return stage_graph(RandomRecursive(seed, players, endless=paid, **options))


def random_profile(graph: StageGraph, seed: int) -> StationaryProfile:
    rng = np.random.default_rng(seed)
    behaviors = [
        tuple(t.to_behavior(rng.random(t.num_sequences) + 0.01) for t in stage.form.treeplexes)
        for stage in graph.stages
    ]
    return StationaryProfile(graph, tuple(behaviors))


@given(seeds, st.sampled_from((2, 3)), st.booleans())
@settings(max_examples=12)
def test_gains_lie_between_horizons_of_all_pure_plans(seed: int, players: int, equal: bool) -> None:
    graph = graph_of(seed, players, equal, on=0.4)
    assume(graph.constant_sum is None and len(graph.stages) <= 4)
    proof = prove_stationary(random_profile(graph, seed))
    assert proof.worth is not None
    for found, own in ((proof.deviations.values, False), (proof.worth.values, True)):
        low, high = (
            horizon(graph, proof.plans, own, extreme, sweeps=20)
            for extreme in (graph.least, graph.most)
        )
        near = Fraction(1, 10**6)
        for bounds, lows, highs in zip(found, low, high, strict=True):
            for bound, least, most in zip(bounds, lows, highs, strict=True):
                # a true bound from above, or from below, and no looser than it has to be
                assert (least <= bound + near) if own else (least <= bound)
                assert (bound <= most) if own else (bound <= most + near)


@given(seeds, st.sampled_from(sorted(RULES)), st.booleans())
@settings(max_examples=10)
def test_stages_side_by_side_learn_as_each_alone(seed: int, name: str, alike: bool) -> None:
    graph = graph_of(seed, 3, True, alike=alike, count=3)
    values = np.random.default_rng(seed).uniform(-9, 9, (len(graph.stages), 3))
    made = batches(graph, StationaryProfile.uniform(graph))
    assert not alike or len(made) == 1
    for batch in made:
        learner = RegretMinimization(rule(name))
        for rounds in (5, 12):
            learner.learn(batch, batch.worth(values), rounds, lambda: None)
        for column, number in enumerate(batch.numbers):
            engine = ManyPlayersEngine(stage_game(graph, number, values), rule(name))
            engine.run(17)
            expected = np.concatenate(engine.plans())
            assert batch.average[:, column] == pytest.approx(expected, abs=1e-7)


@given(seeds)
@settings(max_examples=10)
def test_fictitious_play_answers_averages(seed: int) -> None:
    graph = graph_of(seed, 3, True)
    start = random_profile(graph, seed)
    values = np.random.default_rng(seed).uniform(-9, 9, (len(graph.stages), 3))
    for batch in batches(graph, start):
        payer = batch.payer(batch.worth(values))
        play_fictitiously(batch, payer, 1, lambda: None)
        first = batch.average.copy()
        play_fictitiously(batch, payer, 1, lambda: None)
        second = 2 * batch.average - first
        for column, number in enumerate(batch.numbers):
            form = stage_game(graph, number, values)
            against = start.plans[number]
            for plans in (first[:, column], second[:, column]):
                stacked = tuple(np.split(plans, batch.rows[1:-1]))
                for seat, (treeplex, answer) in enumerate(
                    zip(form.treeplexes, stacked, strict=True)
                ):
                    gradient = form.gradient(seat, against)
                    best = treeplex.best_value(gradient)
                    assert gradient @ answer == pytest.approx(best, abs=1e-9)
                against = tuple(np.split(first[:, column], batch.rows[1:-1]))


@given(seeds)
@settings(max_examples=8)
def test_fictitious_play_goes_on_until_nobody_gains_within_a_stage(seed: int) -> None:
    graph = stage_graph(RandomRecursive(seed, 2, endless=(Fraction(0),) * 2, zero_sum=True))
    first = np.random.default_rng(seed).uniform(-9, 9, len(graph.stages))
    values = np.stack([first, -first], axis=1)
    start = random_profile(graph, seed)
    for batch, again in zip(batches(graph, start), batches(graph, start), strict=True):
        again.played = 1000  # of an earlier sweep, which counts for nothing
        for each in (batch, again):
            UntilNobodyGains(0.3).sweep(each, values, Interrupt())
        assert (batch.average == again.average).all()
        assert 0 < batch.played == again.played < MOST_ROUNDS
        gains = []
        for column, number in enumerate(batch.numbers):
            form = stage_game(graph, number, values)
            plans = np.split(batch.average[:, column], batch.rows[1:-1])
            for seat, treeplex in enumerate(form.treeplexes):
                gradient = form.gradient(seat, plans)
                gains.append(treeplex.best_value(gradient) - float(gradient @ plans[seat]))
        assert max(gains) <= 0.3 + 1e-9
        payer = batch.payer(batch.worth(values))
        assert most_gained(batch, payer) == pytest.approx(max(gains), abs=1e-9)


@given(seeds)
@settings(max_examples=20)
def test_what_a_profile_is_worth_is_what_value_iteration_keeps(seed: int) -> None:
    graph = graph_of(seed, 3, True, on=0.4)
    facing = Facing(random_profile(graph, seed))
    values = facing.values()
    assert stage_values(facing, values) == pytest.approx(values, abs=1e-9)


@given(seeds, st.sampled_from(("pi-linear-cfr", "vi-dcfr", "pi-fp")))
@settings(max_examples=8)
def test_what_is_said_of_gains_is_proven(seed: int, method: str) -> None:
    graph = graph_of(seed, 3, True, on=0.4)
    sweeps: list[Any] = []
    solution = search_recursive(
        graph, method=method, gap=0.05, iterations=9, callback=sweeps.append
    )
    assert (solution.status is Status.SOLVED) == (solution.width <= 0.05)
    assert float(solution.width) == pytest.approx(min(s.gain for s in sweeps), abs=1e-6)
    assert solution.run.iterations == len(sweeps) <= 9
    assert float(prove_stationary(solution.profile).width) == pytest.approx(
        float(solution.width), abs=1e-6
    )


def test_where_gains_rise_again_the_best_strategies_are_kept() -> None:
    rising = 0
    for seed, method in ((3, "pi-linear-cfr"), (8, "pi-linear-cfr"), (8, "vi-dcfr"), (14, "pi-fp")):
        graph, sweeps = graph_of(seed, 3, True, on=0.4), list[Any]()
        solution = search_recursive(
            graph, method=method, gap=1e-9, iterations=10, callback=sweeps.append
        )
        least = min(sweep.gain for sweep in sweeps)
        assert float(solution.width) == pytest.approx(least, abs=1e-6)
        rising += sweeps[-1].gain > 1.1 * least
    assert rising  # or it shows nothing


@given(seeds)
@settings(max_examples=10)
def test_games_of_two_with_a_constant_sum_have_brackets(seed: int) -> None:
    game = RandomRecursive(seed, 2, endless=(Fraction(0),) * 2, zero_sum=True, on=0.3)
    graph = stage_graph(game)
    assert graph.constant_sum == 0
    solution = search_recursive(graph, gap=0.5, iterations=20)
    assert solution.proof.is_zero_sum
    assert all(gain >= 0 for gain in solution.gains)


class StayOrLeave:
    """One player leaves with 1, or stays for ever, which pays nothing; another looks on."""

    num_players = 2
    endless = (0, 0)
    pays_chips = True
    entry_fee = 2

    def __init__(self) -> None:
        builder = TreeBuilder(num_players=2)
        for node in builder.decision(builder.root, 0, "here", ["stay", "leave"]):
            builder.terminal(node, (0, 0))
        self.tree = builder.freeze()

    def start(self) -> str:
        return "here"

    def guess(self, key: str) -> tuple[int, int]:
        return 2, 0  # too much, so that staying looks better

    def stage(self, key: str) -> Any:
        return self.tree

    def leads_to(self, key: str, leaf: Leaf) -> Next | End:
        return Next("here", (0, 1)) if leaf.at == ("stay",) else End((1, 0))


def test_value_iteration_may_stay_at_what_is_no_equilibrium() -> None:
    """Ganzfried & Sandholm, IJCAI 2009; policy iteration cannot, and nothing is called one."""
    found = search_recursive(StayOrLeave(), method="vi-fp", gap=0.1, iterations=10)
    assert found.status is Status.LIMIT
    assert found.width > Fraction(9, 10)
    assert found.share_of_fee is not None
    assert float(found.share_of_fee) >= 45  # 0.9 of 2
    found = search_recursive(StayOrLeave(), method="pi-fp", gap=0.1, iterations=60)
    assert found.status is Status.SOLVED
    assert found.width <= Fraction(1, 10)


def test_a_search_goes_on_from_strategies_and_from_values() -> None:
    graph = graph_of(3, 3, True, on=0.4)
    first = search_recursive(graph, gap=1e-3, iterations=60)
    assert first.status is Status.SOLVED
    again = search_recursive(graph, gap=10, iterations=1, start=first.profile)
    values = Facing(first.profile).values()
    other = search_recursive(graph, gap=10, iterations=1, start=values)
    assert again.run.iterations == other.run.iterations == 1


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "pi-cfrr"}, UnknownNameError, "pi-cfr"),
        ({"method": "fp"}, UnknownNameError, "vi-fp"),
        ({"gap": 0}, InvalidParameterError, "above 0"),
        ({"gap": float("nan")}, InvalidParameterError, "above 0"),
        ({"iterations": 0}, InvalidParameterError, "1 or more"),
        ({"start": np.zeros((1, 3))}, InvalidParameterError, r"shape \(1, 2\)"),
        ({"start": [[np.nan, 0]]}, InvalidParameterError, "finite"),
        ({"start": "uniform"}, InvalidParameterError, "strategies"),
        ({"time_limit": 0}, InvalidParameterError, "time"),
    ],
)
def test_what_makes_no_sense_is_refused(options: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        search_recursive(StayOrLeave(), **options)


def test_values_that_come_round_are_noticed() -> None:
    one, two, three = (np.array([[number]]) for number in (0.0, 1.0, 5.0))
    assert comes_round([one, two, one, two]) == 2
    assert comes_round([one, two, three, one, two, three, one]) == 3
    assert comes_round([one, one, one]) == 0  # they have settled
    assert comes_round([one, two, three]) == 0
    falling = [np.array([[0.5**n]]) for n in range(20)]
    assert comes_round(falling) == 0
