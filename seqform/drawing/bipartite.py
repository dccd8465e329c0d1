"""The bipartite graph of two nodes: which information sets below them can be matched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seqform.base.summary import counted
from seqform.drawing.style import FAINT, FONT, FONT_SIZE, INK, label_text, player_color

if TYPE_CHECKING:
    from seqform.results.node_comparison import HeldSet, NodeComparison

BOX, ROW, GAP = 2.3, 0.5, 1.6
"""Inches: width of a vertex, from one to the next, and between both sides."""

LINE = 108
"""Letters of a line of the text below the picture."""

BLAME = "#fde3d3"
"""Behind the sets of a violator, and of what they can be matched to."""


def draw_nodes_compared(comparison: NodeComparison) -> Any:
    """Return a matplotlib figure of the bipartite graph of two nodes.

    Edges of the matching are thick. Sets that have too few others to be matched to, and these
    others, are shaded. Colors are those of players.

    Parameters
    ----------
    comparison
        What `seqform.compare_nodes` returned.
    """
    from matplotlib import style

    with style.context("default"):
        return _draw(comparison)


def _draw(comparison: NodeComparison) -> Any:
    from seqform.drawing.shown import new_figure

    rows = max(len(comparison.left), len(comparison.right), 1)
    words = _words(comparison)
    width, height = 2 * BOX + GAP + 0.4, ROW * (rows + 1) + 0.17 * len(words) + 0.25
    figure = new_figure((width, height))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    middles = (0.2 + BOX / 2, 0.2 + 1.5 * BOX + GAP)
    matching = set(comparison.matching)
    for i, j in comparison.edges:
        is_matched = (i, j) in matching
        axes.plot(
            (middles[0] + BOX / 2, middles[1] - BOX / 2),
            (_height(i), _height(j)),
            color=INK if is_matched else FAINT,
            linewidth=2.2 if is_matched else 0.8,
            zorder=2 if is_matched else 1,
        )
    sides = (comparison.left, comparison.violator), (comparison.right, comparison.neighbors)
    for middle, name, letter, (sets, blamed) in zip(
        middles, comparison.names, "xy", sides, strict=True
    ):
        axes.text(middle, ROW * 0.5, f"{letter} = {label_text(name)}", ha="center", **_text(True))
        for number, held in enumerate(sets):
            _vertex(axes, middle, _height(number), held, number in blamed)
    below = ROW * (rows + 1) + 0.1
    for number, line in enumerate(words):
        axes.text(0.2, below + 0.17 * (number + 0.5), line, ha="left", **_text())
    return figure


def _height(number: int) -> float:
    return ROW * (number + 1.25)


def _vertex(axes: Any, middle: float, height: float, held: HeldSet, is_blamed: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    color = player_color(held.player)
    box = FancyBboxPatch(
        (middle - BOX / 2 + 0.06, height - 0.14),
        BOX - 0.12,
        0.28,
        boxstyle="round,pad=0.05",
        facecolor=BLAME if is_blamed else "white",
        edgecolor=color,
        linewidth=1.2,
        zorder=3,
    )
    axes.add_patch(box)
    size = f"  ({counted(held.size, 'node')})" if held.size > len(held.children) else ""
    text = f"{_short(held.text, 34 - len(size))}{size}"
    axes.text(middle, height, text, ha="center", zorder=4, **(_text() | {"color": color}))


def _short(text: str, room: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= room else f"{flat[: room - 1]}\N{HORIZONTAL ELLIPSIS}"


def _words(comparison: NodeComparison) -> list[str]:
    """Return what stands below the picture: what was found, and why, in lines."""
    from textwrap import wrap

    if comparison:
        return ["A perfect matching: the nodes are isomorphic."]
    reasons = list(comparison.reasons())
    last = [f"In the end: {reasons[-1]}."] if len(reasons) > 1 else []
    first = f"No perfect matching: {reasons[0]}."
    return [line for text in (first, *last) for line in wrap(text, LINE)]


def _text(is_bold: bool = False) -> dict[str, Any]:
    weight = "bold" if is_bold else "normal"
    return {"va": "center", "fontsize": FONT_SIZE, "fontweight": weight, "color": INK, **FONT}
