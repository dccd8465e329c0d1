"""What notebooks show of a solution: what is known, and what is played where that is short."""

from __future__ import annotations

from seqform.base.summary import summary_table
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.results.solution import Solution
from seqform.strategies.show.show import show

MOST_SEQUENCES = 200
"""Sequences of all players, up to which their strategies are shown."""


def solution_html(solution: Solution) -> str:
    """Return a solution's summary, and its strategies if they are short.

    Raises
    ------
    SeqformError
        If it has no strategies that tables could show.
    """
    summary = summary_table(type(solution).__name__, solution.summary())
    if solution.profile is None and not isinstance(solution.answer, CorrelatedAnswer):
        return summary
    if sum(treeplex.num_sequences for treeplex in solution.game.treeplexes) > MOST_SEQUENCES:
        return summary
    return summary + show(solution)._repr_html_()
