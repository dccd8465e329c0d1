"""A time limit holds for the whole call: building, solving, lifting, certifying and saving."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from abstraction.color_refinement import refine
from abstraction.equitable import equitable
from games.textbook import king_queen_jack
from seqform import (
    Status,
    build_sequence_form,
    build_tree,
    certify,
    describe,
    make,
    reduce,
    shrink,
    solve,
    verify,
)
from seqform.base import deadline as limits
from seqform.base.arrays import Floats
from seqform.base.child_process import run_in_child
from seqform.base.clock import Clock
from seqform.base.deadline import (
    For,
    check_time,
    deadline,
    on_time,
    overtime,
    require_time,
    time_limited,
)
from seqform.base.errors import InvalidParameterError, OutOfTimeError, VerificationError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.cli import app
from seqform.cli.commands import COMMANDS
from seqform.concepts.subgame_perfect import SUBGAME_PERFECT, on_tree
from seqform.exact.bracket import interval_of
from seqform.exact.linear_system import _Digits, eliminate
from seqform.exact.products import integer_matrix
from seqform.exact.reconstruct import common_denominator
from seqform.form.profile import Profile
from seqform.game.observations import SignalStructure
from seqform.methods import lifting
from seqform.methods.problem import Problem
from seqform.perfect_information import backward_induction
from seqform.solvers.linear import clarabel
from seqform.solvers.linear.program import build_lp
from seqform.tree.as_rules import TreeGame

NOW = 1000.0


LOST = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""A limit that is over while Python drops a weak reference is lost there; the next alarm ends the
call."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which stands still until a test moves it."""
    now = [NOW]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every time limit so short that even a small game takes longer."""
    monkeypatch.setattr(limits, "LEAST", 0.0)


def test_a_limit_ends_what_is_done_within(clock: list[float]) -> None:
    check_time("waiting")
    with time_limited(10):
        assert deadline() == NOW + 10
        clock[0] += 9.9
        check_time("waiting")
        clock[0] += 0.2
        with pytest.raises(OutOfTimeError, match="limit of 10 s was over while waiting: raise"):
            check_time("waiting")
    check_time("waiting")
    assert deadline() == inf


def test_limits_that_no_float_can_hold_are_long() -> None:
    with time_limited(10**400):
        assert deadline() > 1e14


def test_the_first_of_several_limits_counts(clock: list[float]) -> None:
    with time_limited(10), time_limited(20):
        assert deadline() == NOW + 10
    with time_limited(10), time_limited(None), time_limited(3):
        assert deadline() == NOW + 3


def test_a_limit_counts_from_when_the_process_began(clock: list[float]) -> None:
    with time_limited(10, since=NOW - 4):
        assert deadline() == NOW + 6
    with time_limited(10), time_limited(5, since=NOW - 4), time_limited(3):
        assert deadline() == NOW + 1


def test_loading_and_starting_count_on_the_command_line() -> None:
    code = "from seqform import cli; cli.BEGAN -= 1000; cli.shell()"
    command = ("solve", "kuhn", "--method", "dcfr", "--gap", "1e-15", "--time-limit", "1000")
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode == 1:
        assert json.loads(done.stdout)["status"] == "limit"
    else:  # not even the game was built
        assert "the time limit of 1e+03 s was over" in done.stderr


def test_what_was_found_is_handed_over_in_overtime(clock: list[float]) -> None:
    """A method leaves some of it for the certificate, and that for what is shown and saved."""
    with time_limited(10):
        for what, most in ((For.MAKING, 10.64), (For.CERTIFYING, 11.2), (For.SHOWING, 11.6)):
            clock[0] = NOW + most - 0.1
            with overtime(what), overtime():
                check_time("handing over")
                with on_time(), pytest.raises(OutOfTimeError, match="while proving"):
                    check_time("proving")
                clock[0] += 0.2
                with pytest.raises(OutOfTimeError, match="while handing over"):
                    check_time("handing over")
        with pytest.raises(OutOfTimeError):
            check_time("building")


def test_what_cannot_be_stopped_is_refused_with_the_estimate(clock: list[float]) -> None:
    require_time(1e9, "eternity")
    with time_limited(10):
        clock[0] += 4
        require_time(5.9, "a while")
        with pytest.raises(
            OutOfTimeError, match=r"takes about 7 s, and 6 s are left for it: try ti"
        ):
            require_time(7, "a program")
        with pytest.raises(OutOfTimeError, match=r"takes about 7 s, and 2 s .* time_limit=18,"):
            require_time(7, "a program", end=NOW + 6)  # four seconds are kept for later


def test_a_clock_keeps_time_for_what_follows(clock: list[float]) -> None:
    with time_limited(10):
        kept = Clock()
        kept.reserve(4, "a certificate")
        assert kept.deadline == NOW + 6
        assert kept.seconds_left == 6
        with pytest.raises(OutOfTimeError, match="lifting takes about 7 s, and 6 s are left"):
            kept.reserve(7, "lifting")
    assert Clock().seconds_left is None


@pytest.mark.parametrize(
    ("wall", "own", "kept"), [(10, 10, 4), (10, 5, 8), (10, 1, 16), (10, 0.1, 4), (0, 1, 4)]
)
def test_a_busy_processor_has_more_kept(
    wall: float, own: float, kept: float, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as much where half of the time was ours; not where little was measured."""
    spent = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: spent[0])
    with time_limited(100):
        found = Clock()
        clock[0] += wall
        spent[0] += own
        found.reserve(4, "a certificate")
        assert found.reserved == pytest.approx(kept)
        assert found.deadline == pytest.approx(NOW + 100 - kept)


