"""Locks of how often ranges do something: the game is solved twice.

First without these rows, for what hands do in an equilibrium; then with every hand locked to that,
shifted (`seqform.strategies.exploit.range_rows`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.strategies.exploit.lock_rows import LockRows
from seqform.strategies.exploit.range_rows import (
    RangeRow,
    Shifted,
    range_rows,
    said,
    shifted,
)
from seqform.strategies.line.at_line import at_line

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution
    from seqform.strategies.exploit.lock import LockGiven

logger = logging.getLogger("seqform.matched")
"""Where it is said what patterns matched, too; the command line prints it."""


@dataclass(frozen=True)
class RangeLock:
    """A lock with rows of ranges.

    Parameters
    ----------
    others
        Its other rows.
    of_ranges
        How often ranges do something.
    """

    others: LockRows
    of_ranges: tuple[RangeRow, ...]

    def by_hands(self, solve: Callable[[LockRows | None, bool], Solution]) -> Solution:
        """Return the solution of the game in which hands do what was found for their ranges.

        Parameters
        ----------
        solve
            Solves the game with rows of hands locked, with None without a lock; it is told whether
            that is the answer.

        Raises
        ------
        InvalidStrategyError
            As `shifted`, and if no strategies were found to shift.
        """
        first = solve(self.others if self.others.rows else None, False)
        if first.profile is None:
            raise InvalidStrategyError(
                f"nothing was found of the game without what is said of ranges: {first.message}"
            )
        rows, found = self.shifted(first)
        solution = solve(rows, True)
        if solution.profile is None:
            return solution
        return solution.saying("; ".join(told(found, solution)))

    def shifted(self, solution: Solution) -> tuple[LockRows, list[Shifted]]:
        """Return rows of hands in place of those of ranges, by what hands do in a solution.

        Raises
        ------
        InvalidStrategyError
            As `seqform.strategies.exploit.range_rows.shifted`.
        """
        found = [shifted(solution, row) for row in self.of_ranges]
        rows = [row for of in found for row in of.rows]
        return LockRows((*self.others.rows, *rows)), found


def without_checkpoint(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a method without those of a file that only the answer's search has."""
    return {name: of for name, of in options.items() if name not in ("checkpoint", "resume")}


def told(found: Iterable[Shifted], what: Solution | Profile) -> list[str]:
    """Return what became of rows in a solution, or in a profile, and say so to whoever listens."""
    words = [said(of, at_line(what, of.row.line).frequencies[of.row.action]) for of in found]
    for each in words:
        logger.info("%s", each)
    return words


def range_lock(lock: LockGiven | None, problem: Problem) -> RangeLock | None:
    """Return a lock with rows of ranges; None for any other.

    Raises
    ------
    UnsupportedGameError
        If the game is not one of hands.
    """
    if lock is None:
        return None
    others, of_ranges = range_rows(lock)
    if not of_ranges:
        return None
    if not (problem.is_form and problem.is_of_hands):
        raise UnsupportedGameError(
            f"{of_ranges[0].where}only games of hands, such as hold'em endgames, have ranges: say "
            "what each information set does"
        )
    return RangeLock(others, of_ranges)
