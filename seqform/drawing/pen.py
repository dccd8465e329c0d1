"""A pen for matplotlib: a layout's nodes, edges and information sets on axes, and its legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from seqform.drawing.blocks import (
    ASCENT,
    BADGE,
    CIRCLE,
    LINE,
    SPACE,
    TRIANGLE,
    Block,
    Piece,
    Row,
    row_height,
    row_width,
)
from seqform.drawing.layout import LANE, Layout, Link, Point
from seqform.drawing.legend import Entry
from seqform.drawing.style import (
    CHANCE_INK,
    FAINT,
    INK,
    NORMAL,
    PRUNED,
    THICK,
    THIN,
    UNREACHED,
    UNSAID,
    player_color,
)
from seqform.game.rules import CHANCE

SWATCH = 16.0
"""Length of a line in the legend, in points."""

LINK_WIDTH, STUB = 1.0, 3.0
"""Of information sets; how far beside a node's middle they leave it."""
DASHES = (
    (0, (2.6, 1.8)),
    (0, (1.0, 1.2)),
    (0, (6.0, 1.8)),
    (0, (5.0, 1.5, 1.0, 1.5)),
    (0, (2.6, 4.0)),
    (0, (5.0, 1.2, 1.0, 1.2, 1.0, 1.2)),
)

# What covers what: edges and links run under labels, labels and nodes cover them.
LINK_LAYER, EDGE_LAYER, COVER_LAYER, NODE_LAYER, TEXT_LAYER = 1, 2, 3, 4, 5


