"""What other libraries print is caught at once, and standard output is as before afterwards."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from seqform.solvers.linear.highs_log import Printed

PROGRAM = """
from ctypes import CDLL
from seqform.solvers.linear.highs_log import Printed

with Printed() as printed:
    CDLL(None).puts(b"first")
    CDLL(None).puts(b"second")
    caught = printed.lines()
print(caught)
"""


def test_lines_come_as_soon_as_they_are_printed() -> None:
    """As by a library in C, which keeps lines for a pipe until it has some thousand bytes."""
    command = [sys.executable, "-c", PROGRAM]
    buffers = {name: v for name, v in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=buffers)
    assert (done.stdout, done.stderr) == ("['first', 'second']\n", "")


def test_a_line_is_whole_and_nothing_is_left_behind(capfd: pytest.CaptureFixture[str]) -> None:
    files = len(os.listdir("/dev/fd"))
    with Printed() as printed:
        assert printed.lines() == []
        os.write(1, b"one\ntw")
        assert printed.lines() == ["one"]
        os.write(1, b"o\n")
        assert printed.lines() == ["two"]
        os.write(1, b"a rest")
    os.write(1, b"seen")
    assert capfd.readouterr().out == "seen"
    assert len(os.listdir("/dev/fd")) == files
