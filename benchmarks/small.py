"""Kuhn poker, whose answer takes less than what is loaded for it.

`seqform solve kuhn` as a whole process is made of what it loads, package by package, and of what it
does. What it loads is asked of a process that solves the game, and then loaded by others, a package
more each time. Inside a warm process the phases of `solve` are timed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.measure import run

SEQFORM = Path(sys.executable).with_name("seqform")
PROCESSES, SOLVES = 15, 300
PACKAGES = (
    ("NumPy", ("numpy",)),
    ("SciPy", ("scipy",)),
    ("HiGHS", ("highspy",)),
    ("Typer, Click and Rich", ("typer", "click", "rich")),
    ("seqform", ("seqform", "games")),
)
LOADED = """
import json, runpy, sys
sys.argv[1:] = ["solve", "kuhn"]
try:
    runpy.run_module("seqform", run_name="__main__")
finally:
    print(json.dumps(list(sys.modules)))
"""
LOAD = """
import gc
gc.set_threshold(200_000, 50, 50)
from importlib import import_module
for name in {names}:
    import_module(name)
gc.freeze()
"""


def small() -> list[dict[str, Any]]:
    """Kuhn poker: CPU milliseconds of `seqform solve kuhn` as a whole process by what it loads
    (medians of 15 processes in turn), and of `solve(make("kuhn"))` in a warm one (of 300)."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs run from bytecode once installed
    warm = run([sys.executable, "-m", "benchmarks.small"], 60)
    return [*whole(), *({"what": what, "ms": ms} for what, ms in (warm.record or {}).items())]


def whole() -> Iterator[dict[str, Any]]:
    """Yield the milliseconds of processes that load more and more, and then solve."""
    steps = list(commands(run([sys.executable, "-c", LOADED], 60).record or ()))
    taken: dict[str, list[float]] = {what: [] for what, _ in steps}
    for _ in range(PROCESSES + 1):
        for what, command in steps:
            taken[what].append(1e3 * run(command, 60).cpu)
    before = 0.0
    for what, seconds in taken.items():
        ms = median(seconds[1:])  # the first may have compiled
        yield {"what": what, "ms": ms, "added ms": ms - before}
        before = ms


def commands(loaded: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what each process does, and its command."""
    yield "Python", [sys.executable, "-c", "pass"]
    names: list[str] = []
    for what, packages in PACKAGES:
        names += [name for name in loaded if name.partition(".")[0] in packages]
        yield f"and loads {what}", [sys.executable, "-c", LOAD.format(names=names)]
    yield "and solves: seqform solve kuhn", [str(SEQFORM), "solve", "kuhn"]


def phases() -> dict[str, float]:
    """Return the median CPU milliseconds of a warm solve, and of its phases."""
    from seqform import make, solve

    found: dict[str, list[float]] = {}
    with patch("time.perf_counter", time.process_time):  # by which phases are timed
        for _ in range(SOLVES):
            start = time.process_time()
            took = solve(make("kuhn")).seconds
            whole = time.process_time() - start
            taken = {"solve(make('kuhn')), warm": whole}
            taken |= {f"of that, {phase}": seconds for phase, seconds in took.items()}
            taken["of that, all else"] = whole - sum(took.values())
            for name, seconds in taken.items():
                found.setdefault(name, []).append(seconds)
    return {name: 1e3 * median(seconds) for name, seconds in found.items()}


if __name__ == "__main__":
    print(json.dumps(phases()))
