"""Commands that would take too much memory end with one line that says what to do."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from games.kuhn import kuhn
from seqform import solve
from seqform.base.clock import Clock
from seqform.base.errors import InvalidParameterError
from seqform.base.machine import processors
from seqform.experiment.queue import Processes

MB = 2**20
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="limits bound other things")

TOO_LARGE = (
    ["info", "goofspiel", "-p", "cards=1000000000"],
    ["shrink", "nim", "-p", "heaps=5000", "--max-nodes", "100000"],
    ["solve", "kuhn", "-p", f"cards={10**20}"],
    ["solve", "rhode-island", "-p", "ranks=8", "-p", "max_bets=2", "--method", "lp"],
)


def run(*command: str, limit_mb: int | None = None) -> subprocess.CompletedProcess[str]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit_mb * MB, limit_mb * MB))  # type: ignore[operator]

    return subprocess.run(
        [sys.executable, "-c", "from seqform.cli import main; main()", *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=limited if limit_mb else None,
    )


@linux_only
@pytest.mark.parametrize("command", TOO_LARGE, ids=" ".join)
def test_what_is_too_large_says_what_to_do(command: list[str]) -> None:
    found = run(*command, limit_mb=1000)
    assert found.returncode == 2
    assert found.stderr.startswith("seqform: ")
    assert found.stderr.count("\n") == 1
    assert "use " in found.stderr or "raise " in found.stderr


@linux_only
def test_memory_that_nobody_estimated_is_one_line(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "greedy.py").write_text(
        "def game():\n    return [bytearray(2**20) for _ in range(10**9)]\n"
    )
    monkeypatch.chdir(tmp_path)
    found = run("info", "greedy:game", limit_mb=1000)
    assert found.returncode == 2
    assert found.stderr.startswith("seqform: out of memory")
    assert found.stderr.count("\n") == 1


def test_more_threads_than_processors_are_of_no_use() -> None:
    assert Clock(threads=4 * processors()).threads == processors()


@pytest.mark.parametrize("count", [4 * processors() + 1, 10**6])
def test_far_more_threads_or_processes_than_processors_are_refused(count: int) -> None:
    with pytest.raises(InvalidParameterError, match=f"has {processors()} processors, and at most"):
        solve(kuhn(), method="dcfr", threads=count)
    with pytest.raises(InvalidParameterError, match=f"use jobs={processors()}$"):
        Processes(count)
