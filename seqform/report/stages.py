"""The page of a recursive game: what is proven of each stage, what is played there, and a check."""

from __future__ import annotations

from decimal import ROUND_CEILING
from typing import Any

from markupsafe import Markup

from seqform.base.number import decimal
from seqform.recursive.solution import RecursiveSolution
from seqform.report.hand_tables import hand_tables
from seqform.report.key_figures import Figure, claim
from seqform.report.numbers import typeset
from seqform.report.stages_certificate import stages_certificate
from seqform.report.tables import Cell, Head, Table
from seqform.report.templates import rendered

MOST_ROWS = 60_000
"""Actions that are shown, in all stages together: some four megabytes."""

BOUND = Markup('<span data-bound="{}:{}:{}">{}</span>')
"""A bound that the page's check finds by its side, stage and seat."""


def stages_page(solution: RecursiveSolution, title: str, style: Markup, script: Markup) -> str:
    """Return the page, without fingerprints.

    Parameters
    ----------
    title
        The name of the game.
    style, script
        Those of all pages.
    """
    played, left = _played(solution)
    return rendered(
        "stages.html",
        title=title,
        status=solution.status.name.lower(),
        means=solution.status.value,
        method=solution.method,
        figures=_figures(solution),
        rows=solution.rows(),
        stages=_bounds(solution),
        played=played,
        left=left,
        proof=stages_certificate(solution),
        style=style,
        script=script,
    )


def _figures(solution: RecursiveSolution) -> list[Figure]:
    """Return the numbers that a reader looks for first; the page's check compares them."""
    low, high = solution.outwards(0, 0)
    is_value = solution.proof.is_zero_sum
    widest = solution.width if is_value else max(solution.gains)
    names = ("worth to seat 0, at least", "at most") if is_value else (
        "seat 0 gets at least",
        "by deviating at most",
    )  # fmt: skip
    gap = "no bracket is wider than" if is_value else "nobody gains more than"
    return [
        Figure(names[0], claim("lower", low), solution.unit),
        Figure(names[1], claim("upper", high), solution.unit),
        Figure(gap, claim("gap", decimal(widest, 3, ROUND_CEILING)), solution.unit),
        Figure("stages", f"{len(solution.graph.stages):,}"),
    ]


def _bounds(solution: RecursiveSolution) -> Table:
    """Return a row for each position."""
    proof, graph = solution.proof, solution.graph
    high = "at most" if proof.is_zero_sum else "by deviating at most"
    heads = (Head("stage"), Head("seat", True), Head("at least", True), Head(high, True))
    rows = []
    for stage in graph.order():
        for seat in range(graph.num_players):
            both = zip(("lower", "upper"), solution.outwards(stage, seat), strict=True)
            cells = [
                Cell(BOUND.format(side, stage, seat, typeset(text)), float(text))
                for side, text in both
            ]
            rows.append((graph.label(stage), seat, *cells))
    return Table(f"What each position is worth, in {solution.unit}", heads, rows)


def _played(solution: RecursiveSolution) -> tuple[list[dict[str, Any]], int]:
    """Return tables of what is played stage by stage, and how many stages have none here."""
    graph, room, found, left = solution.graph, MOST_ROWS, [], 0
    for stage in graph.order():
        form, behaviors = graph.stages[stage].form, solution.profile.behaviors[stage]
        rows = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
        if rows > room or not rows:
            left += rows > room
            continue
        room -= rows
        tables = [
            table
            for seat, treeplex in enumerate(form.treeplexes)
            for table in hand_tables(form.origin, seat, treeplex, behaviors[seat])
        ]
        found.append({"number": stage, "label": graph.label(stage), "tables": tables})
    return found, left
