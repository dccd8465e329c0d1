"""write_report: results as one page of HTML that needs nothing else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidParameterError
from seqform.base.whole_file import obstacle, reason, write_text
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.verification import is_saved, verify
from seqform.report.page import page, page_of_stages
from seqform.report.reported import Results, reported
from seqform.results.verification import Find, find_by_name

ENDINGS = (".html", ".htm")


def write_report(
    results: Results, path: Path | str, *, find: Find = find_by_name, dealt: str = ""
) -> None:
    """Write a page on results: what is played, what is proven, and a check that runs in the page.

    Parameters
    ----------
    results
        A solution, the folder of one, a folder of such folders, or several of these. A mapping
        gives solutions the names of their games.
    path
        Ends in .html. A file that is there is replaced.
    find
        Returns a game by name and parameters: for results that are saved without a tree.
    dealt
        Of games of hands, cards that are dealt first, such as ``"8c"``: only boards on which they
        are go on the page, so that there is room for later streets.

    Raises
    ------
    ResultFileError
        If a folder holds no result, or a damaged one.
    VerificationError
        If the files do not prove what a result claims.
    InvalidParameterError
        If there is no result, or the file cannot be written; that is found before any work. Or if
        these cards cannot be dealt.
    """
    path = Path(path)
    check_report(path)
    text = report_page(results, find=find, dealt=dealt)
    try:
        write_text(path, text)
    except OSError as error:
        raise InvalidParameterError(f"cannot write {path}: {reason(error)}") from None


def report_page(results: Results, *, find: Find = find_by_name, dealt: str = "") -> str:
    """Return the page as text; arguments and errors are those of `write_report`.

    Examples
    --------
    >>> from seqform import make, solve
    >>> report_page({"kuhn": solve(make("kuhn"))}).startswith("<!doctype html>")
    True
    """
    alone = _recursive(results, find)
    if alone is None:
        return page(reported(results, find), dealt)
    if dealt:
        raise InvalidParameterError(
            "cards are dealt in a page of one game of hands, and this is a recursive game"
        )
    return page_of_stages(*alone)


def _recursive(results: Any, find: Find) -> tuple[RecursiveSolution, str] | None:
    """Return the solution of a recursive game that a page is of, and its name; else None.

    Raises
    ------
    InvalidParameterError
        If there are other results beside it.
    """
    many = list(results) if isinstance(results, (list, tuple)) else [results]
    if isinstance(results, Mapping):
        many = list(results.values())
    recursive = [each for each in many if _is_recursive(each)]
    if not recursive:
        return None
    if len(many) > 1:
        raise InvalidParameterError(
            "a page on a recursive game holds no other result: write one page for each"
        )
    if isinstance(recursive[0], RecursiveSolution):
        name = next(iter(results)) if isinstance(results, Mapping) else "a recursive game"
        return recursive[0], name
    found = verify(Path(recursive[0]), find)
    return found.solution, str(found.claims["game"])


def _is_recursive(result: Any) -> bool:
    if isinstance(result, (str, Path)):
        return is_saved(Path(result))
    return isinstance(result, RecursiveSolution)


def check_report(path: Path | str) -> None:
    """Check that a page can be written to a file, before any work is done for it.

    Raises
    ------
    InvalidParameterError
        If it is not called .html, or cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameterError(f"{path}: a page's name ends in {' or '.join(ENDINGS)}")
    if os.path.isdir(path):
        raise InvalidParameterError(f"{path} is a folder; give the name of a file in it")
    if why := obstacle(path):
        raise InvalidParameterError(f"cannot write {path}: {why}")
