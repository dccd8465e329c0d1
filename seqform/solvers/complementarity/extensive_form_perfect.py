"""Extensive-form perfect equilibria of small two-player games, of any sums.

Farina, Gatti & Sandholm, "Practical exact algorithm for trembling-hand equilibrium refinements in
games", NeurIPS 2018, here with Lemke's algorithm, in integers, in place of the simplex method: a
basis is found where epsilon is some small number, and tested in the limit. If it fails, epsilon is
lowered.
"""

from __future__ import annotations

import logging

from seqform.base.errors import InvalidStrategyError, SolverError, VerificationError
from seqform.exact.behavioral_trembles import BehavioralTrembles, trembling_plans
from seqform.exact.trembles import Refinement, prove_refinement
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.complementarity.covering import Covering
from seqform.solvers.complementarity.exact_pivots import ExactPivots
from seqform.solvers.complementarity.lemke import NO_LIMITS, Limits, PathStatus, follow
from seqform.solvers.complementarity.start import Start

logger = logging.getLogger(__name__)

NAME = "extensive-form-perfect"

BITS = (4, 6, 8, 10, 20, 40, 80, 160)
"""Epsilon is ``2**-bits``, one after the other. In larger games floats lead pivots at the first few
only."""


def extensive_form_perfect(
    game: SequenceForm,
    problem: ComplementarityProblem,
    covering: Covering,
    limits: Limits = NO_LIMITS,
) -> Refinement:
    """Return the extensive-form perfect equilibrium of a basis that stays right in the limit.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If no basis found can be proven right; the message says why.
    OutOfTimeError
        If the time is over before.
    """
    message = ""
    for bits in BITS:
        trembling = BehavioralTrembles(
            problem.treeplexes, problem.payoffs, above=1, below=1 << bits
        )
        start = Start(trembling, _scaled(covering, trembling, bits), bits)
        path = follow(start, ExactPivots(start), limits)
        logger.info("epsilon 2**-%s: %s after %d pivots", bits, path.message, len(path.changes))
        message = path.message
        if path.status is PathStatus.LIMIT:
            break
        if path.status is PathStatus.LOST:
            continue
        try:
            return prove_refinement(game, NAME, trembling_plans(problem, path.basis))
        except (SolverError, InvalidStrategyError, VerificationError) as error:
            message = str(error)
    raise SolverError(f"no basis was right for all small epsilon: {message}")


def _scaled(covering: Covering, trembling: BehavioralTrembles, bits: int) -> Covering:
    """Return the covering vector in the units of a problem whose numbers are multiplied."""
    treeplexes = zip(covering.exponents, trembling.treeplexes, strict=True)
    mine, theirs = (exponent + bits * len(each.runs) for exponent, each in treeplexes)
    return Covering(covering.numbers, (mine, theirs))
