"""The primal-dual method: its projections are projections, its claims are true, and it converges to
any gap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abstraction.equitable import equitable
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.rhode_island import rhode_island
from seqform import Status, build_sequence_form, build_tree, certify, solve
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.game.rules import TERMINAL
from seqform.solvers.iterative import primal_dual_kernels as kernels
from seqform.solvers.iterative.primal_dual import CHECK_EVERY, PrimalDualEngine
from seqform.tree.tree import GameTree
from tests.rebuilt import rebuild
from tests.strategies import games, random_profile, seeds, trees


def run_to(form: SequenceForm, share: float, most: int = 10_000) -> PrimalDualEngine:
    """Run an engine to a gap, as a share of the largest payoff, or so many iterations."""
    engine = PrimalDualEngine(form)
    lower, upper = engine.bounds()
    while upper - lower > share * form.payoff_scale and engine.iterations < most:
        engine.run(CHECK_EVERY)
        lower, upper = engine.bounds()
    return engine


def certified_gap(form: SequenceForm, engine: PrimalDualEngine) -> float:
    return certify(form, Profile.from_plans(form.treeplexes, engine.plans())).nash_gap


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


@given(games(), seeds)
def test_a_projection_that_repeats_itself_is_the_nearest_plan(
    form: SequenceForm, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    for treeplex, guess in zip(
        form.treeplexes, random_profile(form, seed, sparse=True).plans, strict=True
    ):
        size = treeplex.num_sequences
        curve, target = rng.random(size) + 0.01, rng.normal(size=size)
        plan = guess.copy()
        for _ in range(50):
            last = plan.copy()
            kernels.project(
                treeplex.first_sequence,
                treeplex.parent_sequence,
                curve.copy(),
                -target,
                np.empty(size),
                plan,
            )
            sums, negative = treeplex.residuals(plan)
            assert sums <= 1e-12
            assert negative == 0
            if np.abs(plan - last).max() <= 1e-14:
                break
        else:
            pytest.fail("the steps of Newton's method do not end")
        downhill = target - curve * plan
        # no other plan is further down the slope
        assert treeplex.best_value(downhill) <= downhill @ plan + 1e-9


@given(games(), st.integers(0, 200))
def test_bounds_are_what_the_certificate_proves(form: SequenceForm, iterations: int) -> None:
    engine = PrimalDualEngine(form)
    engine.run(iterations)
    certificate = certify(form, Profile.from_plans(form.treeplexes, engine.plans()))
    assert engine.bounds() == pytest.approx(
        (certificate.lower, certificate.upper), abs=1e-9 * form.payoff_scale
    )


@given(games(depth=6))
@settings(max_examples=50)
def test_it_converges_on_random_games(form: SequenceForm) -> None:
    assert certified_gap(form, run_to(form, 1e-10)) <= 1e-9 * form.payoff_scale


@given(trees(depth=4), st.integers(-5, 5))
@settings(max_examples=30)
def test_it_converges_where_payoffs_add_up_to_a_constant(tree: GameTree, constant: int) -> None:
    form = build_sequence_form(
        rebuild(
            tree,
            lambda node, row: [row[0], row[1] + constant] if tree.player[node] == TERMINAL else row,
        )
    )
    assert form.constant_sum == constant
    assert certified_gap(form, run_to(form, 1e-10)) <= 1e-9 * form.payoff_scale


@pytest.mark.parametrize(
    ("game", "iterations"),
    [(kuhn(), 400), (leduc(merge_suits=True), 10_000), (liars_dice(1, 4), 400)],
    ids=["kuhn", "leduc", "dice"],
)
def test_it_is_fast_and_precise(game: Any, iterations: int) -> None:
    form = build_sequence_form(build_tree(game))
    engine = run_to(form, 1e-11, iterations)
    assert engine.iterations < iterations
    assert certified_gap(form, engine) <= 1e-10 * form.largest_payoff


@given(games(), st.integers(0, 90), st.integers(1, 90))
def test_it_goes_on_from_a_saved_state_bit_for_bit(
    form: SequenceForm, before: int, after: int
) -> None:
    through, first, second = PrimalDualEngine(form), PrimalDualEngine(form), PrimalDualEngine(form)
    through.run(before + after)
    first.run(before)
    second.restore({name: array.copy() for name, array in first.state().items()}, first.iterations)
    second.run(after)
    assert second.iterations == through.iterations
    assert same(second.state(), through.state())
    assert second.bounds() == through.bounds()


def test_other_operators_take_the_same_steps() -> None:
    structure = SignalStructure(rhode_island(3, 2, 1))
    form = build_signal_form(structure, equitable(structure))
    assert form.operator is not None
    engines = [
        PrimalDualEngine(form),
        PrimalDualEngine(form.with_operator(form.operator.to_sparse())),
    ]
    for engine in engines:
        engine.run(30)
    for mine, theirs in zip(engines[0].plans(), engines[1].plans(), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


def test_a_form_of_classes_is_solved_without_its_matrix() -> None:
    structure = SignalStructure(leduc(2))
    form = build_signal_form(structure, equitable(structure))
    engine = PrimalDualEngine(form)
    engine.run(500)
    assert certified_gap(form, engine) <= 1e-6 * form.largest_payoff


def test_solve_knows_it() -> None:
    solution = solve(leduc(), method="pdhg", gap=1e-8)
    assert solution.status == Status.SOLVED
    assert solution.method == "pdhg/treeplex"
    assert solution.value == pytest.approx(-0.085606424078, abs=1e-8)


@given(games(zero_sum=(False,)))
@settings(max_examples=10)
def test_other_games_are_refused(form: SequenceForm) -> None:
    if form.constant_sum is None:
        with pytest.raises(UnsupportedGameError, match="R10"):
            PrimalDualEngine(form)
