"""write_lp: the sequence-form linear program of a game as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seqform.methods.problem import Problem
from seqform.solvers.linear.highs import write_lp as write_program
from seqform.solvers.linear.program import LinearProgram, build_lp


def write_lp(
    game: Any, path: Path | str, player: int = 0, max_nodes: int | None = None
) -> LinearProgram:
    """Write a player's program to a file and return it; names are those of sequences.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form of a two-player constant-sum game.
    path
        Ends in .lp or .mps.
    player
        Whose program: 0 (primal) or 1 (dual).
    max_nodes
        Largest tree to build.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    InvalidParameterError
        If `player` is not 0 or 1, or the path has another ending.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.lp"
    >>> from seqform import make
    >>> program = write_lp(make("kuhn"), path)
    >>> program.matrix.shape, program.scale  # the optimum is 6 times what is guaranteed
    ((20, 20), 6.0)
    """
    program = build_lp(Problem(game, max_nodes).form, player)
    write_program(program, Path(path))
    return program
