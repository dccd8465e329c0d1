"""How are the figures of an experiment timed?"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from seqform.experiment import Point

T = TypeVar("T")


def cpu(action: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of a call, processes of its own included, and what it returns."""
    start = _spent()
    result = action()
    return _spent() - start, result


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def load_solvers(_point: Point) -> None:
    """Load the libraries of both default solvers, so that no figure holds the time that takes."""
    _load_solvers()


@cache
def _load_solvers() -> None:
    from games.kuhn import kuhn
    from seqform import solve

    for solver in ("highs", "clarabel"):
        solve(kuhn(), solver=solver)
