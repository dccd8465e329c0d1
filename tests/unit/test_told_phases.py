"""Whoever listens hears the phases of a solve by name, and how far linear programs have come."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import seqform.base.progress
from seqform import listening, make, solve, verify
from seqform.cli.display import fitting
from seqform.cli.forecast import in_words
from seqform.solvers.iterative.search import Progress
from seqform.solvers.linear.highs_log import branching, progress_of


def heard(monkeypatch: pytest.MonkeyPatch, game: Any = "leduc", **options: object) -> list[str]:
    """Return what is told while a game is solved."""
    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    told: list[str] = []
    with listening(told.append):
        solve(make(game) if isinstance(game, str) else game, **options)  # type: ignore[arg-type]
    return told


def test_phases_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    told = heard(monkeypatch, abstract="suit", method="dcfr", gap=0.5)
    wanted = ["shrinking the game", "solving", "certifying"]
    wanted += ["lifting to the whole game", "certifying in the whole game"]
    places = [told.index(words) for words in wanted]
    assert places == sorted(places)


def test_verifying_tells_what_it_does(tmp_path: Path) -> None:
    solve(make("kuhn"), exact=True).save(tmp_path, "kuhn")
    told: list[str] = []
    with listening(told.append):
        verify(tmp_path)
    wanted = ["building the game", "reading the saved answer", "certifying", "checking proofs"]
    assert [words for words in told if words in wanted] == wanted


def test_clarabel_tells_iterations_and_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    told = heard(monkeypatch, method="lp", solver="clarabel")
    found = [words for words in told if words.startswith("Clarabel")]
    assert len(found) > 5
    assert all(re.fullmatch(r"Clarabel: \d+ iterations?, gap \d\.\d+e[-+]\d+", w) for w in found)


def test_highs_tells_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.solvers.linear.highs.LOOK_EVERY", 0.002)
    told = heard(monkeypatch, method="lp", solver="highs")
    assert any(re.fullmatch(r"HiGHS: [\d,]+ iterations, .*", words) for words in told)


@pytest.mark.usefixtures("unhurried")
def test_integer_programs_tell_nodes_and_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the game's unit: the equilibrium that the search starts from pays 15 in all."""
    monkeypatch.setattr("seqform.solvers.linear.highs.LOOK_EVERY", 0.01)
    monkeypatch.setattr("seqform.results.best_nash.MOST_PAIRS", 0)  # so that nothing is proven
    monkeypatch.setattr("seqform.methods.mip.ENUMERATION_STEPS", 0)
    told = heard(monkeypatch, "sheriff", method="mip", time_limit=4)
    shape = re.compile(r"HiGHS: [\d,]+ nodes, found 15, at most ([\d.]+), gap ([\d.]+)")
    found = [match for words in told if (match := shape.fullmatch(words))]
    assert found
    assert all(float(m[2]) == pytest.approx(float(m[1]) - 15, abs=1e-3) for m in found)
    assert all(len(match[0]) <= 72 for match in found)


def test_without_an_objective_nodes_are_all_that_is_told() -> None:
    assert branching(7, 0.0, 0.0, None) == "7 nodes"
    assert branching(1, -0.0, 2.0, 0.5) == "1 node, found 0, at most 1, gap 1"


def test_the_first_order_engine_tells_iterations_and_gaps(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    small = make("leduc", ranks=2)
    told = heard(monkeypatch, small, method="lp", solver="highs", engine="pdlp", abstract="suit")
    found = [words for words in told if words.startswith("HiGHS")]
    assert found
    assert all(re.fullmatch(r"HiGHS: [\d,]+ iterations, gap \d\.\d+e[-+]\d+", w) for w in found)
    assert capfd.readouterr() == ("", "")


def test_a_short_solve_of_the_first_order_engine_needs_no_other_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("seqform.solvers.linear.child_solver.run_in_child", None)
    told = heard(monkeypatch, "kuhn", method="lp", solver="highs", engine="pdlp", time_limit=2)
    assert "solving" in told


def test_highs_is_silent_where_nobody_listens(capfd: pytest.CaptureFixture[str]) -> None:
    solve(make("kuhn"), method="lp", solver="highs")
    with listening(lambda _: None):
        solve(make("kuhn"), method="lp", solver="highs")
    assert capfd.readouterr().out == ""


def test_lines_that_say_nothing() -> None:
    assert progress_of(" Iter       primal obj         dual obj       pinf  dinf  gap  time") == ""
    assert progress_of("Solving the presolved LP") == ""
    start = "0  +0.00000000e+00  +0.00000000e+00  +0.00e+00    8.52e-01  9.67e-01   0.00s [L]"
    assert progress_of(start) == ""


@pytest.mark.parametrize("seconds", [0.0, 0.2, 42.0, 5000.0, 9e4, float("inf")])
@pytest.mark.parametrize("iterations", [1, 12_345_678])
def test_time_left_is_in_full_at_80_columns(seconds: float, iterations: int) -> None:
    now = Progress(iterations, 1234.5, -12345.678901, 0.000001, 1e-6)
    left = in_words(seconds, 78.0)
    text = fitting(str(now), left, 72)
    assert text.endswith(left)
    assert len(text) <= 72
    assert "gap 1.23e+04" in text
    assert "about 0 s" not in text


def test_all_is_shown_where_it_fits() -> None:
    now = Progress(10, 1.0, -1.0, 1.0, 1e-6)
    assert fitting(str(now), in_words(2), 200) == f"{now}, about 2 s to the gap"
    assert fitting("something else", "", 200) == "something else"
