"""This machine can be made to behave as others do."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

from tests.imports import ROOT
from tools.elsewhere import plain

HERE = "tests/unit/test_elsewhere.py"


def collected(*options: str) -> list[str]:
    """Return the tests of two files in the order in which they would run."""
    files = (HERE, "tests/unit/test_provenance.py")
    command = [sys.executable, "-m", "pytest", "-n0", "--collect-only", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_tests_are_shuffled_by_files_and_again_in_the_same_order() -> None:
    usual, shuffled = collected(), collected("--shuffle", "7")
    assert sorted(shuffled) == sorted(usual)
    assert shuffled != usual
    assert shuffled == collected("--shuffle", "7")
    files = [test.partition("::")[0] for test in shuffled]
    assert sum(one != other for one, other in pairwise(files)) == 1


def printed(code: str, **variables: str) -> str:
    """Return what a program prints that first takes the options of the suite."""
    program = f"from tests import conftest\n{code}"
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_highs_begins_with_another_seed() -> None:
    code = (
        "from seqform.solvers.linear.turn import SilentHighs\n"
        "conftest.seed_highs(7)\n"
        "print(SilentHighs().getOptionValue('random_seed')[1])"
    )
    assert printed(code) == "7"


def test_numpy_does_without_the_instructions_of_the_processor() -> None:
    variables, options = plain(7)
    assert options == ["--highs-seed", "7", "--shuffle", "7"]
    code = "import numpy; print(numpy.show_config('dicts')['SIMD Extensions'].get('found', []))"
    assert printed(code, **variables) == "[]"


def test_time_goes_by_faster() -> None:
    code = (
        "import time\n"
        "class Config:\n"
        "    def getoption(self, name): return {'--clock': 1e6}.get(name)\n"
        "conftest.pytest_configure(Config())\n"
        "one = time.perf_counter()\n"
        "time.sleep(0.01)\n"
        "print(time.perf_counter() - one > 1e3)"
    )
    assert printed(code) == "True"


def test_what_is_left_out_for_want_of_a_browser_is_said() -> None:
    from tests.conftest import pytest_terminal_summary

    lines: list[str] = []

    class Report:
        longrepr = ("file", 1, "Skipped: there is no chromium with its driver here")

    class Reporter:
        stats: dict[str, list[Any]] = {"skipped": [Report(), Report()]}  # noqa: RUF012
        line = staticmethod(lines.append)

    pytest_terminal_summary(Reporter())  # type: ignore[arg-type]
    assert lines == [
        "2 tests of pages were left out: there is no chromium with a chromedriver here"
    ]
