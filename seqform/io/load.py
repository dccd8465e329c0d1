"""load: whatever seqform or Gambit wrote, by its path."""

from __future__ import annotations

from pathlib import Path

from seqform.base.errors import InvalidParameterError
from seqform.io.efg_reader import read_efg
from seqform.results.folder import load as load_solution
from seqform.results.solution import Solution
from seqform.tree.file import load_tree
from seqform.tree.tree import GameTree


def load(path: Path | str) -> GameTree | Solution:
    """Return the game that a file holds, or the solution that a folder holds.

    Parameters
    ----------
    path
        A folder that `Solution.save` wrote, which is certified again; or a game: a file .efg
        (Gambit's format) or .npz (`seqform convert`).

    Raises
    ------
    ResultFileError, GameFileError
        If something is missing or damaged.
    VerificationError
        If a saved solution is not what it claims to be.
    InvalidParameterError
        If the name of the file does not say its format.

    Examples
    --------
    >>> import tempfile
    >>> from seqform import make, solve
    >>> folder = Path(tempfile.mkdtemp()) / "kuhn"
    >>> solve(make("kuhn")).save(folder, "kuhn")
    >>> load(folder).exact.value
    Fraction(-1, 18)
    >>> load(folder / "game.npz").num_nodes
    58
    """
    path = Path(path)
    if path.suffix.lower() == ".efg":
        return read_efg(path)
    if path.suffix.lower() == ".npz":
        return load_tree(path)
    if path.is_file():
        raise InvalidParameterError(
            f"{path}: the name of the file says its format; it ends in .efg or .npz, or is a "
            "folder that holds a saved result"
        )
    return load_solution(path)
