"""How do the legend and the axes of a picture stay readable, whatever was measured?"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

POINTS_PER_INCH = 72

ROWS_WITHIN = 2
"""Rows of a legend for which a figure has room; for each further one it grows."""

SMALLEST_GAP = 1e-16
"""A gap below it, which is rounding or nothing, is drawn there: powers of ten have no zero."""


def draw_legend(figure: Any, fontsize: float = 8) -> Any:
    """Draw one legend below all panels, in as many columns as the figure is wide for.

    Parameters
    ----------
    figure
        Of matplotlib, whose panels have artists with labels; equal labels are one entry.
    fontsize
        Points.
    """
    known = {
        label: handle
        for panel in figure.axes
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    if not known:
        return None
    longest = max(map(len, known)) * 0.62 * fontsize + 5 * fontsize  # a letter, and the sign
    width, height = figure.get_size_inches()
    columns = max(1, min(len(known), int((width * POINTS_PER_INCH - 2 * fontsize) // longest)))
    rows = -(-len(known) // columns)
    if rows > ROWS_WITHIN:  # a long one takes no room from the panels
        more = (rows - ROWS_WITHIN) * 1.5 * fontsize / POINTS_PER_INCH
        figure.set_size_inches(width, height + more)
    return figure.legend(
        list(known.values()),
        list(known),
        loc="outside lower center",
        ncols=columns,
        fontsize=fontsize,
        frameon=False,
    )


def log_axis(axis: Any, most: int = 5) -> None:
    """Label powers of ten of a logarithmic axis only, at least two of them, so none collide.

    Parameters
    ----------
    axis
        Of a panel of matplotlib in which everything is drawn.
    most
        Labels at most.
    """
    from matplotlib.ticker import LogLocator, NullFormatter

    low, high = sorted(axis.get_view_interval())
    if low > 0:
        axis.axes.set(
            **{f"{axis.axis_name}lim": (10.0 ** floor(log10(low)), 10.0 ** ceil(log10(high)))}
        )
    axis.set_major_locator(LogLocator(numticks=most))
    axis.set_minor_formatter(NullFormatter())


def drawn_gap(gap: Any) -> float:
    """Return where a gap is drawn by powers of ten.

    Examples
    --------
    >>> [drawn_gap(gap) for gap in (0.5, 0.0, 7.7e-321)]
    [0.5, 1e-16, 1e-16]
    """
    return max(float(gap), SMALLEST_GAP)
