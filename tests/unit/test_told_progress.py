"""Whoever listens is told how far a walk through a game has come, and nobody else pays for it."""

from __future__ import annotations

import pytest

import seqform.base.progress
from games.goofspiel import goofspiel
from seqform import build_tree, listening
from seqform.base.progress import tell


def test_a_tree_being_built_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    told: list[str] = []
    with listening(told.append):
        build_tree(goofspiel(4))
    assert told[0] == "building the tree: 1 nodes"
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


def test_info_shows_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from seqform.cli import app

    monkeypatch.setattr(seqform.base.progress, "TELL_EVERY", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    app(["info", "goofspiel"], standalone_mode=False)
    shown = capsys.readouterr()
    assert "goofspiel" in shown.out
    assert "building the tree" in shown.err
