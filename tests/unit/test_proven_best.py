"""That an equilibrium is best is proven, or the status says that it is the best found."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from seqform import Solution, Status, build_sequence_form, load, make, solve, verify
from seqform.base.budget import Budget
from seqform.base.errors import ResultFileError, SolverError, VerificationError
from seqform.cli import app
from seqform.exact.extreme_equilibria import all_equilibria
from seqform.exact.optimum import ProvenBound, optimum
from seqform.io import parse_efg
from seqform.methods import mip, mixed_search
from seqform.results import best_nash
from seqform.results.best_nash import bound_by
from seqform.solvers.linear import mixed_integer
from seqform.solvers.linear.program import LPStatus
from tests.reference.extreme_equilibria import BATTLE, bimatrix, claim
from tests.reference.mixed_cvxpy import ENGINES, solved_by

MYERSON = """EFG 2 R "Myerson (Game Theory), Exercise 2.4" { "Player 1" "Player 2" } ""
c "" 1 "(0,1)" { "1" 2/3 "2" 1/3 } 0
p "" 1 1 "(1,1)" { "W1" "X1" } 0
p "" 2 1 "(2,1)" { "a1" "b1" } 0
t "" 1 "Outcome 1" { 9, 5 }
t "" 2 "Outcome 2" { 0, 3 }
t "" 3 "Outcome 3" { 5, 6 }
p "" 1 2 "(1,2)" { "Y1" "Z1" } 0
p "" 2 1 "(2,1)" { "a1" "b1" } 0
t "" 4 "Outcome 4" { 9, 0 }
t "" 5 "Outcome 5" { 0, 3 }
t "" 6 "Outcome 6" { 2, 6 }
"""
"""Gambit's contrib/games/my_2-4.efg."""

SCHOTTER = """EFG 2 R "Schotter-Weigelt-Wilson (GEB 94), Fig 3" { "Player 1" "Player 2" } ""
p "" 1 1 "(1,1)" { "R" "L" } 0
p "" 2 1 "(2,1)" { "R" "L" } 0
p "" 1 2 "(1,2)" { "T" "B" } 0
p "" 2 2 "(2,2)" { "T" "B" } 0
t "" 1 "Outcome 7" { 6, 3 }
t "" 2 "Outcome 5" { 0, 0 }
p "" 2 2 "(2,2)" { "T" "B" } 0
t "" 3 "Outcome 6" { 0, 0 }
t "" 4 "Outcome 4" { 3, 6 }
t "" 5 "Outcome 2" { 0, 1 }
t "" 6 "Outcome 3" { 4, 4 }
"""
"""Gambit's contrib/games/sww3.efg."""


def best_by(solver: str, text: str) -> Solution:
    """Solve a game of Gambit for the best welfare, by a solver or an engine of cvxpy."""
    engine = solver if solver in ENGINES else None
    with solved_by(engine):
        by = "highs" if engine else solver
        return solve(parse_efg(text), optimize="welfare", solver=by)


