"""read_game: the game that a file holds, in whichever of the formats it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from seqform.base.errors import GameFileError
from seqform.io.efg_reader import parse_efg, read_efg
from seqform.io.game_text import of_workspace, read_text
from seqform.io.nfg_reader import parse_nfg, read_nfg
from seqform.tree.file import load_tree
from seqform.tree.tree import GameTree


def read_workspace(path: Path) -> GameTree:
    """Read the game of a workspace, which Gambit's window saves as .gbt.

    Raises
    ------
    GameFileError, GameTooLargeError
        As `read_efg` does.
    """
    text = of_workspace(read_text(path), str(path))
    parse = parse_nfg if text.lstrip().startswith("NFG") else parse_efg
    return parse(text, str(path))


READERS: dict[str, Callable[[Path], GameTree]] = {
    ".efg": read_efg,
    ".nfg": read_nfg,
    ".gbt": read_workspace,
    ".npz": load_tree,
}
"""Formats by the endings of files: three of Gambit's, and our own."""

MARKS = {b"EFG": ".efg", b"NFG": ".nfg", b"<": ".gbt", b"PK": ".npz"}
"""What files of a format begin with, however they are called."""


def read_game(path: Path) -> GameTree:
    """Return the game that a file holds; what it begins with says its format, then its ending.

    Raises
    ------
    GameFileError, ResultFileError
        If the file is missing, damaged, or of no format that is read.
    GameTooLargeError
        If the memory does not suffice.
    """
    ending = _format(path) or path.suffix.lower()
    if ending not in READERS:
        module = f"; name a class in it as {path.stem}:Name" if ending == ".py" else ""
        raise GameFileError(
            f"{path} is no file of a game: such begin with EFG or NFG, are workspaces of Gambit's, "
            f"or were written by `seqform convert`{module}"
        )
    return READERS[ending](path)


def _format(path: Path) -> str | None:
    """Return the ending of the format that the content of a file shows, if any."""
    if not os.path.isfile(path):
        return None
    try:
        with path.open("rb") as file:
            start = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror}") from None
    return next((ending for mark, ending in MARKS.items() if start.startswith(mark)), None)
