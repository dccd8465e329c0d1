"""How are rows written as a table of a text file?"""

from __future__ import annotations

from collections.abc import Sequence

from seqform.experiment import Cell, Row


def table(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Return some columns of the rows as a table of Markdown."""
    lines = [
        [column.replace("_", " ") for column in columns],
        ["---"] * len(columns),
        *([text(row.get(column)) for column in columns] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def text(cell: Cell) -> str:
    """Return what a table shows of a value.

    Integers have separators, small floats powers of ten, and nothing is shown for nothing.

    Examples
    --------
    >>> [text(cell) for cell in (None, "suit", 1_237_238, -0.2826053520065, 1.9e-12, 0.0)]
    ['', 'suit', '1,237,238', '-0.282605352', '1.9e-12', '0']
    """
    if isinstance(cell, float):
        return f"{cell:.1e}" if 0 < abs(cell) < 1e-4 else f"{cell:.9f}".rstrip("0").rstrip(".")
    is_count = isinstance(cell, int) and not isinstance(cell, bool)
    return f"{cell:,}" if is_count else str(cell or "")
