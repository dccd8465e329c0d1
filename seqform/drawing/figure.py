"""Pictures of game trees by matplotlib: SVG, PDF and PNG; equal trees give equal files."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnknownNameError
from seqform.base.whole_file import reason, replacing
from seqform.drawing.drawn_tree import DrawnTree
from seqform.drawing.fonts import boxes_told
from seqform.drawing.layout import Layout
from seqform.drawing.legend import legend_entries, legend_rows
from seqform.drawing.pen import Pen, draw_legend_row
from seqform.drawing.shown import new_figure
from seqform.drawing.stack import stacked

ORIENTATIONS = ("auto", "down", "right")
FORMATS = (".svg", ".pdf", ".png")
FIGURE_OPTIONS = ("infosets", "orientation", "legend")
MARGIN, POINTS_PER_INCH = 5.0, 72.0
TEXT_WIDTH = 7.2
"""Inches: a tree that is wider grows to the right instead of down, unless that takes a page still
longer."""
PAGE_HEIGHT, BETWEEN = 9.6, 14.0
"""Inches of a page, beyond which a tree is stacked if it can be; points between its parts."""
LARGEST_SIDE = 100.0
"""Inches; readers of PDF stop at 200, and matplotlib's pixels at 2**16."""
LEGEND_ROW, LEGEND_WIDTH = 12.0, 280.0

REPRODUCIBLE = {"svg.hashsalt": "seqform", "svg.fonttype": "none", "pdf.fonttype": 42}
NO_DATES: dict[str, dict[str, None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {},
}
"""Settings and metadata with which equal trees give equal bytes, and text stays text."""

STAND_INS = {
    "'DejaVu Sans'": "'DejaVu Sans', Verdana, sans-serif",
    "'DejaVu Sans Mono'": "'DejaVu Sans Mono', Menlo, Consolas, monospace",
}
"""Fonts of SVG files, and what is of the same width where there are none of these."""


def check_path(path: Path) -> None:
    """Refuse a file that cannot be written as a picture.

    Raises
    ------
    InvalidParameterError
        If its ending is not a known format, or its folder does not exist.
    """
    if path.suffix.lower() not in FORMATS:
        raise InvalidParameterError(
            f"{path}: a picture's name ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    if os.path.isdir(path):
        raise InvalidParameterError(f"{path} is a folder; give the name of a file in it")
    if not os.path.isdir(path.parent):
        raise InvalidParameterError(f"{path}: there is no folder {path.parent}; make it first")


def check_orientation(orientation: str) -> None:
    """Refuse an orientation that there is not.

    Raises
    ------
    UnknownNameError
        With those there are.
    """
    if orientation not in ORIENTATIONS:
        raise UnknownNameError.of("orientation", orientation, ORIENTATIONS)


def save_figure(figure: Any, path: Path, dpi: int = 200) -> None:
    """Write a figure to a file; one that is there is replaced.

    Raises
    ------
    InvalidParameterError
        If it cannot be written.
    """
    from matplotlib import style

    check_path(path)
    kind = path.suffix.lower()[1:]
    with style.context(["default", REPRODUCIBLE]):
        try:
            with replacing(path) as file:
                if kind == "svg":
                    file.write(svg_of(figure).encode())
                else:
                    with boxes_told(texts_of(figure), boxes=True):
                        figure.savefig(file, format=kind, dpi=dpi, metadata=NO_DATES[kind])
        except OSError as error:
            raise InvalidParameterError(f"cannot write {path}: {reason(error)}") from None


def save_picture(game: Any, path: Path | str, **options: Any) -> tuple[DrawnTree, Any]:
    """Write the picture of a game to a file; return what it shows, and the matplotlib figure.

    Parameters
    ----------
    game
        Anything that `draw_tree` takes, or the `DrawnTree` that it returned.
    path
        Ends in .svg, .pdf or .png. A file that is there is replaced.
    options
        Those of `draw_tree` and of `draw_figure`.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong. A path that cannot be written and an orientation that
        there is not are found before anything is solved.
    """
    path = Path(path)
    check_path(path)
    check_orientation(options.get("orientation", ORIENTATIONS[0]))
    tree, figure = _drawn(game, options)
    save_figure(figure, path)
    return tree, figure


def to_svg(game: Any, **options: Any) -> str:
    """Return the picture of a game as the text of an SVG file, for notebooks and web pages.

    Parameters
    ----------
    game
        Anything that `draw_tree` takes, or the `DrawnTree` that it returned.
    options
        Those of `draw_tree` and of `draw_figure`.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong; `GameTooLargeError` with the depth that fits.

    Examples
    --------
    >>> from games.textbook import matching_pennies
    >>> to_svg(matching_pennies(), legend=False).startswith("<?xml")
    True
    """
    return svg_of(_drawn(game, options)[1])


def svg_of(figure: Any) -> str:
    """Return a figure as the text of an SVG file, in which text can be searched and copied."""
    from io import StringIO

    from matplotlib import style

    text = StringIO()
    with style.context(["default", REPRODUCIBLE]), boxes_told(texts_of(figure), boxes=False):
        figure.savefig(text, format="svg", metadata=NO_DATES["svg"])
    return re.sub("|".join(STAND_INS), lambda font: STAND_INS[font[0]], text.getvalue())


def texts_of(figure: Any) -> Iterator[str]:
    """Go through all texts of a figure."""
    from matplotlib.text import Text

    return (text.get_text() for text in figure.findobj(Text))


def _drawn(game: Any, options: dict[str, Any]) -> tuple[DrawnTree, Any]:
    """Return the tree and the figure of a game, by options of `draw_tree` and `draw_figure`."""
    from seqform.drawing.draw import draw_tree

    shape = {key: value for key, value in options.items() if key in FIGURE_OPTIONS}
    part = {key: value for key, value in options.items() if key not in FIGURE_OPTIONS}
    tree = game if isinstance(game, DrawnTree) else draw_tree(game, **part)
    return tree, draw_figure(tree, **shape)


def draw_figure(
    tree: DrawnTree, *, infosets: bool = False, orientation: str = "auto", legend: bool = True
) -> Any:
    """Return a matplotlib figure of a tree.

    Parameters
    ----------
    tree
        What to draw.
    infosets
        Whether to write the names of information sets into nodes.
    orientation
        'down', 'right', or 'auto': down if a page is wide enough.
    legend
        Whether to explain the signs below the tree.

    Raises
    ------
    GameTooLargeError
        If a side would be longer than `LARGEST_SIDE`.
    UnknownNameError
        For an orientation that there is not.
    """
    from matplotlib import style

    with style.context("default"):  # whatever the user's own settings are
        return _draw(tree, infosets, orientation, legend)


def _draw(tree: DrawnTree, infosets: bool, orientation: str, legend: bool) -> Any:
    layouts = _layouts(tree, orientation, infosets)
    for layout in layouts:
        if not _fits(layout):
            raise _too_large(tree, orientation, infosets, layout)
    width = max(layout.size[0] for layout in layouts)
    height = sum(layout.size[1] for layout in layouts) + BETWEEN * (len(layouts) - 1)
    rows = legend_rows(legend_entries(tree), max(width, LEGEND_WIDTH)) if legend else []
    below = LEGEND_ROW * len(rows) + (MARGIN if rows else 0.0)
    full = max([width, *(sum(entry.width for entry in row) for row in rows)]) + 2 * MARGIN
    size = full / POINTS_PER_INCH, (height + below + 2 * MARGIN) / POINTS_PER_INCH
    figure = new_figure(size)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, full), ylim=(0, height + below + 2 * MARGIN))
    axes.set_axis_off()
    top = MARGIN + below + height
    for layout in layouts:
        top -= layout.size[1]
        Pen(axes, layout, ((full - layout.size[0]) / 2, top)).draw()
        top -= BETWEEN
    for number, row in enumerate(rows):
        draw_legend_row(axes, row, below - LEGEND_ROW * (number + 0.5), full)
    return figure


