'''ExperimentSpec: one question, what it is swept over, and how a row and a figure are made.

An experiment is one file, say ``experiments/kuhn_family.py``, and one line of ``pyproject.toml``:

    [project.entry-points."seqform.experiments"]
    kuhn_family = "experiments.kuhn_family:KUHN_FAMILY"

The file's docstring is the question on its first line, then what is claimed and where it is from:

    """How does Kuhn poker's value change with the number of cards?

    Claim: the first player loses, and less with more cards.

    Source: Kuhn, A simplified two-person poker, 1950, for three cards.
    """

    KUHN_FAMILY = ExperimentSpec(
        name="kuhn_family",
        doc=__doc__,
        axes=(
            Axis("game", ("kuhn",)),
            Axis("cards", (3, 4, 5, 6), quick=(3,), role=Role.PARAMETER),
            Axis("method", ("lp", "cfr+(iterations=1000)"), quick=("lp",)),
        ),
        figures={"value.png": draw_values},
    )

    if __name__ == "__main__":
        run_as_script("kuhn_family")

Without a `measure` each point is solved, and its row has value, bounds, gap, sizes and seconds
(`seqform.experiment.measure`). A measure of one's own is a function of the file:

    def count(point: Point) -> Row:  # or a list of rows
        tree = build_tree(make(point.game, **point.parameters))
        return {"nodes": tree.num_nodes, "depth": ...}

It returns the cells that it finds: scalars of JSON by column. The runner adds the columns of the
axes, status, reason, seconds in all, peak memory, versions, commit, date and key
(`seqform.experiment.row`), and turns an error that it raises into a row with that reason. It runs
in a process of its own, so it must be a function of a module, and hang on nothing but the point.

A figure is a function of the rows that have an answer, as they stand in the table; a cell that is
empty is None. Their `parameters` and `options` are all there are, those of axes too. Of an empty
text no file is made:

    def draw_values(rows: Sequence[Row]) -> Figure:  # of matplotlib, or the text of a .md file
'''

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf
from types import MappingProxyType
from typing import Any

from seqform.base.errors import InvalidParameterError
from seqform.base.registry import Registry
from seqform.experiment.axes import Axis, Role, replaced
from seqform.experiment.point import Point, point_of
from seqform.experiment.row import Row

Measure = Callable[[Point], Row | Sequence[Row]]
"""Makes the cells of one row, or of a few, of a point."""

Figure = Callable[[Sequence[Row]], Any]
"""Makes a figure of matplotlib, or the text of a file, of the rows."""

DEFAULT_MEMORY = 2**30
"""Bytes that a point is taken to need if its experiment does not say."""


def solved(point: Point) -> Row:
    """Return the row of a game that is solved as the point says; the default measure."""
    from seqform.experiment.measure import solve_point

    return solve_point(point)


