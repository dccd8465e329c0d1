"""Refinements, in a saved result: the trembles stand in the certificate, and the limit is saved."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import VerificationError
from seqform.exact.certificate import read_json, read_refinement
from seqform.exact.proof import CERTIFICATE, Files, ProofKind, Proven
from seqform.exact.trembles import Refinement

ROUNDING = 1e-12
"""By how much saved probabilities may differ from the fractions that they are rounded from."""


class OfRefinements(ProofKind):
    """Refined equilibria."""

    name = "refinement"
    keys = ("refinement",)

    def claims(self, proof: Refinement) -> dict[str, Any]:
        """Return the refinement's name."""
        return {self.name: proof.record()}

    def read(self, files: Files, claims: dict[str, Any], proven: Proven) -> Refinement | None:
        """Return the refinement that the certificate proves, whose limit the saved strategy is."""
        if self.name not in claims:
            return None
        exact, path, found = proven.by("exact"), files.path(CERTIFICATE), None
        if exact is not None:
            found = read_refinement(path, read_json(path), proven.game, exact)
        if found is None:
            raise VerificationError(
                "the result claims a refinement, and its certificate proves none"
            )
        pairs = zip(proven.answer.behaviors, found.floats(), strict=True)
        if max(float(abs(saved - limit).max()) for saved, limit in pairs) > ROUNDING:
            raise VerificationError(
                "the saved strategy is not the refined one that the certificate proves"
            )
        return found


OF_REFINEMENTS = OfRefinements()
