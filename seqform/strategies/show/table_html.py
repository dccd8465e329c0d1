"""Tables of texts as HTML, for notebooks; behind probabilities stand bars of their length."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

from seqform.strategies.show.table_text import Column, Table

BAR = "background:linear-gradient(90deg,rgba(43,122,104,.35) {0:.1f}%,transparent {0:.1f}%);"
"""Half transparent, so that it can be read on light and dark pages."""


def table_html(tables: Iterable[Table]) -> str:
    """Return tables one below the other.

    Examples
    --------
    >>> table_html([Table("player 0", (Column("x", "", False),), (("<",),))])
    '<table><caption>player 0</caption><tr><th>x</th></tr><tr><td>&lt;</td></tr></table>'
    """
    return "".join(_table(table) for table in tables)


def _table(table: Table) -> str:
    heads = "".join(f"<th>{escape(column.head)}</th>" for column in table.columns)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    lines = [caption, *_groups(table), f"<tr>{heads}</tr>"]
    for row in table.rows:
        cells = (_cell(*each) for each in zip(table.columns, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"


def _groups(table: Table) -> list[str]:
    if not any(column.group for column in table.columns):
        return []
    groups = ((name, len(list(of))) for name, of in groupby(c.group for c in table.columns))
    heads = (f'<th colspan="{width}">{escape(name)}</th>' for name, width in groups)
    return [f"<tr>{''.join(heads)}</tr>"]


def _cell(column: Column, text: str) -> str:
    if not column.is_number:
        return f"<td>{escape(text)}</td>"
    is_share = column.head == "probability" or (column.group and column.head != "value")
    share = _share(text) if is_share else None
    bar = "" if share is None else BAR.format(100 * share)
    return f'<td style="text-align:right;{bar}">{escape(text)}</td>'


def _share(text: str) -> float | None:
    """Return the probability that a text is, if it is one."""
    try:
        number = float(text.strip("()"))
    except ValueError:
        return None
    return number if 0 < number <= 1 else None
