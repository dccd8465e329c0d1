"""Polishing as an option of solve and of the command line."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.random_games import random_game
from seqform import Status, build_sequence_form, build_tree, solve
from seqform.base.array_file import read_arrays
from seqform.base.errors import SolverError, UnsupportedGameError
from seqform.concepts.nash import certify
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.signal_strategy import KIND, VERSION
from seqform.game.observations import SignalStructure
from seqform.methods import iterative, polish
from seqform.results.folder import STRATEGY
from seqform.solvers.iterative.search import Progress
from seqform.solvers.linear.clarabel import solve_clarabel
from seqform.solvers.saddle.step import nearest_saddle
from tests.command_line import KEYS, call, typed

FORMS = {
    "treeplex": build_sequence_form(build_tree(leduc())),
    "signal": build_signal_form(SignalStructure(leduc())),
}
VALUE, LARGEST_PAYOFF = -0.0856064240780, 13


@pytest.fixture(autouse=True)
def small_games_go_by_rounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.BY_ROUNDS_FROM", 0)
    monkeypatch.setattr("seqform.solvers.iterative.regret.engine.NONZEROS_PER_PUBLIC_NODE", 0)


@pytest.mark.parametrize(
    ("method", "engine"), [("dcfr", "treeplex"), ("pcfr+", "treeplex"), ("dcfr", "signal")]
)
def test_a_search_is_polished_to_a_billionth_of_the_largest_payoff(
    engine: str, method: str
) -> None:
    plain = solve(FORMS[engine], method=method)
    solution = solve(FORMS[engine], method=method, polish=True)
    assert (solution.status, solution.method) == (Status.SOLVED, f"{method}/{engine}+polish")
    assert solution.nash_gap <= 1e-9 * LARGEST_PAYOFF < plain.nash_gap
    assert solution.lower - 1e-12 <= VALUE <= solution.upper + 1e-12
    assert solution.iterations == plain.iterations  # the search is the same
    assert solution.seconds["polish"] > 0
    assert "polish" not in plain.seconds
    assert solution.message == "stopped at the gap, then polished"
    assert solution.tolerance == 1e-9


def test_the_gap_is_that_of_the_polished_profile() -> None:
    form = FORMS["treeplex"]
    fine = solve(form, method="dcfr", gap=1e-10, polish=True)
    assert fine.status is Status.SOLVED
    assert fine.nash_gap <= 1e-10
    assert fine.iterations == solve(form, method="dcfr").iterations
    coarse = solve(form, method="dcfr", gap=0.01, polish=True)
    assert coarse.iterations == solve(form, method="dcfr", gap=0.01).iterations < fine.iterations
    assert coarse.nash_gap <= 0.01
    beyond = solve(form, method="dcfr", gap=1e-17, polish=True)
    assert beyond.status is Status.INACCURATE
    assert beyond.nash_gap < 1e-10


def test_asking_for_polish_leaves_the_choice_of_a_method(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve(kuhn(), polish=True).method == "lp/highs/simplex+polish"
    assert solve(kuhn(), gap=1e-3, polish=True).method == "lp/highs/simplex+polish"
    assert solve(kuhn(), iterations=100, polish=True).method == "sapdcfr+/treeplex+polish"
    monkeypatch.setattr("seqform.base.thresholds.ITERATE_FROM", 1)
    assert solve(kuhn(), polish=True).method == "tuned-dcfr/treeplex+polish"


def coarse(program: Any, **_: Any) -> Any:
    """Solve a linear program with Clarabel, not very well."""
    return solve_clarabel(program, tolerance=1e-5)


@pytest.mark.parametrize("gap", [None, 1e-11])
def test_programs_are_polished_too(monkeypatch: pytest.MonkeyPatch, gap: float | None) -> None:
    monkeypatch.setattr("seqform.solvers.linear.clarabel.solve_clarabel", coarse)
    form = build_sequence_form(build_tree(liars_dice(1, 4)))
    plain = solve(form, solver="clarabel")
    assert 1e-8 < plain.nash_gap < 1e-3
    solution = solve(form, solver="clarabel", polish=True, gap=gap)
    assert (solution.status, solution.method, solution.message) == (
        Status.SOLVED,
        "lp/clarabel+polish",
        "Solved, then polished",
    )
    assert solution.nash_gap <= (gap or 1e-9)
    assert solution.tolerance == (gap or 1e-9)
    assert solution.value == pytest.approx(1 / 16, abs=1e-9)


def test_a_program_without_an_answer_is_not_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polish, "polish", None)
    solution = solve(FORMS["treeplex"], solver="highs", time_limit=1e-9, polish=True)
    assert (solution.status, solution.profile) == (Status.LIMIT, None)


def test_polished_behaviour_is_not_rounded_to_single_precision() -> None:
    solution = solve(FORMS["signal"], method="dcfr", polish=True)
    assert solution.profile is not None
    assert any(
        (behavior.astype(np.float32) != behavior).any() for behavior in solution.profile.behaviors
    )


def test_the_profile_is_that_which_polish_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its plan has no weight, it is completed."""
    form, found, improve = FORMS["treeplex"], [], polish.polish

    def remember(*arguments: Any, **options: Any) -> Any:
        found.append(improve(*arguments, **options))
        return found[0]

    monkeypatch.setattr(polish, "polish", remember)
    profile = solve(form, method="dcfr", polish=True).profile
    assert all(mine is its for mine, its in zip(profile.plans, found[0].profile.plans, strict=True))


