"""Classes of hands as a matrix whose cells are filled by what is done: an SVG for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

import numpy as np

from seqform.base.arrays import Floats
from seqform.drawing.style import FAINT, INK, PLAYER_COLORS

WIDTH, HEIGHT, HEAD, LEGEND = 46, 30, 22, 24
"""Pixels of a cell, of the title, and of what says which color is what."""

FONT = 'font-family="\'DejaVu Sans\', Verdana, sans-serif" font-size="11"'
OPACITY = 0.55

THIN = 1e-4
"""A share of a cell that is too little to be seen."""


def hand_matrix_svg(
    cells: Sequence[Sequence[str]], shares: Mapping[str, Floats], heights: Floats, title: str
) -> str:
    """Return a picture in which each cell is filled from left to right, action by action.

    Parameters
    ----------
    cells
        The name of each cell, row by row.
    shares
        By name how often each action is taken: float64 (num_rows, num_columns), 0 to 1. NaN where
        there is no hand.
    heights
        How far a cell is filled from below: float64 (num_rows, num_columns), 0 to 1.
    title
        Above the picture.

    Returns
    -------
    str
        An SVG element.
    """
    width, height = len(cells[0]) * WIDTH, HEAD + len(cells) * HEIGHT + LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" {FONT} fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        _text(3, HEAD - 8, title),
    ]
    for row, names in enumerate(cells):
        for column, name in enumerate(names):
            filled = [float(np.nan_to_num(of[row, column])) for of in shares.values()]
            parts += _cell(column * WIDTH, HEAD + row * HEIGHT, name, filled, heights[row, column])
    return "\n".join([*parts, *_legend(list(shares), width, height), "</svg>"])


def _cell(x: float, y: float, name: str, shares: list[float], height: float) -> Iterator[str]:
    """Yield what fills a cell, its outline, and its name."""
    begin, tall = x, HEIGHT * float(np.nan_to_num(height))
    for place, share in enumerate(shares):
        if share > THIN and tall:
            yield (
                f'<rect x="{begin:.2f}" y="{y + HEIGHT - tall:.2f}" width="{WIDTH * share:.2f}" '
                f'height="{tall:.2f}" fill="{_color(place)}" fill-opacity="{OPACITY}"/>'
            )
        begin += WIDTH * share
    ink = INK if any(shares) else FAINT
    yield (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{FAINT}" '
        'stroke-width="0.5"/>'
    )
    yield _text(x + 3, y + HEIGHT - 9, name, f' fill="{ink}"')


def _legend(names: list[str], width: int, height: int) -> Iterator[str]:
    step = width / max(len(names), 1)
    for place, name in enumerate(names):
        yield (
            f'<rect x="{place * step + 3:.1f}" y="{height - 16}" width="11" height="11" '
            f'fill="{_color(place)}" fill-opacity="{OPACITY}"/>'
        )
        yield _text(place * step + 18, height - 7, name)


def _color(place: int) -> str:
    return PLAYER_COLORS[place % len(PLAYER_COLORS)]


def _text(x: float, y: float, text: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(text)}</text>'
