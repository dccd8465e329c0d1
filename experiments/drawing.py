"""What does the growth of Rhode Island's linear program look like?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from seqform.experiment import Row

COLORS = {"none": "#444444", "suit": "#d55e00", "equitable": "#009e73", "outcome": "#0072b2"}
MARKERS = {"none": "s", "suit": "^", "equitable": "o", "outcome": "D"}
LABELS = {
    "none": "as it is",
    "suit": "suit (lossless)",
    "equitable": "equitable (lossless)",
    "outcome": "outcome (lossy)",
}
SUITS = {4: "4 suits", 3: "3 suits", 2: "2 suits (suit = equitable)"}
DASHES: dict[int, Literal["-", "--", ":"]] = {4: "-", 3: "--", 2: ":"}
PANELS = {"rows": "rows, and as many columns", "nonzeros": "nonzeros"}
PUBLISHED_CARDS, PUBLISHED_ROWS = 52, 1_237_238
"""Gilpin & Sandholm, J. ACM 54(5), 2007: rows and columns of the abstracted Rhode Island
hold'em."""


def draw_sizes(rows: Sequence[Row]) -> Any:
    """Return a figure of rows and nonzeros against the number of cards.

    Each reduction has a color, and each number of suits a dash.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.9), dpi=200, layout="constrained")
    panels = figure.subplots(1, len(PANELS))
    for panel, (quantity, label) in zip(panels, PANELS.items(), strict=True):
        _draw_panel(panel, rows, quantity, label)
    _mark_published(panels[0])
    figure.suptitle(
        "Linear programs of Rhode Island hold'em, 3 to 13 ranks, at most 3 bets a round", fontsize=9
    )
    figure.legend(handles=_legend(), loc="outside lower center", ncols=4, fontsize=7, frameon=False)
    return figure


def _draw_panel(panel: Any, rows: Sequence[Row], quantity: str, label: str) -> None:
    for name, color in COLORS.items():
        for suits, dash in DASHES.items():
            points = sorted(
                (row["cards"], row[quantity])
                for row in rows
                if (row["criterion"], row["suits"]) == (name, suits)
            )
            x, y = [point[0] for point in points], [point[1] for point in points]
            filled = color if suits == 4 else "white"
            panel.plot(
                x,
                y,
                dash,
                color=color,
                marker=MARKERS[name],
                markersize=3,
                linewidth=1,
                markerfacecolor=filled,
                markeredgewidth=0.7,
            )
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.set_xticks([6, 8, 12, 16, 24, 32, 52], labels=["6", "8", "12", "16", "24", "32", "52"])
    panel.set_xlabel("cards in the deck", fontsize=8)
    panel.set_ylabel(label, fontsize=8)
    panel.tick_params(labelsize=7)
    panel.grid(which="major", color="#dddddd", linewidth=0.5)


def _mark_published(panel: Any) -> None:
    panel.axhline(PUBLISHED_ROWS, color="black", linewidth=0.6)
    panel.annotate(
        f"{PUBLISHED_ROWS:,} published",
        (6, PUBLISHED_ROWS),
        xytext=(0, 2),
        textcoords="offset points",
        fontsize=6.5,
    )
    panel.plot(
        [PUBLISHED_CARDS],
        [PUBLISHED_ROWS],
        "*",
        color="black",
        markersize=9,
        fillstyle="none",
        markeredgewidth=0.8,
    )


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D

    reductions = [
        Line2D([], [], color=COLORS[name], marker=MARKERS[name], markersize=4, label=LABELS[name])
        for name in COLORS
    ]
    suits = [
        Line2D([], [], color="black", linestyle=dash, linewidth=1, label=SUITS[number])
        for number, dash in DASHES.items()
    ]
    return [*reductions, *suits]
