"""What else was tried to search the whole Rhode Island hold'em faster, on its deck of six ranks:
`python -m benchmarks.tried VARIANT` prints JSON.

Iterations and CPU seconds, looks included, to each gap in chips; all in double precision.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.solvers.iterative.regret.rules import RULES, RegretRule

GAPS, SECONDS, RANKS = (1e-1, 1e-2, 1e-3), 60.0, 6

EARLY = 40
"""Iterations that all count, however few of the later ones do."""

FORGOTTEN = 1e9
"""By how much weights jump where what was before is to be forgotten."""


@dataclass(frozen=True)
class Lazy(RegretRule):
    """A rule whose average takes only every so many iterations."""

    every: int = 1

    def schedule(self, start: int, count: int) -> Floats:
        """Return the rule's schedule, with no weight for most iterations."""
        steps = super().schedule(start, count)
        number = np.arange(start + 1, start + count + 1)
        steps[(number % self.every != 0) & (number > EARLY), 2] = 0.0
        return steps


@dataclass(frozen=True)
class Reset(RegretRule):
    """A rule whose average begins anew at powers of a number."""

    base: int = 4

    def schedule(self, start: int, count: int) -> Floats:
        """Return the rule's schedule, with weights that jump at powers of the base."""
        steps = super().schedule(start, count)
        powers = self.base ** np.arange(1, 20)
        number = np.arange(start + 1, start + count + 1)
        steps[:, 2] *= FORGOTTEN ** np.searchsorted(powers, number, side="right")
        return steps


def variants() -> dict[str, RegretRule]:
    """Return what is compared, by name."""
    tuned, dcfr = RULES["tuned-dcfr"], RULES["dcfr"]
    changed: dict[str, RegretRule] = {
        f"tuned-dcfr, every {n} iterations averaged": Lazy(**vars(tuned), every=n) for n in (2, 3)
    }
    changed |= {
        f"{rule.name}, average reset at powers of 4": Reset(**vars(rule)) for rule in (tuned, dcfr)
    }
    changed["tuned-dcfr, predicted"] = replace(tuned, prediction=1 / 3)
    return RULES | changed


def measure(name: str) -> dict[str, Any]:
    """Search for each gap in turn; return iterations and seconds to those that were reached."""
    from abstraction.equitable import EQUITABLE
    from games.rhode_island import rhode_island
    from seqform.solvers.iterative.regret.engine import regret_engine
    from seqform.solvers.iterative.search import Limits, search

    form, _ = EQUITABLE.apply(rhode_island(RANKS))
    engine = regret_engine(form, variants()[name])
    engine.run(1)  # compiles, as does the next line
    engine.bounds()
    engine = regret_engine(form, variants()[name])
    began, found = time.process_time(), {}
    for gap in GAPS:
        deadline = time.perf_counter() + SECONDS - (time.process_time() - began)
        if not search(engine, Limits(gap, deadline=deadline)).reached:
            break
        took = time.process_time() - began
        found |= {f"iterations to {gap:g}": engine.iterations, f"CPU s to {gap:g}": took}
    return found


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
