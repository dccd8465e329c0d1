"""Figures of an experiment, made of its rows alone and written as whole files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from seqform.base.errors import InvalidParameterError, ResultFileError
from seqform.base.whole_file import reason, replacing, write_text
from seqform.experiment.axes import Axis, Role
from seqform.experiment.row import Row, column_of
from seqform.experiment.spec import ExperimentSpec
from seqform.experiment.task import UNFINISHED


def draw(spec: ExperimentSpec, rows: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Write the figures of an experiment, and return their paths.

    None is made of no answers, and no file of an empty text: these rows have nothing for it.

    Raises
    ------
    ResultFileError
        If one cannot be written.
    InvalidParameterError
        If one cannot be made of these rows.
    """
    answers = [labelled(spec, row) for row in rows if row["status"] not in UNFINISHED]
    if not answers:
        return ()
    paths = (_draw(folder / name, figure, answers) for name, figure in spec.figures.items())
    return tuple(path for path in paths if path is not None)


def labelled(spec: ExperimentSpec, row: Row) -> Row:
    """Return a row whose parameters and options are all that there are, those of axes too."""
    return row | {
        column: _all(spec.axes, role, row, column)
        for role, column in ((Role.PARAMETER, "parameters"), (Role.OPTION, "options"))
    }


def _all(axes: Sequence[Axis], role: Role, row: Row, column: str) -> str | None:
    given = json.loads(str(row.get(column) or "{}"))
    for axis in axes:
        value = row.get(column_of(axis.name))
        if axis.role is role and value is not None:
            given |= axis.given(value)
    return json.dumps(given, sort_keys=True) if given else None


def _draw(path: Path, figure: object, rows: Sequence[Row]) -> Path | None:
    try:
        made = figure(rows)  # type: ignore[operator]
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidParameterError(
            f"{path.name} cannot be made of these rows: {type(error).__name__}: {error}"
        ) from error
    try:
        if made == "":
            return None
        if isinstance(made, str):
            write_text(path, made)
        else:
            with replacing(path) as file:
                made.savefig(file, format=path.suffix[1:])
    except OSError as error:
        raise ResultFileError(f"{path} cannot be written: {reason(error)}") from None
    return path
