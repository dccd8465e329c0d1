"""How are rows written as a table of a page?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seqform.experiment import Cell


def table(lines: Iterable[Mapping[str, Cell]]) -> str:
    """Return lines, cells by heading, as a table of Markdown.

    The headings are those of all lines, in the order in which they come first; no lines are "".
    """
    lines = list(lines)
    if not lines:
        return ""
    headings = list(dict.fromkeys(heading for line in lines for heading in line))
    texts = [
        headings,
        ["---"] * len(headings),
        *([text(line.get(heading)) for heading in headings] for line in lines),
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in texts)


def text(cell: Cell) -> str:
    """Return what a table shows of a value.

    Integers have separators, small floats powers of ten, and nothing is shown for nothing.

    Examples
    --------
    >>> [text(cell) for cell in (None, "suit", 1_237_238, -0.2826053520065, 1.9e-12, 0.0)]
    ['', 'suit', '1,237,238', '-0.282605352', '1.9e-12', '0']
    """
    if isinstance(cell, float):
        return rounded(cell) if 0 < abs(cell) < 1e-4 else f"{cell:.9f}".rstrip("0").rstrip(".")
    is_count = isinstance(cell, int) and not isinstance(cell, bool)
    return f"{cell:,}" if is_count else str(cell or "")


def rounded(number: Cell, digits: int = 2) -> str:
    """Return a number with a few significant digits; nothing for nothing.

    Examples
    --------
    >>> [rounded(number) for number in (None, 0.00719, 0.236, 24.13, 1258.2, 1.9e-5)]
    ['', '0.0072', '0.24', '24', '1,258', '1.9e-5']
    """
    if number is None or number == "":
        return ""
    value = float(number)
    if abs(value) >= 10**digits:
        return f"{value:,.0f}"
    if abs(value) >= 1e-4 or value == 0:
        return f"{value:.{digits}g}"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"
