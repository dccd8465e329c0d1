"""A basis, if it is found in time: what the default finds is found first, and not lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from seqform.base.errors import OutOfTimeError, SolverError
from seqform.solvers.linear.program import LPSolution, LPStatus

logger = logging.getLogger(__name__)

Solve = Callable[[], LPSolution]


def basis_in_time(by_default: Solve, for_basis: Solve) -> LPSolution:
    """Return a solution that leaves a basis; in time for none, the one without.

    Parameters
    ----------
    by_default
        Solves a program without leaving a basis.
    for_basis
        Solves it so that a basis is left, which takes longer.

    Raises
    ------
    SolverError, OutOfTimeError
        As `for_basis` does, if there is no point from `by_default`.
    """
    try:
        first = by_default()
    except (SolverError, OutOfTimeError) as error:
        logger.info("no point before there is a basis: %s", error)
        return for_basis()
    if first.primal is None:
        return for_basis()
    try:
        found = for_basis()
        why = found.message
    except (SolverError, OutOfTimeError) as error:
        found, why = None, str(error)
    if found is not None and found.primal is not None:
        return found
    message = f"{first.message}; there was no basis in time, and so no proof: {why}"
    return replace(first, status=LPStatus.LIMIT, message=message)
