"""Method lcp: what it starts from, what stops it, and what it says when it fails."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import build_sequence_form, build_tree, make, solve, verify
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    InvalidStrategyError,
    NotForThisGameError,
    ResultFileError,
    SeqformError,
    SolverError,
    UnsupportedGameError,
)
from seqform.cli import app
from seqform.results.status import Status
from seqform.solvers.complementarity.float_pivots import FloatPivots
from seqform.solvers.complementarity.start import Start
from tests.float_games import float_game

FORM = build_sequence_form(random_game(4, depth=6, zero_sum=False))
COUNT = sum(treeplex.num_sequences for treeplex in FORM.treeplexes)


@pytest.mark.parametrize(
    ("start", "error", "message"),
    [
        ([1.0, 2.0], InvalidParameterError, f"has 2 numbers, and this game needs {COUNT}"),
        (np.zeros((2, COUNT)), InvalidParameterError, f"has {2 * COUNT} numbers"),
        ([float("nan")] * COUNT, InvalidParameterError, "number 0 is nan; use finite"),
        (["x"] * COUNT, InvalidParameterError, f"here is {COUNT} numbers"),
        ({"a": 1}, InvalidParameterError, f"here is {COUNT} numbers"),
        (-1, InvalidParameterError, "start=-1: use 0 or more, a seed"),
        ("-1", InvalidParameterError, "start=-1: use 0 or more, a seed"),
        ("nowhere.txt", InvalidParameterError, "cannot be read: No such file.*'uniform', a seed"),
        ("a\0b", InvalidParameterError, "cannot be read: embedded null byte"),
        ("nowhere.csv", ResultFileError, "nowhere.csv does not exist"),
    ],
)
def test_starts_that_are_refused(start: Any, error: type[SeqformError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        solve(FORM, method="lcp", start=start)
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [Fraction(1, 10**200), 1, 10**200])
def test_covering_vectors_out_of_the_range_of_floats(size: Any) -> None:
    tree = random_game(4, depth=4, zero_sum=False)
    tree = replace(tree, payoffs=tuple(tuple(size * n for n in row) for row in tree.payoffs))
    count = sum(treeplex.num_sequences for treeplex in build_sequence_form(tree).treeplexes)
    assert solve(tree, method="lcp", start=[1e308] * count).exact is not None
    found = solve(tree, method="lcp", start=[1e308] * count, exact=False)
    assert found.status in (Status.SOLVED, Status.FAILED)


def test_a_profile_of_another_game_is_no_prior() -> None:
    profile = solve(make("kuhn"), method="lcp", abstract=None).profile
    with pytest.raises(InvalidStrategyError):
        solve(FORM, method="lcp", start=profile)


def test_files_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_text(", ".join(["0.5"] * COUNT))
    assert solve(FORM, method="lcp", start=str(path)).exact is not None
    path.write_text(" ".join(["0"] * (COUNT - 1) + ["zero"]))
    with pytest.raises(InvalidParameterError, match=f"number {COUNT}: 'zero' is not a number"):
        solve(FORM, method="lcp", start=path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidParameterError, match="it is not UTF-8 text"):
        solve(FORM, method="lcp", start=path)


def test_a_saved_strategy_is_a_prior_that_leads_to_itself(tmp_path: Path) -> None:
    tree = random_game(4, depth=6, zero_sum=False)
    first = solve(tree, method="lcp", start=3)
    first.save(tmp_path / "saved")
    again = solve(tree, method="lcp", start=str(tmp_path / "saved" / "strategy.csv"))
    assert again.exact.values == first.exact.values
    assert verify(tmp_path / "saved").is_proof


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pivots": 0}, "pivots=0: use 1 or more"),
        ({"pivots": 1.5}, "pivots=1.5: use 1 or more"),
        ({"tolerance": 0}, "tolerance=0: use a number above 0"),
        ({"tolerance": float("inf")}, "tolerance=inf: use a number above 0"),
        ({"engine": "simplex"}, "has no option 'engine'"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        solve(FORM, method="lcp", **options)


def test_games_that_are_refused() -> None:
    with pytest.raises(NotForThisGameError, match=r"R10: method 'lcp' is for 2 players and .* 3"):
        solve(random_game(players=3), method="lcp")
    with pytest.raises(UnsupportedGameError, match="floats"):
        solve(float_game(3), method="lcp", exact=True)


def test_floats_are_solved_without_a_proof() -> None:
    solution = solve(float_game(3), method="lcp")
    assert solution.status is Status.SOLVED
    assert solution.exact is None


def test_the_limit_of_pivots_leaves_a_certified_profile() -> None:
    solution = solve(build_tree(make("leduc")), method="lcp", pivots=5)
    assert solution.status is Status.LIMIT
    assert solution.iterations == 5
    assert solution.message == "the limit of pivots was reached"
    assert 0 < solution.nash_gap < 26
    assert solution.exact is None


def test_the_time_limit_leaves_a_certified_profile() -> None:
    solution = solve(build_tree(make("leduc", ranks=4)), method="lcp", time_limit=1.5)
    assert solution.status is Status.LIMIT
    assert solution.message == "the time limit was reached"
    assert solution.nash_gap < 26


def test_an_interrupt_leaves_a_certified_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    advance = FloatPivots.advance

    def interrupted(self: FloatPivots, entering: int) -> int:
        signal.raise_signal(signal.SIGINT)
        return advance(self, entering)

    monkeypatch.setattr(FloatPivots, "advance", interrupted)
    solution = solve(build_tree(make("leduc")), method="lcp")
    assert solution.status is Status.LIMIT
    assert solution.message == "interrupted"
    assert solution.iterations == 2


def lost(self: FloatPivots, entering: int) -> int:
    raise SolverError("the path seems to end in a ray, by rounding errors")


def test_where_floats_fail_integers_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FloatPivots, "advance", lost)
    solution = solve(make("kuhn"), method="lcp")
    assert solution.status is Status.SOLVED
    assert solution.exact.value == solve(make("kuhn")).exact.value


def test_where_integers_may_not_go_on_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FloatPivots, "advance", lost)
    solution = solve(make("kuhn"), method="lcp", exact=False)
    assert solution.status is Status.FAILED
    assert solution.message == "the path seems to end in a ray, by rounding errors"
    assert solution.profile is None


def test_a_wrong_ratio_in_floats_is_mended_in_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving variables are taken from the wrong end now and then, and proofs are true."""
    first = FloatPivots._first
    calls = []

    def wrong(self: FloatPivots, direction: Any) -> int | None:
        calls.append(1)
        falling = np.flatnonzero(direction[: self._pairs] > 1e-9)
        return int(falling[-1]) if len(calls) % 7 == 0 and len(falling) else first(self, direction)

    monkeypatch.setattr(FloatPivots, "_first", wrong)
    for seed in range(8):
        tree = random_game(seed, depth=5, zero_sum=False)
        solution = solve(tree, method="lcp", start=seed)
        assert solution.exact is not None
        assert solution.exact.as_gains().nash_gap == 0


