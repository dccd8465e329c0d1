"""Figures of an experiment, made of its rows alone and written as whole files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seqform.base.errors import InvalidParameterError, ResultFileError
from seqform.base.whole_file import reason, replacing, write_text
from seqform.experiment.row import Row
from seqform.experiment.spec import ExperimentSpec
from seqform.experiment.task import UNFINISHED


def draw(spec: ExperimentSpec, rows: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Write all figures of an experiment, and return their paths; of no answers none is made.

    Raises
    ------
    ResultFileError
        If one cannot be written.
    InvalidParameterError
        If one cannot be made of these rows.
    """
    answers = [row for row in rows if row["status"] not in UNFINISHED]
    if not answers:
        return ()
    return tuple(_draw(folder / name, figure, answers) for name, figure in spec.figures.items())


def _draw(path: Path, figure: object, rows: Sequence[Row]) -> Path:
    try:
        made = figure(rows)  # type: ignore[operator]
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidParameterError(
            f"{path.name} cannot be made of these rows: {type(error).__name__}: {error}"
        ) from error
    try:
        if isinstance(made, str):
            write_text(path, made)
        else:
            with replacing(path) as file:
                made.savefig(file, format=path.suffix[1:])
    except OSError as error:
        raise ResultFileError(f"{path} cannot be written: {reason(error)}") from None
    return path
