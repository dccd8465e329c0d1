"""save_game: the tree of any game as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seqform.base.errors import GameFileError, InvalidParameterError
from seqform.base.whole_file import reason
from seqform.io.efg_writer import write_efg
from seqform.tree.file import save_tree
from seqform.tree.from_any import build_tree
from seqform.tree.tree import GameTree

ENDINGS = (".efg", ".npz")
"""How names of files that hold a game end: Gambit's format, and our own."""


def save_game(
    game: Any, path: Path | str, title: str = "", max_nodes: int | None = None
) -> GameTree:
    """Write the tree of a game to a file, and return it.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    path
        Ends in .efg (Gambit's format) or .npz (our own, smaller and faster).
    title
        What an .efg file calls the game.
    max_nodes
        Largest tree to build.

    Raises
    ------
    GameFileError
        If the file cannot be written, or the format cannot hold the game.
    GameTooLargeError
        If the tree is too large.
    InvalidParameterError
        If the name of the file does not say its format.

    Examples
    --------
    >>> import tempfile
    >>> from seqform import load, make
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.efg"
    >>> tree = save_game(make("kuhn"), path, title="Kuhn poker")
    >>> load(path).num_nodes == tree.num_nodes
    True
    """
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameterError(
            f"{path}: the name of the file says its format; let it end in {' or '.join(ENDINGS)}"
        )
    tree = build_tree(game, max_nodes)
    if path.suffix.lower() == ".efg":
        write_efg(tree, path, title=title)
        return tree
    try:
        save_tree(tree, path)
    except OSError as error:
        raise GameFileError(f"cannot write {path}: {reason(error)}") from None
    return tree
