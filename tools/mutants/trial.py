"""Trial: makes every mutation of some files in a forked process, and runs the tests there."""

from __future__ import annotations

import ast
import gc
import importlib
import os
import resource
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

from tools.mutants.accepted import Accepted
from tools.mutants.install import install
from tools.mutants.mutations import Mutation, mutations
from tools.mutants.which_tests import Places, use_few_examples

SLOWER = 5.0
"""A test is killed, and the mutation with it, after so many times its usual CPU time, and 1 s."""

WAITING = 10.0
"""One that waits is killed after so many times its usual wall time, and so many seconds."""

MEMORY = 5 << 30
"""Bytes of address space that a mutated program may take beyond what it has.

The checker of certificates asks for 4 GiB at once, of which it uses what a file needs.
"""


class Trial:
    """A plugin of pytest that runs its tests once for each mutation.

    Parameters
    ----------
    files
        What is mutated.
    notes
        What `which_tests` measured.
    seconds
        The most that the tests of one mutation may take together.
    everything
        Whether to try mutations too whose survival has a known reason.
    """

    def __init__(
        self, files: list[Path], notes: dict[str, Any], seconds: float, everything: bool
    ) -> None:
        self._files, self._notes, self._seconds = files, notes, seconds
        self._accepted = Accepted.read(everything)
        self._kills: Counter[tuple[str, str]] = Counter()
        self._sound: dict[str, bool] = {}
        self.survived = 0
        self._weight = {
            test: found["seconds"] * sum(map(len, found["lines"].values()))
            for test, found in notes.items()
        }
        names = {str(path) for path in files}
        self.tests = [test for test, found in notes.items() if names & set(found["lines"])]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Import what is mutated; let failing laws not look for simpler examples."""
        for path in self._files:
            importlib.import_module(_module(path))
        use_few_examples()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutations of all files."""
        items = {item.nodeid: item for item in session.items}
        gc.freeze()  # what nobody collects is not copied in each process
        for path in self._files:
            self._try(path, items)
        for stale in self._accepted.unused(self._files):
            _say(f"# tests/mutants.toml names what is no mutation: {stale}")
        return True

    def _try(self, path: Path, items: dict[str, pytest.Item]) -> None:
        started, tried, survived = time.time(), 0, 0
        tree = ast.parse(path.read_text())
        places = Places(tree)
        for number, mutation in enumerate(mutations(tree)):
            if self._accepted.has(path, mutation):
                continue
            tried += 1
            chosen = self._tests(str(path), mutation, places.of(mutation.line))
            chosen = [test for test in chosen if test in items]
            if not self._is_killed(path, number, mutation, [items[test] for test in chosen]):
                survived += 1
                where = f"{path}:{mutation.line}: {mutation.function}"
                _say(f"{where}: {mutation.what}  [{len(chosen)} tests]")
        self.survived += survived
        seconds = time.time() - started
        _say(f"# {path}: {tried} mutations, {survived} survive, {seconds:.0f} s")

    def _tests(self, path: str, mutation: Mutation, place: str) -> list[str]:
        """Return the tests of a mutation: killers of others near it, then those of few lines."""
        where = {test: self._notes[test]["lines"].get(path, []) for test in self.tests}
        if mutation.in_default or "+" not in place:  # what is made when the module is imported
            found = [test for test in self.tests if where[test]]
        else:
            found = [test for test in self.tests if place in where[test]]
        if not found:  # the function was changed since
            name = place.split("+", maxsplit=1)[0] + "+"
            found = [test for test in self.tests if any(p.startswith(name) for p in where[test])]
        found.sort(key=lambda test: (-self._kills[mutation.function, test], self._weight[test]))
        chosen, spent = [], 0.0
        for test in found:
            spent += self._notes[test]["seconds"]
            if spent <= self._seconds:
                chosen.append(test)
        return chosen

    def _is_killed(
        self, path: Path, number: int, mutation: Mutation, items: list[pytest.Item]
    ) -> bool:
        """Return whether a test fails that passes where nothing is mutated."""
        while items:
            failed, last = self._fails(path, number, items)
            if not failed or last is None:
                return failed
            killer = items[last]
            if killer.nodeid not in self._sound:
                self._sound[killer.nodeid] = not self._fails(path, None, [killer])[0]
                if not self._sound[killer.nodeid]:
                    _say(f"# fails without a mutation too, and is not used: {killer.nodeid}")
            if self._sound[killer.nodeid]:
                self._kills[mutation.function, killer.nodeid] += 1
                return True
            items = [item for item in items if item is not killer]
        return False

    def _fails(
        self, path: Path, number: int | None, items: list[pytest.Item]
    ) -> tuple[bool, int | None]:
        """Run tests in a forked process until one fails; return whether one did, and the last."""
        limits = [_limits(self._notes[item.nodeid]) for item in items]
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            _run(path, number, items, limits, writing)
        os.close(writing)
        try:
            _, status = os.waitpid(child, 0)
        finally:
            _end_group(child)
        with os.fdopen(reading, "rb") as pipe:
            begun = np.frombuffer(pipe.read(), dtype=np.int32)
        return status != 0, int(begun[-1]) if len(begun) else None


def _limits(noted: dict[str, Any]) -> tuple[float, float]:
    """Return the seconds of CPU time, and by the clock, that a test may take."""
    return 1 + SLOWER * noted["seconds"], WAITING * (1 + noted["wall"])


def _end_group(leader: int) -> None:
    """End a process and those that its tests started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _run(
    path: Path,
    number: int | None,
    items: list[pytest.Item],
    limits: list[tuple[float, float]],
    tell: int,
) -> None:
    """Make a mutation, and run the tests until one fails; end the process with 1 if one does.

    The place of each test is told when it begins, so that the last is known however it ends.
    """
    code = 1
    try:
        os.setpgid(0, 0)  # so that what tests start can be ended too
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY,) * 2)
        if number is not None:
            _mutate(path, number)
        code = 0
        for place, (item, (busy, wall)) in enumerate(zip(items, limits, strict=True)):
            os.write(tell, np.int32(place).tobytes())
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, busy)
            signal.setitimer(signal.ITIMER_REAL, wall)
            following = items[place + 1] if place + 1 < len(items) else None
            if any(report.failed for report in runtestprotocol(item, False, following)):
                code = 1
                break
    except BaseException:  # whatever happens to a mutated program, it is noticed
        code = 1
    finally:
        os._exit(code)


def _mutate(path: Path, number: int) -> None:
    tree = ast.parse(path.read_text())
    mutation = mutations(tree)[number]
    mutation.apply()
    install(sys.modules[_module(path)], tree, mutation)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _say(line: str) -> None:
    print(line, file=sys.__stdout__, flush=True)
