"""Summaries: what Python and notebooks show of a large object, in a few lines."""

from __future__ import annotations

Rows = list[tuple[str, str]]
"""Names and texts."""


class Summarized:
    """An object shown by the rows of its `summary`: as text, and as a table in a notebook."""

    def summary(self) -> Rows:
        """Return what is worth knowing, the most important first."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return summary_text(type(self).__name__, self.summary())

    def _repr_html_(self) -> str:
        return summary_table(type(self).__name__, self.summary())


def summary_text(title: str, rows: Rows) -> str:
    """Return rows as lines below a title.

    Examples
    --------
    >>> print(summary_text("Treeplex", [("infosets", "6"), ("sequences", "13")]))
    Treeplex
      infosets   6
      sequences  13
    """
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join([title, *(f"  {name:<{width}}  {text}" for name, text in rows)])


def summary_table(title: str, rows: Rows) -> str:
    """Return rows as an HTML table with a caption."""
    from html import escape

    lines = [f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows]
    return f"<table><caption>{escape(title)}</caption>{''.join(lines)}</table>"


def counted(count: int, what: str, many: str = "") -> str:
    """Return how many there are, in words.

    Parameters
    ----------
    what
        One of them.
    many
        Several of them, where that is not written with an s more.

    Examples
    --------
    >>> counted(1, "node"), counted(1000, "node"), counted(2, "entry", "entries")
    ('1 node', '1,000 nodes', '2 entries')
    """
    return f"{count:,} {what if count == 1 else many or f'{what}s'}"


def counts_text(counts: list[int]) -> str:
    """Return a count for each player and, for several players, the total.

    Examples
    --------
    >>> counts_text([6]), counts_text([6, 6])
    ('6', '12 (6 + 6)')
    """
    each = " + ".join(f"{count:,}" for count in counts)
    return each if len(counts) < 2 else f"{sum(counts):,} ({each})"
