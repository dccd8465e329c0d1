"""Numbers of hands at a public node as a matrix of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import UnknownNameError, UnsupportedGameError
from seqform.base.matrix_text import matrix_lines
from seqform.form.origin import Grid
from seqform.game.labels import which_player
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.line.range_at import RangeAt

if TYPE_CHECKING:
    from seqform.strategies.line.at_line import AtLine

VALUE, EQUITY = "EV", "equity"
OTHERS = (VALUE, EQUITY, "weight")
"""What is shown beside frequencies of actions."""


class HandMatrix(NamedTuple):
    """Numbers by classes of hands.

    Parameters
    ----------
    title
        What they are, whose, and in which unit.
    grid
        What stands before rows and over columns.
    numbers
        float64 (num_rows, num_columns); NaN where there is no hand, or no number.
    is_share
        Whether they are shares, which are written in percent.
    """

    title: str
    grid: Grid
    numbers: Floats
    is_share: bool


def matrix_of(at: AtLine, what: str, player: int | str | None = None) -> HandMatrix:
    """Return a number by classes of hands; see `AtLine.matrix`."""
    grid = at.grid
    if grid is None:
        raise UnsupportedGameError(
            "this game says of no matrix that its hands are laid out in: show them by one of "
            f"{', '.join(at.groups)}"
        )
    held = at.ranges[at.player if player is None else which_player(player, at.form)]
    unit = at.form.unit if what == VALUE else "percent"
    title = f"{what} of {at.form.player_text(held.player)}, {unit}"
    return HandMatrix(title, grid, class_means(grid, at, held, what), what != VALUE)


def matrix_text(matrix: HandMatrix) -> str:
    """Return a matrix as lines, its title above it."""
    grid = matrix.grid
    lines = matrix_lines(matrix.numbers, grid.rows, grid.columns, percent=matrix.is_share)
    return "\n".join([matrix.title, "", *lines])


def class_means(grid: Grid, at: AtLine, held: RangeAt, what: str) -> Floats:
    """Return the mean over the hands of each cell: float64 (num_rows, num_columns).

    Hands count by their shares, where play comes there with any of the cell. Weights count evenly.
    NaN where there is no hand, or no number.

    Raises
    ------
    UnknownNameError
        If it is no number of these hands.
    """
    numbers = _numbers(at, held, what)
    cells, count = np.array(grid.cells(held.hands)), len(grid.rows) * len(grid.columns)
    some = ~np.isnan(numbers)
    counts = np.ones(len(cells))
    if what != "weight":
        of_cell = np.bincount(cells[some], held.counts[some], count)
        counts = np.where(of_cell[cells] > 0, held.counts, 1.0)
    total = np.bincount(cells[some], counts[some], count)
    found = np.bincount(cells[some], (counts * numbers)[some], count)
    means = np.divide(found, total, out=np.full(count, np.nan), where=total > 0)
    matrix: Floats = means.reshape(len(grid.rows), len(grid.columns))
    return matrix


def _numbers(at: AtLine, held: RangeAt, what: str) -> Floats:
    """Return the number of each hand: float64 (num_hands,)."""
    if held.probabilities is not None and what in at.actions:
        found: Floats = held.probabilities[:, at.actions.index(what)].copy()
        found[found < PLAYED_FROM] = 0.0
        found[found > 1 - PLAYED_FROM] = 1.0
        return found
    others = [name for name in OTHERS if name != EQUITY or at.knows_equity]
    if what not in others:
        actions = at.actions if held.probabilities is not None else ()
        raise UnknownNameError.of("number of hands", what, (*actions, *others))
    return {"EV": held.values, "equity": held.equity, "weight": held.weights}[what]
