"""When a linear program's answer is made exact.

It is found next to the floats, or from the solver's basis, and proven; or else an interval is.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from seqform.base import thresholds
from seqform.base.errors import OutOfTimeError, SolverError, UnsupportedGameError
from seqform.exact.basis import Basis
from seqform.exact.bracket import interval_of
from seqform.exact.interval import check_provable
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.exact.simple_fractions import simple_equilibrium
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.sizes import LPSize
from seqform.results.solution import Solution
from seqform.solvers.linear.program import LinearProgram
from seqform.solvers.linear.rational_vertex import exact_equilibrium

logger = logging.getLogger(__name__)


def is_worth_a_basis(game: SequenceForm, size: LPSize) -> bool:
    """Return whether to use a solver that leaves a basis, so that its answer can be made exact."""
    return size.nonzeros <= thresholds.BASIS_UP_TO and _is_provable(game)


def is_worth_proving(game: SequenceForm, size: LPSize, basis: Basis | None) -> bool:
    """Return whether a program's answer should be made exact without being asked."""
    return basis is not None and size.nonzeros <= thresholds.EXACT_UP_TO and _is_provable(game)


def _is_provable(game: SequenceForm) -> bool:
    try:
        check_provable(game)
    except UnsupportedGameError:
        return False
    return True


def with_proof(solution: Solution, program: LinearProgram, basis: Basis | None) -> Solution:
    """Return a solution with an equilibrium in fractions, or else with a proven interval."""
    if solution.profile is None:
        return solution
    try:
        return solution.proving(proven_equilibrium(solution.profile, program, basis))
    except SolverError as error:
        logger.info("%s", error)
        found = solution.proving(interval_of(solution.game, solution.profile))
        return found.saying(f"an interval is proven in place of a fraction: {error}")


def proven_equilibrium(
    profile: Profile, program: LinearProgram, basis: Basis | None
) -> ExactEquilibrium:
    """Return simple fractions next to a program's answer where they are one, or the basis's.

    Raises
    ------
    SolverError
        If neither is an equilibrium; see `exact_equilibrium`.
    """
    simple = simple_equilibrium(program.game, profile.plans)
    return exact_equilibrium(program, basis) if simple is None else simple


def with_family(solution: Solution) -> Solution:
    """Return a solution with all equilibria; or one that says why not, and is at its limit."""
    from seqform.results.status import Status
    from seqform.solvers.linear.equilibrium_family import equilibrium_family

    why = "that needs an equilibrium in fractions"
    try:
        if solution.exact is not None:
            return solution.proving(equilibrium_family(solution.exact))
    except (SolverError, OutOfTimeError) as error:
        why = str(error)
    return replace(solution.saying(f"not all equilibria: {why}"), status=Status.LIMIT)
