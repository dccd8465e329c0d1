"""load: whatever seqform or Gambit wrote, by its path."""

from __future__ import annotations

import os
from pathlib import Path

from seqform.game.catalogue import make
from seqform.io.game_file import READERS, read_game
from seqform.io.game_settings import ENDING, read_settings
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.verification import is_saved
from seqform.recursive.verification import verify as prove_saved
from seqform.results.solution import Solution
from seqform.results.verification import Find, find_by_name
from seqform.results.verification import load as load_solution
from seqform.tree.from_any import AnyGame


def load(path: Path | str, find: Find = find_by_name) -> AnyGame | Solution | RecursiveSolution:
    """Return the game that a file holds, or the solution that a folder holds.

    Parameters
    ----------
    path
        A folder that `save` of a solution wrote, which is certified again; or the file of a game:
        .efg, .nfg or .gbt (Gambit's formats), or .npz (`seqform convert`). What a file begins with
        counts, then its name. Or a file .toml that names a game of the catalogue and its parameters
        (`seqform.io.game_settings`).
    find
        Returns a game by name and parameters: for results that are saved without a tree.

    Raises
    ------
    ResultFileError, GameFileError
        If something is missing or damaged, or holds no game.
    VerificationError
        If a saved solution is not what it claims to be.

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
    if path.suffix.lower() == ENDING:
        settings = read_settings(path)
        return make(settings.game, **settings.parameters)  # type: ignore[no-any-return]
    if os.path.isfile(path) or path.suffix.lower() in READERS:
        return read_game(path)
    if is_saved(path):
        return prove_saved(path, find).solution
    return load_solution(path, find)