def test_memory_is_asked_for_before_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.memory.LITTLE", 0)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 10_000)
    with pytest.raises(GameTooLargeError, match=r"pivoting .* use a smaller game"):
        solve(FORM, method="lcp")


def test_the_command_line_says_the_values(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app,
        ["solve", "random", "-p", "zero_sum=false", "-p", "seed=3", "--start", "5", "--json"],
    )
    assert done.exit_code == 0
    record = json.loads(done.stdout)
    assert record["method"] == "lcp/lemke"
    assert record["exact_values"] == ["5", "10"]


def test_auto_takes_it_where_payoffs_add_up_to_different_amounts() -> None:
    solution = solve(random_game(4, depth=6, zero_sum=False), explain=False)
    assert solution.method == "lcp/lemke"
    assert (
        solution.reasons[1] == "method lcp: two players, whose payoffs add up to different amounts"
    )


def test_exact_pivots_in_large_games_are_to_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as small:
        small.setattr("seqform.base.thresholds.GO_ON_UP_TO", 10)
        small.setattr(FloatPivots, "advance", lost)
        assert solve(make("kuhn"), method="lcp").status is Status.FAILED
        assert solve(make("kuhn"), method="lcp", exact=True).exact.value == Fraction(-1, 18)
    is_z = Start.is_z
    calls: list[int] = []

    def wrong_at_first(self: Start, head: Any) -> Any:
        calls.append(1)
        found = is_z(self, head)
        return ~found if len(calls) == 1 else found

    monkeypatch.setattr("seqform.base.thresholds.GO_ON_UP_TO", 10)
    monkeypatch.setattr(Start, "is_z", wrong_at_first)
    solution = solve(make("kuhn"), method="lcp")
    assert solution.exact is None
    assert "rounding errors led to a basis without an equilibrium" in solution.message
    assert solution.bracket is not None
    calls.clear()
    assert solve(make("kuhn"), method="lcp", exact=True).exact.value == Fraction(-1, 18)