class Pen:
    """Draws a layout on axes whose units are points, its lower left corner at `origin`."""

    def __init__(self, axes: Any, layout: Layout, origin: Point) -> None:
        self.axes, self.layout, self.tree, self.origin = axes, layout, layout.tree, origin

    def draw(self) -> None:
        """Draw everything."""
        for link in self.layout.links:
            self._link(link)
        for node in range(len(self.tree.nodes)):
            if self.tree.nodes[node].parent >= 0:
                self._edge(node)
            self._node(node)

    def _page(self, across: float, along: float) -> Point:
        x, y = self.layout.page(across, along)
        return x + self.origin[0], y + self.origin[1]

    def _line(self, points: Sequence[Point], layer: int, **style: Any) -> None:
        from matplotlib.lines import Line2D

        x, y = zip(*(self._page(*point) for point in points), strict=True)
        # as an artist, like all shapes here: the axes have their limits, and measure none
        self.axes.add_artist(Line2D(x, y, zorder=layer, **style))

    def _edge(self, node: int) -> None:
        drawn = self.tree.nodes[node]
        above = self.tree.nodes[drawn.parent]
        color, width = edge_style(drawn.weight, above.player)
        style = {"color": color, "linewidth": width} if above.is_reached else UNSAID
        if drawn.weight and not above.is_on_path:
            style = {**UNREACHED, "color": color}
        if drawn.is_pruned:
            style = PRUNED
        self._line(
            self.layout.edge(node),
            EDGE_LAYER,
            **style,
            solid_joinstyle="round",
            solid_capstyle="butt",
        )
        block, center = self.layout.edge_blocks[node], self._page(*self.layout.label_center(node))
        _cover(self.axes, block, center)
        _write(self.axes, block.rows, center)

    def _node(self, node: int) -> None:
        start, end = self.layout.node_extent(node)
        block, across = self.layout.node_blocks[node], self.layout.across[node]
        center = self._page(across, (start + end) / 2)
        _outline(self.axes, block, center)
        _write(self.axes, block.rows, center)
        if self.tree.nodes[node].is_cut:
            self._triangle(across, end)

    def _triangle(self, across: float, along: float) -> None:
        """Draw the sign that the game goes on: a small triangle with dots."""
        from matplotlib.patches import Polygon

        half = 0.7 * TRIANGLE
        corners = [
            self._page(across, along),
            self._page(across - half, along + TRIANGLE),
            self._page(across + half, along + TRIANGLE),
        ]
        self.axes.add_artist(
            Polygon(
                corners, facecolor="white", edgecolor=CHANCE_INK, linewidth=THIN, zorder=NODE_LAYER
            )
        )
        for step in (-0.28, 0.0, 0.28):
            dot = self._page(across + step * half, along + 0.72 * TRIANGLE)
            self.axes.plot(*dot, marker=".", markersize=1.6, color=INK, zorder=TEXT_LAYER)

    def _link(self, link: Link) -> None:
        """Draw one stretch of an information set: straight, or through a lane behind nodes."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Outline

        across, layout = self.layout.across, self.layout
        first, second = across[link.first], across[link.second]
        (start, end) = layout.node_extent(link.first)
        (start_2, end_2) = layout.node_extent(link.second)
        color = player_color(self.tree.nodes[link.first].player)
        if link.lane < 0:
            middles = [(first, (start + end) / 2), (second, (start_2 + end_2) / 2)]
            self._line(middles, LINK_LAYER, color=color, linestyle=DASHES[0], linewidth=LINK_WIDTH)
            return
        depth = layout.lane_place(link)
        turn = min(2 * LANE, (second - first) / 2)
        out, back = (first + STUB, end - 1.0), (second - STUB, end_2 - 1.0)
        corners = [
            out,
            (first + STUB, depth),
            (first + turn, depth),
            (second - turn, depth),
            (second - STUB, depth),
            back,
        ]
        codes = [
            Outline.MOVETO,
            Outline.CURVE3,
            Outline.CURVE3,
            Outline.LINETO,
            Outline.CURVE3,
            Outline.CURVE3,
        ]
        outline = Outline([self._page(*corner) for corner in corners], codes)
        dashes = DASHES[link.dashes % len(DASHES)]
        style = {
            "edgecolor": color,
            "linestyle": dashes,
            "linewidth": LINK_WIDTH,
            "zorder": LINK_LAYER,
        }
        self.axes.add_artist(PathPatch(outline, facecolor="none", **style))


def edge_style(weight: float | None, player: int) -> tuple[str, float]:
    """Return color and width of an edge by the probability that a solution gives it, if any."""
    if weight is None or player == CHANCE:
        return CHANCE_INK, NORMAL
    if weight == 0:
        return FAINT, THIN
    return player_color(player), NORMAL + (THICK - NORMAL) * weight


def _cover(axes: Any, block: Block, center: Point) -> None:
    """Hide what runs under a label."""
    from matplotlib.patches import Rectangle

    width, height = block.size[0] + 2.0, block.size[1] - 1.0
    axes.add_artist(
        Rectangle(
            (center[0] - width / 2, center[1] - height / 2),
            width,
            height,
            facecolor="white",
            zorder=COVER_LAYER,
        )
    )


def _outline(axes: Any, block: Block, center: Point) -> None:
    from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

    (width, height), (x, y) = block.size, center
    corner = x - width / 2, y - height / 2
    if block.outline == "circle":
        axes.add_artist(
            Circle(center, CIRCLE / 2, facecolor=block.color, linewidth=0, zorder=NODE_LAYER)
        )
    elif block.outline == "square":
        axes.add_artist(
            Rectangle(
                corner,
                width,
                height,
                facecolor="white",
                edgecolor=block.color,
                linewidth=1.0,
                zorder=NODE_LAYER,
            )
        )
    elif block.outline == "round":
        shape = FancyBboxPatch(
            corner,
            width,
            height,
            boxstyle="round,pad=0,rounding_size=3",
            edgecolor=block.color,
            linewidth=1.1,
        )
        shape.set(facecolor="white", zorder=NODE_LAYER)
        axes.add_artist(shape)


def _write(axes: Any, rows: Sequence[Row], center: Point) -> None:
    """Write rows of text one below the other around a point."""
    top = center[1] + sum(map(row_height, rows)) / 2
    for row in rows:
        x, size = center[0] - row_width(row) / 2, row_height(row) / LINE
        for piece in row:
            (_badge if piece.is_badge else _text)(axes, x, top - ASCENT * size, piece)
            x += piece.width + SPACE
        top -= row_height(row)


def _text(axes: Any, x: float, baseline: float, piece: Piece) -> None:
    axes.text(
        x,
        baseline,
        piece.text,
        color=piece.color,
        va="baseline",
        ha="left",
        parse_math=False,
        zorder=TEXT_LAYER,
        **piece.font,
    )


def _badge(axes: Any, x: float, baseline: float, piece: Piece) -> None:
    """Draw a player's disk where a text would be."""
    from matplotlib.patches import Circle

    axes.add_artist(
        Circle(
            (x + BADGE / 2, baseline + 0.36 * piece.size),
            BADGE / 2,
            facecolor=piece.color,
            linewidth=0,
            zorder=NODE_LAYER,
        )
    )
    digit = replace(piece, color="white", is_badge=False)
    _text(axes, x + (BADGE - digit.width) / 2, baseline, digit)


def draw_legend_row(axes: Any, row: Sequence[Entry], y: float, full: float) -> None:
    """Draw entries of a legend side by side, in the middle of a page that is `full` wide."""
    x = (full - sum(entry.width for entry in row)) / 2
    for entry in row:
        if entry.sign is not None:
            _outline(axes, entry.sign, (x + CIRCLE / 2, y))
            _write(axes, entry.sign.rows, (x + CIRCLE / 2, y))
        if entry.line:
            style = dict(entry.line)
            axes.plot([x + 1, x + SWATCH], [y, y], **style)
        _text(axes, x + entry.sign_width, y - 0.36 * entry.text.size, entry.text)
        x += entry.width