def test_half_of_what_is_left_stays_with_the_method(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: spent[0])
    with time_limited(20):
        found = Clock()
        clock[0] += 10
        spent[0] += 1
        found.reserve(4, "a certificate")
        assert found.seconds_left == pytest.approx(3)


@LOST
@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize(
    "call",
    [
        lambda: describe(make("nim"), time_limit=1e-9),
        lambda: shrink(make("kuhn"), "equitable", time_limit=1e-9),
        lambda: shrink(make("nim"), "tree", time_limit=1e-9),
        lambda: reduce(make("leduc"), "suit", time_limit=1e-9),
        lambda: reduce(make("leduc"), time_limit=1e-9),
        lambda: solve(make("liars-dice"), time_limit=1e-9),
        lambda: solve(make("liars-dice"), method="dcfr", time_limit=1e-9),
    ],
)
def test_every_call_that_may_take_long_has_a_limit(call: Callable[[], Any]) -> None:
    with pytest.raises(OutOfTimeError, match=r"was over while|takes about"):
        call()


@LOST
@pytest.mark.usefixtures("no_time")
def test_verification_has_a_limit(tmp_path: Path) -> None:
    for name in ("kuhn", "centipede"):
        solve(make(name)).save(tmp_path / name, name)
        with pytest.raises(OutOfTimeError, match="was over while"):
            verify(tmp_path / name, time_limit=1e-9)


def test_every_command_has_the_option() -> None:
    for command in COMMANDS:
        done = CliRunner().invoke(app, [command, "--help"])
        assert "--time-limit" in done.stdout, command
    done = CliRunner().invoke(app, ["info", "kuhn", "--time-limit", "0"])
    assert "--time-limit 0.0: use a number of seconds above 0" in str(done.exception)


@pytest.mark.parametrize("method", ["backward", "minimax", "alphabeta"])
def test_searches_of_perfect_information_end_in_time(method: str) -> None:
    start = time.perf_counter()
    solution = solve(make("mnk", columns=5, rows=5), method=method, time_limit=0.2)
    assert time.perf_counter() - start < 60
    assert (solution.status, "limit" in solution.message) == (Status.LIMIT, True)


def test_rhode_island_is_refused_where_lifting_takes_longer() -> None:
    start = time.process_time()
    with pytest.raises(OutOfTimeError, match=r"takes about 5|going through the deals"):
        solve(make("rhode-island"), time_limit=4)
    assert time.process_time() - start < 30  # the deals are counted, and nothing is built


def test_a_certificate_that_takes_long_is_announced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    options: dict[str, Any] = {"abstract": "equitable", "gap": 1.0, "method": "dcfr"}
    solve(make("leduc"), **options)
    assert not caplog.messages
    monkeypatch.setattr(lifting, "lifting_seconds", lambda sequences, _: sequences / 100)
    solve(make("leduc"), **options)
    assert caplog.messages == [f"{lifting.LIFTING} takes about 22 s"] * 2  # before, and after
    with pytest.raises(OutOfTimeError, match=r"takes about 22 s, and [\d.]+ s are left"):
        solve(make("leduc"), **options, time_limit=20)


def test_clarabel_is_refused_where_one_iteration_takes_longer() -> None:
    program = build_lp(Problem(make("leduc")).form)
    assert clarabel.solve_clarabel(program, time_limit=1e-9).message == "CallbackTerminated"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clarabel, "SECONDS_PER_ENTRY", 1e-3)
        with pytest.raises(OutOfTimeError, match=r"one iteration of Clarabel on .* takes about"):
            clarabel.solve_clarabel(program, time_limit=1)


