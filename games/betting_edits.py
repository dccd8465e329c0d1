"""Betting trees changed by hand: a line is left out, a size is added at one place.

Edits are written between semicolons::

    remove check-bet100-raise300; add check bet250; add bet100-call/ bet75; add bet40

* ``remove LINE`` leaves out the last action of a line, with all that comes after it.
* ``add LINE ACTION`` lets whoever acts after a line also bet, raise or go all-in. Without a line it
  is at the beginning.

Lines are written as in tables: actions are joined by hyphens, and a slash stands for each card that
is dealt face up (whichever it is). What is added must be legal, but need not heed the cap, nor
thresholds and merging of sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seqform.base.errors import InvalidParameterError
from seqform.base.nearest import hint

ADD, REMOVE = "add", "remove"

CARD = "/"
"""A card that is dealt, in a path."""


class Edit(NamedTuple):
    """One change.

    Parameters
    ----------
    kind
        `ADD` or `REMOVE`.
    path
        Actions, and `CARD` for each deal, that lead to where the change is.
    action
        What is added or removed there.
    """

    kind: str
    path: tuple[str, ...]
    action: str

    def __str__(self) -> str:
        """Return the edit as it is written."""
        if self.kind == REMOVE:
            return f"{REMOVE} {line_of((*self.path, self.action))}"
        return " ".join(word for word in (ADD, line_of(self.path), self.action) if word)


def line_of(path: Iterable[str]) -> str:
    """Write a path as a line.

    Examples
    --------
    >>> line_of(["check", "check", "/", "bet100"])
    'check-check/bet100'
    """
    return "-".join(path).replace("-/", "/").replace("/-", "/")


def read_edits(text: str) -> tuple[Edit, ...]:
    """Return the edits that a text says.

    Raises
    ------
    InvalidParameterError
        With the edit that cannot be read, and what was expected.

    Examples
    --------
    >>> read_edits("add check bet250")
    (Edit(kind='add', path=('check',), action='bet250'),)
    """
    return tuple(_read(part.strip()) for part in text.split(";") if part.strip())


def _read(text: str) -> Edit:
    kind, *rest = text.split()
    if kind == REMOVE and len(rest) == 1:
        path = _path(text, rest[0])
        if path[-1] == CARD:
            raise edit_error(text, "a card cannot be left out; name the action before it")
        return Edit(REMOVE, path[:-1], path[-1])
    if kind == ADD and 1 <= len(rest) <= 2:
        return Edit(ADD, _path(text, rest[0]) if len(rest) == 2 else (), rest[-1])
    raise edit_error(
        text,
        "expected 'remove LINE' or 'add LINE ACTION', such as remove check-bet100-raise300, or "
        f"add check bet250{hint(kind, (ADD, REMOVE))}",
    )


def _path(text: str, line: str) -> tuple[str, ...]:
    words = tuple(word for word in re.split(r"(/)|-", line) if word)
    if line_of(words) != line:
        raise edit_error(
            text, f"{line!r} is no line: actions are joined by -, and / stands for a card"
        )
    return words


def edit_error(edit: object, why: str) -> InvalidParameterError:
    """Return the error for an edit that cannot be."""
    return InvalidParameterError(f"edits: '{edit}': {why}")


def after(edits: Sequence[Edit], step: str) -> tuple[Edit, ...]:
    """Return the edits that are left after an action, or `CARD`, with the rest of their paths."""
    return tuple(
        edit._replace(path=edit.path[1:]) for edit in edits if edit.path and edit.path[0] == step
    )
