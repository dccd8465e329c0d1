"""The matrix of 169 classes of hands as a picture for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from xml.sax.saxutils import escape

import numpy as np

from games.hand_classes import class_name
from games.hand_matrix import range_matrix
from games.playing_cards import NUM_RANKS
from games.weighted_hands import WeightedHands
from seqform.base.arrays import Floats
from seqform.base.errors import InvalidParameterError
from seqform.base.matrix_text import number_cell

CELL_WIDTH, CELL_HEIGHT, TITLE, LEGEND = 44, 34, 24, 24
"""Pixels, as is every length here."""

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe & Ito's palette for all kinds of color vision."""
INK, FAINT = "#222222", "#a8a8a8"

ROUNDED = 1e-6
"""By how much shares of a class may add up to more than 1."""

FONT = "font-family=\"'DejaVu Sans', Verdana, sans-serif\""


def range_svg(held: WeightedHands, title: str = "") -> str:
    """Return the picture of a range: the mean weight of each class is how full its cell is."""
    return matrix_svg({"weight": range_matrix(held)}, title=title)


def matrix_svg(shares: Mapping[str, Floats], numbers: Floats | None = None, title: str = "") -> str:
    """Return a picture in which each cell is filled from left to right, color by color.

    Parameters
    ----------
    shares
        Such as how often each action is taken, by its name: float64 (13, 13) each, from 0 to 1, and
        at most 1 together. NaN is nothing.
    numbers
        What is written into the cells, float64 (13, 13), such as values. By default it is the first
        of the shares, in percent.
    title
        Above the picture.

    Returns
    -------
    str
        An SVG element.

    Raises
    ------
    InvalidParameterError
        If a matrix is not 13 x 13, shares are below 0 or above 1 together, or there are more of
        them than colors.
    """
    _check(shares, numbers)
    width, top = NUM_RANKS * CELL_WIDTH, TITLE * bool(title)
    has_legend = len(shares) > 1
    height = top + NUM_RANKS * CELL_HEIGHT + LEGEND * has_legend
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" {FONT} font-size="11" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    if title:
        parts.append(_text(width / 2, TITLE - 9, title, 'text-anchor="middle" font-size="13"'))
    for row in range(NUM_RANKS):
        for column in range(NUM_RANKS):
            parts += _cell(shares, numbers, row, column, top)
    if has_legend:
        parts += _legend(list(shares), height - LEGEND)
    return "\n".join([*parts, "</svg>"])


def _check(shares: Mapping[str, Floats], numbers: Floats | None) -> None:
    shape = (NUM_RANKS, NUM_RANKS)
    for matrix in (*shares.values(), *(() if numbers is None else (numbers,))):
        if np.shape(matrix) != shape:
            raise InvalidParameterError(f"a matrix of classes is 13 x 13, not {np.shape(matrix)}")
    if len(shares) > len(COLORS):
        raise InvalidParameterError(
            f"there are {len(COLORS)} colors for {len(shares)} shares: put some together"
        )
    there = np.nan_to_num([*shares.values()]) if shares else np.zeros((1, *shape))
    if (there < 0).any() or (there.sum(axis=0) > 1 + ROUNDED).any():
        raise InvalidParameterError("shares of a class are 0 or more, and at most 1 together")


def _cell(
    shares: Mapping[str, Floats], numbers: Floats | None, row: int, column: int, top: float
) -> Iterator[str]:
    """Return what fills a cell, its outline, the name of the class, and a number."""
    x, y = column * CELL_WIDTH, top + row * CELL_HEIGHT
    begin = float(x)
    for matrix, color in zip(shares.values(), COLORS, strict=False):
        width = CELL_WIDTH * float(np.nan_to_num(matrix[row, column]))
        if width:
            yield (
                f'<rect x="{begin:.2f}" y="{y}" width="{width:.2f}" height="{CELL_HEIGHT}" '
                f'fill="{color}" fill-opacity="0.55"/>'
            )
        begin += width
    yield (
        f'<rect x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" fill="none" '
        f'stroke="{FAINT}" stroke-width="0.5"/>'
    )
    yield _text(x + 3, y + 13, class_name(NUM_RANKS * row + column), "")
    if number := _number(shares, numbers, row, column):
        at = x + CELL_WIDTH - 3, y + CELL_HEIGHT - 5
        yield _text(*at, number, 'text-anchor="end" font-size="10"')


def _number(shares: Mapping[str, Floats], numbers: Floats | None, row: int, column: int) -> str:
    if numbers is not None:
        return number_cell(float(numbers[row, column]))
    share = float(next(iter(shares.values()))[row, column]) if shares else 0.0
    return "" if isnan(share) or not share else f"{100 * share:.3g}%"


def _legend(names: list[str], y: float) -> Iterator[str]:
    step = NUM_RANKS * CELL_WIDTH / len(names)
    for number, (name, color) in enumerate(zip(names, COLORS, strict=False)):
        x = number * step
        yield (
            f'<rect x="{x + 3:.1f}" y="{y + 7}" width="11" height="11" fill="{color}" '
            'fill-opacity="0.55"/>'
        )
        yield _text(x + 18, y + 16, name, "")


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'.replace('" >', '">')
