"""Work in a process of its own comes back, or says in an error of ours how the process ended."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from signal import SIGABRT, SIGINT, SIGKILL, SIGSEGV, SIGTERM

import numpy as np
import pytest

from seqform.base.child_process import run_in_child
from seqform.base.deadline import time_limited
from seqform.base.errors import CrashError, InvalidGameError, OutOfTimeError
from seqform.base.progress import listening

TASKS = "tests.child_tasks"


def test_records_and_arrays_go_there_and_back_and_progress_is_told() -> None:
    told: list[str] = []
    with listening(told.append):
        # what a listener was told within the last quarter of a second is not told again
        time.sleep(0.3)
        record, arrays = run_in_child(
            f"{TASKS}:double", {"name": "ab"}, {"x": np.arange(3), "y": np.array([[0.5]])}
        )
    assert record == {"name": "abab"}
    assert arrays["x"].tolist() == [0, 2, 4]
    assert arrays["y"].tolist() == [[1.0]]
    assert told == ["half way"]


@pytest.mark.parametrize("by", [SIGABRT, SIGSEGV, SIGKILL], ids=lambda s: s.name)
def test_a_process_that_dies_is_an_error(by: int) -> None:
    with pytest.raises(CrashError, match=rf"was ended by {by.name}: something is wrong"):
        run_in_child(f"{TASKS}:die", {"signal": by})


def test_a_process_that_leaves_without_an_answer_is_an_error() -> None:
    with pytest.raises(CrashError, match="exited with 0"):
        run_in_child(f"{TASKS}:leave", {})


def test_errors_come_back_as_they_are() -> None:
    with pytest.raises(InvalidGameError, match="R4: so it is"):
        run_in_child(f"{TASKS}:refuse", {})
    with pytest.raises(MemoryError):
        run_in_child(f"{TASKS}:take_all", {})


def test_a_mistake_of_ours_is_an_error_that_names_it() -> None:
    with pytest.raises(CrashError, match=r"exited with 1: AttributeError: .*nothing"):
        run_in_child(f"{TASKS}:nothing", {})


def test_the_time_limit_ends_the_process(tmp_path: Path) -> None:
    start = time.perf_counter()
    with pytest.raises(OutOfTimeError, match="over while waiting"), time_limited(1):
        run_in_child(f"{TASKS}:sleep", {"pid": str(tmp_path / "pid")}, doing="waiting")
    assert time.perf_counter() - start < 300  # the other process sleeps for an hour


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
def test_a_signal_is_passed_on_to_a_task_that_stops(number: int) -> None:
    """It is sent when the task says that it waits."""
    code = f"""
import os, signal, time
from seqform.base.child_process import run_in_child
from seqform.base.interrupt import leave
from seqform.base.progress import listening

signal.signal(signal.SIGTERM, leave)
with listening(lambda doing: os.kill(os.getpid(), {number})):
    time.sleep(0.3)  # nobody is told within a quarter of a second, in which a child may start
    print(run_in_child("{TASKS}:until_asked", {{}}, stops=True)[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout == "{'asked': True}\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("alone", [False, True])
def test_the_process_does_not_outlive_the_one_that_waits(tmp_path: Path, alone: bool) -> None:
    pid = tmp_path / "pid"
    script = (
        "from seqform.base.child_process import run_in_child\n"
        f"run_in_child('{TASKS}:sleep', {{'pid': {str(pid)!r}, 'alone': {alone}}})\n"
    )
    waiting = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[2])
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.05)
    waiting.kill()
    waiting.wait()
    other = Path("/proc") / pid.read_text()
    for _ in range(1200):
        if not other.exists() or "State:\tZ" in (other / "status").read_text():
            return
        time.sleep(0.05)
    raise AssertionError("the other process is still there")
