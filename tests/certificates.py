"""Certificates as JSON values, and how to forge them."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

CHECKER = Path(__file__).parents[1] / "tools" / "check_certificate.py"
RULES = CHECKER.with_name("rhode_island.py")


def load_tool(path: Path) -> Any:
    """Return a program that is not part of any package as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every number and text."""
    if isinstance(content, (dict, list)):
        for key, value in content.items() if isinstance(content, dict) else enumerate(content):
            yield from places(value, (*path, key))
    else:
        yield path


def at(content: Any, place: tuple[Any, ...]) -> Any:
    """Return what is at a place."""
    for key in place:
        content = content[key]
    return content


def changed(content: Any, place: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """Return a copy with one place changed."""
    copy = deepcopy(content)
    holder = at(copy, place[:-1])
    holder[place[-1]] = change(holder[place[-1]])
    return copy


def put(content: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Return a copy with a value at one place."""
    return changed(content, place, lambda _: value)


def unit(old: Any, amount: int) -> Any:
    """Return a number so much more, however it is written, or a text with a letter more."""
    if isinstance(old, str) and old.lstrip("-").startswith("0x"):
        return hex(int(old, 16) + amount)
    return old + amount if type(old) is int else f"{old}0"


def rehashed(content: Any) -> Any:
    """Hash the game again, as somebody who changes it would."""
    keys = ("game", "treeplexes", "payoffs", "signals")
    described = {key: content[key] for key in keys if key in content}
    text = json.dumps(described, sort_keys=True, separators=(",", ":"))
    return content | {"hash": hashlib.sha256(text.encode()).hexdigest()}


def forgeries(content: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield copies in which one number or text is another one, or is written in another way.

    Each comes with its place. There are three for each place: one unit less, one more, and one of
    the other ways, in turn.
    """
    for turn, place in enumerate(places(content)):
        old = at(content, place)
        others = [None, 0.5, [], {}, str(old) if type(old) is int else 0]
        others += [float(old), hex(old)] if type(old) is int else []
        others += [bool(old)] if type(old) is int and old in (0, 1) else []
        others = [value for value in others if value is not old]
        for value in (unit(old, -1), unit(old, 1), others[turn % len(others)]):
            yield place, put(content, place, value)
