"""Processes that check random games, so that one that crashes or hangs is a finding as well."""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from seqform import save_game
from seqform.base.errors import SeqformError
from seqform.tree.tree import GameTree
from tests.soak.branches import in_fractions
from tests.soak.checks import Case, Check, checks_of
from tests.soak.games import draw
from tests.soak.shrink import shrink

STUCK = 120.0
"""Seconds for one check of one game."""

DONE = "done"

THEIRS = {"Gambit", "OpenSpiel"}
"""Checks that other programs may not survive."""

Finding = tuple[int, str, str]
"""The seed, the check, and how it ended."""


def outcome(check: Check, case: Case) -> str:
    """Return how a check ends, in a few words; ``wrong: ...`` if it must not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            return check(case)
    except SeqformError:
        return "refused"
    except Exception as error:
        return f"wrong: {type(error).__name__}: {error}"


def kind(ending: str) -> str:
    """Return what stays the same while a game is made smaller."""
    return " ".join(ending.split()[:4])


def smallest(tree: GameTree, name: str, ending: str) -> GameTree:
    """Return the smallest game found on which a check ends in the same way."""

    def fails(smaller: GameTree) -> bool:
        case = Case(smaller)
        check = dict(checks_of(case)).get(name)
        return check is not None and kind(outcome(check, case)) == kind(ending)

    return shrink(tree, fails) if fails(tree) else tree


def save(folder: Path, seed: int, name: str, ending: str) -> None:
    """Write the smallest game as .efg, as .npz, which has floats, and what is wrong as text."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = draw(seed)
    tree = smallest(drawn.tree, name, ending)
    path = folder / f"{seed}-{name.replace(' ', '-').replace(',', '')}"
    save_game(tree if tree.is_exact else in_fractions(tree), path.with_suffix(".efg"))
    save_game(tree, path.with_suffix(".npz"))
    path.with_suffix(".txt").write_text(f"seed {seed} ({drawn.kind}), {name}\n{ending}\n")


def work(seeds: Any, told: Any) -> None:
    """Check games as long as there are some; tell the start of every check and every end."""
    while (seed := seeds.get()) is not None:
        told.put((os.getpid(), seed, "draw", None))
        drawn = draw(seed)
        case = Case(drawn.tree, drawn.signals)
        for name, check in checks_of(case):
            told.put((os.getpid(), seed, name, None))
            told.put((os.getpid(), seed, name, outcome(check, case)))
    told.put((os.getpid(), 0, DONE, None))


class Soak:
    """Processes that check games, and what they found."""

    def __init__(self, games: int, first: int, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.seeds, self.told = context.Queue(), context.SimpleQueue()
        for seed in [*range(first, first + games), *[None] * jobs]:
            self.seeds.put(seed)
        self.start = lambda: context.Process(target=work, args=(self.seeds, self.told), daemon=True)
        self.processes: dict[int, Any] = {}
        self.doing: dict[int, tuple[float, int, str]] = {}
        self.endings: Counter[tuple[str, str]] = Counter()
        self.wrong: list[Finding] = []
        self.seen: set[int] = set()
        for _ in range(jobs):
            self.add()

    def add(self) -> None:
        """Start a process."""
        process = self.start()
        process.start()
        self.processes[process.pid] = process
        self.doing[process.pid] = (time.monotonic(), 0, "start")

    def run(self, minutes: float) -> None:
        """Listen until all games are checked or the time is over."""
        end = time.monotonic() + 60 * minutes
        while self.processes and time.monotonic() < end:
            if self.told.empty():
                time.sleep(0.05)
                self.look_after()
            else:
                self.note(*self.told.get())
        for process in self.processes.values():
            process.kill()

    def note(self, pid: int, seed: int, name: str, ending: str | None) -> None:
        """Take down what a process tells."""
        if name == DONE:
            self.processes.pop(pid, None)
            return
        self.seen.add(seed)
        self.doing[pid] = (time.monotonic(), seed, name)
        if ending is not None:
            self.endings[name, "wrong" if ending.startswith("wrong") else ending] += 1
            if ending.startswith("wrong"):
                self.wrong.append((seed, name, ending))
                print(f"game {seed}, {name}: {ending}", flush=True)

    def look_after(self) -> None:
        """Replace processes that have died or are stuck: both are findings."""
        for pid, process in list(self.processes.items()):
            since, seed, name = self.doing[pid]
            stuck = time.monotonic() - since > STUCK
            if process.exitcode == 0 or (process.is_alive() and not stuck):
                continue
            ending = "stuck" if stuck else f"crash {process.exitcode}"
            self.note(pid, seed, name, ending if name in THEIRS else f"wrong: {ending}")
            process.kill()
            self.processes.pop(pid)
            self.add()

    def table(self) -> str:
        """Return how often each check ended how."""
        lines = [f"{len(self.seen):,} games, {sum(self.endings.values()):,} checks"]
        for name in dict.fromkeys(name for name, _ in self.endings):
            ends = sorted((e, n) for (other, e), n in self.endings.items() if other == name)
            lines.append(f"{name:24} " + ", ".join(f"{end} {count:,}" for end, count in ends))
        return "\n".join(lines)
