"""Recursive games whose time is over: the best so far comes back, with brackets that are true."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from seqform.base.clock import Clock
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.recursive import bound, iteration
from seqform.recursive.bound import Case
from seqform.recursive.iteration import iterate
from seqform.recursive.proof import prove_stationary
from seqform.recursive.solve import solve_recursive
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from tests.random_recursive_games import kuhn_tournament, ruin

ROOT = Fraction(478298858532376074, 10**18)


def over() -> Clock:
    clock = Clock()
    clock.deadline = 0.0
    return clock


def test_an_iteration_is_not_begun_without_time_for_it() -> None:
    found = iterate(stage_graph(kuhn_tournament(4, 2)), 1e-12, over())
    assert found.iterations == 1
    assert not found.reached


@pytest.mark.parametrize("error", [OutOfTimeError, SolverError])
def test_what_is_stopped_within_an_iteration_is_not_lost(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = stage_graph(kuhn_tournament(4, 2))
    solve, calls = iteration._Search._solve_stages, []

    def stopped(search: Any, values: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            clock.deadline = 0.0
            raise error("the time is over")
        return solve(search, values)

    monkeypatch.setattr(iteration._Search, "_solve_stages", stopped)
    clock = Clock()
    found = iterate(graph, 1e-12, clock)
    assert found.iterations == 1
    assert found.width < 1
    proof = prove_stationary(found.profile)
    assert proof.lower[0][0] <= ROOT <= proof.upper[0][0]


def test_an_error_that_is_not_of_time_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise SolverError("no")

    monkeypatch.setattr(iteration._Search, "_solve_stages", fails)
    with pytest.raises(SolverError, match="no"):
        iterate(stage_graph(kuhn_tournament(4, 2)), 1e-12, Clock())


def test_few_iterations_are_a_limit_with_true_brackets() -> None:
    solution = solve_recursive(kuhn_tournament(4, 2), iterations=1)
    assert solution.status is Status.LIMIT
    assert solution.width > solution.tolerance
    assert solution.lower <= ROOT <= solution.upper


@pytest.mark.parametrize("sweeps", [1, 2, 5])
def test_sweeps_that_are_stopped_are_bounds(sweeps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sweep of a ruin says more, and all of it is true."""
    calls: list[str] = []

    def counted(doing: str) -> None:
        calls.append(doing)
        if len(calls) > sweeps:
            raise OutOfTimeError("the time is over")

    graph = stage_graph(ruin(6, Fraction(1, 2)))
    profile = StationaryProfile.uniform(graph)
    whole = prove_stationary(profile)
    monkeypatch.setattr(bound, "check_time", counted)
    plans = profile.in_integers()
    against = [
        graph.meetings(stage, seat).exactly_against(plans[stage], 2**44)
        for stage in range(5)
        for seat in range(2)
    ]
    operator = bound.Operator(graph, against)
    stopped = bound._bound(operator, bound._horizon(operator), Case.HORIZON)
    for row, exact in zip(stopped.values, whole.upper, strict=True):
        for high, least in zip(row, exact, strict=True):
            assert least - Fraction(1, 10**9) <= high <= 1
    assert min(stopped.values)[0] < 1
    assert len(calls) == sweeps + 1
