"""run_experiment: all points of an experiment, those that are finished left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from seqform.base.deadline import For, limit_given, overtime, seconds_left, time_limited
from seqform.base.errors import InvalidParameterError, OutOfTimeError
from seqform.base.interrupt import First, Interrupt, kept
from seqform.base.provenance import commit
from seqform.base.summary import Summarized
from seqform.experiment.cluster import Cluster
from seqform.experiment.figures import draw
from seqform.experiment.files import files_of
from seqform.experiment.measure import warm_up
from seqform.experiment.point import Point
from seqform.experiment.queue import Executor, Processes, Queue
from seqform.experiment.row import Row
from seqform.experiment.spec import EXPERIMENTS, ExperimentSpec, solved
from seqform.experiment.store import Store, read_table
from seqform.experiment.task import OUT_OF_TIME, REFUSED, UNFINISHED, Measuring
from seqform.experiment.toml_file import read_sweep
from seqform.results.status import Status

RESULTS = Path("results")
"""Where results go if nobody says: a folder of this name in the current one."""


STOPPED = (OUT_OF_TIME, Status.LIMIT.name.lower())
"""Statuses of points that the end of the whole call may have ended."""

ENDING = 0.05
"""A search ends before its time does, to be certified: what was stopped within this share of the
time of all was stopped by it, if it has no limit of its own that it has come to."""

LIMITS = ("time_limit", "iterations")
"""Options that stop a point by themselves."""

KEPT = "finished rows are kept in {}, and the same command goes on from there"
"""What a user is told whose signal ends a sweep."""


class Now(NamedTuple):
    """How far a sweep has come: points that are done, of how many, the last one, and its rows."""

    done: int
    total: int
    point: Point
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
    figures
        The files that were made of the rows.
    """

    spec: ExperimentSpec
    folder: Path
    rows: tuple[Row, ...]
    made: int = 0
    figures: tuple[Path, ...] = ()

    @property
    def unfinished(self) -> tuple[Row, ...]:
        """The rows without an answer: failed, stopped by a limit, or refused if that is none."""
        answers = (REFUSED,) if self.spec.refusals else ()
        return tuple(row for row in self.without_result if row["status"] not in answers)

    @property
    def without_result(self) -> tuple[Row, ...]:
        """The rows that say why there is no result: refused, failed, or stopped by a limit."""
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
    fresh: bool = False,
    figures_only: bool = False,
    jobs: int | None = None,
    scheduler: str | None = None,
    memory: float | str | None = None,
    row_time_limit: float | None = None,
    time_limit: float | None = None,
    progress: Callable[[Now], None] | None = None,
) -> Finished:
    """Measure every point of an experiment, and draw its figures of the rows.

    The table in `out` is added to: points whose rows are there already are not measured again,
    however the run that made them ended. An error is a row with its reason.

    Parameters
    ----------
    experiment
        A name of `EXPERIMENTS`, the path of a TOML file (`read_sweep`), or an experiment.
    axes
        Other values by the name of an axis: one, a sequence, or a text with commas between them.
    parameters
        The same by the name of a parameter of the game.
    out
        The folder for ``rows.csv``, ``rows.parquet`` (with pyarrow) and figures; by default
        ``results/NAME`` in the current folder.
    quick
        Take only the few small values of each axis that its experiment names for this.
    retry
        Measure points again whose rows have no answer.
    fresh
        Measure all points again, whatever rows are there.
    figures_only
        Measure nothing; draw the figures of the rows that are there.
    jobs
        Measure in so many processes of this machine; by default in this one.
    scheduler
        Measure on the workers of the Dask cluster whose scheduler has this address.
    memory
        Bytes that a point needs, or a size such as ``8 GB``; by default what the experiment says.
    row_time_limit
        Seconds for each point; by default what the experiment says.
    time_limit
        Seconds for the whole call. Points that it ends are measured by the next call.
    progress
        Called after each point.

    Raises
    ------
    UnknownNameError
        If there is no such experiment, axis or parameter, with the nearest that there is.
    InvalidParameterError
        If a value of an axis cannot be read.
    ResultFileError
        If the folder cannot be written, holds something else, or is in use.
    SolverError
        If there is no such scheduler, or its workers cannot run this.
    OutOfTimeError
        If the time is over before the last point; finished rows are kept.

    Examples
    --------
    >>> import tempfile
    >>> from seqform.experiment import Axis, ExperimentSpec
    >>> spec = ExperimentSpec("values", "What is each worth?", (Axis("game", ("kuhn", "chess")),))
    >>> found = run_experiment(spec, out=tempfile.mkdtemp())
    >>> [(row["game"], row["status"]) for row in found.rows]
    [('kuhn', 'solved'), ('chess', 'refused')]
    """
    spec = _spec(experiment).taking(axes or {}, parameters or {})
    folder = RESULTS / spec.name if out is None else Path(out)
    if figures_only:
        rows = read_table(folder)
        return Finished(spec, folder, tuple(rows), 0, draw(spec, rows, folder))
    chosen: dict[str, Any] = {"memory": memory, "row_time_limit": row_time_limit}
    spec = replace(spec, **{name: value for name, value in chosen.items() if value is not None})
    points = _points(spec, quick)
    executor = closing(_executor(jobs, scheduler))
    store, missing = Store(folder, spec, points), list[Point]()
    with (
        time_limited(time_limit),
        overtime(For.SHOWING),  # points end on time, and then their rows are kept
        suppress(OutOfTimeError),  # said below
        executor as workers,
        store,
    ):
        if fresh:
            store.forget()
        elif retry:
            store.drop(UNFINISHED)
        missing = [point for key, point in points.items() if key not in store.rows]
        if missing:
            _measure(spec, workers, missing, store, progress)
    left = len(points) - len(store.found)
    if left:
        raise OutOfTimeError(
            f"the time limit was over with {left:,} of {len(points):,} points to go; the rows of "
            f"the others are in {store.path}, and the same call goes on from there"
        )
    rows = [row for found in store.found.values() for row in found]
    return Finished(spec, folder, tuple(rows), len(missing), draw(spec, rows, folder))


