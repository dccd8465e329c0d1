"""What was found before the time was over is returned, whatever is still under way then."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import Status, build_tree, describe, make, solve
from seqform.base.deadline import time_limited
from seqform.base.errors import InvalidGameError, OutOfTimeError, SolverError
from seqform.concepts.nash import Nash
from seqform.methods.basis_in_time import basis_in_time
from seqform.methods.mixed_search import MixedSearch
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from seqform.solvers.linear import highs
from seqform.solvers.linear.program import LPSolution, LPStatus, build_lp
from seqform.solvers.linear.solver import LPOptions, solve_program

LONG = 1000.0
"""A time limit that is never reached here."""


def late(*_: Any, **__: Any) -> Any:
    raise OutOfTimeError("the time is over")


@pytest.fixture
def by_clarabel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all games so large that a basis is not looked for unless it is asked for."""
    monkeypatch.setattr("seqform.base.thresholds.CLARABEL_FROM", 0)
    monkeypatch.setattr("seqform.base.thresholds.BASIS_UP_TO", 0)


def no_basis(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Any]) -> list[str]:
    """Have HiGHS answer so; return the solvers that are asked."""
    asked: list[str] = []

    def solver(program: Any, name: str, options: LPOptions) -> Any:
        asked.append(name)
        return answer() if name == "highs" else solve_program(program, name, options)

    monkeypatch.setattr("seqform.solvers.linear.solver.solve_program", solver)
    return asked


STOPPED = LPSolution(LPStatus.LIMIT, None, None, "Time limit reached", "highs/ipx")


@pytest.mark.usefixtures("by_clarabel")
@pytest.mark.parametrize("option", ["exact", "family", "refine"])
@pytest.mark.parametrize("answer", [late, lambda: STOPPED])
def test_without_time_for_a_proof_the_default_s_answer_stays(
    option: str, answer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = no_basis(monkeypatch, answer)
    wanted: dict[str, Any] = {option: "quasi-perfect" if option == "refine" else True}
    solution = solve(make("leduc"), time_limit=LONG, **wanted)
    assert asked == ["clarabel", "highs"]
    assert solution.status is Status.LIMIT
    assert "there was no basis in time, and so no proof" in solution.message
    assert solution.exact is None
    assert solution.nash_gap < 1e-6
    assert solution.lower <= -0.0856064 <= solution.upper + 1e-7


@pytest.mark.usefixtures("by_clarabel")
def test_with_time_for_a_proof_there_is_one() -> None:
    solution = solve(make("kuhn"), exact=True, time_limit=LONG)
    assert solution.exact is not None
    assert solution.method.startswith("lp/highs")


@pytest.mark.usefixtures("by_clarabel")
def test_without_a_limit_or_for_a_named_solver_one_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = no_basis(monkeypatch, lambda: STOPPED)
    solve(make("kuhn"), exact=True)
    solve(make("kuhn"), exact=True, solver="highs", time_limit=LONG)
    assert asked == ["highs", "highs"]


def test_a_correlated_equilibrium_is_rounded_without_a_basis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("seqform.base.thresholds.CLARABEL_FROM_CORRELATED", 0)
    asked = no_basis(monkeypatch, lambda: STOPPED)
    solution = solve(make("chicken"), method="efce", exact=True, time_limit=LONG)
    assert asked == ["clarabel", "highs"]
    assert solution.answer is not None
    assert "no basis in time" in solution.message
    assert solution.status in (Status.LIMIT, Status.SOLVED)


POINT = LPSolution(LPStatus.OPTIMAL, np.zeros(1), np.zeros(1), "Solved", "clarabel")
WITHOUT = LPSolution(LPStatus.FAILED, None, None, "no", "clarabel")
BASIC = LPSolution(LPStatus.OPTIMAL, np.ones(1), np.ones(1), "Optimal", "highs")


def refused() -> LPSolution:
    raise SolverError("it is not installed")


@pytest.mark.parametrize("first", [lambda: POINT, lambda: WITHOUT, refused, late])
def test_a_basis_in_time_is_taken_whatever_came_first(first: Callable[[], LPSolution]) -> None:
    assert basis_in_time(first, lambda: BASIC) is BASIC


def test_errors_stay_where_there_is_no_other_answer() -> None:
    with pytest.raises(SolverError):
        basis_in_time(lambda: WITHOUT, refused)
    found = basis_in_time(lambda: POINT, refused)
    assert (found.status, found.primal) == (LPStatus.LIMIT, POINT.primal)


def test_a_search_whose_iteration_does_not_end_gives_what_it_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = TreeplexEngine.run

    def run(engine: TreeplexEngine, count: int) -> None:
        honest(engine, 1)
        if engine.iterations > 20:
            raise OutOfTimeError("the time is over")

    monkeypatch.setattr(TreeplexEngine, "run", run)
    solution = solve(make("kuhn"), method="dcfr", gap=1e-9)
    assert solution.status is Status.LIMIT
    assert solution.iterations == 21
    assert 0 < solution.nash_gap < 1


def test_a_search_without_an_iteration_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TreeplexEngine, "run", late)
    with pytest.raises(OutOfTimeError):
        solve(make("kuhn"), method="dcfr")


