"""Loops are compiled in another process meanwhile; few are, and none of them twice."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from seqform.base import compile_ahead as ahead
from seqform.base.deadline import time_limited
from seqform.base.errors import OutOfTimeError
from seqform.solvers.iterative.regret import signal_compile
from tests.child_tasks import compiled

SEARCH = """
import numpy as np
from seqform import make
from seqform.game.observations import SignalStructure
from seqform.solvers.iterative.regret.rules import rule
from seqform.solvers.iterative.regret.signal_engine import SignalEngine
structure = SignalStructure(make("rhode-island", ranks=3, suits=2))
engine = SignalEngine(structure, structure.identity, rule("dcfr"), np.float32)
engine.run(2)
engine.bounds()
"""


@pytest.mark.long
def test_what_is_compiled_ahead_is_little_and_all_that_a_search_needs(tmp_path: Path) -> None:
    module, _, task = signal_compile.TASK.partition(":")
    code = f"from {module} import {task}; {task}({{}}, {{}})"
    count, names = compiled(code, tmp_path)
    assert len(names) <= 12, names  # it was 33: a function each, and twice for two types
    assert count <= 24  # with numba's own, which were 91: the texts of errors of array assignments
    assert compiled(SEARCH, tmp_path) == (0, [])


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """No task was begun, and there are two processors."""
    tasks: dict[str, Any] = {}
    monkeypatch.setattr(ahead, "_begun", tasks)
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    return tasks


def loop_in(folder: Path) -> Any:
    """Return what looks like a loop that numba keeps in a folder."""
    code = loop_in.__code__
    function = SimpleNamespace(__code__=code, __qualname__="sum_up")
    return SimpleNamespace(py_func=function, stats=SimpleNamespace(cache_path=str(folder)))


def test_what_is_kept_is_not_compiled_again(tmp_path: Path, begun: dict[str, Any]) -> None:
    loop = loop_in(tmp_path)
    assert not ahead.is_kept(loop)
    index = tmp_path / "test_compile_ahead.sum_up-12.py311.nbi"
    index.touch()
    assert ahead.is_kept(loop)
    ahead.compile_ahead("tests.tasks:none", [loop])
    assert not begun
    os.utime(index, (0, 0))  # older than the file that the loop is in
    assert not ahead.is_kept(loop)


def test_nothing_is_begun_where_no_processor_is_free(
    tmp_path: Path, begun: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 1)
    ahead.compile_ahead("tests.tasks:none", [loop_in(tmp_path)])
    assert not begun


def test_a_process_that_fails_is_no_error(
    tmp_path: Path, begun: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO"):
        ahead.compile_ahead("no_such_module:f", [loop_in(tmp_path)])
        ahead.await_compiled("no_such_module:f")
    assert "loops are compiled when they are needed" in caplog.text
    assert "no_such_module:f" in begun  # and it is not tried again
    ahead.await_compiled("another:task")  # which was never begun


def test_nobody_waits_longer_than_the_time_limit(
    tmp_path: Path, begun: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_compile", lambda task: time.sleep(60))
    ahead.compile_ahead("any:task", [loop_in(tmp_path)])
    with time_limited(0.1), pytest.raises(OutOfTimeError, match="compiling loops"):
        ahead.await_compiled("any:task")
