"""What saved results claim of all equilibria of a game, found and proven again."""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.errors import (
    InvalidStrategyError,
    ResultFileError,
    SolverError,
    VerificationError,
)
from seqform.base.number import is_float_sized, read_fraction
from seqform.exact.equilibrium import ExactEquilibrium, prove_equilibrium
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria
from seqform.exact.optimum import Optimum, ProvenBound, optimum
from seqform.form.sequence_form import SequenceForm
from seqform.results.best_nash import bound_by
from seqform.solvers.linear.equilibrium_family import Family, equilibrium_family


def family_again(claim: Any, exact: ExactEquilibrium) -> Family:
    """Return all equilibria of a zero-sum game, from the one that was saved."""
    return equilibrium_family(exact)


def listed_again(claim: Any, exact: ExactEquilibrium) -> Equilibria:
    """Return all extreme equilibria; where not all are claimed to be known, the listed ones.

    Raises
    ------
    ResultFileError
        If the list is damaged.
    VerificationError
        If one of them is no equilibrium, or it is claimed that there is none.
    """
    if not (isinstance(claim, dict) and isinstance(claim.get("found"), list)):
        raise ResultFileError("the list of equilibria in the result is damaged")
    if claim.get("complete") is not False:
        return all_equilibria(exact.game)
    found = tuple(_proven(exact.game, listed) for listed in claim["found"])
    return Equilibria(found, False, None, exact.game)


def optimum_again(claim: Any, exact: ExactEquilibrium) -> Optimum:
    """Return what the saved equilibrium is worth, and what is proven that none exceeds.

    The bound that is a solver's word is taken from the claim.

    Raises
    ------
    ResultFileError
        If the claim is damaged.
    VerificationError
        If there is no such objective, or the bound cannot be proven again.
    """
    bound: Any = claim.get("unproven_bound") if isinstance(claim, dict) else ""
    if bound is not None and not (type(bound) in (int, float) and is_float_sized(bound)):
        raise ResultFileError("the objective in the result is damaged")
    objective = str(claim.get("objective"))
    found = optimum(exact, objective, bound)
    if "proven_by" not in claim:
        return found
    return optimum(exact, objective, bound, _bound_again(str(claim["proven_by"]), exact, objective))


def _bound_again(proof: str, exact: ExactEquilibrium, objective: str) -> ProvenBound:
    """Return what is proven that no equilibrium exceeds, from the game alone."""
    try:
        return bound_by(proof, exact.game, objective, exact)[0]
    except SolverError as error:
        raise VerificationError(
            f"the bound that the result claims is not proven again: {error}"
        ) from None


def _proven(game: SequenceForm, listed: Any) -> ExactEquilibrium:
    try:
        plans = [_integers(plan) for plan in listed["plans"]]
        wholes = [int(plan[0]) for plan in plans]
    except (TypeError, KeyError, ValueError, IndexError):
        raise ResultFileError("the list of equilibria in the result is damaged") from None
    try:
        return prove_equilibrium(game, plans, wholes)
    except (InvalidStrategyError, VerificationError) as error:
        raise VerificationError(f"a listed equilibrium is none: {error}") from None


def _integers(plan: list[str]) -> Exact:
    """Return a plan of fractions as integers; the first one is their common denominator."""
    fractions = [read_fraction(text) for text in plan]
    whole = lcm(*(number.denominator for number in fractions))
    found = np.empty(len(fractions), dtype=object)
    found[:] = [int(number * whole) for number in fractions]
    return found
