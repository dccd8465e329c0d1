"""A matrix of numbers as lines of plain characters, with names of rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from seqform.base.arrays import Floats

WIDTH = 6
"""Characters of a cell, so that a row of 13 has 79."""


def matrix_lines(
    matrix: Floats, rows: Sequence[str], columns: Sequence[str], percent: bool = True
) -> Iterator[str]:
    """Yield the lines of a matrix; 13 columns with names of one letter take 79 characters.

    Parameters
    ----------
    matrix
        float64 (num_rows, num_columns).
    percent
        Whether the numbers are shares, which are shown in percent; a point is 0. Up to half a
        percent is ``<1``, and what is as near to all is ``>99``. Nothing stands where there is no
        number.

    Examples
    --------
    >>> import numpy as np
    >>> for line in matrix_lines(np.array([[0.0, 0.25], [1.0, np.nan]]), "ab", "xy"):
    ...     print(line)
          x     y
    a     .    25
    b   100
    """
    cell, named = _share_cell if percent else number_cell, max(map(len, rows))
    yield (" " * named + "".join(f"{name:>{WIDTH}}" for name in columns)).rstrip()
    for name, row in zip(rows, matrix.tolist(), strict=True):
        yield (f"{name:<{named}}" + "".join(f"{cell(value):>{WIDTH}}" for value in row)).rstrip()


def _share_cell(share: float) -> str:
    if isnan(share):
        return ""
    if share in (0, 1):
        return "100" if share else "."
    return "<1" if share <= 0.005 else ">99" if 0.995 <= share < 1 else f"{100 * share:.0f}"


def number_cell(value: float) -> str:
    """Return a number in five characters; nothing if there is none.

    Examples
    --------
    >>> [number_cell(value) for value in (1.25, -0.037, -250.0, 1234567.0, -0.0, float("nan"))]
    ['1.25', '-0.04', '-250', '1e6', '0.00', '']
    """
    if isnan(value):
        return ""
    texts = (f"{value:z.{digits}f}" for digits in (2, 1, 0))
    scientific = f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
    return next((text for text in texts if len(text) < WIDTH), scientific)