@pytest.fixture
def unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every game too large for a proof."""
    monkeypatch.setattr(best_nash, "MOST_PAIRS", 0)
    monkeypatch.setattr(mip, "ENUMERATION_STEPS", 0)


@pytest.mark.parametrize("solver", ["auto", "highs", *ENGINES])
@pytest.mark.parametrize(("text", "best"), [(MYERSON, Fraction(37, 3)), (SCHOTTER, Fraction(9))])
def test_games_of_gambit_whose_best_was_cut_off(text: str, best: Fraction, solver: str) -> None:
    """HiGHS at a tolerance of 1e-9 says 10 and 8, and that nothing is better."""
    solution = best_by(solver, text)
    assert solution.status is Status.SOLVED
    assert solution.optimum is not None
    assert solution.optimum.value == best
    assert solution.optimum.is_best


@pytest.mark.usefixtures("unproven")
@pytest.mark.parametrize("solver", ["highs", *ENGINES])
@pytest.mark.parametrize(("text", "best"), [(MYERSON, Fraction(37, 3)), (SCHOTTER, Fraction(9))])
def test_what_nothing_proves_is_the_best_found(text: str, best: Fraction, solver: str) -> None:
    solution = best_by(solver, text)
    assert solution.status is Status.BEST_FOUND
    assert solution.optimum is not None
    assert (solution.optimum.value, solution.optimum.proven) == (best, None)
    assert solution.exact is not None
    row = dict(solution.rows())["objective welfare"]
    assert "the best found" in row
    assert "says the solver in floats, which is not proven" in row
    assert "extreme equilibria" in solution.message


def test_each_proof_is_told_by_its_name() -> None:
    found = solve(make("kuhn"), optimize="player0")
    assert (found.method, found.optimum.proven.by) == ("mip/constant-sum", "constant sum")
    found = solve(bimatrix(BATTLE), optimize="welfare")
    assert (found.method, found.optimum.proven.by) == ("mip/efce", "efce")
    found = solve(parse_efg(SCHOTTER), optimize="welfare")
    assert (found.method, found.optimum.proven.by) == ("mip/enumeration", "enumeration")
    assert found.exact.values == (6, 3)


def test_a_bilinear_objective_is_best_at_a_corner() -> None:
    """Each player's payoff depends on the other's plan alone: all pairs are equilibria, and both
    objectives and their opposites are attained at pairs of pure plans."""
    game = bimatrix([[(a, b) for a in (0, 1, 5)] for b in (2, -3)])
    for objective, best in (("welfare", 7), ("-welfare", 3), ("player0", 5), ("-player1", 3)):
        assert solve(game, optimize=objective).optimum.value == best


@pytest.mark.usefixtures("unproven")
def test_a_solver_that_calls_the_program_infeasible_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right, asked = mixed_integer.solve_mixed, []

    def cut_off(*arguments: Any) -> Any:
        asked.append(arguments[6])
        found = right(*arguments)
        if len(asked) > 1:
            return found
        return found._replace(status=LPStatus.FAILED, point=None, bound=None, message="Infeasible")

    monkeypatch.setattr(mixed_integer, "solve_mixed", cut_off)
    solution = solve(parse_efg(SCHOTTER), optimize="welfare")
    assert asked == list(mixed_search.TOLERANCES[:2])
    assert (solution.status, solution.optimum.value) == (Status.BEST_FOUND, 9)
    assert solution.message.startswith("Infeasible; Optimal")


@pytest.mark.usefixtures("unproven")
def test_an_equilibrium_below_the_bound_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first point allows both players' second actions only, whatever its bound says."""
    right, programs = mixed_integer.solve_mixed, []

    def short(program: Any, binary: Any, *more: Any) -> Any:
        programs.append(program)
        found = right(program, binary, *more)
        if len(programs) > 1:
            return found
        point = np.array(found.point)
        point[binary] = [0, 1, 0, 1]
        return found._replace(point=point)

    monkeypatch.setattr(mixed_integer, "solve_mixed", short)
    solution = solve(bimatrix(BATTLE), optimize="player0")
    assert len(programs) == 2
    assert programs[1].num_rows == programs[0].num_rows + 1
    assert (solution.status, solution.exact.values) == (Status.BEST_FOUND, (3, 2))
    assert "asked again" in solution.message


@pytest.mark.usefixtures("unproven")
def test_a_bound_that_nothing_meets_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    right = mixed_integer.solve_mixed

    def high(*arguments: Any) -> Any:
        found = right(*arguments)
        return found if found.bound is None else found._replace(bound=100.0)

    monkeypatch.setattr(mixed_integer, "solve_mixed", high)
    solution = solve(bimatrix(BATTLE), optimize="welfare")
    assert (solution.status, solution.optimum.value) == (Status.BEST_FOUND, 5)
    assert solution.optimum.bound > 5


@pytest.mark.usefixtures("unproven")
def test_a_solver_that_finds_nothing_leaves_the_first_equilibrium(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was "FAILED, infeasible" beside the value of an equilibrium."""
    nothing = mixed_integer.MixedSolution(LPStatus.FAILED, None, None, "infeasible", 0)
    monkeypatch.setattr(mixed_integer, "solve_mixed", lambda *_: nothing)
    solution = solve(bimatrix(BATTLE), optimize="welfare", solver="highs")
    assert solution.status is Status.BEST_FOUND
    assert solution.optimum.value in (3, 5)
    assert "the solver has no bound" in dict(solution.rows())["objective welfare"]
    anything = solve(bimatrix(BATTLE), optimize="none", solver="highs")
    assert (anything.status, anything.optimum) == (Status.SOLVED, None)


def test_a_first_equilibrium_that_is_none_in_fractions_is_not_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where payoffs nearly tie, the support of floats may be that of no equilibrium."""
    monkeypatch.setattr(mixed_search.Known, "take_support", lambda *_: "payoffs nearly tie")
    solution = solve(bimatrix(BATTLE), optimize="welfare")
    assert (solution.status, solution.optimum.value) == (Status.SOLVED, 5)


def test_any_equilibrium_is_solved_without_branching() -> None:
    solution = solve(bimatrix(BATTLE), optimize="none")
    assert (solution.status, solution.method) == (Status.SOLVED, "mip/lcp")


@pytest.mark.parametrize(
    ("game", "proof"),
    [(make("kuhn"), "constant sum"), (bimatrix(BATTLE), "efce"), (SCHOTTER, "enumeration")],
)
def test_proofs_are_made_again(tmp_path: Path, game: Any, proof: str) -> None:
    tree = parse_efg(game) if isinstance(game, str) else game
    solve(tree, optimize="welfare").save(tmp_path / "best")
    verify(tmp_path / "best")
    again = load(tmp_path / "best")
    assert (again.status, again.optimum.proven.by) == (Status.SOLVED, proof)


@pytest.mark.usefixtures("unproven")
def test_what_is_not_proven_is_saved_as_that(tmp_path: Path) -> None:
    solve(bimatrix(BATTLE), optimize="welfare").save(tmp_path / "best")
    again = load(tmp_path / "best")
    assert (again.status, again.optimum.is_best) == (Status.BEST_FOUND, False)
    claim(tmp_path / "best", lambda c: c.update(status="solved"))
    with pytest.raises(VerificationError, match="nothing proves that no equilibrium is better"):
        verify(tmp_path / "best")


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"proven_bound": "6"}, VerificationError, "claims optimum"),
        ({"proven_by": "enumeration"}, None, ""),  # which is as true
        ({"proven_by": "constant sum"}, VerificationError, "not proven again: there is no bound"),
        ({"proven_by": "hope"}, VerificationError, "there is no bound by 'hope'"),
        ({"proven_by": None}, VerificationError, "there is no bound by 'None'"),
        ({"unproven_bound": "5"}, ResultFileError, "damaged"),
    ],
)
def test_false_proofs_are_noticed(
    tmp_path: Path, change: dict[str, Any], error: type[Exception] | None, words: str
) -> None:
    solve(bimatrix(BATTLE), optimize="welfare").save(tmp_path / "best")
    claim(tmp_path / "best", lambda c: c["optimum"].update(change))
    if error is None:
        verify(tmp_path / "best")
        return
    with pytest.raises(error, match=words):
        verify(tmp_path / "best")


