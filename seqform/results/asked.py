"""What a solution was asked for: the arguments of `solve` that are not its defaults.

They are kept with the result, so that whoever reads it can have it made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

DEFAULTS: Mapping[str, object] = {
    "method": "auto",
    "abstract": "auto",
    "threshold": 0.0,
    "prove": False,
    "threads": 1,
    "max_nodes": None,
    "lock": None,
}

NO_TRACE = {"trace", "checkpoint", "resume"}
"""Options that change nothing of a result: what is printed, and where a search went on."""

UNWRITTEN = "(not text)"
"""Stands for a value that is no text, such as a profile to start from."""


def asked_of(**given: Any) -> dict[str, Any]:
    """Return arguments as JSON values, without those that are defaults or leave no trace.

    Examples
    --------
    >>> asked_of(method="lp", prove=False, refine="quasi-perfect", exact=None)
    {'method': 'lp', 'refine': 'quasi-perfect'}
    """
    return {
        name: _written(value)
        for name, value in given.items()
        if value is not None and name not in NO_TRACE and not _is_default(name, value)
    }


def flags_of(asked: Mapping[str, Any]) -> list[str]:
    """Return the words that give arguments of `solve` on the command line.

    Examples
    --------
    >>> flags_of({"method": "lp", "exact": False, "prove": True, "threshold": -1.0})
    ['--method', 'lp', '--no-exact', '--prove', '--threshold=-1.0']
    """
    return [word for name, value in asked.items() for word in _flag(name, value)]


def _flag(name: str, value: Any) -> Iterator[str]:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{flag}" if value else f"--no-{flag}"
    else:
        text = str(value)  # one word where it could be taken for a flag
        yield from ([f"--{flag}={text}"] if text.startswith("-") else [f"--{flag}", text])


def _is_default(name: str, value: Any) -> bool:
    return name in DEFAULTS and isinstance(value, (str, int, float)) and value == DEFAULTS[name]


def _written(value: Any) -> Any:
    """Return a value as it is typed: text, a number or a truth value."""
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return ",".join(value)  # a chain of reductions
    if isinstance(value, (list, tuple)) and len(value) > 1 and all(map(_is_number, value)):
        return ",".join(map(repr, value))  # such as lambdas
    return _name_of(value) or UNWRITTEN


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _name_of(value: Any) -> str | None:
    """Return the name of a function, or of a reduction of the registry."""
    from seqform.base.errors import UnknownNameError
    from seqform.links.link import REDUCTIONS

    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if module and name and "<" not in name:
        return f"{module}:{name}"
    try:
        found = REDUCTIONS.get(str(value.name))
    except (AttributeError, UnknownNameError):
        return None
    return str(value.name) if found is value else None
