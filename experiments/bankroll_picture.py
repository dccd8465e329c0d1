"""What does the bankroll change? Bets by hand, what chips are worth, and what models lose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.labels import game_of
from experiments.legends import draw_legend
from seqform.experiment import Row

MODELS = {
    "folder": "#d55e00",
    "caller": "#0072b2",
    "tight": "#cc79a7",
    "uniform": "#777777",
    "chip_counter": "#009e73",
}
WORDS = {
    "folder": "who folds to each bet",
    "caller": "who never folds to a bet",
    "tight": "who calls half as often",
    "uniform": "to whom all actions are alike",
    "chip_counter": "who plays each hand for chips",
}

LEAST = 1e-3
"""Points that are drawn at least: what is less lies on the edge."""

MOST_NAMES = 13
"""Hands that are written beside the picture."""


def draw_bankrolls(rows: Sequence[Row]) -> Any:
    """Return a figure with a line of four panels for each tournament."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    games = list(dict.fromkeys(map(game_of, rows)))
    figure = Figure(figsize=(14.2, 3.2 * len(games)), dpi=160, layout="constrained")
    grid = figure.subplots(len(games), 4, squeeze=False)
    for (left, middle, right, last), name in zip(grid, games, strict=True):
        of: list[Any] = [row for row in rows if game_of(row) == name]
        _draw_bets(figure, left, of)
        _draw_worth(middle, of)
        _draw_models(right, of)
        _draw_gains(last, of)
        left.set_title(name, fontsize=8, loc="left")
        for panel in (left, middle, right, last):
            panel.set_xlabel("chips of the player who acts first", fontsize=8)
            panel.tick_params(labelsize=7)
            panel.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10]))
    draw_legend(figure)
    return figure


def _draw_bets(figure: Any, panel: Any, rows: Sequence[Any]) -> None:
    """Draw how often each hand bets as a shade, and how often any does as a line."""
    from matplotlib.patheffects import withStroke

    own = [json.loads(row["hands"]) for row in rows]
    names = _strongest_first({name: None for of in own for name in of}, own)
    table = np.array([[of.get(name, np.nan) for of in own] for name in names])
    chips = [row["chips"] for row in rows]
    step = min(np.diff(chips), default=1)
    extent = (min(chips) - step / 2, max(chips) + step / 2, len(names) - 0.5, -0.5)
    image = panel.imshow(
        table, aspect="auto", extent=extent, cmap="OrRd", vmin=0, vmax=1, interpolation="nearest"
    )
    every = range(0, len(names), 1 + (len(names) - 1) // MOST_NAMES)
    panel.set_yticks(list(every), [names[place] for place in every])
    panel.set_ylabel("hand", fontsize=8)
    bar = figure.colorbar(image, ax=panel, location="left", pad=0.02)
    bar.set_label("shade: bets with the hand", fontsize=7)
    bar.ax.tick_params(labelsize=6)
    line = panel.twinx()
    played = [(row["chips"], row["bets"]) for row, of in zip(rows, own, strict=True) if of]
    halo = withStroke(linewidth=2.8, foreground="white")
    line.plot(*zip(*played, strict=True), color="black", linewidth=1.2, path_effects=[halo])
    line.set_ylim(0, 1)
    line.set_ylabel("line: bets, all hands together", fontsize=7)
    line.tick_params(labelsize=6)


def _strongest_first(names: dict[str, None], own: Sequence[dict[str, float]]) -> list[str]:
    """Return hands as they are ranked, classes of two cards by how often they bet."""
    if all(len(name) == 1 for name in names):
        return list(names)[::-1]
    often = {name: sum(of.get(name, 0.0) for of in own) for name in names}
    return sorted(names, key=lambda name: -often[name])


def _draw_worth(panel: Any, rows: Sequence[Any]) -> None:
    """Draw what chips are worth beyond their share, both bounds."""
    chips = [row["chips"] for row in rows]
    shares = np.array([row["chips"] / row["of"] for row in rows])
    low, high = (np.array([row[key] for row in rows]) for key in ("at_least", "at_most"))
    panel.axhline(0, color="#999999", linewidth=0.6)
    panel.fill_between(chips, 100 * (low - shares), 100 * (high - shares), color="#009e73")
    panel.plot(chips, 100 * (low - shares), color="#009e73", linewidth=1)
    panel.set_ylabel("chance to win beyond the share of chips, points", fontsize=7)
    widest = float((high - low).max())
    panel.set_title(f"brackets are no wider than {widest:.0e}", fontsize=7)


def _draw_models(panel: Any, rows: Sequence[Any]) -> None:
    """Draw what the best answer and the equilibrium get against models, beyond the value."""
    chips, value = [row["chips"] for row in rows], np.array([row["at_least"] for row in rows])
    panel.axhline(0, color="#999999", linewidth=0.6)
    for name, color in MODELS.items():
        for kind, dash in (("maximal", "-"), ("optimal", ":")):
            gains = 100 * (np.array([row[f"{name}_{kind}"] for row in rows]) - value)
            panel.plot(chips, gains, dash, color=color, linewidth=1.1, label=_dashes(name, kind))
    panel.set_ylabel("points beyond the value", fontsize=7)
    panel.set_title("the best answer (lines), and the equilibrium (dots)", fontsize=7)


def _dashes(name: str, kind: str) -> str:
    """Return what a line is called in the legend, which names each model once."""
    return f"against one {WORDS[name]}" if kind == "maximal" else ""


def _draw_gains(panel: Any, rows: Sequence[Any]) -> None:
    """Draw how much more the best answer gets against a model than the equilibrium."""
    chips = [row["chips"] for row in rows]
    for name, color in MODELS.items():
        maximal, optimal = (
            np.array([row[f"{name}_{kind}"] for row in rows]) for kind in ("maximal", "optimal")
        )
        gains = np.maximum(100 * (maximal - optimal), LEAST)
        panel.plot(chips, gains, color=color, linewidth=1.1)
    panel.set_yscale("log")
    panel.set_ylim(bottom=LEAST)
    panel.set_ylabel("points", fontsize=7)
    panel.set_title("what is gained by knowing the opponent", fontsize=7)
