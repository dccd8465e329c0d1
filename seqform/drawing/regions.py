"""Payoff regions of a game's equilibria in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seqform.exact.extreme_equilibria import Equilibria
    from seqform.methods.payoff_region import PayoffRegion

COLORS = {"nfcce": "#56b4e9", "efcce": "#009e73", "efce": "#d55e00"}
"""From the largest region to the smallest; those of other kinds are grey."""

TINT = 0.25
"""How much of its color a region has; the rest is white, so that none shines through another."""

WIDTHS = {"nfcce": 4.5, "efcce": 2.8}
"""Of outlines, in points: those below are wider, and seen where several regions are the same."""

NAMES = {"nfcce": "NFCCE", "efcce": "EFCCE", "efce": "EFCE"}

Point = tuple[Fraction, Fraction]


def draw_regions(
    regions: Sequence[PayoffRegion],
    nash: Equilibria | None = None,
    title: str = "",
) -> Any:
    """Return a figure of matplotlib with payoff regions, the larger ones below.

    Parameters
    ----------
    regions
        What `payoff_region` returned, of one game.
    nash
        Nash equilibria, such as `seqform.solve(game, all=True).equilibria`. Payoffs of each maximal
        Nash subset are a point, a line or a rectangle. Where these are not known, the payoffs of
        the equilibria are marked, and the legend says what is not known.
    title
        Above the picture.
    """
    from seqform.drawing.shown import new_figure

    figure = new_figure((4.6, 4.2), dpi=200, layout="constrained")
    panel = figure.subplots()
    order = [*COLORS]
    for region in sorted(regions, key=lambda r: order.index(r.kind) if r.kind in order else -1):
        _draw_region(panel, region)
    if nash is not None:
        _draw_nash(panel, nash)
    panel.set_xlabel("paid to player 0")
    panel.set_ylabel("paid to player 1")
    panel.set_title(title, fontsize=9)
    panel.margins(0.08)
    panel.grid(alpha=0.25, linewidth=0.5)
    panel.legend(fontsize=7, frameon=False, loc="best")
    return figure


def _draw_region(panel: Any, region: PayoffRegion) -> None:
    name = NAMES.get(region.kind, region.kind)
    label = f"{name} (relaxation)" if region.is_relaxed else name
    x, y = _columns(region.corners)
    draw_area(panel, region.kind, list(zip(x, y, strict=True)), label)


def draw_area(panel: Any, kind: str, corners: Sequence[tuple[float, float]], label: str) -> None:
    """Draw the region of one kind into a panel of matplotlib, over the larger ones before it.

    Parameters
    ----------
    panel
        Axes of matplotlib.
    kind
        Of answers: ``nfcce``, ``efcce`` or ``efce``.
    corners
        What is paid to both players at each, in their order around the region.
    label
        In the legend.
    """
    color, width = COLORS.get(kind, "#999999"), WIDTHS.get(kind, 1.2)
    x, y = zip(*corners, corners[0], strict=True)
    panel.fill(x, y, facecolor=_tint(color), linewidth=0)
    panel.plot(x, y, "-o", color=color, markersize=1.5 + width, linewidth=width, label=label)


def _tint(color: str) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(TINT * part + 1 - TINT for part in to_rgb(color))


def _draw_nash(panel: Any, nash: Equilibria) -> None:
    """Draw what equilibria pay: all of it, if it is known."""
    if nash.subsets is None:
        note = "extreme ones only" if nash.is_complete else "not known to be all"
        x, y = _columns([(each.values[0], each.values[1]) for each in nash])
        panel.plot(x, y, "ko", markersize=4, label=f"Nash ({note})", zorder=5)
        return
    for number, subset in enumerate(nash.subsets):
        (left, bottom), (right, top) = subset.low, subset.high
        x, y = _columns(
            [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
        )
        panel.fill(x, y, color="black", alpha=0.4, linewidth=0, zorder=5)
        label = "_nolegend_" if number else "Nash"
        panel.plot(x, y, "-ko", markersize=4, linewidth=1.6, label=label, zorder=5)


def _columns(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [float(x) for x, _ in points], [float(y) for _, y in points]
