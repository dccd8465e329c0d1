"""The name that somebody meant who typed another one."""

from __future__ import annotations

from collections.abc import Iterable

NEAR = 0.6
"""How much of two spellings has to be the same, as `difflib` counts it."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is spelled most like another one, if any is near.

    Case, hyphens, underscores and blanks do not count, and ``plus`` is ``+``: ``CFRplus`` is
    ``cfr+``.
    """
    from difflib import get_close_matches

    spelled: dict[str, str] = {}
    for one in known:
        spelled.setdefault(_spelled(one), one)
    wanted = _spelled(name)
    if wanted in spelled:
        return spelled[wanted]
    as_typed = get_close_matches(name, spelled.values(), 1, NEAR)
    close = [spelled[near] for near in get_close_matches(wanted, spelled, 1, NEAR)]
    return next(iter([*as_typed, *close]), None)


def hint(name: str, known: Iterable[str]) -> str:
    """Return what an error message says of the nearest name, beginning with a blank, or nothing."""
    near = nearest(name, known)
    return "" if near is None else f" (did you mean {near!r}?)"


def _spelled(name: str) -> str:
    bare = name.lower().replace("plus", "+")
    return "".join(letter for letter in bare if letter not in "-_ .")
