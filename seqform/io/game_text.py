"""The text of a file of a game, and the game that a workspace of Gambit's window holds."""

from __future__ import annotations

import os
import re
from pathlib import Path

from seqform.base.errors import GameFileError
from seqform.base.memory import require_memory

BYTES_PER_CHARACTER = 40
"""Peak memory while a file is read, for each of its bytes: measured on .efg files of a million
nodes (docs/how-to/games-from-elsewhere.md)."""

IN_WORKSPACE = re.compile(r"<(efgfile|nfgfile)>(.*?)</\1>", re.DOTALL)
"""Where a workspace has its game, in one of the two formats."""

ESCAPED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
"""How XML writes what is its own."""


def read_text(path: Path) -> str:
    """Return the text of a file of a game.

    Raises
    ------
    GameFileError
        If the file cannot be read, or is no text.
    GameTooLargeError
        If the memory does not suffice.
    """
    if not os.path.isfile(path):
        raise GameFileError(
            f"{path} is {'no file' if os.path.exists(path) else 'not there'}; "
            "give the path of a file that holds a game"
        )
    size = path.stat().st_size
    require_memory(
        BYTES_PER_CHARACTER * size, f"reading {path}, {size / 2**20:.0f} MB,", "use a smaller game"
    )
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise GameFileError(
            f"{path}, line {line}, column {column}: this is not UTF-8 text; save the file as UTF-8"
        ) from None


def of_workspace(text: str, source: str) -> str:
    """Return the text of the game in a workspace, each line where it stands there.

    Raises
    ------
    GameFileError
        If there is none.
    """
    found = IN_WORKSPACE.search(text)
    if found is None:
        raise GameFileError(
            f"{source} holds no game of Gambit's; "
            "a workspace has one between <efgfile> and </efgfile>, or <nfgfile> and </nfgfile>"
        )
    lines_above = text.count("\n", 0, found.start(2))
    plain = re.sub("&(lt|gt|quot|apos|amp);", lambda escape: ESCAPED[escape[1]], found[2])
    return "\n" * lines_above + plain
