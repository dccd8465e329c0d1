"""From the end of a path in floats to a proven equilibrium in fractions.

The last basis is solved in fractions. If rounding errors led off the path before it, exact pivots
go on from the last of its bases that lies on the path, and reach one that is right.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.errors import InvalidStrategyError, SolverError, VerificationError
from seqform.exact.complementary_basis import basic_plans
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.form.payoff_sums import ratios
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.exact_pivots import ExactPivots
from seqform.solvers.complementarity.lemke import NO_LIMITS, Limits, Path, PathStatus, follow
from seqform.solvers.complementarity.start import Start

logger = logging.getLogger(__name__)


def exact_equilibrium(
    game: SequenceForm, start: Start, path: Path, go_on: bool = True
) -> ExactEquilibrium:
    """Return the equilibrium in fractions at the end of a path that was followed in floats.

    Parameters
    ----------
    game
        The game of the path's problem.
    start, path
        Where the path begins, and its end.
    go_on
        Whether exact pivots may go on where the last basis is a wrong one.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If none can be proven; the message says why.
    OutOfTimeError
        If the time is over before.
    """
    try:
        return equilibrium_of_basis(game, start, path.basis)
    except (SolverError, InvalidStrategyError, VerificationError) as error:
        logger.info("the last basis is not on the path: %s", error)
        if not go_on:
            raise SolverError(
                "rounding errors led to a basis without an equilibrium; exact=True goes on from "
                "the last right one by exact pivots, which may take long"
            ) from None
    exact = followed_exactly(start, path)
    if exact.status is not PathStatus.SOLVED:
        raise SolverError(f"floats led to a basis that is none of the game's; {exact.message}")
    try:
        return equilibrium_of_basis(game, start, exact.basis)
    except (InvalidStrategyError, VerificationError) as error:
        raise SolverError(f"exact pivots end at no equilibrium: {error}") from None


def equilibrium_of_basis(game: SequenceForm, start: Start, basis: Mask) -> ExactEquilibrium:
    """Return the equilibrium in fractions of a complementary basis.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If there is no one solution of the basis.
    InvalidStrategyError, VerificationError
        If it is no equilibrium.
    """
    return prove_equilibrium(game, *basic_plans(start.problem, basis))


def followed_exactly(start: Start, path: Path, limits: Limits = NO_LIMITS) -> Path:
    """Follow a path in integers from the last basis that was found rightly in floats.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If a basis is too near to a singular one.
    OutOfTimeError
        If the time is over before.
    """
    count = _right(start, path)
    kept = path.changes[:count]
    logger.info("exact pivots from pivot %d of %d on", count, len(path.changes))
    pivots = ExactPivots(start, _head(start, path, count))
    found = follow(start, pivots, limits, kept[-1][1] if kept else None)
    return replace(found, changes=kept + found.changes)


def plans_of(start: Start, path: Path) -> tuple[Floats, Floats]:
    """Return the plans of a path's last basis, solved in fractions, in floats.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If there is no one solution of the basis.
    """
    plans, denominators = basic_plans(start.problem, path.basis)
    return ratios(plans[0], denominators[0]), ratios(plans[1], denominators[1])


def _right(start: Start, path: Path) -> int:
    """Return after how many pivots there is a basis on the path, by halving.

    Bases before a right one are taken to be right, and those after a wrong one to be wrong.
    """
    right, wrong = 0, len(path.changes) + 1
    if path.status is PathStatus.SOLVED:
        wrong -= 1  # z0 has left the last one
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if _is_right(start, _head(start, path, middle)):
            right = middle
        else:
            wrong = middle
    return right


def _is_right(start: Start, head: Index) -> bool:
    try:
        return ExactPivots(start, head).is_on_the_path
    except SolverError:
        return False


def _head(start: Start, path: Path, count: int) -> Index:
    """Return the basis after so many pivots."""
    head = start.head
    place = {variable: i for i, variable in enumerate(head.tolist())}
    for entering, leaving in path.changes[:count]:
        place[entering] = place.pop(leaving)
        head[place[entering]] = entering
    return np.asarray(head)
