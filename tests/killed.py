"""Kill children while they write, and report what is on the disk afterwards.

Run as `python -m tests.killed SUBJECT COUNT FOLDER`, in a process of its own, since it forks.
COUNT `each` kills before each operation on the disk, one after the other; a number kills at so many
random moments. It prints a JSON list of what was found: "old", "new", or "none"; or fails.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import matching_pennies
from seqform import build_sequence_form, build_tree, solve
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.whole_file import write_text
from seqform.cli import app
from seqform.results.folder import RESULT
from seqform.results.verification import verify
from seqform.solvers.iterative import checkpoint

os.fsync = lambda _: None  # a kill, unlike a loss of power, takes nothing that was written

CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
"""Audit events that change what is on the disk, besides files that are opened to be written."""


def killed_at(operation: int, action: Callable[[], Any]) -> bool:
    """Run an action in a child that is killed before its n-th operation; tell whether it was."""

    def count(event: str, given: Any) -> None:
        nonlocal operation
        if event in CHANGES or (event == "open" and given[2] & (os.O_WRONLY | os.O_RDWR)):
            operation -= 1
            if operation < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return _ended_by(action, lambda: sys.addaudithook(count), None)


def killed_after(seconds: float, action: Callable[[], Any]) -> bool:
    """Run an action in a child that is killed after so many seconds; tell whether it was."""
    return _ended_by(action, lambda: None, seconds)


def _ended_by(action: Callable[[], Any], before: Callable[[], None], after: float | None) -> bool:
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        before()
        action()
        os._exit(0)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if status and not os.WIFSIGNALED(status):
        raise AssertionError("the child failed of itself")
    return os.WIFSIGNALED(status)


class Result:
    """A folder that `Solution.save` writes: of another game before."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "result"
        self.old, self.new = solve(matching_pennies()), solve(kuhn())

    def prepare(self) -> None:
        self.old.save(self.path, "old")

    def write(self) -> None:
        self.new.save(self.path, "new")

    def found(self) -> str:
        name = "none"
        if (self.path / RESULT).exists():
            name = str(verify(self.path).claims["game"])
        self.new.save(self.path, "after")  # nothing that was left is in the way
        assert verify(self.path).claims["game"] == "after"
        assert sorted(path.name for path in self.path.iterdir()) == [
            *("certificate.json", "game.npz", "result.json", "strategy.csv")
        ]
        return name


class Smaller(Result):
    """A result with fewer files than the one before, which must go."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.old, self.new = self.new, self.old
        self.new = solve(matching_pennies(), method="dcfr", iterations=3, exact=False)

    def found(self) -> str:
        name = str(verify(self.path).claims["game"])
        files = {path.name for path in self.path.iterdir()} - {".saving", ".lock"}
        assert ("certificate.json" in files) == (name == "old")
        return name


class Fresh(Result):
    """A folder that is not there before."""

    def prepare(self) -> None:
        pass


class Command(Result):
    """The whole command, once its libraries are loaded."""

    def write(self) -> None:
        app(["solve", "leduc", "--out", str(self.path)], standalone_mode=False)

    def found(self) -> str:
        return {"leduc": "new"}.get(name := super().found(), name)


class Arrays:
    """A file of arrays."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "arrays.npz"

    def prepare(self) -> None:
        self._write("old")

    def write(self) -> None:
        self._write("new")

    def _write(self, name: str) -> None:
        write_arrays(self.path, "test", 1, {"name": name}, {"a": np.arange(20_000)})

    def found(self) -> str:
        name = str(read_arrays(self.path, "test", 1)[0]["name"])
        self.write()
        assert [path.name for path in self.path.parent.iterdir()] == [self.path.name]
        return name


class Search:
    """A search that saves itself at every look; afterwards it can go on."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "search.npz"
        self.form = build_sequence_form(build_tree(leduc()))
        self._run(1e-2)  # compiled before it is killed

    def _run(self, gap: float, **saved: Any) -> int:
        return solve(self.form, method="dcfr", gap=gap, **saved).iterations

    def prepare(self) -> None:
        self._run(1e-2, checkpoint=self.path)

    def write(self) -> None:
        found = checkpoint.Checkpoint

        def always(*given: Any, **named: Any) -> Any:
            return found(*given, **{**named, "seconds": 0.0})

        checkpoint.Checkpoint = always  # type: ignore[misc, assignment]
        self._run(1e-3, checkpoint=self.path, resume=True)

    def found(self) -> str:
        before = read_arrays(self.path, checkpoint.KIND, checkpoint.VERSION)[0]["iterations"]
        assert before <= self._run(1e-3, checkpoint=self.path, resume=True)
        return "old"


class Table:
    """A text that is replaced."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "table.csv"

    def prepare(self) -> None:
        self._save("old")

    def write(self) -> None:
        self._save("new")

    def _save(self, head: str) -> None:
        write_text(self.path, "".join(f"{line}\n" for line in (head, *range(5000))))

    def found(self) -> str:
        head, *rows = self.path.read_text().splitlines()
        assert rows == list(map(str, range(5000)))
        return head


SUBJECTS: dict[str, Callable[[Path], Any]] = {
    name.__name__.lower(): name for name in (Result, Smaller, Fresh, Command, Arrays, Search, Table)
}


def each(subject: Any) -> Iterator[bool]:
    """Kill before each operation, until the action comes to its end."""
    operation = 0
    while killed_at(operation, subject.write):
        yield True
        operation += 1
    yield False


def at_random(subject: Any, count: int) -> Iterator[bool]:
    """Kill at random moments, from the start to a little after the end."""
    rng, start = random.Random(count), time.perf_counter()
    killed_after_all = _ended_by(subject.write, lambda: None, None)
    assert not killed_after_all
    longest = time.perf_counter() - start
    for _ in range(count):
        yield killed_after(rng.uniform(0.0, 1.1 * longest), subject.write)


def main(name: str, count: str, folder: str) -> None:
    """Kill, look, and print."""
    place, found = Path(folder), []
    subject = SUBJECTS[name](place)
    subject.prepare()
    for _ in each(subject) if count == "each" else at_random(subject, int(count)):
        found.append(subject.found())
        shutil.rmtree(place)
        place.mkdir()
        subject.prepare()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
