"""The stages of a recursive game as a graph: where play goes on to, and where it may end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from seqform.base.arrays import Floats
    from seqform.recursive.graph import StageGraph

ENDING, GOING_ON = "#d55e00", "#0072b2"
"""Of stages that may end play, and of others; both are told apart by color-blind people."""

MOST_NAMED = 60
"""Stages up to which each has its name beside it."""


def draw_stages(graph: StageGraph, title: str = "") -> Any:
    """Return a figure of matplotlib: a point for each stage, and an arrow to each that may follow.

    Parameters
    ----------
    title
        Above the picture.
    """
    from seqform.drawing.shown import new_figure

    links = sorted({(a, b) for a in range(len(graph.stages)) for b in _following(graph, a)})
    places = _places(len(graph.stages), links)
    side = min(11.0, 3.5 + 0.35 * np.sqrt(len(places)) * 2)
    figure = new_figure((side, 0.8 * side), dpi=200, layout="constrained")
    panel = figure.subplots()
    for a, b in links:
        if a != b:
            panel.annotate(
                "",
                xy=places[b],
                xytext=places[a],
                arrowprops={
                    "arrowstyle": "-|>",
                    "color": "0.6",
                    "linewidth": 0.5,
                    "shrinkA": 4,
                    "shrinkB": 4,
                    "mutation_scale": 6,
                    "connectionstyle": "arc3,rad=0.12",
                },
            )
    colors = [ENDING if _may_end(graph, stage) else GOING_ON for stage in range(len(places))]
    panel.scatter(places[:, 0], places[:, 1], s=26, c=colors, zorder=2)
    panel.scatter(*places[0], s=90, facecolors="none", edgecolors="black", linewidths=0.9, zorder=3)
    if len(places) <= MOST_NAMED:
        for stage, place in enumerate(places):
            panel.annotate(
                graph.label(stage), place, xytext=(5, 4), textcoords="offset points", fontsize=6
            )
    for color, words in ((GOING_ON, "leads on"), (ENDING, "may end play")):
        panel.scatter([], [], s=26, c=color, label=words)
    panel.scatter([], [], s=60, facecolors="none", edgecolors="black", label="the first stage")
    panel.legend(fontsize=7, frameon=False, loc="best")
    panel.margins(0.15)
    panel.set_axis_off()
    panel.set_title(title, fontsize=9)
    return figure


def stages_text(graph: StageGraph) -> Iterator[str]:
    """Yield a line for each stage: where it leads, and what it may end with."""
    for stage in graph.order():
        parts = [graph.label(following) for following in _following(graph, stage)]
        ends = dict.fromkeys(
            "ends (" + ", ".join(map(str, lead.payoffs)) + ")"
            for lead in graph.stages[stage].leads
            if lead.stage < 0
        )
        yield f"{graph.label(stage)} -> {'; '.join([*parts, *ends])}"


def _following(graph: StageGraph, stage: int) -> list[int]:
    found = {lead.stage for lead in graph.stages[stage].leads if lead.stage >= 0}
    return [number for number in graph.order() if number in found]


def _may_end(graph: StageGraph, stage: int) -> bool:
    return any(lead.stage < 0 for lead in graph.stages[stage].leads)


def _places(count: int, links: list[tuple[int, int]]) -> Floats:
    """Return where each stage stands, float64 (num_stages, 2)."""
    from igraph import Graph

    layout = Graph(count, links, directed=True).as_undirected().layout_kamada_kawai()
    return np.array(layout.coords, dtype=np.float64).reshape(count, 2)
