"""Whoever listens is told how far a walk through a game has come, and nobody else pays for it."""

from __future__ import annotations

import re
import time

import pytest

import seqform.base.progress
from games.goofspiel import goofspiel
from seqform import build_tree, listening
from seqform.base.progress import tell
from seqform.cli.display import spinner


def test_a_tree_being_built_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    told: list[str] = []
    with listening(told.append):
        build_tree(goofspiel(4))
    assert told[0] == "building the tree: 1 node"
    assert len(told) > 3


def test_a_listener_is_told_now_and_then_only(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    told: list[str] = []
    with listening(told.append):
        for step in range(100):
            now[0] = step / 100
            tell(str(step))
    assert told == ["25", "50", "75"]
    tell("nobody listens any more")
    assert len(told) == 3


def test_the_line_is_one_line_and_says_what_is_so_when_it_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    drawn = iter(range(1000))

    class Counter:
        def __str__(self) -> str:
            return f"{next(drawn)}, " * 20

    with spinner(shown=True) as show:
        assert show is not None
        show(Counter())
        time.sleep(0.5)
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err))
    assert max(map(len, lines)) <= 40
    assert all(re.search(r"\d:\d\d:\d\d$", line) for line in lines if line.strip())
    counted = [int(line.split(",")[0]) for line in lines if line[:1].isdigit()]
    assert len(set(counted)) > 2


def test_info_shows_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from seqform.cli import app

    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    app(["info", "goofspiel"], standalone_mode=False)
    shown = capsys.readouterr()
    assert "goofspiel" in shown.out
    assert "building the tree" in shown.err


def test_where_there_is_no_terminal_lines_come_late_and_ever_more_rarely(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    with spinner(shown=True) as show:
        assert show is not None
        for second in range(60):
            now[0] = float(second)
            tell(f"{second} nodes", every=0)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"seqform: {when} nodes, after {when} s" for when in (8, 16, 32)]
    with spinner(shown=False) as hidden:
        assert hidden is None
