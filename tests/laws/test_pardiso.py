"""Laws of the interior point method for the programs of both players: any factors lead to optimal
plans, values and losses, in any unit; and it stops where it is told to, or where rounding does."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from games.leduc import leduc
from seqform import Status, build_sequence_form, build_tree, certify, make, reduce, solve
from seqform.base import thresholds
from seqform.base.errors import MissingLibraryError, SolverError
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.methods.which_program import large_program_solver, make_program
from seqform.solvers.linear.program import LPStatus, build_lp
from seqform.solvers.linear.solver import LPOptions, solve_program
from seqform.solvers.linear.sparsified_program import build_sparsified_lp
from seqform.solvers.saddle import factors as libraries
from seqform.solvers.saddle import linear
from seqform.solvers.saddle.factors import Factors, PardisoFactors, QdldlFactors
from seqform.solvers.saddle.linear import linear_saddle
from seqform.solvers.saddle.newton import NewtonEquations
from seqform.solvers.saddle.proximal_program import SaddleProgram, middle_payoff
from tests.examples import examples
from tests.strategies import games, seeds

LEDUC = build_sequence_form(build_tree(leduc()))

LIBRARIES = [QdldlFactors, PardisoFactors]


def never(iterations: int, gap: float) -> bool:
    return False


def program_of(form: SequenceForm, unit: float = 1.0) -> SaddleProgram:
    first, second = form.treeplexes
    near = np.concatenate([t.to_plan(t.uniform()) for t in (first, second)])
    payoff = form.zero_sum_operator().to_csr() * unit
    return SaddleProgram((first, second), payoff, near, (0.0, 0.0))


def profile_of(form: SequenceForm, plans: np.ndarray) -> Profile:
    parts = np.split(plans, [form.treeplexes[0].num_sequences])
    return Profile.from_behaviors(
        form.treeplexes, [t.to_behavior(p) for t, p in zip(form.treeplexes, parts, strict=True)]
    )


@pytest.mark.parametrize("library", LIBRARIES)
@examples(20, 40)
@given(form=games())
def test_plans_values_and_losses_are_optimal(library: type[Factors], form: SequenceForm) -> None:
    program = program_of(form)
    found = linear_saddle(program, library(), 1e-9, never)
    plans, values, losses = found.point
    assert found.why in ("gap", "rounding")
    assert (plans > 0).all()
    assert (losses > 0).all()
    certificate = certify(form, profile_of(form, plans))
    assert certificate.nash_gap <= 1e-6 * form.payoff_scale
    value = float(certificate.lower + certificate.upper) / 2
    own_rows = form.treeplexes[0].num_infosets + 1
    # of what sets are worth, the first of each player is the value of the game
    assert values[0] == pytest.approx(value, abs=1e-6 * form.payoff_scale)
    assert values[own_rows] == pytest.approx(-value, abs=1e-6 * form.payoff_scale)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("scalings", [0, 5])
@examples(15, 30)
@given(form=games(), seed=seeds, size=st.sampled_from([1e-6, 1.0, 1e6]))
def test_equations_are_solved_as_written(
    library: type[Factors], scalings: int, form: SequenceForm, seed: int, size: float
) -> None:
    program, rng = program_of(form), np.random.default_rng(seed)
    equations = NewtonEquations(program, library(), scalings=scalings)
    for _ in range(2):  # the order of the rows is kept from the first
        diagonal = size * rng.random(len(program.near)) + 1e-3
        equations.factor(diagonal)
        right = rng.standard_normal(len(program.near) + len(program.totals))
        found = equations.solve(right)
        assert found is not None
        plans, values = np.split(found, [len(diagonal)])
        first = program.gains(plans) - diagonal * plans - program.constraints.T @ values
        second = equations.added_to_values * values - program.constraints @ plans
        np.testing.assert_allclose(np.concatenate([first, second]), right, atol=1e-6)


def test_equilibrated_rows_have_entries_of_about_one() -> None:
    program = program_of(LEDUC, 1e6)
    equations = NewtonEquations(program, QdldlFactors(), scalings=8)
    matrix = sp.csc_array(equations.matrix)
    both = abs(matrix + matrix.T)
    both.setdiag(0.0)
    largest = both.max(axis=1).toarray().ravel()
    assert 0.5 < largest.min() <= largest.max() < 2.0
    assert np.ptp(np.log(equations.scale)) > 1.0


@pytest.mark.parametrize("player", [0, 1])
@examples(15, 30)
@given(form=games())
def test_the_solver_finds_the_value_from_both_sides(player: int, form: SequenceForm) -> None:
    program = build_lp(form, player)
    found = solve_program(program, "pardiso", LPOptions())
    simplex = solve_program(program, "highs", LPOptions(engine="simplex"))
    assert found.primal is not None
    assert found.duals is not None
    assert simplex.primal is not None
    tolerance = 1e-6 * program.scale * max(form.payoff_scale, 1.0)
    assert program.objective @ found.primal == pytest.approx(
        program.objective @ simplex.primal, abs=tolerance
    )
    # optimal duals price every column at no more than it is worth
    costs = program.matrix.T @ found.duals - program.objective
    assert costs[: program.num_plan].min() >= -tolerance
    assert np.abs(costs[program.num_plan :]).max() <= tolerance
    profile = profile_of(form, np.concatenate(program.plans(found)))
    assert certify(form, profile).nash_gap <= 1e-6 * form.payoff_scale


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_of_payoffs_do_not_matter(unit: float) -> None:
    program = program_of(LEDUC, unit)
    scaled = SaddleProgram(
        program.treeplexes, program.payoff / middle_payoff(program.payoff), program.near, (0.0, 0.0)
    )
    found = linear_saddle(scaled, QdldlFactors(), 1e-8, never)
    assert found.why == "gap"
    assert certify(LEDUC, profile_of(LEDUC, found.point.plans)).nash_gap <= 1e-7


def test_it_ends_where_rounding_does() -> None:
    found = linear_saddle(program_of(LEDUC), QdldlFactors(), 0.0, never)
    assert found.why in ("gap", "rounding")
    assert certify(LEDUC, profile_of(LEDUC, found.point.plans)).nash_gap <= 1e-9


def test_a_program_that_is_to_stop_stops() -> None:
    seen: list[tuple[int, float]] = []

    def soon(iterations: int, gap: float) -> bool:
        seen.append((iterations, gap))
        return iterations == 3

    found = linear_saddle(program_of(LEDUC), QdldlFactors(), 1e-9, soon)
    assert (found.why, found.iterations) == ("stopped", 3)
    assert [iterations for iterations, _ in seen] == [0, 1, 2, 3]
    assert seen[-1][1] == found.gap < seen[0][1]
    assert certify(LEDUC, profile_of(LEDUC, found.point.plans)).nash_gap < 1.1 * found.gap


def test_iterations_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "MAX_ITERATIONS", 2)
    found = linear_saddle(program_of(LEDUC), QdldlFactors(), 1e-9, never)
    assert (found.why, found.iterations) == ("iterations", 2)
    solution = solve_program(build_lp(LEDUC), "pardiso", LPOptions())
    assert solution.status is LPStatus.UNPROVEN


def test_a_program_without_an_answer_is_an_error() -> None:
    program = program_of(LEDUC)
    broken = SaddleProgram(program.treeplexes, np.nan * program.payoff, program.near, (0.0, 0.0))
    with pytest.raises(SolverError):
        linear_saddle(broken, QdldlFactors(), 1e-9, never)


def test_a_gap_is_enough() -> None:
    enough, best = (solve(LEDUC, method="lp", solver="pardiso", gap=gap) for gap in (1e-3, None))
    assert enough.status is best.status is Status.SOLVED
    assert best.nash_gap < 1e-6 < enough.nash_gap <= 1e-3
    assert (enough.iterations or 0) < (best.iterations or 0)
    others = solve(LEDUC, method="lp", solver="highs", gap=1e-3)
    assert others.nash_gap < 1e-9


def test_only_plain_programs_are_taken() -> None:
    signals, _ = reduce(make("rhode-island", ranks=3, suits=2), "suit")
    program = build_lp(LEDUC)
    order = np.arange(program.num_columns)
    order[[1, program.num_plan - 1]] = order[[program.num_plan - 1, 1]]
    shuffled = replace(program, matrix=program.matrix[:, order])
    for other in (build_sparsified_lp(signals), shuffled):
        with pytest.raises(SolverError, match="takes the plain program: use program='plain'"):
            solve_program(other, "pardiso", LPOptions())
    assert make_program(LEDUC, "auto", solver="pardiso").is_plain


def test_without_the_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypardiso", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'seqform\[pardiso\]'"):
        solve_program(build_lp(LEDUC), "pardiso", LPOptions())


def test_large_programs_of_signal_games_are_for_pardiso(monkeypatch: pytest.MonkeyPatch) -> None:
    signals, _ = reduce(make("rhode-island", ranks=3, suits=2), "suit")
    assert large_program_solver(signals) == "auto"
    monkeypatch.setattr(thresholds, "PARDISO_FROM", 1)
    assert large_program_solver(signals) == "pardiso"
    assert large_program_solver(LEDUC) == "auto"
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert large_program_solver(signals) == "auto"
    monkeypatch.setattr(thresholds, "HOPELESS_FROM", 1)
    with pytest.raises(MissingLibraryError, match=r"pip install 'seqform\[pardiso\]'.*dcfr"):
        large_program_solver(signals)
    monkeypatch.setattr(thresholds, "PARDISO_UP_TO", 2)
    assert large_program_solver(signals) == "auto"


def test_a_library_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = PardisoFactors()
    monkeypatch.setattr(libraries, "FACTOR", 99)  # no phase of Pardiso's
    with pytest.raises(SolverError, match="Pardiso"):
        factors.take(sp.csr_matrix(np.eye(2)))


def test_two_runs_are_the_same_to_the_last_bit() -> None:
    one, two = (linear_saddle(program_of(LEDUC), QdldlFactors(), 1e-6, never) for _ in range(2))
    np.testing.assert_array_equal(one.point.plans, two.point.plans)
