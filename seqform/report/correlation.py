"""A correlation plan and its game, for the page's script to check."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.concepts.correlated import CorrelatedAnswer, CorrelatedCertificate
from seqform.exact.certificate import hash_of, listing_of_all, number, pair
from seqform.form.correlation_plan import CorrelationPlan
from seqform.report.reported import MOST_ENTRIES, Reported

FORMAT, VERSION = "seqform-correlation", 1

MOST_PAIRS = 40_000
"""Relevant pairs of sequences of a plan that a page holds."""


def correlation_text(of: Reported) -> str | None:
    """Return game, plan and gains as JSON; None of another answer, or where it is too much.

    A plan of a game with a triangle need not be one of any distribution, so it is left out.
    `blocks` are the pairs of information sets whose moves are relevant to each other, -1 for the
    empty sequence; `weights` are pairs of sequences and numerators, where these are not 0.
    """
    answer, certificate = of.solution.answer, of.solution.certificate
    if not isinstance(answer, CorrelatedAnswer):
        return None
    if not isinstance(certificate, CorrelatedCertificate):
        return None
    is_drawn = certificate.triangle or answer.mixture is not None
    if is_drawn or certificate.error or answer.plan.pairs.num_pairs > MOST_PAIRS:
        return None
    if of.solution.game.payoffs.num_nonzeros > MOST_ENTRIES:
        return None
    described = {"game": of.identity, **listing_of_all(of.solution.game)}
    content = {
        "format": FORMAT,
        "version": VERSION,
        **described,
        "hash": hash_of(described),
        "concept": of.solution.concept,
        "blocks": answer.plan.pairs.infosets.tolist(),
        "plan": _plan(answer.plan),
        "values": [pair(Fraction(value)) for value in certificate.values],
        "gains": [pair(gain) for gain in certificate.gains],
    }
    return json.dumps(content, separators=(",", ":"))


def _plan(plan: CorrelationPlan) -> dict[str, Any]:
    mine, theirs = plan.pairs.pairs.sequences
    meant = np.flatnonzero(plan.numerators != 0).tolist()
    weights = [[int(mine[n]), int(theirs[n]), number(int(plan.numerators[n]))] for n in meant]
    return {"denominator": number(plan.denominator), "weights": weights}
