"""Quasi-perfect equilibria of two-player games of any sums: Lemke's algorithm with trembles.

Miltersen & Sorensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory
42, 2010: pivots choose among variables that fall to zero together by what trembles of an
infinitesimal epsilon add to them, power by power. The last basis is then right for all small
epsilon. Pivots are in integers, since what decides is often an exact zero.
"""

from __future__ import annotations

import logging

import numpy as np

from seqform.base.errors import InvalidStrategyError, SolverError, VerificationError
from seqform.exact.trembles import Refinement, prove_refinement
from seqform.exact.trembling_program import powers_of_q, trembling_plans
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.covering import Covering
from seqform.solvers.complementarity.exact_pivots import ExactPivots
from seqform.solvers.complementarity.lemke import NO_LIMITS, Limits, PathStatus, follow
from seqform.solvers.complementarity.start import Start

logger = logging.getLogger(__name__)

NAME = "quasi-perfect"

SEEDS = 3
"""Of the covering vectors, one after the other where a path does not end at what can be proven."""

NOISE = 2**30
"""What is drawn is added to a covering vector of 60 digits: so that what is best where the path
begins is so by more than trembles."""


def quasi_perfect(
    game: SequenceForm,
    problem: ComplementarityProblem,
    covering: Covering,
    limits: Limits = NO_LIMITS,
) -> Refinement:
    """Return the quasi-perfect equilibrium at the end of a path.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If no path ends at one that can be proven; the message says why.
    OutOfTimeError
        If the time is over before.
    """
    trembles, message = powers_of_q(problem)[1:], ""
    for seed in range(SEEDS):
        start = Start(problem, _with_noise(covering, seed), seed)
        path = follow(start, ExactPivots(start, trembles=trembles), limits)
        logger.info("%s after %d pivots", path.message, len(path.changes))
        message = path.message
        if path.status is PathStatus.LIMIT:
            break
        if path.status is PathStatus.LOST:
            continue
        try:
            return prove_refinement(game, NAME, trembling_plans(problem, path.basis))
        except (SolverError, InvalidStrategyError, VerificationError) as error:
            message = str(error)
    raise SolverError(f"no path with trembles ended at a proven equilibrium: {message}")


def _with_noise(covering: Covering, seed: int) -> Covering:
    drawn = np.random.default_rng(seed).integers(0, NOISE, len(covering.numbers))
    return Covering(covering.numbers + drawn, covering.exponents)
