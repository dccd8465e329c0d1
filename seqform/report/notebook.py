"""What notebooks show of a solution: the short answer, with its tables."""

from __future__ import annotations

from html import escape

from seqform.base.summary import summary_table
from seqform.results.solution import Solution
from seqform.strategies.show.brief import brief
from seqform.strategies.show.table_html import table_html


def solution_html(solution: Solution) -> str:
    """Return a solution's worth, certainty and time, and what is played or how that begins."""
    found = brief(solution)
    notes = "".join(f"<p>{escape(note)}</p>" for note in found.notes)
    return summary_table(type(solution).__name__, found.rows) + table_html(found.tables) + notes
