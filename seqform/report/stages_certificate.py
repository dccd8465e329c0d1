"""The certificate of a recursive game as a page holds it: stages, plans in integers, and bounds.

`assets/check/stages.js` goes through it: one best response at each position, and why that holds of
the whole game.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from seqform.exact.certificate import canonical, number, numbers, pair
from seqform.recursive.bound import SHIFT, Bound, Case
from seqform.recursive.graph import Stage
from seqform.recursive.proof import RecursiveProof
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.stage_form import StageForm
from seqform.report.proof import Absent, Embedded, held

FORMAT, VERSION = "seqform-stages", 1

MOST_PRODUCTS = 40_000_000
"""Of chances and plans at all positions together, which a page goes through in some ten seconds."""

WORDS = (
    "The page holds all stages, where their leaves lead, and the plan of each seat of each stage, "
    "in integers. The button has a short script in this page go through them. What does the best "
    "answer get at each position, where stages are worth their bounds? And does that bound the "
    "whole game? The script uses nothing of what found them."
)
SWEPT = (
    "The bounds come from finite horizons, whose many sweeps are too much for a page. They are "
    "proven in integers."
)
LARGE = "What the proof goes through is too much for a page: {}. It is proven in integers."
COMMAND = "seqform verify DIR"


def stages_certificate(solution: RecursiveSolution) -> Embedded | Absent:
    """Return the certificate that a page holds, or why it holds none."""
    proof = solution.proof
    if Case.HORIZON in proof.cases:
        return Absent(SWEPT, COMMAND)
    if not all(stage.form.is_listed for stage in proof.graph.stages):
        return Absent(LARGE.format("stages that are not listed where sequences meet"), COMMAND)
    products = sum(stage.form.num_entries for stage in proof.graph.stages)
    products *= proof.graph.num_players * (proof.graph.num_players - 1)
    if products > MOST_PRODUCTS:
        return Absent(LARGE.format(f"{products:,} products of chances and plans"), COMMAND)
    return held(WORDS, canonical(_content(proof)).encode(), COMMAND)


def _content(proof: RecursiveProof) -> dict[str, Any]:
    """Return the certificate as JSON values; integers that floats might not hold are texts."""
    graph = proof.graph
    forms = {id(stage.form): stage.form for stage in graph.stages}
    place = {of: at for at, of in enumerate(forms)}
    found: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "whole": number(proof.whole),
        "forms": [_form(form.listed()) for form in forms.values()],
        "stages": [
            {
                "form": place[id(stage.form)],
                "leads": _leads(stage),
                "after": stage.lead.tolist(),
                "endless": [pair(Fraction(paid)) for paid in endless],
                "plans": list(map(numbers, plans)),
            }
            for stage, endless, plans in zip(graph.stages, graph.endless, proof.plans, strict=True)
        ],
        "deviations": _bound(proof.deviations, 1),
    }
    if proof.worth is not None:
        return found | {"worth": _bound(proof.worth, -1)}
    return found | {"sum": pair(Fraction(graph.constant_sum or 0))}


def _form(form: StageForm) -> dict[str, Any]:
    return {
        "treeplexes": [
            {"parents": t.parent_sequence.tolist(), "actions": t.num_actions.tolist()}
            for t in form.treeplexes
        ],
        "denominator": number(form.denominator),
        "weights": numbers(form.weights),
        "leaves": form.leaf.tolist(),
        "places": form.places.tolist(),
    }


def _leads(stage: Stage) -> list[dict[str, Any]]:
    return [
        {
            "paid": [pair(Fraction(paid)) for paid in lead.payoffs],
            "stage": lead.stage,
            "seats": list(lead.seat),
        }
        for lead in stage.leads
    ]


def _bound(bound: Bound, sign: int) -> dict[str, Any]:
    """Return a bound over ``2**SHIFT``; one that was claimed more finely is proven rounded down."""
    scaled = [floor(sign * value * 2**SHIFT) for row in bound.values for value in row]
    return {"case": bound.case.name.lower(), "values": list(map(number, scaled))}
