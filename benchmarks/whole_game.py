"""The whole Rhode Island hold'em in a process of its own: `python -m benchmarks.whole_game
METHOD single|double THREADS SECONDS`
prints JSON.

Each gap is searched for from the start, as `seqform solve rhode-island --gap G` does. CPU seconds
are those of the search alone, looks at the gap included, compilation excluded.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

GAPS = (1e-1, 1e-2, 1e-3, 1e-4)


def measure(method: str, precision: str, threads: int, seconds: float) -> dict[str, Any]:
    """Run a method to each gap; return what that took, and the milliseconds of an iteration."""
    from abstraction.equitable import EQUITABLE
    from games.rhode_island import rhode_island
    from seqform.methods.iterative import SAFETY
    from seqform.solvers.iterative.regret.engine import regret_engine
    from seqform.solvers.iterative.regret.rules import rule
    from seqform.solvers.iterative.search import Limits, search

    form, _ = EQUITABLE.apply(rhode_island())
    single = precision == "single"
    first = regret_engine(form, rule(method), single, threads)
    first.run(1)  # compiles, as does the next line
    first.bounds()
    del first
    reached, runs, deadline = [], [], time.perf_counter() + seconds
    for gap in GAPS:
        engine = regret_engine(form, rule(method), single, threads)
        cpu, wall = time.process_time(), time.perf_counter()
        found = search(engine, Limits(SAFETY * gap, deadline=deadline))
        took = time.process_time() - cpu, time.perf_counter() - wall
        runs.append((engine.iterations, *took))
        if not found.reached:
            break
        reached.append({"gap": gap, "iterations": engine.iterations, "CPU s": took[0]})
    iterations, cpu, wall = max(runs)
    return {"gaps": reached, "ms": 1000 * cpu / iterations, "wall ms": 1000 * wall / iterations}


if __name__ == "__main__":
    _, method, precision, threads, seconds = sys.argv
    print(json.dumps(measure(method, precision, int(threads), float(seconds))))
