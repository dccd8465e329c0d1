"""write_lcp: the sequence-form complementarity problem of a game as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seqform.form.complementarity import ComplementarityProblem, build_lcp, count_nonzeros
from seqform.form.complementarity_file import check_problem_path, write_problem
from seqform.form.sequence_form import SequenceForm
from seqform.methods.file_need import LCP_RATES, require_room_for_file
from seqform.methods.problem import Problem
from seqform.solvers.linear.line_names import infoset_names, sequence_names


def write_lcp(game: Any, path: Path | str, max_nodes: int | None = None) -> ComplementarityProblem:
    """Write the complementarity problem of a two-player game to a file and return it.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form of a two-player game, of any sums.
    path
        Ends in .mtx.
    max_nodes
        Largest tree to build.

    Raises
    ------
    NotForThisGameError
        R10: unless the game is for two players.
    InvalidParameterError
        If the path has another ending, or cannot be written.
    GameTooLargeError
        If there is no room for the problem, in memory or on the disk.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.mtx"
    >>> from seqform import make, read_lcp
    >>> write_lcp(make("kuhn"), path).size
    40
    >>> read_lcp(path).denominators
    (6, 6)
    """
    path = Path(path)
    check_problem_path(path)
    form = Problem(game, max_nodes).form
    require_room_for_file(form, count_nonzeros(form), LCP_RATES, path)
    problem = build_lcp(form)
    write_problem(problem, path, row_names(form))
    return problem


def row_names(game: SequenceForm) -> list[str]:
    """Return a name of each row of the problem: of sequences, then of constraints."""
    sequences = [*sequence_names(game, 0, "x"), *sequence_names(game, 1, "y")]
    return [*sequences, *infoset_names(game, 0, "E"), *infoset_names(game, 1, "F")]
