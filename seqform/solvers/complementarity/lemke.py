"""Lemke's algorithm: complementary pivots from a covering vector to an equilibrium.

C. E. Lemke, "Bimatrix equilibrium points and mathematical programming", Management Science 11
(1965). On the sequence form: Koller, Megiddo & von Stengel 1996; from a prior, as here: von
Stengel, van den Elzen & Talman 2002 (`seqform.solvers.complementarity.covering`).

Along the path w and z are nonnegative, one of the two is 0 for every sequence but one, and z0 is
positive. Whichever variable leaves the basis, its complement enters next, until z0 leaves. The path
cannot end in a ray: plans are bounded, and values cannot grow where plans have weight
(docs/explanation/complementarity.md).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Protocol

from seqform.base.arrays import Index, Mask
from seqform.base.errors import SolverError
from seqform.base.interrupt import Interrupt
from seqform.base.progress import tell
from seqform.solvers.complementarity.start import Start

Changes = list[tuple[int, int]]
"""Of each pivot the variable that entered, and the one that left."""


class PathStatus(Enum):
    """How a path ended."""

    SOLVED = "z0 left the basis"
    LIMIT = "a limit was hit"
    LOST = "rounding errors led off the path"


class Pivots(Protocol):
    """A basis, in some arithmetic."""

    head: Index

    def begin(self) -> int | None:
        """Let z0 fall from 1 into the basis; return the variable that leaves.

        None if z0 falls to 0 at once.
        """

    def advance(self, entering: int) -> int:
        """Take a variable into the basis; return the one that leaves.

        Raises
        ------
        SolverError
            If rounding errors led off the path.
        """


@dataclass(frozen=True, eq=False)
class Path:
    """A path as far as it was followed.

    Parameters
    ----------
    status
        How it ended.
    changes
        Of each pivot the variable that entered, and the one that left.
    basis
        bool (num_sequences,): which z are basic.
    message
        For people.
    """

    status: PathStatus
    changes: Changes
    basis: Mask
    message: str


@dataclass(frozen=True)
class Limits:
    """When a path is left.

    Parameters
    ----------
    pivots
        After so many; None for no limit.
    deadline
        By `time.perf_counter`.
    """

    pivots: int | None = None
    deadline: float = inf

    def reached(self, pivots: int, user: Interrupt) -> str:
        """Return which limit is reached, if any."""
        if user.asked:
            return "interrupted"
        if self.pivots is not None and pivots >= self.pivots:
            return "the limit of pivots was reached"
        return "the time limit was reached" if time.perf_counter() >= self.deadline else ""


NO_LIMITS = Limits()


def follow(
    start: Start, pivots: Pivots, limits: Limits = NO_LIMITS, leaving: int | None = None
) -> Path:
    """Follow the path of a covering vector until z0 leaves the basis.

    Parameters
    ----------
    start
        Its beginning.
    pivots
        The first basis, or one on the way; it is changed.
    limits
        When to leave the path.
    leaving
        The variable that left last, if it is a basis on the way.
    """
    changes: Changes = []
    status, stopped = PathStatus.LIMIT, ""
    try:
        with Interrupt() as user:
            if leaving is None:
                leaving = pivots.begin()
                changes += [] if leaving is None else [(start.z0, leaving)]
            while leaving not in (None, start.z0):
                stopped = limits.reached(len(changes), user)
                if stopped:
                    break
                entering = start.complement(leaving)
                leaving = pivots.advance(entering)
                changes.append((entering, leaving))
                tell(f"complementary pivots: {len(changes):,}")
    except SolverError as error:
        status, stopped = PathStatus.LOST, str(error)
    if status is PathStatus.LIMIT and leaving in (None, start.z0):
        status, stopped = PathStatus.SOLVED, "z0 reached 0"
    return Path(status, changes, start.is_z(pivots.head), stopped)
