"""verify: a saved result of any kind of game, proven again from its files."""

from __future__ import annotations

from pathlib import Path

from seqform.base.deadline import time_limited
from seqform.recursive.verification import RecursiveVerified, is_saved
from seqform.recursive.verification import verify as verify_recursive
from seqform.results.verification import Find, Verified, find_by_name
from seqform.results.verification import verify as verify_solution


def verify(
    folder: Path | str, find: Find = find_by_name, time_limit: float | None = None
) -> Verified | RecursiveVerified:
    """Certify a saved answer again from its files, and compare with what the result claims.

    Parameters
    ----------
    folder
        What `save` of a solution wrote.
    find
        Returns a game by name and parameters: for games that are saved without a tree, and for
        recursive games.
    time_limit
        Seconds.

    Returns
    -------
    verified
        The claims, and the solution, of which all that proves it was computed again.

    Raises
    ------
    ResultFileError
        If a file is missing, damaged, or not of this kind.
    VerificationError
        If the files do not prove what the result claims.
    OutOfTimeError
        If the time limit is over, so that nothing is known of the claims.

    Examples
    --------
    >>> import tempfile
    >>> from seqform import make, solve
    >>> folder = Path(tempfile.mkdtemp()) / "kuhn"
    >>> solve(make("kuhn")).save(folder, "kuhn")
    >>> verify(folder).record()["exact_value"]
    '-1/18'
    """
    if not is_saved(Path(folder)):
        return verify_solution(folder, find, time_limit)
    with time_limited(time_limit):
        return verify_recursive(Path(folder), find)
