"""Whoever listens hears the phases of a solve by name, and how far linear programs have come."""

from __future__ import annotations

import re

import pytest

import seqform.base.progress
from seqform import listening, make, solve
from seqform.cli.display import fitting
from seqform.cli.forecast import in_words
from seqform.solvers.iterative.search import Progress
from seqform.solvers.linear.highs_log import progress_of


def heard(monkeypatch: pytest.MonkeyPatch, **options: object) -> list[str]:
    """Return what is told while a game is solved."""
    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    told: list[str] = []
    with listening(told.append):
        solve(make("leduc"), **options)  # type: ignore[arg-type]
    return told


def test_phases_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    told = heard(monkeypatch, abstract="suit", method="dcfr", gap=0.5)
    wanted = ["shrinking the game", "solving", "certifying"]
    wanted += ["lifting to the whole game", "certifying in the whole game"]
    places = [told.index(words) for words in wanted]
    assert places == sorted(places)


def test_clarabel_tells_iterations_and_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    told = heard(monkeypatch, method="lp", solver="clarabel")
    found = [words for words in told if words.startswith("Clarabel")]
    assert len(found) > 5
    assert all(re.fullmatch(r"Clarabel: \d+ iterations, gap \d\.\d+e[-+]\d+", w) for w in found)


def test_highs_tells_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.solvers.linear.highs.LOOK_EVERY", 0.002)
    told = heard(monkeypatch, method="lp", solver="highs")
    assert any(re.fullmatch(r"HiGHS: [\d,]+ iterations, .*", words) for words in told)


def test_highs_is_silent_where_nobody_listens(capfd: pytest.CaptureFixture[str]) -> None:
    solve(make("kuhn"), method="lp", solver="highs")
    with listening(lambda _: None):
        solve(make("kuhn"), method="lp", solver="highs")
    assert capfd.readouterr().out == ""


def test_lines_that_say_nothing() -> None:
    assert progress_of(" Iter       primal obj         dual obj       pinf  dinf  gap  time") == ""
    assert progress_of("Solving the presolved LP") == ""


@pytest.mark.parametrize("seconds", [0.0, 0.2, 42.0, 5000.0, 9e4, float("inf")])
@pytest.mark.parametrize("iterations", [1, 12_345_678])
def test_time_left_is_in_full_at_80_columns(seconds: float, iterations: int) -> None:
    now = Progress(iterations, 1234.5, -12345.678901, 0.000001, 1e-6)
    left = in_words(seconds)
    text = fitting(str(now), left, 72)
    assert text.endswith(left)
    assert len(text) <= 72
    assert "gap" in text
    assert "about 0 s" not in text


def test_all_is_shown_where_it_fits() -> None:
    now = Progress(10, 1.0, -1.0, 1.0, 1e-6)
    assert fitting(str(now), "about 2 s left", 200) == f"{now}, about 2 s left"
    assert fitting("something else", "", 200) == "something else"
