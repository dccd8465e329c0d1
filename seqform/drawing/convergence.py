"""How the gap of an iterative method fell, as a figure of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from seqform.base.errors import UnknownNameError, UnsupportedGameError
from seqform.drawing.style import FONT, FONT_SIZE, INK, PLAYER_COLORS, SMALL

if TYPE_CHECKING:
    from seqform.results.solution import Solution
    from seqform.solvers.iterative.search import Look

AXES = ("iterations", "seconds")
"""What gaps are drawn by."""

WIDTH, HEIGHT = 5.2, 3.4
"""Inches."""


def draw_convergence(solution: Solution, by: str = "iterations") -> Any:
    """Return a figure of the gaps that an engine claimed on its way, and of the one certified.

    Both axes are logarithmic, so looks at which the gap or the axis is 0 are left out. Of a
    solution that a reduction made smaller, the line is of the smaller game, and the certified gap
    of the whole one.

    Parameters
    ----------
    solution
        Of a method that records a history, in any game.
    by
        'iterations' or 'seconds'.

    Raises
    ------
    UnsupportedGameError
        If the method recorded no gaps.
    UnknownNameError
        If gaps cannot be drawn by that.
    """
    if by not in AXES:
        raise UnknownNameError.of("axis", str(by), AXES)
    looks = [look for look in solution.history if look.gap > 0 and getattr(look, by) > 0]
    if not looks:
        raise UnsupportedGameError(
            f"there is no convergence to draw: {solution.method} recorded no gap above 0; "
            "iterative methods do, such as method='dcfr' or 'pdhg'"
        )
    from matplotlib import style

    with style.context("default"):  # whatever the user's own settings are
        return _drawn(solution, looks, by)


def _drawn(solution: Solution, looks: Sequence[Look], by: str) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=150, layout="constrained")
    panel: Any = figure.subplots()
    places = [getattr(look, by) for look in looks]
    panel.loglog(
        places,
        [look.gap for look in looks],
        "-o",
        color=PLAYER_COLORS[0],
        markersize=2.5,
        linewidth=1.2,
        label="as the engine claims" + (", in the smaller game" if solution.abstract else ""),
    )
    if solution.nash_gap > 0:
        panel.plot(
            places[-1],
            solution.nash_gap,
            "D",
            color=PLAYER_COLORS[1],
            markersize=5,
            label=f"certified: {solution.nash_gap:.3g} {solution.unit}",
        )
    panel.set_xlabel(by, fontsize=FONT_SIZE, color=INK, **FONT)
    panel.set_ylabel(f"gap ({solution.unit})", fontsize=FONT_SIZE, color=INK, **FONT)
    panel.set_title(solution.method, fontsize=FONT_SIZE + 1, color=INK, **FONT)
    panel.tick_params(which="both", labelsize=SMALL, labelcolor=INK)
    panel.grid(which="major", alpha=0.25, linewidth=0.5)
    panel.legend(fontsize=SMALL, frameon=False)
    return figure
