"""A linear program's optimum, divided by its scale, is the value of the game in the game's unit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from seqform import Status, TreeBuilder, build_sequence_form, solve
from seqform.form.sequence_form import SequenceForm
from seqform.methods.lp import ProgramOptions, choose_solver
from seqform.solvers.linear.clarabel import solve_clarabel
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.payoff_unit import payoff_unit
from seqform.solvers.linear.program import build_lp, scaled_payoffs


def two_by_two(unit: Any) -> SequenceForm:
    """[[1, -2], [-2, 3]] in a unit; its value is -1/8."""
    b = TreeBuilder(2)
    for i, first in enumerate(b.decision(b.root, 0, "x", ["a", "b"])):
        for j, second in enumerate(b.decision(first, 1, "y", ["c", "d"])):
            payoff = unit * (1 + i + j) * (-1) ** (i + j)
            b.terminal(second, (payoff, -payoff))
    return build_sequence_form(b.freeze())


UNITS = [
    1,
    1000,
    Fraction(1, 3),
    Fraction(10**12, 7),
    Fraction(1, 10**40),
    10**40,
    1e-290,
    1e-12,
    0.1,
    1e12,
    1e290,
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("solver", [solve_highs, solve_clarabel])
def test_the_optimum_over_the_scale_is_the_value(unit: Any, player: int, solver: Any) -> None:
    program = build_lp(two_by_two(unit), player)
    answer = solver(program)
    optimum = float(program.objective @ answer.primal) / program.scale
    # 1e-9 is HiGHS's tolerance and looser than Clarabel's, on entries between 1 and 3 whatever the
    # unit
    assert optimum == pytest.approx((-1) ** player * float(unit) / -8, rel=1e-8)


@pytest.mark.parametrize("unit", UNITS)
def test_scaling_is_by_one_factor_and_into_the_range_of_solvers(unit: Any) -> None:
    payoff = two_by_two(unit).zero_sum_operator()
    matrix, scale = scaled_payoffs(payoff)
    # the numerators of exact games are rounded to floats once more, and so is the scale
    assert matrix.data / payoff.to_csr().data == pytest.approx(scale, rel=1e-15)
    assert np.abs(matrix.data).min() >= 1
    assert np.abs(matrix.data).max() <= 1e7


@pytest.mark.parametrize("unit", UNITS)
def test_clarabel_gets_payoffs_of_moderate_size(unit: Any) -> None:
    program = build_lp(two_by_two(unit))
    divisor = payoff_unit(program)
    assert np.log2(divisor) == round(np.log2(divisor))
    largest = 3 * float(unit) * program.scale / divisor
    assert 2**14 / 1.5 < largest < 2**14 * 1.5


@pytest.mark.parametrize("half", [Fraction(1, 2), 0.5])
def test_probabilities_that_vanish_as_floats_do_not_break_the_program(half: Any) -> None:
    """After 1,200 tosses of a coin 2**-1200 is left, which is zero as a float though not as a
    fraction."""
    b = TreeBuilder(2)
    node = b.root
    for _ in range(1200):
        node, lost = b.chance(node, [("on", half), ("off", half)])
        b.terminal(lost, (0, 0))
    for end, payoff in zip(b.decision(node, 0, "h", ["a", "b"]), (1, 2), strict=True):
        b.terminal(end, (payoff, -payoff))
    for method in ("lp", "backward"):
        solution = solve(b.freeze(), method=method)
        assert solution.status is Status.SOLVED
        assert solution.value == pytest.approx(0, abs=1e-300)


@pytest.mark.parametrize(("large", "chosen"), [(3, "highs"), (10**40, "clarabel")])
def test_a_basis_is_wanted_only_of_a_program_that_highs_takes_as_it_is(
    large: int, chosen: str
) -> None:
    """75 x 75 payoffs, more entries than simplex is the default for; beside 10**40 HiGHS would drop
    the others."""
    b = TreeBuilder(2)
    for i, first in enumerate(b.decision(b.root, 0, "x", range(75))):
        for j, second in enumerate(b.decision(first, 1, "y", range(75))):
            payoff = large if i == j == 0 else 1 + (i * j) % 7
            b.terminal(second, (payoff, -payoff))
    form = build_sequence_form(b.freeze())
    program = build_lp(form)
    assert choose_solver(program, form, ProgramOptions()) == chosen  # a basis is worth having
    assert choose_solver(program, form, ProgramOptions(exact=True)) == chosen
    assert choose_solver(program, form, ProgramOptions(exact=False)) == "clarabel"
    assert choose_solver(program, form, ProgramOptions(solver="highs")) == "highs"


def large_payoff_game() -> SequenceForm:
    """Return one of Gambit's games, of value 1: player 1 can avoid all payoffs of 10**19."""
    b = TreeBuilder(2)
    large = 10**19
    payoffs = iter([large, 1, -1, 0, -1, 1, 0, large])
    for coin, node in zip("LR", b.chance(b.root, [(c, Fraction(1, 2)) for c in "LR"]), strict=True):
        for action, below in zip("AB", b.decision(node, 0, ("first", coin), "AB"), strict=True):
            for leaf in b.decision(below, 1, ("second", action), "XY"):
                payoff = next(payoffs)
                b.terminal(leaf, (payoff, -payoff))
    return build_sequence_form(b.freeze())


@pytest.mark.parametrize("solver", ["highs", "clarabel"])
def test_large_payoffs_that_nobody_takes_leave_the_digits_of_the_others(solver: str) -> None:
    """Of these digits the certificate used to lose 7,287 points."""
    solution = solve(large_payoff_game(), method="lp", solver=solver, exact=False)
    assert solution.status is Status.SOLVED
    assert solution.lower <= 1 <= solution.upper
    # an interior point gives 10**19 a little weight, which a vertex does not
    assert solution.nash_gap <= (1e-14 if solver == "highs" else 1e3)
    [status] = [text for name, text in solution.rows() if name == "status"]
    assert status.endswith("asked for: 1e+13 units, 1e-06 of the largest payoff")


def test_large_payoffs_are_no_obstacle_to_fractions() -> None:
    solution = solve(large_payoff_game(), method="lp")
    assert solution.exact is not None
    assert solution.exact.value == 1


def test_a_search_that_gets_no_further_ends() -> None:
    """Beside regrets of 10**19 those of 1 are lost: the gap shrinks by a hair at every look."""
    solution = solve(large_payoff_game(), method="dcfr", gap=1e-3)
    assert solution.status is Status.INACCURATE
    assert solution.message == "the gap stopped shrinking"
    assert 1e-3 < solution.nash_gap < 1