def test_a_worse_equilibrium_is_not_solved(tmp_path: Path) -> None:
    """A saved equilibrium that is not the best one, with the bound that is true."""
    solve(bimatrix(BATTLE), optimize="-welfare").save(tmp_path / "worst")
    claim(
        tmp_path / "worst",
        lambda c: c["optimum"].update(objective="welfare", value="3", proven_bound="5"),
    )
    with pytest.raises(VerificationError, match="nothing proves that no equilibrium is better"):
        verify(tmp_path / "worst")


def test_bounds_by_each_proof() -> None:
    some = solve(parse_efg(SCHOTTER), method="lcp", exact=True).exact
    assert bound_by("efce", some.game, "-player0")[0] == ProvenBound(Fraction(-4), "efce")
    bound, best = bound_by("enumeration", some.game, "welfare")
    assert (bound.most, sum(best.values)) == (9, 9)
    with pytest.raises(SolverError, match="too many extreme equilibria"):
        bound_by("enumeration", some.game, "welfare", some, Budget(1))
    with pytest.raises(SolverError, match="no bound by 'constant sum'"):
        bound_by("constant sum", some.game, "welfare", some)
    with pytest.raises(VerificationError, match="claimed to be the most"):
        optimum(some, "welfare", None, ProvenBound(Fraction(-1), "efce"))


def test_a_form_without_a_tree_has_no_bound_by_correlation() -> None:
    locked = solve(parse_efg(SCHOTTER), optimize="welfare", lock={(0, "(1,1)", "L"): 1})
    assert locked.status is Status.LOCKED
    assert locked.locked.optimum.value == 8
    with pytest.raises(SolverError, match="no tree"):
        bound_by("efce", locked.locked.game, "welfare")


def test_a_budget_ends_an_enumeration_at_the_same_step_everywhere() -> None:
    form = build_sequence_form(make("random", seed=3, depth=5, zero_sum=False))
    whole = Budget(1e9)
    everything = all_equilibria(form, whole)
    assert everything.is_complete
    spent = 1e9 - whole.left
    assert not whole.is_over
    again = Budget(spent / 2)
    some = all_equilibria(form, again)
    assert (some.is_complete, again.is_over) == (False, True)
    assert {e.values for e in some} <= {e.values for e in everything}
    assert len(all_equilibria(form, Budget(spent / 2))) == len(some)
    assert all_equilibria(form, Budget(spent + 1)).is_complete


@pytest.mark.parametrize(
    ("objective", "exit_code", "words"),
    [("welfare", 0, "the best, proven"), ("none", 0, "mip/lcp")],
)
def test_the_command_says_what_is_proven(
    tmp_path: Path, objective: str, exit_code: int, words: str
) -> None:
    (tmp_path / "game.efg").write_text(MYERSON)
    arguments = ["solve", str(tmp_path / "game.efg"), "--optimize", objective]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == exit_code
    assert words in " ".join(shown.stdout.split())


@pytest.mark.usefixtures("unproven")
def test_the_command_ends_with_1_where_nothing_is_proven() -> None:
    shown = CliRunner().invoke(app, ["solve", "chicken", "--optimize", "welfare", "--json"])
    said = json.loads(shown.stdout)
    assert (shown.exit_code, said["status"], said["optimum"]["value"]) == (1, "best_found", "28/3")
