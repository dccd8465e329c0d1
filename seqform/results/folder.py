"""The folder of a saved result: which files it has, and what ``result.json`` says.

``result.json`` holds the claims and ``game.npz`` the game's tree. The answer is in files of the
solution's concept. A proof in exact arithmetic is in ``certificate.json``. The folder is replaced
as a whole, and ``result.json`` lists the other files with their SHA-256.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from seqform.base.errors import ResultFileError
from seqform.base.whole_file import reason
from seqform.base.whole_folder import ASIDE, LOCK, check_replaceable, finish, is_plain, listed
from seqform.concepts.nash import KEPT, STRATEGY
from seqform.exact.proof import CERTIFICATE, Proven
from seqform.exact.saved_plans import ALONE, BY_CLASSES
from seqform.form.sequence_form import SequenceForm
from seqform.results.record import jsonable

RESULT, GAME = "result.json", "game.npz"

PLANS = "plans.npz"
"""The plans in integers of a recursive game."""

LOCKS, LOCKED_HANDS, OF_LOCKED = "lock.csv", "lock.npz", "certificate-locked.json"
"""What was locked, of large games of hands by boards, and what plans prove of the locked game."""

ANSWERS = (STRATEGY, KEPT, PLANS)
FILES = (RESULT, GAME, CERTIFICATE, BY_CLASSES, ALONE, *ANSWERS, LOCKS, LOCKED_HANDS, OF_LOCKED)

VERSION = 3
READ = (1, 2, 3)
"""Versions that are read; results of version 1 claim nothing but profiles."""

OF_SOLVER = 2
"""The last version whose sizes ``lp_rows``, ``lp_columns`` and ``lp_nonzeros`` are those of the
program that a solver was given; later ones call these ``solver_rows`` and so on."""


def check_folder(folder: Path | str) -> None:
    """Check that a solution can be saved in a folder, before any work is done for it.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, or holds files that are not a saved result.

    Examples
    --------
    >>> check_folder("/dev/null")
    Traceback (most recent call last):
    seqform.base.errors.ResultFileError: cannot write to /dev/null: Not a directory
    """
    folder = Path(folder)
    if os.path.isfile(folder):
        raise ResultFileError(f"cannot write to {folder}: it is a file; give a folder")
    try:
        there = {path.name for path in folder.iterdir()} if os.path.exists(folder) else set()
        known = {*FILES, *(listed(folder / RESULT) or ()), ASIDE, LOCK}
        if foreign := sorted(there - known):
            raise ResultFileError(
                f"{folder} holds other files ({', '.join(foreign[:3])}); "
                "give an empty or new folder"
            )
        check_replaceable(folder)
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {reason(error)}") from None


def read_result(folder: Path) -> dict[str, Any]:
    """Return what ``result.json`` says, none of it verified.

    Raises
    ------
    ResultFileError
        If it is missing or damaged, or of a version that is not read.
    """
    with suppress(OSError):  # where nothing can be written: then its files are not those it lists
        finish(folder, FILES, RESULT)
    path = folder / RESULT
    try:
        claims = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultFileError(
            f"{path} does not exist; give the folder that a solution was saved in"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} is damaged: {error}") from None
    if not isinstance(claims, dict) or claims.get("version") not in READ:
        versions = " or ".join(map(str, READ))
        raise ResultFileError(f"{path} is not a result of version {versions}")
    files = claims.get("files", {})
    if not isinstance(files, dict) or not all(map(is_plain, files)):
        raise ResultFileError(f"{path} is damaged: its files are {files!r}")
    return claims


def identity_of(claims: dict[str, Any], form: SequenceForm) -> dict[str, Any]:
    """Return what a certificate calls the game: name, parameters, unit, fingerprint."""
    return {
        "name": claims.get("game"),
        "params": jsonable(claims.get("params")),
        "unit": form.unit,
        "fingerprint": "" if form.tree is None else claims["game_fingerprint"],
    }


def proven_of(solution: Any, claims: dict[str, Any]) -> Proven:
    """Return a solution's answer, and what is proven of it, for a result of such claims."""
    identity = identity_of(claims, solution.game)
    return Proven(solution.game, solution.answer, identity, solution.proofs)
