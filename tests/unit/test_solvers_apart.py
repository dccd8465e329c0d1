"""A large program is solved by another process, with the same answer; one that dies is an error."""

from __future__ import annotations

import time

import numpy as np
import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import SolverError
from seqform.solvers.linear import apart
from seqform.solvers.linear.apart import solve_apart
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus, build_lp
from seqform.solvers.linear.solver import SOLVERS, Feature, LPOptions, solve_program

APART = sorted(solver.name for solver in SOLVERS if Feature.APART in solver.features)


@pytest.fixture(scope="module")
def program() -> LinearProgram:
    return build_lp(build_sequence_form(build_tree(kuhn())))


@pytest.mark.parametrize("solver", APART)
def test_the_answer_is_the_same(solver: str, program: LinearProgram) -> None:
    here = solve_program(program, solver, LPOptions(time_limit=60))
    there = solve_apart(program, solver, LPOptions(time_limit=60))
    assert there.primal is not None
    assert there.duals is not None
    np.testing.assert_array_equal(here.primal, there.primal)
    np.testing.assert_array_equal(here.duals, there.duals)
    for name in ("status", "message", "engine", "iterations"):
        assert getattr(here, name) == getattr(there, name)
    assert (here.basis is None) == (there.basis is None)
    if here.basis is not None and there.basis is not None:
        np.testing.assert_array_equal(here.basis.columns, there.basis.columns)
        np.testing.assert_array_equal(here.basis.rows, there.basis.rows)


def test_large_programs_are_solved_apart_and_proven_here(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[LPSolution] = []

    def noted(*arguments: object) -> LPSolution:
        solved.append(solve_apart(*arguments))  # type: ignore[arg-type]
        return solved[-1]

    monkeypatch.setattr(apart, "solve_apart", noted)
    monkeypatch.setattr("seqform.solvers.linear.solver.available_bytes", lambda: 2**20)
    solution = solve(leduc(), exact=True)
    assert solution.exact is not None
    assert len(solved) == 1


def test_the_time_limit_counts_from_the_start_of_the_process(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[LPOptions] = []

    class Stub:
        def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
            given.append(options)
            return LPSolution(LPStatus.LIMIT, None, None, "", "stub")

    monkeypatch.setattr(SOLVERS, "get", lambda _: Stub())
    request = apart.request_of(program, "stub", LPOptions(time_limit=10))
    for seconds in (4, 12):
        apart.solve_here(request | {"since": time.time() - seconds}, apart.arrays_of(program))
    assert [options.time_limit for options in given] == pytest.approx([6, 0], abs=0.5)
    assert given[1].time_limit


def test_a_solver_that_ends_its_process_is_an_error(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "TASK", "tests.tasks_apart:die")
    monkeypatch.setattr(apart, "request_of", lambda *_: {"signal": 6})
    with pytest.raises(
        SolverError, match=r"clarabel failed: its process was ended by SIGABRT.* use"
    ):
        solve_apart(program, "clarabel", LPOptions())
