"""Refined equilibria: what `refine=` takes, and what a solution becomes by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqform.base.errors import InvalidParameterError, OutOfTimeError, SolverError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqform.exact.trembles import Refinement
    from seqform.results.solution import Solution

REFINEMENTS = ("quasi-perfect", "subgame-perfect")
"""What `refine` may be. A quasi-perfect equilibrium is subgame perfect, and so answers both."""

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


def refined(solution: Solution, find: Callable[[], Refinement]) -> Solution:
    """Return a solution whose answer is a refined equilibrium; or a message that says why not."""
    if solution.exact is None:
        return solution
    try:
        return with_refinement(solution, find())
    except (SolverError, OutOfTimeError) as error:
        return replace(solution, message=f"{solution.message}; not refined: {error}")


def with_refinement(solution: Solution, found: Refinement) -> Solution:
    """Return a solution with a refined equilibrium as its answer, certified like any other."""
    from seqform.concepts.nash import certify
    from seqform.exact.equilibrium import prove_equilibrium

    form, trembles = found.game, found.trembles
    plans = [plan[0] for plan in trembles.plans]
    profile = form.profile(found.floats())
    return replace(
        solution,
        answer=profile,
        certificate=certify(form, profile),
        exact=prove_equilibrium(form, plans, trembles.denominators),
        refinement=found,
    )
