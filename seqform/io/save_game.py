"""save_game: the tree of any game, or its normal form, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seqform.base.errors import GameFileError, InvalidParameterError
from seqform.base.whole_file import reason
from seqform.form.from_tree import build_sequence_form
from seqform.form.normal_form import build_normal_form
from seqform.io.efg_writer import write_efg
from seqform.io.nfg_writer import write_nfg
from seqform.tree.file import save_tree
from seqform.tree.from_any import build_tree
from seqform.tree.tree import GameTree

ENDINGS = (".efg", ".nfg", ".npz")
"""How names of files that hold a game end: Gambit's formats, and our own."""


def save_game(
    game: Any, path: Path | str, title: str = "", max_nodes: int | None = None
) -> GameTree:
    """Write a game to a file, and return its tree.

    Parameters
    ----------
    game
        Rules, tree or signal game.
    path
        Ends in .efg (Gambit's format), .npz (our own, smaller and faster), or .nfg (Gambit's for
        tables: the reduced normal form, for small games).
    title
        What an .efg or .nfg file calls the game.
    max_nodes
        Largest tree to build.

    Raises
    ------
    GameFileError
        If the file cannot be written, or the format cannot hold the game.
    GameTooLargeError
        If the tree is too large, or the normal form for an .nfg file.
    ImperfectRecallError
        If the normal form is wanted, and players forget something.
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
            f"{path}: the name of the file says its format; let it end in "
            f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        )
    tree = build_tree(game, max_nodes)
    if path.suffix.lower() == ".efg":
        write_efg(tree, path, title=title)
        return tree
    if path.suffix.lower() == ".nfg":
        write_nfg(build_normal_form(build_sequence_form(tree)), path, title=title)
        return tree
    try:
        save_tree(tree, path)
    except OSError as error:
        raise GameFileError(f"cannot write {path}: {reason(error)}") from None
    return tree