@dataclass(frozen=True)
class ExperimentSpec:
    """An experiment: see the module's text for how one is written.

    Parameters
    ----------
    name
        That of the file and of the entry point.
    doc
        The file's ``__doc__``: the question on its first line, and paragraphs that begin with
        ``Claim:`` and ``Source:``.
    axes
        What it is swept over; every combination is a point, in the order of a nested loop.
    measure
        Makes the rows of a point; by default it is solved (`solved`).
    keep
        Says of a point whether it is asked for; by default each is. For combinations that make no
        sense, and not for those that fail: these are rows.
    figures
        By the name of the file, ``sizes.png`` or ``sizes.md``: what makes it of the rows.
    shown
        The columns that are printed at the end; by default those of the axes, status, value, gap
        and seconds.
    memory
        Bytes that a point needs: a number, a text such as ``8 GB``, or a function of the point. Of
        points that run at the same time the sum is kept below what the machine, or the worker of a
        cluster, has.
    row_time_limit
        Seconds that a point may take; None for no limit.
    prepare
        Called with the point before it is measured, and not timed: loads and compiles what would be
        in the figures of the first point only. By default, where points are solved, a tiny game is
        solved by the same method first.
    version
        Raise it when the measure changes: older rows are then made anew.
    brief
        Whether only the last row of each point is printed: the others are steps on the way there.
    refusals
        Whether a refusal is an answer, as where it is asked which games a reduction accepts.
    """

    name: str
    doc: str
    axes: tuple[Axis, ...]
    measure: Measure = solved
    keep: Callable[[Point], bool] | None = None
    figures: Mapping[str, Figure] = field(default_factory=lambda: MappingProxyType({}))
    shown: tuple[str, ...] = ()
    memory: float | str | Callable[[Point], float] = DEFAULT_MEMORY
    row_time_limit: float | None = None
    prepare: Callable[[Point], object] | None = None
    version: int = 1
    refusals: bool = False
    brief: bool = False

    @property
    def question(self) -> str:
        """The first line of the file."""
        return self.doc.strip().partition("\n")[0]

    @property
    def claim(self) -> str:
        """What the rows are said to show."""
        return self._paragraph("Claim:")

    @property
    def source(self) -> str:
        """Who says so, or what is measured against."""
        return self._paragraph("Source:")

    def _paragraph(self, word: str) -> str:
        paragraphs = (" ".join(part.split()) for part in self.doc.split("\n\n"))
        found = (text.removeprefix(word).strip() for text in paragraphs if text.startswith(word))
        return next(found, "")

    def taking(self, given: Mapping[str, Any], parameters: Mapping[str, Any]) -> ExperimentSpec:
        """Return the experiment with other values of its axes.

        Parameters
        ----------
        given
            Values by the name of the axis; see `replaced`.
        parameters
            Values by the name of a parameter of the game. It becomes an axis if it is none.

        Raises
        ------
        UnknownNameError
            If there is no such axis.
        InvalidParameterError
            If a value cannot be read, or the experiment has no game to have parameters.
        """
        known = {axis.name for axis in self.axes}
        more = tuple(
            Axis(name, (), role=Role.PARAMETER) for name in parameters if name not in known
        )
        if more and not any(axis.role is Role.GAME for axis in self.axes):
            raise InvalidParameterError(
                f"{self.name} has its own games, which take no parameter {more[0].name!r}"
            )
        axes = replaced((*self.axes, *more), {**parameters, **given}, self.name)
        return replace(self, axes=axes)

    def points(self, quick: bool = False) -> Iterator[Point]:
        """Yield each combination of the axes' values that is asked for."""
        axes = {axis.name: axis for axis in self.axes}
        choices = [(axis.quick or axis.values) if quick else axis.values for axis in self.axes]
        for values in product(*choices):
            point = point_of(self.name, self.version, axes, dict(zip(axes, values, strict=True)))
            if self.keep is None or self.keep(point):
                yield replace(point, memory=self._memory(point))

    def _memory(self, point: Point) -> int:
        return in_bytes(self.memory(point) if callable(self.memory) else self.memory)


def in_bytes(memory: float | str) -> int:
    """Return a size of memory in bytes; GB and MB are powers of 1024, as everywhere here.

    Raises
    ------
    InvalidParameterError
        If it is none.

    Examples
    --------
    >>> in_bytes("8 GB"), in_bytes("512MB"), in_bytes(1e9)
    (8589934592, 536870912, 1000000000)
    """
    number, unit = memory, ""
    if isinstance(memory, str):
        text = memory.strip().upper()
        unit = next((unit for unit in UNITS if text.endswith(unit)), "")
        number = text.removesuffix(unit)
    try:
        size = float(number) * UNITS.get(unit, 1)
    except (ValueError, OverflowError):
        size = -1.0
    if not 0 <= size < inf:
        raise InvalidParameterError(f"memory={memory!r:.40}: write bytes, or a size such as '8 GB'")
    return int(size)


UNITS = {"GB": 2**30, "MB": 2**20}

EXPERIMENTS: Registry[ExperimentSpec] = Registry("seqform.experiments", "experiment")
