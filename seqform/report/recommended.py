"""Correlated equilibria as tables that sort: what each player is told, and both together."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import isnan
from typing import Any, cast

from markupsafe import Markup

from seqform.base.number import fraction_text
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.report.numbers import share
from seqform.report.tables import Cell, Head, Table
from seqform.results.solution import Solution
from seqform.strategies.recommended import last_moves, recommendations, recommended_together

MOST_ROWS = 600

LONGEST = 20
"""Characters of a fraction that is written beside its percentage."""

HEADS = (
    Head("player 0 in"),
    Head("is told"),
    Head("player 1 in"),
    Head("is told"),
    Head("together", is_number=True, on_phone="kept"),
)


TOLD = (
    Head("information set"),
    Head("player", is_number=True, on_phone="less"),
    Head("reach", is_number=True, on_phone="less"),
    Head("action"),
    Head("recommended", is_number=True, on_phone="kept"),
)


def recommendations_by_infoset(solution: Solution) -> tuple[Table, int]:
    """Return the table of what each player is told, and how many actions it leaves out."""
    answer, form = cast("CorrelatedAnswer", solution.answer), solution.game
    found = recommendations(form, answer.plan).rows(as_text=True)
    rows = [_told(row) for row in islice(found, MOST_ROWS)]
    total = sum(treeplex.num_sequences - 1 for treeplex in form.treeplexes)
    title = "What each player is told, given that its information set is reached"
    return Table(title, TOLD, rows), total - len(rows)


def _told(row: dict[str, Any]) -> tuple[object, ...]:
    never, chance = not row["is_reached"], row["probability"]
    text = "nothing" if isnan(chance) else f"({share(chance)})" if never else share(chance)
    return (
        str(row["infoset"]),
        row["player"],
        Cell("never" if never else share(row["reach"]), row["reach"]),
        str(row["action"]),
        Cell(text, None if isnan(chance) else chance),
    )


def recommended_table(solution: Solution) -> tuple[Table, int]:
    """Return the table of the first pairs of moves, and how many it leaves out."""
    names = [last_moves(solution.game, player) for player in (0, 1)]
    pairs, left = recommended_together(cast("CorrelatedAnswer", solution.answer).plan, MOST_ROWS)
    rows = [
        (*names[0][mine], *names[1][theirs], _weight(mine, theirs, weight))
        for mine, theirs, weight in pairs
    ]
    title = "How likely these moves are recommended together, where the game comes to both"
    return Table(title, HEADS, rows), left


def _weight(mine: int, theirs: int, weight: Fraction) -> Cell:
    """Return a cell that the page's check compares with its plan."""
    shown = Markup('<span data-pair="{},{}">{}</span>').format(mine, theirs, _text(weight))
    return Cell(shown, float(weight))


def _text(weight: Fraction) -> str:
    exact = fraction_text(weight)
    is_short = weight.denominator > 1 and len(exact) <= LONGEST
    return f"{exact} = {share(float(weight))}" if is_short else share(float(weight))
