"""The page of a recursive game: what is proven of each stage, and what is played there."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from seqform.base.errors import UnsupportedGameError
from seqform.recursive.solution import RecursiveSolution
from seqform.report.tables import Cell, Head, Table
from seqform.report.templates import rendered
from seqform.strategies.show.show import show
from seqform.strategies.show.table_html import table_html

MOST_ROWS = 40_000
"""Of what is played, in all stages together: some four megabytes."""


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
        rows=solution.rows(),
        stages=_bounds(solution),
        played=played,
        left=left,
        style=style,
        script=script,
    )


def _bounds(solution: RecursiveSolution) -> Table:
    """Return a row for each position."""
    proof, graph = solution.proof, solution.graph
    high = "at most" if proof.is_zero_sum else "by deviating at most"
    heads = (Head("stage"), Head("seat", True), Head("at least", True), Head(high, True))
    rows = []
    for stage in graph.order():
        for seat in range(graph.num_players):
            low, above = solution.outwards(stage, seat)
            rows.append(
                (graph.label(stage), seat, Cell(low, float(low)), Cell(above, float(above)))
            )
    return Table(f"What each position is worth, in {solution.unit}", heads, rows)


def _played(solution: RecursiveSolution) -> tuple[list[dict[str, Any]], int]:
    """Return tables of what is played stage by stage, and how many stages have none here."""
    graph, room, found, left = solution.graph, MOST_ROWS, [], 0
    for stage in graph.order():
        form = graph.stages[stage].form
        rows = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
        if rows > room or not rows:
            left += rows > room
            continue
        room -= rows
        try:
            tables = show(solution.stage_at(stage), rows=rows + 1).tables
        except UnsupportedGameError:  # of outcomes, for many players: there is no game of its own
            left += 1
            continue
        found.append({"label": graph.label(stage), "tables": Markup(table_html(tables))})
    return found, left
