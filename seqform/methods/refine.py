"""Refined equilibria: what `refine=` takes, and what a solution becomes by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqform.base.errors import (
    InvalidParameterError,
    OutOfTimeError,
    SolverError,
    UnknownNameError,
)
from seqform.results.solution import Solution
from seqform.results.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqform.exact.trembles import Refinement
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.pivot_start import Given
    from seqform.solvers.complementarity.lemke import Limits

BY_BEHAVIOR = "extensive-form-perfect"
"""The refinement of which every action trembles by itself."""

UNDOMINATED = "undominated"
"""The refinement that needs no trembles: docs/explanation/off-path.md."""

REFINEMENTS = ("quasi-perfect", BY_BEHAVIOR, "subgame-perfect", UNDOMINATED)
"""What `refine` may be. A quasi-perfect equilibrium is subgame perfect, and so answers both."""

BY_BEHAVIOR_UP_TO = 600
"""Sequences and constraints of both players up to which such trembles are followed.

Liar's dice with three sides has 574 and took 35 s; Leduc hold'em with two ranks has 1,284, and ran
for over a minute."""

HELP = f"Make the equilibrium good off the path of play too: {', '.join(REFINEMENTS)}."


def check_refinement(name: str, exact: bool | None) -> None:
    """Refuse what is no refinement, and a refined equilibrium that is not to be exact.

    Raises
    ------
    UnknownNameError
        If there is no such refinement.
    InvalidParameterError
        If `exact` is False.
    """
    if name not in REFINEMENTS:
        raise UnknownNameError.of("refinement", str(name), REFINEMENTS)
    if exact is False:
        raise InvalidParameterError("refine= needs an exact equilibrium: leave out exact=")


def by_pivots(
    name: str, form: SequenceForm, start: Given = "uniform", limits: Limits | None = None
) -> Refinement:
    """Return a refined equilibrium of a two-player game by complementary pivots in integers.

    Raises
    ------
    SolverError
        If none is proven; the message says why.
    """
    from seqform.form.complementarity import build_lcp
    from seqform.methods.pivot_start import covering_of
    from seqform.solvers.complementarity.extensive_form_perfect import extensive_form_perfect
    from seqform.solvers.complementarity.lemke import NO_LIMITS
    from seqform.solvers.complementarity.quasi_perfect import quasi_perfect

    problem = build_lcp(form)
    find = extensive_form_perfect if name == BY_BEHAVIOR else quasi_perfect
    return find(form, problem, covering_of(form, problem, start), limits or NO_LIMITS)


def refined(solution: Solution, find: Callable[[Solution], Solution]) -> Solution:
    """Return a solution whose answer is refined; or one that says why not, and is at its limit."""
    if solution.exact is None:
        why = "not refined, as that needs an equilibrium in fractions"
        return replace(solution.saying(why), status=Status.LIMIT)
    try:
        return find(solution)
    except (SolverError, OutOfTimeError) as error:
        return replace(solution.saying(f"not refined: {error}"), status=Status.LIMIT)


def with_refinement(solution: Solution, find: Callable[[], Refinement]) -> Solution:
    """Return a solution with a refined equilibrium as its answer, certified like any other."""
    from seqform.concepts.nash import certify
    from seqform.exact.plan_proof import prove_equilibrium

    found = find()
    form, trembles = found.game, found.trembles
    plans = [plan[0] for plan in trembles.plans]
    profile = form.profile(found.floats())
    exact = prove_equilibrium(form, plans, trembles.denominators)
    refined = replace(solution, answer=profile, certificate=certify(form, profile))
    return refined.proving(exact, found)


def with_undominated(solution: Solution) -> Solution:
    """Return a solution with the plans that are best against random play, proven anew."""
    from seqform.concepts.nash import certify
    from seqform.solvers.linear.undominated import undominated_equilibrium

    if solution.exact is None:
        raise SolverError("that needs an equilibrium in fractions")
    exact = undominated_equilibrium(solution.exact)
    profile = solution.game.profile_of_plans(exact.floats())
    certificate = certify(solution.game, profile)
    found = replace(solution, answer=profile, certificate=certificate)
    return found.proving(exact).saying("then the plans that are best against random play")
