"""Tables that readers sort by a column: headers are buttons, as assistive programs know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seqform.report.markup import Markup, element, html, join


class Head(NamedTuple):
    """A column's name, and whether it holds numbers."""

    name: str
    is_number: bool = False


class Cell(NamedTuple):
    """What stands in a cell, and the number by which it is sorted where that is not its text."""

    content: object
    number: float | None = None


def sortable(caption: str, heads: Sequence[Head], rows: Iterable[Sequence[object]]) -> Markup:
    """Return a table, the first cell of each row its header.

    Parameters
    ----------
    rows
        Cells: text, markup, or `Cell` where a number says where it belongs.
    """
    body = join(_row(heads, row) for row in rows)
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *map(_head, heads))),
        element("tbody", body),
        class_="sortable",
    )
    return element("div", table, class_="wide", tabindex=0, role="region", aria_label=caption)


def _head(head: Head) -> Markup:
    button = element("button", head.name, type="button")
    return element("th", button, scope="col", class_=_kind(head))


def _row(heads: Sequence[Head], row: Sequence[object]) -> Markup:
    return element(
        "tr", *(_cell(place, *each) for place, each in enumerate(zip(heads, row, strict=True)))
    )


def _cell(place: int, head: Head, cell: object) -> Markup:
    content, number = cell if isinstance(cell, Cell) else (cell, None)
    sort = None if number is None else f"{number!r}"
    if place == 0:
        return element("th", html(content), scope="row", data_sort=sort, class_=_kind(head))
    return element("td", html(content), data_sort=sort, class_=_kind(head))


def _kind(head: Head) -> str | None:
    return "number" if head.is_number else None


def facts(rows: Iterable[tuple[object, object]]) -> Markup:
    """Return names and texts as a list of descriptions."""
    pairs = (element("div", element("dt", name), element("dd", text)) for name, text in rows)
    return element("dl", *pairs, class_="facts")