def _layouts(tree: DrawnTree, orientation: str, infosets: bool) -> list[Layout]:
    """Return the layout of a tree; of one too wide for a page, those of its parts, to be stacked.

    Each part is the first node with some of its moves. A tree is stacked only where no information
    set is in several parts.
    """
    whole = _layout(tree, orientation, infosets)
    if orientation != "auto" or max(whole.size) <= PAGE_HEIGHT * POINTS_PER_INCH:
        return [whole]
    parts = stacked(tree, TEXT_WIDTH * POINTS_PER_INCH, infosets)
    height = sum(part.size[1] for part in parts)
    return parts if len(parts) > 1 and height < max(whole.size) else [whole]


def _layout(tree: DrawnTree, orientation: str, infosets: bool) -> Layout:
    check_orientation(orientation)
    down = Layout(tree, True, infosets)
    if orientation == "down" or (
        orientation == "auto" and down.size[0] <= TEXT_WIDTH * POINTS_PER_INCH
    ):
        return down
    right = Layout(tree, False, infosets)
    return right if orientation == "right" or max(right.size) <= max(down.size) else down


def _fits(layout: Layout) -> bool:
    return max(layout.size) <= LARGEST_SIDE * POINTS_PER_INCH


def _too_large(
    tree: DrawnTree, orientation: str, infosets: bool, layout: Layout
) -> GameTooLargeError:
    """Return the error for too large a picture, with the greatest depth that fits."""
    first = bisect_left(
        range(len(tree.levels)),
        True,
        key=lambda depth: not _fits(_layout(tree.cut(depth), orientation, infosets)),
    )
    width, height = (side / POINTS_PER_INCH for side in layout.size)
    return GameTooLargeError(
        f"the picture would be {width:,.0f} by {height:,.0f} inches, "
        f"more than {LARGEST_SIDE:.0f}: use max_depth={max(first - 1, 0)}, "
        "the greatest that fits, or begin further down (start=...)"
    )
