"""A process that is killed leaves what was there, or what it wrote, and nothing in between."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT


def after_kills(subject: str, count: str, folder: Path) -> list[str]:
    """Return what was on the disk after each kill; see `tests.killed`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed", subject, count, str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("subject", "before"),
    [
        ("result", "old"),
        ("fresh", "none"),
        ("arrays", "old"),
        ("table", "old"),
        pytest.param("smaller", "old", marks=pytest.mark.long),
    ],
)
def test_before_each_change_on_the_disk(subject: str, before: str, tmp_path: Path) -> None:
    found = after_kills(subject, "each", tmp_path)
    changes = found.index("new")
    assert found == [before] * changes + ["new"] * (len(found) - changes)
    assert changes >= 3


def test_a_sweep_that_is_killed_twenty_times_has_the_same_table(tmp_path: Path) -> None:
    """Row for row; each kill takes what was in flight, and nothing else."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed_sweep", "20", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kills, begun = map(int, done.stdout.split())
    assert kills > 10
    assert begun > 60


@pytest.mark.parametrize("subject", ["command", "search", "table"])
@pytest.mark.parametrize("count", ["5", pytest.param("200", marks=pytest.mark.long)])
def test_at_random_moments(subject: str, count: str, tmp_path: Path) -> None:
    found = after_kills(subject, count, tmp_path)
    assert len(found) == int(count)
    assert set(found) <= {"old", "new"}