@pytest.mark.parametrize("options", [{"method": "dcfr", "gap": 1e-3}, {"method": "lp"}])
def test_an_answer_without_time_for_its_certificate_is_kept_and_not_vouched_for(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    honest = Nash.certify
    monkeypatch.setattr(Nash, "certify", late)
    solution = solve(make("kuhn"), **options)
    assert solution.status is Status.LIMIT
    assert solution.message.endswith("what was found is not certified: the time is over")
    assert np.isnan([solution.value, solution.nash_gap]).all()
    assert solution.exact is None
    assert solution.profile is not None
    monkeypatch.setattr(Nash, "certify", honest)
    assert honest(Nash(), solution.game, solution.profile).nash_gap < 1e-2
    assert dict(solution.rows())["status"].startswith("LIMIT")
    solution.save(tmp_path / "result", "kuhn")


def test_one_of_a_smaller_game_is_kept_as_its(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nash, "certify", late)
    solution = solve(make("leduc"), abstract="suit")
    assert (solution.status, solution.profile, solution.reduction) == (Status.LIMIT, None, "suit")
    assert solution.abstract is not None
    assert solution.abstract.profile is not None


def test_an_integer_program_that_does_not_end_leaves_the_first_equilibrium(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MixedSearch, "_asked", late)
    monkeypatch.setattr("seqform.methods.mip._prove", lambda *_: ["not tried"])
    solution = solve(make("chicken"), optimize="welfare")
    assert solution.status is Status.LIMIT
    assert "the time is over" in solution.message
    assert solution.exact is not None


def test_a_path_that_does_not_end_leaves_its_last_point(monkeypatch: pytest.MonkeyPatch) -> None:
    from seqform.solvers import continuation

    honest = continuation.follow

    def follow(*arguments: Any) -> Any:
        yield from itertools.islice(honest(*arguments), 3)
        raise OutOfTimeError("the time is over")

    monkeypatch.setattr(continuation, "follow", follow)
    solution = solve(make("kuhn", players=3), method="qre")
    assert solution.status is Status.LIMIT
    assert solution.nash_gap > 0


def test_polishing_that_does_not_end_leaves_what_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.methods.polish._Search.step", late)
    solution = solve(make("kuhn"), method="dcfr", gap=1e-2, polish=True)
    assert 0 < solution.nash_gap < 1


def test_highs_keeps_to_the_limit_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the programs that a refinement solves one after the other."""
    from seqform import build_sequence_form

    given: list[Any] = []
    honest = highs.set_option
    monkeypatch.setattr(
        highs,
        "set_option",
        lambda of, name, value: (given.append((name, value)), honest(of, name, value)),
    )
    program = build_lp(build_sequence_form(build_tree(make("kuhn"))))
    with time_limited(LONG):
        highs.solve_highs(program)
        highs.solve_highs(program, time_limit=5)
    highs.solve_highs(program)
    limits = [value for name, value in given if name == "time_limit"]
    assert len(limits) == 2
    assert LONG / 2 < limits[0] < LONG + 1
    assert limits[1] <= 5


class Endless:
    """Rules whose actions never end."""

    num_players = 2

    def __init__(self, players: int = 2) -> None:
        self.num_players = players

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return 0

    def chance(self, state: int) -> list[Any]:
        return []

    def actions(self, state: int) -> Any:
        return itertools.count()

    def child(self, state: int, action: int) -> int:
        return state + 1

    def infoset(self, state: int) -> int:
        return state

    def payoffs(self, state: int) -> tuple[int, ...]:
        return (0, 0)


def test_actions_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.game.checks.MOST_VALUES", 1000)
    with pytest.raises(
        InvalidGameError, match=r"R3: the actions are more than 1,000, or never end"
    ):
        build_tree(Endless())
    with pytest.raises(
        InvalidGameError, match=r"R3: the actions are more than 1,000, or never end"
    ):
        solve(Endless(), method="minimax")


def test_more_players_than_anybody_has_are_refused() -> None:
    for call in (build_tree, solve, describe):
        with pytest.raises(InvalidGameError, match=r"R1: num_players is 1000000000; use at most"):
            call(Endless(10**9))
