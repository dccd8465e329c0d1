"""Payoff regions of a game's equilibria in one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seqform.methods.payoff_region import PayoffRegion

COLORS = {"nfcce": "#56b4e9", "efcce": "#009e73", "efce": "#d55e00"}
"""From the largest region to the smallest; those of other kinds are grey."""

NAMES = {"nfcce": "NFCCE", "efcce": "EFCCE", "efce": "EFCE"}

Point = tuple[Fraction, Fraction]


def draw_regions(
    regions: Sequence[PayoffRegion],
    points: Mapping[str, Sequence[Point]] | None = None,
    title: str = "",
) -> Any:
    """Return a figure of matplotlib with payoff regions, the larger ones below.

    Parameters
    ----------
    regions
        What `payoff_region` returned, of one game.
    points
        What else to mark, by name: payoffs of Nash equilibria, for example.
    title
        Above the picture.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2), dpi=200, layout="constrained")
    panel = figure.subplots()
    order = [*COLORS]
    for region in sorted(regions, key=lambda r: order.index(r.kind) if r.kind in order else -1):
        _draw_region(panel, region)
    for name, marked in (points or {}).items():
        x, y = _columns(marked)
        panel.plot(x, y, "ko", markersize=4, label=name, zorder=5)
    panel.set_xlabel("paid to player 0")
    panel.set_ylabel("paid to player 1")
    panel.set_title(title, fontsize=9)
    panel.margins(0.08)
    panel.grid(alpha=0.25, linewidth=0.5)
    panel.legend(fontsize=7, frameon=False, loc="best")
    return figure


def _draw_region(panel: Any, region: PayoffRegion) -> None:
    color = COLORS.get(region.kind, "#999999")
    name = NAMES.get(region.kind, region.kind)
    label = f"{name} (relaxation)" if region.is_relaxed else name
    x, y = _columns([*region.corners, region.corners[0]])
    panel.fill(x, y, color=color, alpha=0.25, linewidth=0)
    panel.plot(x, y, "-o", color=color, markersize=2.5, linewidth=1.2, label=label)


def _columns(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [float(x) for x, _ in points], [float(y) for _, y in points]
