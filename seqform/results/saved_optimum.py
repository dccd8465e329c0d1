"""Best equilibria, in a saved result: what the equilibrium is worth, and bounds proven again."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import ResultFileError, SolverError, VerificationError
from seqform.base.number import is_float_sized
from seqform.exact.optimum import Optimum, optimum
from seqform.exact.proof import Files, ProofKind, Proven
from seqform.exact.saved_plans import equilibrium_of
from seqform.results.best_nash import bound_by


class OfOptima(ProofKind):
    """What equilibria are worth by an objective."""

    name = "optimum"
    keys = ("optimum",)
    after = ("exact", "bracket", "refinement")

    def claims(self, proof: Optimum) -> dict[str, Any]:
        """Return the worth, and bounds."""
        return {self.name: proof.record()}

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Optimum | None:
        """Return what the saved equilibrium is worth, and what is proven that none exceeds.

        The bound that is a solver's word is taken from the claim.
        """
        if self.name not in claims:
            return None
        exact, claim = equilibrium_of(proven), claims[self.name]
        bound: Any = claim.get("unproven_bound") if isinstance(claim, dict) else ""
        if bound is not None and not (type(bound) in (int, float) and is_float_sized(bound)):
            raise ResultFileError("the objective in the result is damaged")
        objective = str(claim.get("objective"))
        found = optimum(exact, objective, bound)
        if "proven_by" not in claim:
            return found
        try:
            most = bound_by(str(claim["proven_by"]), exact.game, objective, exact)[0]
        except SolverError as error:
            raise VerificationError(
                f"the bound that the result claims is not proven again: {error}"
            ) from None
        return optimum(exact, objective, bound, most)


OF_OPTIMA = OfOptima()
