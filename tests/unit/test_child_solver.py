"""A large program is solved by another process, with the same answer; one that dies is an error."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from signal import SIGINT, SIGTERM

import numpy as np
import pytest
from highspy import Highs

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import build_sequence_form, build_tree, solve
from seqform.base.deadline import time_limited
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.solvers.linear import child_solver, child_solver_task
from seqform.solvers.linear.child_solver import solve_in_child
from seqform.solvers.linear.program import LinearProgram, LPSolution, LPStatus, build_lp
from seqform.solvers.linear.solver import SOLVERS, Feature, LPOptions, solve_program
from seqform.solvers.linear.turn import SilentHighs

APART = sorted(solver.name for solver in SOLVERS if Feature.APART in solver.features)


@pytest.fixture(scope="module")
def program() -> LinearProgram:
    return build_lp(build_sequence_form(build_tree(kuhn())))


@pytest.mark.parametrize("solver", APART)
def test_the_answer_is_the_same(
    solver: str, program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        SilentHighs, "__init__", Highs.__init__
    )  # the other one has no `--highs-seed`
    here = solve_program(program, solver, LPOptions(time_limit=60))
    there = solve_in_child(program, solver, LPOptions(time_limit=60))
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
        solved.append(solve_in_child(*arguments))  # type: ignore[arg-type]
        return solved[-1]

    monkeypatch.setattr(child_solver, "solve_in_child", noted)
    monkeypatch.setattr("seqform.solvers.linear.solver.available_bytes", lambda: 2**20)
    solution = solve(leduc(), exact=True)
    assert solution.exact is not None
    assert len(solved) == 1


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
@pytest.mark.parametrize("solver", sorted({"clarabel", "pardiso"} & {*APART}))
def test_at_a_signal_the_point_so_far_is_handed_over(solver: str, number: int) -> None:
    """The signal comes to the command, which waits for the solver's process."""
    if solver == "pardiso":
        pytest.importorskip("pypardiso")
    code = f"""
import json, os, sys
import seqform.base.child_process
import seqform.solvers.linear.child_solver as child_solver
import seqform.solvers.linear.solver as solvers

child_solver.TASK = "tests.child_tasks:solve_slowly"
solvers.STEPS_FROM = 0

def hear(doing):
    if "5 iterations" in doing:
        os.kill(os.getpid(), {number})

seqform.base.child_process.tell = hear
sys.argv[1:] = ["solve", "leduc", "--solver", {solver!r}, "--abstract", "none", "--program",
    "plain", "--time-limit", "1000", "--json"]
from seqform.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    record = json.loads(done.stdout or "{}")
    assert (done.returncode, record.get("status")) == (1, "limit"), done.stderr
    assert record["nash_gap"] > 1e-6


def test_one_that_is_at_work_when_the_time_is_over_is_ended(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(child_solver, "TASK", "tests.child_tasks:sleep")
    monkeypatch.setattr(child_solver, "request_of", lambda *_: {"pid": str(tmp_path / "pid")})
    with time_limited(1):
        around = solve_in_child(program, "clarabel", LPOptions())
    for found in (around, solve_in_child(program, "clarabel", LPOptions(time_limit=1))):
        assert (found.status, found.primal) == (LPStatus.LIMIT, None)
        assert found.message == child_solver.STOPPED


def test_one_that_is_refused_before_it_begins_is_refused(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OutOfTimeError("one iteration takes about a year")

    monkeypatch.setattr(child_solver, "run_in_child", refuse)
    with pytest.raises(OutOfTimeError, match="about a year"):
        solve_in_child(program, "clarabel", LPOptions(time_limit=1000))


@pytest.mark.parametrize("solver", APART)
def test_large_steps_are_made_apart_where_the_time_is_limited(
    solver: str, program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    nothing = LPSolution(LPStatus.LIMIT, None, None, "", "stub")
    monkeypatch.setattr(
        child_solver, "solve_in_child", lambda _, name, __: asked.append(name) or nothing
    )
    monkeypatch.setattr("seqform.solvers.linear.solver.STEPS_FROM", 0)
    solve_program(program, solver, LPOptions())
    assert not asked
    solve_program(program, solver, LPOptions(time_limit=60))
    with time_limited(60):
        solve_program(program, solver, LPOptions())
    assert asked == [solver] * 2


def test_the_time_limit_counts_from_the_start_of_the_process(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[LPOptions] = []

    class Stub:
        def solve(self, program: LinearProgram, options: LPOptions) -> LPSolution:
            given.append(options)
            return LPSolution(LPStatus.LIMIT, None, None, "", "stub")

    monkeypatch.setattr(SOLVERS, "get", lambda _: Stub())
    request = child_solver.request_of(program, "stub", LPOptions(time_limit=10))
    for seconds in (4, 12):
        child_solver_task.solve_here(
            request | {"since": time.time() - seconds}, child_solver.arrays_of(program)
        )
    assert [options.time_limit for options in given] == pytest.approx(
        [6 - child_solver_task.WAY_BACK, 0], abs=0.5
    )
    assert given[1].time_limit


def test_a_solver_that_ends_its_process_is_an_error(
    program: LinearProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_solver, "TASK", "tests.child_tasks:die")
    monkeypatch.setattr(child_solver, "request_of", lambda *_: {"signal": 6})
    with pytest.raises(
        SolverError, match=r"clarabel failed: its process was ended by SIGABRT.* use"
    ):
        solve_in_child(program, "clarabel", LPOptions())
