"""--optimize and --all: published games, saved results, refusals, and limits."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import build_sequence_form, load, make, solve, verify
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    NotForThisGameError,
    ResultFileError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.number import fraction_text, read_fraction
from seqform.cli import app
from seqform.exact import extreme_equilibria, extreme_plans
from seqform.exact.extreme_equilibria import all_equilibria
from seqform.exact.optimum import optimum
from seqform.methods import mip
from seqform.solvers.linear.program import LPStatus, Program
from tests.float_games import float_game
from tests.reference.extreme_equilibria import BATTLE, bimatrix, claim
from tests.reference.mixed_cvxpy import ENGINES, solve_mixed_cvxpy, solved_by


def values(found: Any) -> set[tuple[Fraction, ...]]:
    return {each.values for each in found}


def test_battle_of_the_sexes() -> None:
    """The battle of the sexes has two pure equilibria and a mixed one (Luce & Raiffa 1957)."""
    solution = solve(bimatrix(BATTLE), all=True)
    found = solution.equilibria
    assert found is not None
    assert (found.is_complete, found.components) == (True, (0, 1, 2))
    assert values(found) == {(3, 2), (2, 3), (Fraction(3, 2), Fraction(3, 2))}
    assert (
        dict(solution.rows())["extreme equilibria"]
        == "3: all there are, in 3 connected components of 3 maximal Nash subsets"
    )
    assert dict(solution.rows())["pays 3/2, 3/2"] == (
        "r0 at row 3/4, r1 at row 1/4; c0 at column 1/4, c1 at column 3/4"
    )


def test_identity_game_has_all_supports() -> None:
    """In the coordination game of the n x n identity each set of actions is a support: Quint &
    Shubik, "A theorem on the number of Nash equilibria in a bimatrix game", Int. J. Game Theory
    26, 1997: 2**n - 1 equilibria."""
    game = bimatrix([[(int(i == j), int(i == j)) for j in range(4)] for i in range(4)])
    assert len(all_equilibria(build_sequence_form(game))) == 2**4 - 1


def test_connected_equilibria_are_one_component() -> None:
    """Any x with y = first column, as long as player 1 does not prefer the second one."""
    game = bimatrix([[(1, 1), (0, 0)], [(1, 0), (0, 2)]])
    found = all_equilibria(build_sequence_form(game))
    # from both on the first row to the mix that player 1 is indifferent at, and the second pair
    assert [len(found), len(set(found.components or ()))] == [4, 1]
    third = Fraction(2, 3)  # at which player 1 is indifferent, and so any plan of player 1 will do
    assert {(part.low, part.high) for part in found.subsets or ()} == {
        ((0, third), (0, 2)),
        ((0, third), (1, third)),
        ((1, third), (1, 1)),
    }


@pytest.mark.parametrize("engine", [None, *ENGINES])
@pytest.mark.parametrize(
    ("objective", "best"),
    [("welfare", 5), ("player0", 3), ("player1", 3), ("-player0", -1.5), ("-welfare", -3)],
)
def test_best_equilibria(objective: str, best: float, engine: str | None) -> None:
    with solved_by(engine):
        solution = solve(bimatrix(BATTLE), optimize=objective, solver="highs")
    assert solution.method == "mip/highs"
    assert solution.status.name == "SOLVED"
    assert solution.optimum is not None
    assert solution.optimum.bound in (None, pytest.approx(best, abs=1e-6))
    assert solution.optimum.value == best
    assert solution.exact is not None
    assert f"objective {objective}" in dict(solution.rows())
    assert "the best, proven" in dict(solution.rows())[f"objective {objective}"]


def test_any_equilibrium_has_no_objective() -> None:
    solution = solve(bimatrix(BATTLE), optimize="none")
    assert solution.optimum is None
    assert solution.exact is not None


def test_zero_sum_games_have_one_value() -> None:
    for options in ({"optimize": "player1"}, {"all": True}):
        solution = solve(make("kuhn"), **options)
        assert solution.exact is not None
        assert solution.exact.value == Fraction(-1, 18)
    assert solution.equilibria is not None
    # Kuhn 1950: alpha = 0 and alpha = 1/3 are the ends of player 0's plans, player 1 has one
    assert len(solution.equilibria) == 2


def test_results_are_saved_and_verified(tmp_path: Path) -> None:
    for name, options in (("all", {"all": True}), ("best", {"optimize": "welfare"})):
        solve(bimatrix(BATTLE), **options).save(tmp_path / name)
        verify(tmp_path / name)
    again = load(tmp_path / "all")
    assert again.equilibria is not None
    assert len(again.equilibria) == 3
    best = load(tmp_path / "best")
    assert best.optimum is not None
    assert best.optimum.record() == {
        "objective": "welfare",
        "value": "5",
        "unproven_bound": None,
        "proven_bound": "5",
        "proven_by": "efce",
    }


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda c: c["equilibria"]["found"].pop(), VerificationError, "claims equilibria"),
        (lambda c: c["equilibria"].update(found=3), ResultFileError, "damaged"),
        (lambda c: c.update(optimum={}), VerificationError, "no objective"),
        (lambda c: c.update(optimum=3), ResultFileError, "damaged"),
        (lambda c: c.update(optimum={"unproven_bound": 10**400}), ResultFileError, "damaged"),
        (
            lambda c: c.update(optimum={"objective": "welfare", "value": "9"}),
            VerificationError,
            "claims optimum",
        ),
    ],
)
def test_false_claims_are_noticed(
    tmp_path: Path, change: Any, error: type[Exception], words: str
) -> None:
    solve(bimatrix(BATTLE), all=True).save(tmp_path / "all")
    claim(tmp_path / "all", change)
    with pytest.raises(error, match=words):
        verify(tmp_path / "all")


def test_lists_that_are_not_complete_are_verified_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extreme_equilibria, "MOST_EQUILIBRIA", 2)
    solution = solve(bimatrix(BATTLE), all=True)
    assert (solution.status.name, solution.equilibria.is_complete) == ("LIMIT", False)
    assert "NOT known to be all" in dict(solution.rows())["extreme equilibria"]
    solution.save(tmp_path / "some")
    assert len(load(tmp_path / "some").equilibria) == 2
    claim(
        tmp_path / "some",
        lambda c: c["equilibria"]["found"][0].update(plans=[["1", "1", "0"], ["1", "0", "1"]]),
    )
    with pytest.raises(VerificationError, match="listed equilibrium is none"):
        verify(tmp_path / "some")


@pytest.mark.parametrize("number", [float("inf"), "1e999999999", "0.5", "1_0", " 1", None, 1, 0.5])
def test_listed_plans_are_fractions_as_they_are_written(
    number: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extreme_equilibria, "MOST_EQUILIBRIA", 2)
    solve(bimatrix(BATTLE), all=True).save(tmp_path / "some")
    plans = [["1", number, "0"], ["1", "0", "1"]]
    claim(tmp_path / "some", lambda c: c["equilibria"]["found"][0].update(plans=plans))
    with pytest.raises(ResultFileError, match="list of equilibria in the result is damaged"):
        verify(tmp_path / "some")


def test_too_many_rays_end_an_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extreme_plans, "MOST_RAYS", 2)
    found = all_equilibria(build_sequence_form(bimatrix(BATTLE)))
    assert not found.is_complete
    assert values(found) <= {(3, 2), (2, 3), (Fraction(3, 2), Fraction(3, 2))}


def test_a_time_limit_leaves_what_was_found() -> None:
    form = build_sequence_form(random_game(5, depth=7, branching=3, zero_sum=False))
    solution = solve(form, all=True, time_limit=0.7)
    assert solution.status.name == "LIMIT"
    assert not solution.equilibria.is_complete


def test_refusals() -> None:
    three = random_game(1, players=3, depth=3, zero_sum=False)
    with pytest.raises(NotForThisGameError, match="for 2 players and the game has 3"):
        solve(three, optimize="welfare")
    with pytest.raises(NotForThisGameError, match="for 2 players and the game has 3"):
        solve(three, all=True)
    with pytest.raises(NotForThisGameError, match="2 players"):
        all_equilibria(build_sequence_form(three))
    with pytest.raises(UnknownNameError, match=r"no objective 'fairness'.*welfare"):
        solve(bimatrix(BATTLE), optimize="fairness")
    with pytest.raises(InvalidParameterError, match="tolerance"):
        solve(bimatrix(BATTLE), method="mip", tolerance=-1)
    with pytest.raises(UnknownNameError, match=r"no solver of integer .*'gurobi'.*highs"):
        solve(bimatrix(BATTLE), optimize="welfare", solver="gurobi")
    with pytest.raises(InvalidParameterError, match=r"'cvxpy' is for linear.*solver='highs'"):
        solve(bimatrix(BATTLE), optimize="welfare", solver="cvxpy")
    with pytest.raises(InvalidParameterError, match="all=False"):
        solve(bimatrix(BATTLE), method="enumeration", all=False)
    with pytest.raises(InvalidParameterError, match="leave out abstract"):
        solve(make("kuhn"), optimize="welfare", abstract="equitable")
    with pytest.raises(InvalidParameterError, match="leave out abstract"):
        solve(make("kuhn"), method="mip", abstract="equitable")
    for options in ({"optimize": "welfare"}, {"all": True}):
        with pytest.raises(UnsupportedGameError, match="floats"):
            solve(float_game(1), **options)
    with pytest.raises(GameTooLargeError, match=r"reduced pure strategies.*optimize='welfare'"):
        solve(make("leduc"), all=True)
    kuhn = solve(make("kuhn"))
    with pytest.raises(VerificationError, match="no objective 'none'"):
        optimum(kuhn.exact, "none", None)


def test_where_no_support_is_exact_the_profile_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from seqform.methods import mixed_search

    def refuse(*_: Any) -> None:
        raise SolverError("nothing fits")

    monkeypatch.setattr(mixed_search, "equilibrium_of_support", refuse)
    monkeypatch.setattr(mip, "ENUMERATION_STEPS", 0)
    solution = solve(bimatrix(BATTLE), method="mip")
    assert (solution.exact, solution.optimum) == (None, None)
    assert solution.status.name == "FAILED"
    assert solution.nash_gap < 1e-6
    assert "nothing fits" in solution.message


def test_a_support_of_no_equilibrium_is_refused() -> None:
    from seqform.solvers.linear.support_program import equilibrium_of_support

    form = build_sequence_form(bimatrix(BATTLE))
    played = np.array([True, True, False]), np.array([True, False, True])
    with pytest.raises(SolverError, match="no equilibrium"):
        equilibrium_of_support(form, played, (1, 1))


def test_limits_of_the_integer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    from seqform.results import best_nash
    from seqform.solvers.linear import mixed_integer

    monkeypatch.setattr(best_nash, "MOST_PAIRS", 0)
    monkeypatch.setattr(mip, "ENUMERATION_STEPS", 0)

    right = mixed_integer.solve_mixed

    def stopped(*arguments: Any) -> Any:
        return right(*arguments)._replace(status=LPStatus.LIMIT, bound=6.0)

    monkeypatch.setattr(mixed_integer, "solve_mixed", stopped)
    solution = solve(bimatrix(BATTLE), optimize="welfare")
    assert solution.status.name == "LIMIT"
    assert solution.optimum.bound > solution.optimum.value == 5
    monkeypatch.setattr(
        mixed_integer,
        "solve_mixed",
        lambda *a: right(*a)._replace(status=LPStatus.LIMIT, point=None),
    )
    solution = solve(bimatrix(BATTLE), optimize="welfare")
    # what complementary pivots found before
    assert (solution.status.name, solution.exact is None) == ("LIMIT", False)
    assert solution.optimum.value <= solution.optimum.bound
    monkeypatch.setattr(mip, "_first", lambda *_: None)
    solution = solve(bimatrix(BATTLE), optimize="welfare")
    assert (solution.status.name, solution.profile) == ("LIMIT", None)


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("engine", [None, *ENGINES])
def test_a_time_limit_leaves_an_equilibrium_to_start_from(engine: str | None) -> None:
    with solved_by(engine):
        solution = solve(make("sheriff"), optimize="player1", time_limit=2)
    assert solution.optimum is not None
    # on a fast machine a best EFCE proves it in time
    assert (solution.status.name == "SOLVED") == solution.optimum.is_best
    assert solution.status.name in ("SOLVED", "LIMIT")
    assert solution.optimum.bound is None or solution.optimum.value <= solution.optimum.bound


def test_what_cvxpy_cannot_solve_fails() -> None:
    program = Program(
        sp.csc_array(np.array([[1.0, 1.0]])),
        np.array([1.0, 0.0]),
        np.array([3.0]),
        np.array([3.0]),
        np.zeros(2),
    )
    found = solve_mixed_cvxpy(program, np.array([0, 1]))
    assert (found.status, found.point) == (LPStatus.FAILED, None)


def test_the_command_line() -> None:
    found = []
    for arguments in (["--all"], ["--optimize", "welfare"]):
        result = CliRunner().invoke(app, ["solve", "chicken", "--json", *arguments])
        assert result.exit_code == 0
        found.append(json.loads(result.stdout))
    listed, best = found
    assert listed["equilibria"]["complete"] is True
    assert len(listed["equilibria"]["found"]) == 3
    assert best["optimum"]["value"] == "28/3"


def test_long_fractions_are_read_again() -> None:
    number = Fraction(-(7**6000), 10**5001)
    assert read_fraction(fraction_text(number)) == number