def test_limits_hold_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    few = solve(FORMS["treeplex"], method="dcfr", iterations=200, polish=True)
    # polishing makes up for the limit of the search
    assert (few.status, few.iterations) == (Status.SOLVED, 200)
    late = solve(FORMS["treeplex"], method="dcfr", time_limit=1e-12, polish=True)
    assert (late.status, late.iterations) == (Status.LIMIT, 0)
    monkeypatch.setattr(polish, "nearest_saddle", None)  # not called any more
    short = solve(FORMS["treeplex"], method="dcfr", gap=1e-12, time_limit=0.003, polish=True)
    assert short.status is Status.LIMIT


def test_time_that_runs_out_while_polishing_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def dawdle(form: Any, profile: Any, *, deadline: float, **_: Any) -> Any:
        monkeypatch.setattr(time, "perf_counter", lambda: deadline + 1e-3)
        return polish.Polished(profile, certify(form, profile), False, "")

    monkeypatch.setattr(polish, "polish", dawdle)
    solution = solve(FORMS["treeplex"], method="dcfr", gap=1e-9, time_limit=300.0, polish=True)
    assert (solution.status, solution.message) == (
        Status.LIMIT,
        "stopped at the gap, then polished",
    )


def test_an_interrupted_search_is_not_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(now: Progress) -> None:
        if now.iterations >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(polish, "polish", None)
    solution = solve(FORMS["treeplex"], method="dcfr", polish=True, callback=stop)
    assert (solution.status, solution.method) == (Status.LIMIT, "dcfr/treeplex")
    assert solution.lower <= VALUE <= solution.upper


def spoil(monkeypatch: pytest.MonkeyPatch, call: int, act: Callable[[], None]) -> list[None]:
    """Make one call of the program's solver do something first, and return a list as long as there
    are calls."""
    calls: list[None] = []

    def program(*arguments: Any) -> Any:
        calls.append(None)
        if len(calls) == call + 1:
            act()
        return nearest_saddle(*arguments)

    monkeypatch.setattr(polish, "nearest_saddle", program)
    return calls


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def insist() -> None:
    interrupt()
    time.sleep(0.01)
    interrupt()


def fail() -> None:
    raise SolverError("no")


