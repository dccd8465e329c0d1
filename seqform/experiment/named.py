"""Names with options in brackets, such as ``leduc(ranks=4)``, ``cfr+(iterations=100)``."""

from __future__ import annotations

from typing import NamedTuple

from seqform.base.errors import InvalidParameterError

Value = str | int | float | bool | None
"""What an axis, a parameter or an option may be: a scalar of JSON."""

WORDS: dict[str, Value] = {"true": True, "false": False}


BELOW = "@"
"""Stands between a game and the moves below which it is looked at; several are in brackets."""


class Named(NamedTuple):
    """A name and its options."""

    name: str
    options: dict[str, Value]


def read_named(text: str) -> Named:
    """Return the name and the options of a text ``name(key=value, ...)``.

    Raises
    ------
    InvalidParameterError
        If a bracket is missing, or an option is not written as ``key=value``.

    Examples
    --------
    >>> read_named("lp(solver=clarabel, exact=false)")
    Named(name='lp', options={'solver': 'clarabel', 'exact': False})
    >>> read_named("openspiel:goofspiel(players=2)").name  # OpenSpiel reads its own
    'openspiel:goofspiel(players=2)'
    >>> read_named("leduc(ranks=4)@(Js,Qs)")  # the game below these moves
    Named(name='leduc@(Js,Qs)', options={'ranks': 4})
    """
    text, below, moves = text.partition(BELOW)
    if below:
        whole = read_named(text)
        return whole._replace(name=f"{whole.name}{BELOW}{moves.strip()}")
    name, bracket, rest = text.strip().partition("(")
    if not bracket or name.startswith("openspiel:"):
        return Named(text.strip(), {})
    if not rest.endswith(")"):
        raise InvalidParameterError(f"{text!r}: the bracket is not closed; write name(key=value)")
    options: dict[str, Value] = {}
    for item in filter(None, split(rest[:-1])):
        key, equals, value = item.partition("=")
        if not (equals and key.strip()):
            raise InvalidParameterError(f"{text!r}: write {item!r} as key=value")
        options[key.strip()] = read_value(value)
    return Named(name.strip(), options)


def read_value(text: str) -> Value:
    """Return a text as the number or truth value that it is, else as it is.

    Examples
    --------
    >>> [read_value(text) for text in ("3", "1e-6", "true", "5x3", "1/2")]
    [3, 1e-06, True, '5x3', '1/2']
    """
    word = text.strip()
    if word.lower() in WORDS:
        return WORDS[word.lower()]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def split(text: str) -> list[str]:
    """Split a text at the commas that stand outside brackets.

    Examples
    --------
    >>> split("kuhn, leduc(ranks=4,suits=2),matching-pennies")
    ['kuhn', 'leduc(ranks=4,suits=2)', 'matching-pennies']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
