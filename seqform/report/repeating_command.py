"""The command that makes a result again: the game, and all that was asked for."""

from __future__ import annotations

import os
from typing import NamedTuple

from seqform.game.catalogue import GAMES
from seqform.methods.method import without_denied_defaults
from seqform.report.reported import Reported
from seqform.results.asked import UNWRITTEN, flags_of
from seqform.results.folder import GAME, LOCKED_HANDS, LOCKS

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
    return ["seqform", "solve", *game, *flags_of(without_denied_defaults(asked))]


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
    for name in (LOCKS, LOCKED_HANDS):
        if of.folder is not None and os.path.exists(of.folder / name):
            return str(of.folder / name)
    return None
