"""The table of several results, each row a link to its part of the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from markupsafe import Markup

from seqform.report.numbers import UNKNOWN, typeset
from seqform.report.reported import Reported
from seqform.report.tables import Cell, Head, Table

HEADS = (
    Head("game"),
    Head("method"),
    Head("status"),
    Head("value to player 0", True),
    Head("gap", True),
    Head("nodes", True),
    Head("seconds", True),
)


def index(results: Sequence[Reported]) -> Table:
    """Return the table."""
    return Table("Results", HEADS, [_row(of, place) for place, of in enumerate(results)])


def _row(of: Reported, place: int) -> tuple[object, ...]:
    solution = of.solution
    value, gap = float(solution.values[0]), float(solution.gap)
    nodes, seconds = solution.sizes.get("nodes"), sum(solution.seconds.values())
    return (
        Markup('<a href="#result-{}">{}</a>').format(place, of.name),
        how(of),
        solution.status.name.lower(),
        _claim(place, "value-0", UNKNOWN if isnan(value) else f"{value or 0.0:.6g}", value),
        Cell("0" if solution.exact else f"{gap:.2g}", _known(gap)),
        Cell(UNKNOWN if nodes is None else f"{nodes:,}", nodes),
        Cell(f"{seconds:.3g}", seconds),
    )


def how(of: Reported) -> str:
    """Return the method, and the smaller game that it was used on, if any."""
    smaller = of.claims.get("abstraction")
    return f"{of.solution.method}, on {smaller}" if smaller else of.solution.method


def _claim(place: int, name: str, text: str, number: float) -> Cell:
    """Return a number that the check of a result compares with what is proven."""
    if isnan(number):
        return Cell(text, None)
    shown = Markup('<data value="{}" data-claim="{}" data-of="result-{}">{}</data>')
    return Cell(shown.format(text, name, place, typeset(text)), number)


def _known(number: float) -> float | None:
    return None if isnan(number) else number
