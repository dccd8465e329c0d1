"""Laws of proximal programs of two plans: each plan is the best reply to the other, by a model of
the same program, in any unit; and they stop when told to."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import build_sequence_form, build_tree
from seqform.base.arrays import Floats
from seqform.base.errors import SolverError
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.solvers.saddle import interior_point
from seqform.solvers.saddle.newton import NewtonEquations
from seqform.solvers.saddle.proximal_program import SaddleProgram
from seqform.solvers.saddle.starting_point import start
from seqform.solvers.saddle.step import Cut, nearest_saddle
from tests.examples import examples
from tests.strategies import games, random_profile, seeds

LEDUC = build_sequence_form(build_tree(leduc()))
PAYOFF = LEDUC.zero_sum_operator().to_csr()
BASE = random_profile(LEDUC, 1).plans


def never() -> bool:
    return False


def whole(form: SequenceForm) -> tuple[Cut, Cut]:
    first, second = (Cut.of(t, np.ones(t.num_sequences, dtype=bool)) for t in form.treeplexes)
    return first, second


def program_of(form: SequenceForm, seed: int, weight: float) -> SaddleProgram:
    first, second = form.treeplexes
    near = np.concatenate(random_profile(form, seed).plans)
    return SaddleProgram((first, second), form.zero_sum_operator().to_csr(), near, (weight, weight))


def best_reply(treeplex: Treeplex, gains: Floats, near: Floats, weight: float) -> Floats:
    """Return the plan with the largest gain less the price of its distance, by a model."""
    constraints, totals = treeplex.constraints()
    plan = cvxpy.Variable(len(gains))
    objective = cvxpy.Maximize(gains @ plan - weight / 2 * cvxpy.sum_squares(plan - near))
    cvxpy.Problem(objective, [constraints @ plan == totals, plan >= 0]).solve(
        solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    return np.array(plan.value)


@examples(15, 30)
@given(games(), seeds, st.sampled_from([0.03, 1.0]))
def test_each_plan_is_the_best_reply_to_the_other(
    form: SequenceForm, seed: int, weight: float
) -> None:
    program = program_of(form, seed, weight)
    plans = interior_point.saddle_plans(program, 1e-11, never)
    gains, own = program.gains(plans), program.num_own
    for treeplex, part in zip(form.treeplexes, (slice(own), slice(own, None)), strict=True):
        reply = best_reply(treeplex, gains[part], program.near[part], weight)
        np.testing.assert_allclose(plans[part], reply, atol=2e-5)
        assert (plans > 0).all()
        assert max(treeplex.residuals(plans[part])) <= 1e-8


@settings(max_examples=30)
@given(games(), seeds)
def test_the_start_is_inside_and_balanced(form: SequenceForm, seed: int) -> None:
    program = program_of(form, seed, 0.0)
    plans, values, losses = start(program)
    assert (plans > 0).all()
    assert (losses > 0).all()
    balance = program.gains(plans) - program.constraints.T @ values + losses
    np.testing.assert_allclose(balance, 0.0, atol=1e-9 * (1 + np.abs(values).max()))
    np.testing.assert_allclose(program.constraints @ plans, program.totals, atol=1e-9)


@settings(max_examples=30)
@given(games(), seeds, st.sampled_from([1e-6, 1.0, 1e6]))
def test_equations_are_solved_as_written(form: SequenceForm, seed: int, size: float) -> None:
    program = program_of(form, seed, 1.0)
    rng = np.random.default_rng(seed)
    equations, unknowns = NewtonEquations(program), len(program.near) + len(program.totals)
    for _ in range(2):  # the order of the rows is kept from the first
        diagonal = size * rng.random(len(program.near)) + 1e-3
        equations.factor(diagonal)
        right = rng.standard_normal(unknowns)
        found = equations.solve(right)
        assert found is not None
        plans, values = np.split(found, [len(diagonal)])
        first = program.gains(plans) - diagonal * plans - program.constraints.T @ values
        second = equations.added_to_values * values - program.constraints @ plans
        np.testing.assert_allclose(np.concatenate([first, second]), right, atol=1e-6)


@settings(max_examples=30)
@given(games(), seeds, st.sampled_from([0, 1]))
def test_a_player_who_goes_alone_guarantees_most(
    form: SequenceForm, seed: int, player: int
) -> None:
    """The other pays for no distance, and so answers as well as can be."""
    near = random_profile(form, seed).plans
    weights = (1.0, 0.0) if player == 0 else (0.0, 1.0)
    payoff = form.zero_sum_operator().to_csr()
    plans = nearest_saddle(whole(form), payoff, near, weights, 1e-10, never)
    reply, own = form.treeplexes[1 - player], form.treeplexes[player]
    answers = -payoff.T @ plans[0] if player == 0 else payoff @ plans[1]
    assert answers @ plans[1 - player] == pytest.approx(reply.best_response(answers)[0], abs=1e-8)
    mine = payoff @ plans[1] if player == 0 else -payoff.T @ plans[0]
    best = best_reply(own, mine, near[player], 1.0)
    np.testing.assert_allclose(plans[player], best, atol=2e-5)


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1e3, 1e9])
def test_units_of_payoffs_do_not_matter(unit: float) -> None:
    found = nearest_saddle(whole(LEDUC), PAYOFF, BASE, (1e-3, 1e-3), 1e-9, never)
    same = nearest_saddle(
        whole(LEDUC), PAYOFF * unit, BASE, (1e-3 * unit, 1e-3 * unit), 1e-9 * unit, never
    )
    for mine, its in zip(found, same, strict=True):
        np.testing.assert_allclose(mine, its, atol=1e-6)


def test_with_nothing_to_gain_plans_stay() -> None:
    found = nearest_saddle(whole(LEDUC), 0 * PAYOFF, BASE, (1.0, 1.0), 1e-12, never)
    for plan, base in zip(found, BASE, strict=True):
        np.testing.assert_allclose(plan, base, rtol=0, atol=1e-5)


@given(games(), seeds)
def test_a_cut_is_the_treeplex_of_what_is_kept(form: SequenceForm, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for treeplex in form.treeplexes:
        kept = rng.random(treeplex.num_sequences) < 0.6
        kept[0] = True
        kept[treeplex.first_sequence[:-1]] = True  # one of each information set
        for _, sequences in treeplex.runs:
            kept[sequences] &= kept[treeplex.sequence_parent[sequences]]
        cut, gains = Cut.of(treeplex, kept), rng.standard_normal(treeplex.num_sequences)
        assert cut.treeplex.num_infosets == kept[treeplex.parent_sequence].sum()
        value, plan = cut.treeplex.best_response(cut.restrict(gains))
        among_kept = treeplex.best_response(np.where(kept, gains, -1e9))[0]
        assert value == pytest.approx(among_kept)
        assert max(treeplex.residuals(cut.extend(plan, treeplex.num_sequences))) == 0.0


def test_a_program_that_is_to_stop_stops() -> None:
    asked = []

    def soon() -> bool:
        asked.append(None)
        return len(asked) > 3

    early = nearest_saddle(whole(LEDUC), PAYOFF, BASE, (1e-3, 1e-3), 1e-9, soon)
    late = nearest_saddle(whole(LEDUC), PAYOFF, BASE, (1e-3, 1e-3), 1e-9, never)
    assert len(asked) == 4
    for plan, other in zip(early, late, strict=True):
        assert np.isfinite(plan).all()
        assert not np.allclose(plan, other, atol=1e-6)


def test_a_program_without_an_answer_is_an_error() -> None:
    near = BASE[0] * np.nan, BASE[1]
    with pytest.raises(SolverError, match="found no direction"):
        nearest_saddle(whole(LEDUC), PAYOFF, near, (1e-3, 1e-3), 1e-9, never)


def test_it_ends_where_rounding_does() -> None:
    """Without a distance to pay for, plans are an equilibrium."""
    found = nearest_saddle(whole(LEDUC), PAYOFF, BASE, (0.0, 0.0), 0.0, never)
    profile = Profile.from_behaviors(
        LEDUC.treeplexes,
        [t.to_behavior(plan) for t, plan in zip(LEDUC.treeplexes, found, strict=True)],
    )
    assert certify(LEDUC, profile).nash_gap <= 1e-12
