"""run_experiment: all points of an experiment, those that are finished left out."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from seqform.base.errors import InvalidParameterError
from seqform.base.summary import Summarized
from seqform.experiment.executors import Executor, InProcess
from seqform.experiment.files import files_of
from seqform.experiment.pictures import draw
from seqform.experiment.point import Point
from seqform.experiment.row import Row
from seqform.experiment.spec import EXPERIMENTS, ExperimentSpec
from seqform.experiment.store import Store, read_table
from seqform.experiment.task import UNFINISHED, measured

RESULTS = Path("results")
"""Where results go if nobody says: a folder of this name in the current one."""


class Now(NamedTuple):
    """How far a sweep has come: points that are done, of how many, and the rows of the last one."""

    done: int
    total: int
    rows: Sequence[Row]


@dataclass(frozen=True, repr=False)
class Finished(Summarized):
    """What an experiment found.

    Parameters
    ----------
    spec
        The experiment with the axes that it was run on.
    folder
        Where its table and its figures are.
    rows
        Of the points asked for, in their order.
    made
        How many points were measured now; the others were there.
    stopped
        Whether the user stopped it, or the time was over, before the last point.
    figures
        The files that were made of the rows.
    """

    spec: ExperimentSpec
    folder: Path
    rows: tuple[Row, ...]
    made: int = 0
    stopped: bool = False
    figures: tuple[Path, ...] = ()

    @property
    def unfinished(self) -> tuple[Row, ...]:
        """The rows without an answer: refused, failed, or stopped by a limit."""
        return tuple(row for row in self.rows if row["status"] in UNFINISHED)

    def summary(self) -> list[tuple[str, str]]:
        """Return what is known in a few rows."""
        return [
            ("question", self.spec.question),
            ("rows", f"{len(self.rows):,}, {len(self.unfinished):,} of them without an answer"),
            ("points measured now", f"{self.made:,}"),
            ("folder", str(self.folder)),
        ]


def run_experiment(
    experiment: str | ExperimentSpec,
    axes: Mapping[str, Any] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    quick: bool = False,
    retry: bool = False,
    figures_only: bool = False,
    row_time_limit: float | None = None,
    progress: Callable[[Now], None] | None = None,
) -> Finished:
    """Measure every point of an experiment, and draw its figures of the rows.

    The table in `out` is added to: points whose rows are there already are not measured again,
    however the run that made them ended. An error is a row with its reason.

    Parameters
    ----------
    experiment
        A name of `EXPERIMENTS`, or an experiment.
    axes
        Other values by the name of an axis: a sequence, or a text with commas between them.
    parameters
        The same by the name of a parameter of the game.
    out
        The folder for ``rows.csv``, ``rows.parquet`` (with pyarrow) and figures; by default
        ``results/NAME`` in the current folder.
    quick
        Take only the few small values of each axis that its experiment names for this.
    retry
        Measure points again whose rows have no answer.
    figures_only
        Measure nothing; draw the figures of the rows that are there.
    row_time_limit
        Seconds for each point.
    progress
        Called after each point.

    Raises
    ------
    UnknownNameError
        If there is no such experiment, axis or parameter, with the nearest that there is.
    InvalidParameterError
        If a value of an axis cannot be read.
    ResultFileError
        If the folder cannot be written, or holds something else.

    Examples
    --------
    >>> import tempfile
    >>> from seqform.experiment import Axis, ExperimentSpec
    >>> spec = ExperimentSpec("values", "What is each worth?", (Axis("game", ("kuhn", "chess")),))
    >>> found = run_experiment(spec, out=tempfile.mkdtemp())
    >>> [(row["game"], row["status"]) for row in found.rows]
    [('kuhn', 'solved'), ('chess', 'refused')]
    """
    spec = EXPERIMENTS.get(experiment) if isinstance(experiment, str) else experiment
    spec = spec.taking(axes or {}, parameters or {})
    folder = RESULTS / spec.name if out is None else Path(out)
    if figures_only:
        rows = read_table(folder)
        return Finished(spec, folder, tuple(rows), 0, False, draw(spec, rows, folder))
    points = [point.read_from(files_of(point)) for point in spec.points(quick)]
    _check(spec, points)
    store = Store(folder, [axis.name for axis in spec.axes])
    if retry:
        store.drop([key for key, rows in store.rows.items() if rows[0]["status"] in UNFINISHED])
    missing = [point for point in points if point.key not in store.rows]
    task = partial(measured, spec.measure, time_limit=row_time_limit, commit=commit())
    try:
        for done, rows in enumerate(_run(InProcess(), task, missing), start=1):
            store.add(rows)
            if progress is not None:
                progress(Now(len(points) - len(missing) + done, len(points), rows))
    finally:
        found = store.close([point.key for point in points])
    return Finished(spec, folder, tuple(found), len(missing), False, draw(spec, found, folder))


def _check(spec: ExperimentSpec, points: Sequence[Point]) -> None:
    if not points:
        raise InvalidParameterError(
            f"{spec.name}: none of these combinations is one that it asks for; take other values"
        )


def _run(executor: Executor, task: Any, points: Iterable[Point]) -> Iterable[list[Row]]:
    """Yield the rows of each point as it ends."""
    for point in points:
        yield executor.submit(partial(task, point), point.memory).result()


@lru_cache(maxsize=1)
def commit() -> str:
    """Return the commit of this program, with a + if files were changed since; else nothing."""
    here = Path(__file__).parent
    try:
        command = ["git", "-C", str(here), "describe", "--always", "--abbrev=12", "--exclude=*"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        command = ["git", "-C", str(here), "status", "--porcelain", "--untracked-files=no"]
        changed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):  # no git, or installed from a package
        return ""
    return f"{found}{'+' if changed.strip() else ''}"
