"""Which tests run which lines: measured once, by coverage.py, and kept in a file."""

from __future__ import annotations

import ast
import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage
from hypothesis import Phase, settings

LONGEST = 6.0
"""Seconds of CPU time after which a test is too slow to be run for every mutation."""

EXAMPLES = 20
"""Random games that each law is tried on."""


class Measurement:
    """A plugin of pytest that notes how long each test takes and which lines it runs.

    Parameters
    ----------
    rooms
        The folders whose lines are meant.
    path
        Where notes are kept, by test; those of tests that run now are replaced.
    """

    def __init__(self, rooms: list[str], path: Path) -> None:
        include = [str(Path(room).resolve() / "*") for room in rooms]
        self._coverage = Coverage(data_file=None, include=include, config_file=False)
        self._seconds: dict[str, float] = {}
        self._wall: dict[str, float] = {}
        self._path = path

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Start measuring before anything of the rooms is imported by tests."""
        use_few_examples()
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test, and end it if it takes too much CPU time."""
        self._coverage.switch_context(item.nodeid)
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        start, clock = time.process_time(), time.perf_counter()
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._coverage.switch_context("")
            # a test that did not pass was noted before this
            self._seconds.setdefault(item.nodeid, time.process_time() - start)
            self._wall[item.nodeid] = time.perf_counter() - clock

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out tests that do not pass."""
        if not report.passed:
            self._seconds[report.nodeid] = -1.0

    def pytest_sessionfinish(self) -> None:
        """Write the notes."""
        self._coverage.stop()
        lines = _lines(self._coverage.get_data())
        known = read(self._path)
        for test, seconds in self._seconds.items():
            known.pop(test, None)
            if 0 <= seconds < LONGEST and test in lines:
                wall = round(self._wall[test], 4)
                known[test] = {"seconds": round(seconds, 4), "wall": wall, "lines": lines[test]}
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(known))


def use_few_examples() -> None:
    """Try laws on few random games, and look for no simpler one where they fail."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile(
        "mutants", settings(), max_examples=EXAMPLES, phases=phases, database=None
    )
    settings.load_profile("mutants")


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the notes, by test."""
    return json.loads(path.read_text()) if path.exists() else {}


def _lines(data: Any) -> dict[str, dict[str, list[str]]]:
    """Return, by test and file, the lines that are run, as `place_of` names them."""
    found: dict[str, dict[str, list[str]]] = {}
    for file in data.measured_files():
        name = str(Path(file).relative_to(Path.cwd()))
        places = Places(ast.parse(Path(file).read_text()))
        for line, tests in data.contexts_by_lineno(file).items():
            for test in filter(None, tests):
                found.setdefault(test, {}).setdefault(name, []).append(places.of(line))
    return found


class Places:
    """Lines by function and distance from its first line, which changes elsewhere do not move."""

    def __init__(self, tree: ast.Module) -> None:
        self._functions = sorted(_functions(tree, ""))

    def of(self, line: int) -> str:
        """Return the place of a line, such as 'Deals.ways+7'."""
        for first, last, name in self._functions:
            if first <= line <= last:
                return f"{name}+{line - first}"
        return str(line)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[int, int, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child.lineno, child.end_lineno or 0, prefix + child.name
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _too_long(*_: object) -> None:
    raise TimeoutError(f"the test takes longer than {LONGEST} s")
