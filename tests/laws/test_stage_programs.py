"""Programs of stages, whole or small: whatever was optimal before, the optimum is the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from games.blinds import Blinds
from games.one_card_tournament import one_card_hands
from seqform import TreeBuilder, make
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive import small_program, stage_program
from seqform.recursive.graph import StageGraph
from seqform.recursive.iteration import FEW
from seqform.recursive.small_program import Settled, optimum_near, pairs_paid
from seqform.recursive.solve import solve_recursive
from seqform.recursive.stage_program import Kind, StageOptimum, StageProgram, kind, programs
from seqform.recursive.support import Support, completed
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import build_lp
from tests.random_recursive_games import TableGame


def graphs() -> list[StageGraph]:
    return [
        stage_graph(make("one-card-tournament", chips=10, cards=6)),
        stage_graph(make("kuhn-tournament", chips=6)),
        stage_graph(make("leduc-tournament", chips=6)),
    ]


def check(
    program: StageProgram, worth: np.ndarray, near: StageOptimum | None, value: float
) -> None:
    """See that plans are optimal, by a best response to each, and worth so much."""
    found = program.solve(worth, near)
    form = program.form(worth)
    matrix = form.operator.to_sparse().to_csr()
    first, second = (t.to_plan(b) for t, b in zip(form.treeplexes, found.behaviors, strict=True))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert form.treeplexes[0].best_value(matrix @ second) == pytest.approx(value, abs=1e-9)
    assert form.treeplexes[1].best_value(-(matrix.T @ first)) == pytest.approx(-value, abs=1e-9)


@pytest.mark.parametrize("many", [0, stage_program.MANY], ids=["small programs", "whole ones"])
@pytest.mark.parametrize("graph", graphs(), ids=["one card", "kuhn", "leduc"])
def test_the_optimum_is_that_of_the_program_of_the_stage_as_a_game(
    graph: StageGraph, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_program, "MANY", many)
    rng = np.random.default_rng(9)
    decided: int = 0
    before: dict[Kind, StageOptimum] = {}
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        if not any(treeplex.num_infosets for treeplex in stage.form.treeplexes):
            continue
        decided += 1
        worth = rng.random(len(stage.leads))
        worth[rng.random(len(worth)) < 0.3] = 0.5  # some pairs of sequences are paid nothing then
        worth -= 0.5
        whole = build_lp(program.form(worth))
        value = float(whole.objective @ solve_highs(whole).primal) / whole.scale
        other = program.solve(rng.random(len(worth)))  # of other worths
        check(program, worth, None, value)
        check(program, worth, other, value)
        check(program, worth, before.get(kind(stage)), value)  # of the stage before
        before[kind(stage)] = other
    assert decided >= 2


@pytest.mark.parametrize("graph", graphs(), ids=["one card", "kuhn", "leduc"])
def test_small_programs_find_what_is_optimal_unless_they_grow(
    graph: StageGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(9)
    found = 0
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        if not any(treeplex.num_infosets for treeplex in stage.form.treeplexes):
            continue
        worth = rng.random(len(stage.leads))
        other = program.solve(rng.random(len(worth))).support
        assert other is not None
        payoff = program.form(worth).operator.to_sparse().to_csr()
        monkeypatch.setattr(small_program, "MOST_OPEN", 1000)
        mine, theirs = both = program.stage.treeplexes
        small = optimum_near(both, payoff, other, 1.0)
        if small is None:
            continue
        first, second = small.plans
        assert small.value == pytest.approx(first @ payoff @ second, abs=1e-12)
        assert mine.best_value(payoff @ second) == pytest.approx(first @ payoff @ second, abs=1e-9)
        assert theirs.best_value(-(payoff.T @ first)) + mine.best_value(payoff @ second) < 1e-9
        assert max(*mine.residuals(first), *theirs.residuals(second)) < 1e-12
        monkeypatch.setattr(small_program, "MOST_OPEN", 1)
        assert optimum_near(both, payoff, other, 1.0) is None
        found += 1
    assert found >= 2


def test_what_is_settled_needs_no_variable() -> None:
    form = Blinds(1, 2).hand(one_card_hands(3), 5, limps=True)
    treeplex = form.treeplexes[0]  # fold, limp, push with each card; then fold, call after a limp
    played = np.zeros(treeplex.num_sequences, dtype=np.bool_)
    played[[0, 1, 5, 6, 8, 12, 13, 14]] = True  # the second card mixes, twice
    settled = Settled.on(treeplex, played)
    assert settled.choices.num_infosets == 2
    plan = settled.plan(settled.choices.to_plan(settled.choices.uniform()))
    assert plan[played].tolist() == [1, 1, 0.5, 0.5, 1, 0.25, 0.25, 1]
    assert not plan[~played].any()
    assert max(treeplex.residuals(plan)) < 1e-12


def test_the_basis_of_an_optimum_is_one_of_the_whole_program() -> None:
    graph, rng = graphs()[0], np.random.default_rng(9)  # nobody moves twice: all is reached
    found = 0
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        support = program.solve(rng.random(len(stage.leads))).support
        form = program.form(rng.random(len(stage.leads)))
        payoff, whole = form.operator.to_sparse().to_csr(), build_lp(form)
        small = None if support is None else optimum_near(form.treeplexes, payoff, support, 1.0)
        basis = None if small is None else small.support.basis(form.treeplexes)
        if small is None or basis is None:
            continue
        begun = solve_highs(whole, start=basis, near=True)
        assert float(whole.objective @ begun.primal) / whole.scale == pytest.approx(small.value)
        assert begun.iterations == 0
        found += 1
    assert found >= 2


def test_pairs_of_choices_are_paid_what_their_sequences_are() -> None:
    form = Blinds(1, 2).hand(one_card_hands(5), 5, limps=True)
    rng, sizes = np.random.default_rng(9), [t.num_sequences for t in form.treeplexes]
    payoff = sp.csr_array(rng.random(sizes) * (rng.random(sizes) < 0.3))
    for _ in range(5):
        played = [completed(t, rng.random(t.num_sequences) < 0.6) for t in form.treeplexes]
        mine, theirs = (Settled.on(t, own) for t, own in zip(form.treeplexes, played, strict=True))
        paid = pairs_paid(payoff, payoff.T, mine, theirs)
        first, second = (
            np.stack([own.plan(unit) for unit in np.eye(own.choices.num_sequences)])
            for own in (mine, theirs)
        )
        np.testing.assert_allclose(paid, first @ payoff @ second.T, atol=1e-12)


def test_a_basis_has_a_sequence_in_each_information_set() -> None:
    form = Blinds(1, 2).hand(one_card_hands(3), 5, limps=True)
    treeplex = form.treeplexes[0]  # fold, limp, push with each card; then fold, call after a limp
    kept = np.zeros(treeplex.num_sequences, dtype=np.bool_)
    kept[[0, 1, 5, 7, 8, 14]] = True  # the second and the third card are limped with, or may be
    assert np.flatnonzero(completed(treeplex, kept)).tolist() == [0, 1, 4, 7, 8, 10, 12, 14]
    among = np.ones(treeplex.num_sequences, dtype=np.bool_)
    among[[4, 12]] = False
    assert np.flatnonzero(completed(treeplex, kept, among)).tolist() == [0, 1, 5, 7, 8, 10, 13, 14]
    both = Support(completed(treeplex, kept), completed(form.treeplexes[1], kept[:13] & False))
    assert both.basis(form.treeplexes) is None  # the one seat mixes once more than the other


def test_a_stage_in_which_nothing_is_paid_is_worth_nothing() -> None:
    graph = stage_graph(make("kuhn-tournament", chips=6))
    for stage, program in zip(graph.stages, programs(graph), strict=True):
        assert program.solve(np.zeros(len(stage.leads))).value == 0


def test_stages_of_equal_sizes_are_alike_only_if_their_information_sets_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hand(counts: tuple[int, int]) -> Any:
        builder = TreeBuilder(2)
        dealt = builder.chance(builder.root, [(card, Fraction(1, 2)) for card in range(2)])
        for card, node in enumerate(dealt):
            for chosen in builder.decision(node, 0, card, range(counts[card])):
                for leaf in builder.decision(chosen, 1, "guess", range(2)):
                    builder.terminal(leaf, [0, 0])
        return builder.freeze()

    hands, rng = (hand((2, 4)), hand((4, 2))), np.random.default_rng(9)
    number = FEW + 8
    drawn = rng.permuted(np.tile(np.arange(-8, 8), (number, 1)), axis=1).tolist()

    def leads(key: int, leaf: Leaf) -> Any:
        card, chosen, guess = leaf.at  # type: ignore[misc]
        won = drawn[key][8 * card + 2 * chosen + guess]
        return End((won, -won)) if won > -5 else Next((key + won) % number, (0, 1))

    graph = stage_graph(TableGame({key: hands[key % 2] for key in range(number)}, leads))
    assert len({len(stage.leads) for stage in graph.stages}) == 1
    assert {stage.form.treeplexes[0].num_sequences for stage in graph.stages} == {7}
    assert len({kind(stage) for stage in graph.stages}) == 2
    monkeypatch.setattr(stage_program, "MANY", 0)
    assert solve_recursive(graph, iterations=30).status is Status.SOLVED
