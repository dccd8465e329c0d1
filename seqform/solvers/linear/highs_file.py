"""Linear programs in files, as HiGHS writes them, with comments on top."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import highspy
import numpy as np

from seqform.base.errors import InvalidParameterError, SolverError
from seqform.base.whole_file import reason, replacing
from seqform.solvers.linear.highs_model import highs_model
from seqform.solvers.linear.program import NamedProgram, Program

COMMENTS = {".lp": "\\", ".mps": "*"}
"""Endings of the files of programs, and how a comment begins there."""


def write_lp(program: NamedProgram, path: Path) -> None:
    """Write a program as `.lp` or `.mps`, below its comments.

    The first line says what payoffs were multiplied by: ``scale = 6``.

    Raises
    ------
    InvalidParameterError
        If the path ends in something else.
    SolverError
        If the file cannot be written.
    """
    check_program_path(path)
    highs = highs_model(program, named=program)
    if program.is_minimised:
        _turn(highs, program)
    try:
        with replacing(path) as file, TemporaryDirectory(dir=drafts_folder()) as folder:
            text = Path(folder) / f"program{path.suffix}"  # HiGHS crashes where it cannot write
            if highs.writeModel(str(text)) == highspy.HighsStatus.kError or not _is_whole(text):
                raise SolverError(f"HiGHS could not write the program to {folder}: is there room?")
            for comment in program.comments():
                file.write(f"{COMMENTS[path.suffix]} {comment}\n".encode())
            with text.open("rb") as written:
                copyfileobj(written, file)
    except OSError as error:
        raise SolverError(f"cannot write {path}: {reason(error)}") from None


def drafts_folder() -> Path:
    """Return the folder in which HiGHS writes a program, before comments are put on top."""
    return Path(gettempdir())


def check_program_path(path: Path) -> None:
    """Check that a program can be written there, before it is made.

    Raises
    ------
    InvalidParameterError
        If the path ends in something else than `.lp` or `.mps`, or is of no folder.
    """
    if path.suffix not in COMMENTS:
        raise InvalidParameterError(f"{path}: the file name must end in .lp or .mps")
    if not os.path.isdir(path.resolve().parent):
        raise InvalidParameterError(f"{path}: there is no folder {path.resolve().parent}")


def _turn(highs: Any, program: Program) -> None:
    """Minimise minus the objective."""
    costs = 0.0 - program.objective  # and no -0.0
    highs.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
    highs.changeObjectiveSense(highspy.ObjSense.kMinimize)


def _is_whole(path: Path) -> bool:
    """Return whether a file ends as programs do; HiGHS does not say that a disk is full."""
    end = {".lp": b"end", ".mps": b"ENDATA"}[path.suffix]
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 20))
        return file.read().rstrip().endswith(end)
