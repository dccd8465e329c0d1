"""Names and texts in lines of a terminal: broken between words, and never within a number."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from seqform.base.summary import Rows

INDENT, GAP = "  ", "  "
"""Before names, and between names and texts."""

LEAST = 16
"""Letters beside names below which texts stand under them."""


def wrapped_rows(rows: Rows, width: float = inf) -> Iterator[str]:
    """Yield the lines of names and texts, each at most so wide where words allow it.

    Examples
    --------
    >>> for line in wrapped_rows([("value", "-1/18 chips to player 0"), ("time", "0.1 s")], 28):
    ...     print(line)
      value  -1/18 chips to
             player 0
      time   0.1 s
    """
    named = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        start = f"{INDENT}{name:<{named}}{GAP}" if named else INDENT
        if width - len(start) < LEAST:
            yield f"{INDENT}{name}".rstrip()
            start = INDENT * 3
            yield from _lines(text, start, start, width)
        else:
            yield from _lines(text, start, " " * len(start), width)


def wrapped_text(text: str, width: float = inf) -> str:
    """Return a text in lines that are broken between words."""
    return "\n".join(_lines(text, "", "", width))


def _lines(text: str, start: str, indent: str, width: float) -> Iterator[str]:
    """Yield lines of words; one that does not fit beside names stands on a line of its own."""
    line, words = start, 0
    for word in text.split():
        more = f" {word}" if words else word
        if line.strip() and len(line) + len(more) > width:
            yield line.rstrip()
            line, more = " " * _before(word, len(indent), width), word
        line, words = line + more, words + 1
    yield line.rstrip()


def _before(word: str, indent: int, width: float) -> int:
    """Return how many blanks stand before a word: fewer than usual where it would not fit."""
    return int(max(min(indent, width - len(word)), min(indent, len(INDENT))))
