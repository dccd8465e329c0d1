"""The whole Rhode Island hold'em in a process of its own: `python -m benchmarks.whole_game
METHOD single|double THREADS SECONDS`
prints JSON.

CPU seconds are those of the search alone, looks at the gap included, compilation excluded; the gaps
are the engine's own.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

GAPS = (1e-1, 1e-2, 1e-3, 1e-4)


def measure(method: str, precision: str, threads: int, seconds: float) -> dict[str, Any]:
    """Run a method; return when each gap was reached, and the milliseconds that an iteration
    takes."""
    from abstraction.equitable import EQUITABLE
    from games.rhode_island import rhode_island
    from seqform.solvers.iterative.regret.engine import regret_engine
    from seqform.solvers.iterative.regret.rules import rule
    from seqform.solvers.iterative.search import Limits, progress

    form, _ = EQUITABLE.apply(rhode_island())
    single = precision == "single"
    first = regret_engine(form, rule(method), single, threads)
    first.run(1)  # compiles, as does the next line
    first.bounds()
    del first
    engine = regret_engine(form, rule(method), single, threads)
    left, reached = list(GAPS), []
    cpu, wall = time.process_time(), time.perf_counter()
    for now in progress(engine, Limits(left[-1], deadline=wall + seconds)):
        spent = time.process_time() - cpu
        while left and now.gap <= left[0]:
            reached.append({"gap": left.pop(0), "iterations": now.iterations, "CPU s": spent})
        if not left:
            break
    took = time.process_time() - cpu, time.perf_counter() - wall
    return {
        "gaps": reached,
        "ms": 1000 * took[0] / engine.iterations,
        "wall ms": 1000 * took[1] / engine.iterations,
    }


if __name__ == "__main__":
    _, method, precision, threads, seconds = sys.argv
    print(json.dumps(measure(method, precision, int(threads), float(seconds))))
