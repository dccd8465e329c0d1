"""Numbers of hands at a public node as a matrix of classes."""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import UnknownNameError, UnsupportedGameError
from seqform.base.matrix_text import matrix_lines
from seqform.game.labels import which_player
from seqform.strategies.analysis import PLAYED_FROM
from seqform.strategies.line.at_line import AtLine, RangeAt

OTHERS = ("EV", "equity", "weight")
"""What is shown beside frequencies of actions."""


def matrix_of(at: AtLine, what: str, player: int | str | None = None) -> str:
    """Return a number by classes of hands as text; see `AtLine.matrix`."""
    grid = at.game.grid
    if grid is None:
        raise UnsupportedGameError(
            "this game says of no matrix that its hands are laid out in: show them by one of "
            f"{', '.join(at.groups)}"
        )
    held = at.ranges[at.player if player is None else which_player(player, at.form)]
    matrix = class_means(at, held, what)
    percent = what != "EV"
    lines = matrix_lines(matrix, grid.rows, grid.columns, percent=percent)
    unit = at.form.unit if what == "EV" else "percent"
    return "\n".join([f"{what} of {at.form.player_text(held.player)}, {unit}", "", *lines])


def class_means(at: AtLine, held: RangeAt, what: str) -> Floats:
    """Return the mean over the hands of each cell: float64 (num_rows, num_columns).

    Hands count by their shares, where play comes there with any of the cell. Weights count evenly.
    NaN where there is no hand, or no number.

    Raises
    ------
    UnknownNameError
        If it is no number of these hands.
    """
    grid, numbers = at.game.grid, _numbers(at, held, what)
    assert grid is not None
    cells, count = grid.cells(held.cards), len(grid.rows) * len(grid.columns)
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
    if what not in OTHERS:
        actions = at.actions if held.probabilities is not None else ()
        raise UnknownNameError.of("number of hands", what, (*actions, *OTHERS))
    return {"EV": held.values, "equity": held.equity, "weight": held.weights}[what]
