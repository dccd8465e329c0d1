"""The path of a game: in floats, and where that fails in integers; and an equilibrium at its end.

What the method lcp is, and what others begin with.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from seqform.base.arrays import Floats
from seqform.base.clock import Clock
from seqform.base.deadline import overtime
from seqform.base.errors import SolverError
from seqform.base.need import Need
from seqform.form.complementarity import ComplementarityProblem, build_lcp
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.covering import Covering, covering_of_prior, uniform_prior
from seqform.solvers.complementarity.lemke import Limits, Path, PathStatus, follow
from seqform.solvers.complementarity.rational_equilibrium import followed_exactly, plans_of
from seqform.solvers.complementarity.start import Start

logger = logging.getLogger(__name__)

BYTES_PER_NONZERO, BYTES_PER_LINE = 120, 3_800
"""For each nonzero of the problem, and for each row, whose factors fill in and are updated.

Fitted to whole processes of ten games, the largest of 178,280 nonzeros in 14,644 rows. A thousand
bytes of a row are the room of the updates; the rest is mostly what factors leave behind.
"""

HAND_SECONDS = 4e-10
"""How long pivoting in a game of hands takes, by the cube of the complementary pairs: 95 CPU
seconds of a river with 6,166."""

SEEDS = 3
"""Of the perturbations, one after the other where rounding errors lead off a path."""


class Followed(NamedTuple):
    """Where a path began, how it ended, and both plans as far as it came, if they are known."""

    start: Start
    path: Path
    plans: Sequence[Floats] | None


def need_of_pivots(form: SequenceForm) -> Need:
    """Return what the complementarity problem of a game takes, and pivoting in it."""
    lines = sum(1 + t.num_infosets + t.num_sequences for t in form.treeplexes)
    nonzeros = 2 * (form.payoffs.num_nonzeros + lines)
    sequences = sum(treeplex.num_sequences for treeplex in form.treeplexes)
    what = f"pivoting in a problem with {sequences:,} complementary pairs"
    num_bytes = BYTES_PER_NONZERO * nonzeros + BYTES_PER_LINE * lines
    seconds = HAND_SECONDS * sequences**3 if form.origin.is_of_hands else 0.0
    instead = "use regret minimization (method='dcfr')" if seconds else "use a smaller game"
    return Need(what, num_bytes, instead, seconds=seconds)


def pivot_problem(form: SequenceForm, clock: Clock) -> ComplementarityProblem:
    """Return the complementarity problem of a game, if there is memory to pivot in it."""
    import_module("scipy.sparse.linalg")  # so that phases are timed without it
    with clock.phase("build"):
        need_of_pivots(form).require()
        return build_lcp(form)


def follow_path(
    problem: ComplementarityProblem, covering: Covering, limits: Limits, go_on: bool
) -> Followed:
    """Follow a path in floats; where that fails with every seed, the last one in integers.

    Parameters
    ----------
    go_on
        Whether integers may follow, in a problem that has no floats.
    """
    for seed in range(SEEDS):
        start = Start(problem, covering, seed)
        path, plans = _in_floats(start, limits)
        logger.info("%s after %d pivots", path.message, len(path.changes))
        if path.status is not PathStatus.LOST:
            return Followed(start, path, plans)
    if not (problem.is_exact and go_on):
        return Followed(start, path, None)
    path = followed_exactly(start, path, limits)
    solved = path.status is PathStatus.SOLVED
    return Followed(start, path, plans_of(start, path) if solved else None)


def _in_floats(start: Start, limits: Limits) -> tuple[Path, Sequence[Floats] | None]:
    """Follow a path in floats; return it, and both plans as far as it came."""
    from seqform.solvers.complementarity.float_pivots import FloatPivots

    try:
        pivots = FloatPivots(start)
    except SolverError as error:
        return Path(PathStatus.LOST, [], start.is_z(start.head), str(error)), None
    path, z = follow(start, pivots, limits), pivots.plans()
    return path, None if z is None else start.problem.plans(z)


def first_equilibrium(form: SequenceForm, clock: Clock) -> Profile | None:
    """Return the equilibrium that a path in floats leads to from the uniform prior, if to any.

    Not certified, and with a time limit only as near as the path came.

    Raises
    ------
    NotForThisGameError
        R10: unless the game is for two players.
    GameTooLargeError
        If there is too little memory.
    """
    problem = pivot_problem(form, clock)
    with clock.phase("solve"):
        covering = covering_of_prior(problem, uniform_prior(problem))
        plans = follow_path(problem, covering, Limits(None, clock.deadline), go_on=False).plans
    if plans is None:
        return None
    with overtime():
        return form.profile_of_plans(plans)
