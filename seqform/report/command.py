"""The command that makes a result again: the game, and all that was asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from seqform.game.catalogue import GAMES
from seqform.methods.method import METHODS
from seqform.report.reported import Reported
from seqform.results.asked import UNWRITTEN
from seqform.results.folder import GAME, LOCKS

ENDINGS = (".efg", ".nfg", ".gbt", ".npz")
"""How the names of files of games end."""


class NoCommand(NamedTuple):
    """Why no command is known."""

    reason: str


def command(of: Reported) -> list[str] | NoCommand:
    """Return the words of a command that makes such a result, or why none is known.

    A time limit is not in it.
    """
    asked, game = of.solution.asked, _game(of)
    if asked is None:
        return NoCommand("not known, since the result does not say what was asked for")
    if game is None:
        return NoCommand("none, since the game has no name that the command line knows")
    if "lock" in asked and (locks := _locks(of)) is not None:
        asked = {**asked, "lock": locks}
    if unwritten := [name for name, value in asked.items() if value == UNWRITTEN]:
        names = ", ".join(f"{name}=" for name in unwritten)
        return NoCommand(f"none, since {names} was given in Python")
    flags = [word for name, value in asked.items() for word in _flag(name, value)]
    return ["seqform", "solve", *game, *flags]


def _game(of: Reported) -> list[str] | None:
    """Return the words that name the game: as it was called, or the file beside the result."""
    name = str(of.claims.get("game") or "")
    known = name.partition("@")[0].replace("_", "-") in GAMES.names()
    if known or ":" in name or name.endswith(ENDINGS):
        parameters = (of.claims.get("params") or {}).items()
        return [name, *(word for key, value in parameters for word in ("-p", f"{key}={value}"))]
    if of.folder is not None and os.path.exists(of.folder / GAME):
        return [str(of.folder / GAME)]
    return None


def _locks(of: Reported) -> str | None:
    """Return the file of what was locked: that of the result says it whatever became of others."""
    if of.folder is not None and os.path.exists(of.folder / LOCKS):
        return str(of.folder / LOCKS)
    return None


def _flag(name: str, value: Any) -> Iterator[str]:
    """Yield the words that give an argument of `solve` on the command line."""
    flag = name.replace("_", "-")
    if value is True:
        yield f"--{flag}"
    elif value is not False:
        text = str(value)  # one word where it could be taken for a flag
        yield from ([f"--{flag}={text}"] if text.startswith("-") else [f"--{flag}", text])
    elif name in _denied():
        yield f"--no-{flag}"


@cache
def _denied() -> frozenset[str]:
    """Return the options of methods that can be denied: those that are neither by default."""
    return frozenset(
        field.name
        for method in METHODS.at_hand()
        for field in fields(method.Options)
        if field.default is None
    )
