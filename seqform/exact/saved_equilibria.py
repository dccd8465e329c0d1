"""Extreme equilibria, in a saved result: listed in its claims, and proven again one by one."""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from seqform.base.arrays import Exact
from seqform.base.errors import InvalidStrategyError, ResultFileError, VerificationError
from seqform.base.number import read_fraction
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.exact.proof import Files, ProofKind, Proven
from seqform.exact.saved_plans import equilibrium_of
from seqform.form.sequence_form import SequenceForm


class OfExtremeEquilibria(ProofKind):
    """Lists of extreme equilibria."""

    name = "equilibria"
    keys = ("equilibria",)
    after = ("exact", "bracket", "refinement")

    def claims(self, proof: Equilibria) -> dict[str, Any]:
        """Return the list."""
        return {self.name: proof.record()}

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Equilibria | None:
        """Return all extreme equilibria; where not all are claimed to be known, the listed ones."""
        if self.name not in claims:
            return None
        game, claim = equilibrium_of(proven).game, claims[self.name]
        if not (isinstance(claim, dict) and isinstance(claim.get("found"), list)):
            raise ResultFileError("the list of equilibria in the result is damaged")
        if claim.get("complete") is not False:
            return all_equilibria(game)
        found = tuple(_proven_again(game, listed) for listed in claim["found"])
        return Equilibria(found, False, None, game)


OF_EXTREME_EQUILIBRIA = OfExtremeEquilibria()


def _proven_again(game: SequenceForm, listed: Any) -> ExactEquilibrium:
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