def test_a_solver_without_a_limit_is_refused_before_a_program_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def build(*_: Any) -> Any:
        raise AssertionError("a program was built")

    monkeypatch.setattr("seqform.solvers.linear.program.build_lp", build)
    with pytest.raises(InvalidParameterError, match=r"^time_limit=2\.5 needs a solver that stops"):
        solve(make("kuhn"), solver="cvxpy", time_limit=2.5)


def test_without_time_for_a_proof_the_certificate_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise OutOfTimeError("the time limit was over while proving")

    monkeypatch.setattr("seqform.methods.when_exact.proven_equilibrium", late)
    solution = solve(make("kuhn"))
    assert (solution.status, solution.proof) == (Status.SOLVED, None)
    assert solution.message.endswith("; the time limit was over while proving")
    assert solution.lower <= -1 / 18 <= solution.upper


def test_trees_are_refused_where_they_take_longer() -> None:
    with time_limited(1), pytest.raises(OutOfTimeError, match=r"a tree with .* takes about"):
        build_tree(make("leduc", ranks=20))


def test_a_process_of_its_own_is_stopped_with_the_rest() -> None:
    with time_limited(0.1), pytest.raises(OutOfTimeError, match="was over while working"):
        run_in_child(f"{__name__}:forever", {})


def forever(record: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """Do nothing, in the other process."""
    while True:
        time.sleep(1)


def test_what_was_found_of_a_smaller_game_is_not_lost_where_lifting_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def too_long(*_: Any) -> Any:
        raise OutOfTimeError("the time is over")

    monkeypatch.setattr("seqform.results.lift.lift", too_long)
    solution = solve(make("leduc"), abstract="suit", time_limit=60)
    assert (solution.status, solution.profile) == (Status.LIMIT, None)
    assert solution.abstract is not None
    assert solution.abstract.nash_gap < 1e-6
    assert "value of the abstract game" in dict(solution.rows())
    solution.save(tmp_path / "result", "leduc")
    with pytest.raises(VerificationError, match="its status is limit"):
        verify(tmp_path / "result")


def test_answers_are_certified_and_read_within_the_limit(
    clock: list[float], tmp_path: Path
) -> None:
    """However large a game is, whatever goes through it looks at the time."""
    tree = king_queen_jack()
    form, found = build_sequence_form(tree), backward_induction(TreeGame(tree))
    profile = Profile.uniform(form.treeplexes)
    payoffs, _ = integer_matrix(form.zero_sum_operator())
    SUBGAME_PERFECT.save(tree, found, tmp_path)
    with time_limited(10):
        clock[0] += 20
        with pytest.raises(OutOfTimeError, match="while certifying an answer"):
            certify(form, profile)
        with pytest.raises(OutOfTimeError, match="while proving an interval"):
            interval_of(form, profile, 20)
        with pytest.raises(OutOfTimeError, match="while finding the fractions"):
            common_denominator([2**60 // 3], 60, 2)
        with pytest.raises(OutOfTimeError, match="while solving in fractions"):
            eliminate(payoffs, np.zeros(payoffs.shape[0], dtype=object))
        with pytest.raises(OutOfTimeError, match="while playing an answer on the tree"):
            on_tree(tree, found)
        with pytest.raises(OutOfTimeError, match="while reading a strategy"):
            SUBGAME_PERFECT.load(tree, tmp_path)


@pytest.mark.parametrize("right", [1, 10**1200])
def test_exact_systems_look_at_the_time_before_all_digits(clock: list[float], right: int) -> None:
    """Each application of the inverse takes a second; five or many more of them are needed."""
    start = clock[0]

    def solve(vector: Floats) -> Floats:
        clock[0] += 1
        return vector / 3

    matrix = IntegerMatrix.from_entries(np.zeros(1, int), np.zeros(1, int), np.array([3]), (1, 1))
    digits = _Digits(matrix, np.array([right], dtype=object), solve, 32)
    with time_limited(2), pytest.raises(OutOfTimeError, match="while finding the digits"):
        digits.fractions()
    assert clock[0] - start < 5


@LOST
@pytest.mark.usefixtures("no_time")
def test_reductions_and_sequence_forms_stop_when_the_time_is_up() -> None:
    structure, tree = SignalStructure(make("kuhn")), build_tree(make("kuhn"))
    form = build_sequence_form(tree)
    with time_limited(1e-9), pytest.raises(OutOfTimeError, match="going through the deals"):
        _ = structure.deals
    equitable(structure)
    with time_limited(1e-9):
        with pytest.raises(OutOfTimeError, match="numbering sequences"):
            build_sequence_form(tree)
        with pytest.raises(OutOfTimeError, match="looking for classes of observations"):
            equitable(structure)
        with pytest.raises(OutOfTimeError, match="looking for classes of information sets"):
            refine(form)