@pytest.mark.parametrize(
    ("act", "status", "message"),
    [
        (interrupt, Status.LIMIT, "polishing was interrupted"),
        (insist, Status.LIMIT, "polishing was interrupted"),
        (fail, Status.INACCURATE, "polishing failed: no"),
    ],
)
@pytest.mark.parametrize("call", [0, 2])
def test_a_search_survives_polishing_that_ends_early(
    monkeypatch: pytest.MonkeyPatch,
    call: int,
    act: Callable[[], None],
    status: Status,
    message: str,
) -> None:
    calls = spoil(monkeypatch, call, act)
    solution = solve(FORMS["treeplex"], method="dcfr", gap=1e-15, polish=True)
    assert solution.status is status
    assert solution.message == f"stopped at the gap, then polished; {message}"
    assert 0 < solution.nash_gap <= 1e-5 * LARGEST_PAYOFF
    assert (solution.nash_gap <= 1e-7) == (call == 2)  # the first round is kept
    assert len(calls) <= call + 2  # and there is no other


def test_an_interrupt_stops_a_program_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    form, at_work = FORMS["treeplex"], Event()
    uniform = Profile.uniform(form.treeplexes)
    spoil(monkeypatch, 0, at_work.set)
    with ThreadPoolExecutor(1) as pool:
        wish = pool.submit(lambda: (at_work.wait(), time.sleep(0.02), interrupt()))
        found = polish.polish(form, uniform, rounds=10**6)
        wish.result()
    assert found.interrupted
    assert found.trouble == "polishing was interrupted"
    assert found.certificate.nash_gap <= certify(form, uniform).nash_gap


def test_what_cannot_be_polished_is_refused_before_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(iterative, "search", None)
    with pytest.raises(UnsupportedGameError, match="R10"):
        solve(random_game(3, depth=3, zero_sum=False), method="pdhg", polish=True)


def test_a_search_goes_on_from_a_checkpoint_and_is_polished(tmp_path: Path) -> None:
    path = tmp_path / "search.npz"
    whole = solve(FORMS["signal"], method="dcfr", polish=True)
    solve(FORMS["signal"], method="dcfr", iterations=50, checkpoint=path)
    again = solve(FORMS["signal"], method="dcfr", polish=True, checkpoint=path, resume=True)
    assert (again.iterations, again.nash_gap) == (whole.iterations, whole.nash_gap)


def test_the_command_line_polishes_and_verifies(tmp_path: Path) -> None:
    out = str(tmp_path / "found")
    record = json.loads(
        call("solve", "leduc", "--method", "dcfr", "--polish", "--out", out, "--json")
    )
    assert record.keys() >= KEYS
    assert (record["status"], record["method"]) == ("solved", "dcfr/treeplex+polish")
    phases = {"build", "prepare", "solve", "polish", "certify", "complete"}
    assert record["seconds"].keys() == phases
    assert record["nash_gap"] <= 1e-9 * LARGEST_PAYOFF
    assert (tmp_path / "found" / STRATEGY).exists()
    assert json.loads(call("verify", out, "--json"))["nash_gap"] == pytest.approx(
        record["nash_gap"], abs=1e-12
    )


@pytest.mark.parametrize("more", [(), ("--max-nodes", "1000")])
def test_an_abstraction_is_polished_lifted_and_saved_in_double_precision(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    out = str(tmp_path / "found")
    record = json.loads(
        call(
            "solve",
            "leduc",
            "--abstract",
            "equitable",
            "--method",
            "dcfr",
            "--polish",
            *more,
            "--out",
            out,
            "--json",
        )
    )
    assert (record["status"], record["method"]) == ("solved", "dcfr/signal+polish")
    assert record["nash_gap"] <= 1e-9 * LARGEST_PAYOFF
    if more:
        _, arrays = read_arrays(tmp_path / "found" / "strategy.npz", KIND, VERSION)
        assert arrays["behavior0"].dtype == np.float64
    assert json.loads(call("verify", out, "--json"))["nash_gap"] == pytest.approx(
        record["nash_gap"], abs=1e-12
    )


def test_the_command_line_polishes_programs() -> None:
    record = json.loads(
        call("solve", "kuhn", "--method", "lp", "--polish", "--gap", "1e-12", "--json")
    )
    assert (record["status"], record["method"]) == ("solved", "lp/highs/simplex+polish")
    record = json.loads(call("solve", "kuhn", "--method", "lp", "--gap", "1e-12", "--json"))
    assert (record["status"], record["method"]) == ("solved", "lp/highs/simplex")
    assert "--polish" in typed("solve", "--help").stdout