def _spec(experiment: str | ExperimentSpec) -> ExperimentSpec:
    """Return an experiment by its name, or that of a TOML file."""
    if not isinstance(experiment, str):
        return experiment
    return read_sweep(experiment) if experiment.endswith(".toml") else EXPERIMENTS.get(experiment)


def _executor(jobs: int | None, scheduler: str | None) -> Executor:
    """Return where points are measured: in this process if nothing else is asked for.

    Raises
    ------
    InvalidParameterError
        If both are asked for, or `jobs` is below 1.
    SolverError
        If there is no such scheduler.
    """
    if jobs is not None and scheduler is not None:
        raise InvalidParameterError(
            "jobs= is for this machine, and scheduler= for others: give one"
        )
    if scheduler is not None:
        return Cluster(scheduler)
    return Executor() if jobs is None else Processes(jobs)


def _points(spec: ExperimentSpec, quick: bool) -> dict[str, Point]:
    """Return the points by their keys, in order.

    Raises
    ------
    InvalidParameterError
        If there are none.
    """
    points = [point.read_from(files_of(point)) for point in spec.points(quick)]
    if not points:
        raise InvalidParameterError(
            f"{spec.name} asks for none of these combinations; take other values of its axes"
        )
    return {point.key: point for point in points}


def _ended_with_the_call(point: Point, row: Row, row_time_limit: float | None) -> bool:
    """Tell whether a point was stopped because the call was to end, and not by its own limit."""
    left, limit = seconds_left(), limit_given()
    if left is None or limit is None or row["status"] not in STOPPED:
        return False
    taken = float(str(row.get("seconds") or 0))
    by_itself = row_time_limit is not None and taken >= (1 - ENDING) * row_time_limit
    by_itself = by_itself or any(name in point.options for name in LIMITS)
    return left == 0 or (left <= ENDING * limit and not by_itself)


def _measure(
    spec: ExperimentSpec,
    executor: Executor,
    points: Sequence[Point],
    store: Store,
    progress: Callable[[Now], None] | None,
) -> None:
    """Measure points, and add their rows as they come; a signal ends it, and keeps them."""
    prepare = warm_up if spec.prepare is None and spec.measure is solved else spec.prepare
    task = Measuring(spec.measure, prepare, spec.row_time_limit, commit())
    with kept(KEPT.format(store.path)), Interrupt(First.PASS) as user:
        for point, rows in Queue(executor, task, points):
            if user.asked:  # a search took it for its own, and ended before its aim
                user.end()
            if _ended_with_the_call(point, rows[0], spec.row_time_limit):
                continue
            store.add(rows)
            if progress is not None:
                progress(Now(len(store.found), store.asked, point, rows))
