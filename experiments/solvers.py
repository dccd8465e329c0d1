"""Which engines and methods solve the same games, how closely and how fast?

Claim: simplex, the interior points of HiGHS and Clarabel, and complementary pivots reach the
rounding of floats; PDLP and cvxpy's own choice stop at their tolerances, and regret minimization at
the gap that it is asked for. The default is within a factor of three of the fastest that reaches
rounding.

Source: measured here; docs/explanation/solvers.md and docs/explanation/choosing.md draw on it.

Seconds are those of solving, without building and certifying. Iterative methods are asked for a gap
of 1e-3 in the game's unit. A method that does not take a game refuses it, which is a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from experiments.labels import game_of, method_of
from seqform.base.errors import SeqformError
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script
from seqform.experiment.measure import solve_point

GAMES = (
    "kuhn",
    "leduc",
    "leduc(ranks=6)",
    "liars-dice(sides=4)",
    "goofspiel",
    "rhode-island(ranks=4,suits=2,max_bets=1)",
)
METHODS = {
    "lp": ("o", "#000000"),
    "lp(engine=simplex,solver=highs)": ("o", "#0072b2"),
    "lp(engine=ipx,solver=highs)": ("s", "#0072b2"),
    "lp(engine=pdlp,solver=highs)": ("^", "#0072b2"),
    "lp(solver=clarabel)": ("D", "#56b4e9"),
    "lp(solver=cvxpy)": ("v", "#56b4e9"),
    "lcp": ("P", "#cc79a7"),
    "dcfr(gap=0.001)": ("o", "#d55e00"),
    "hs-dcfr(gap=0.001)": ("s", "#d55e00"),
    "cfr(gap=0.001,iterations=100000)": ("^", "#d55e00"),
    "cfr+(gap=0.001)": ("D", "#e69f00"),
    "linear-cfr(gap=0.001)": ("v", "#e69f00"),
    "pcfr+(gap=0.001)": ("X", "#e69f00"),
    "pdhg(gap=0.001)": ("o", "#009e73"),
    "qre(steps=40)": ("s", "#cc79a7"),
}
"""What is compared, options in the order of the alphabet; and its marker and color."""

LEAST_GAP = 1e-17
"""Where a gap of 0 is drawn."""


def solve_warm(point: Point) -> Row:
    """Return the row of a game, solved when everything that solves it is loaded and compiled."""
    with suppress(SeqformError):  # the point itself will say what is refused
        solve_point(replace(point, game="kuhn", parameters={}))
    return solve_point(point)


def draw_solvers(rows: Sequence[Row]) -> Any:
    """Draw gap against seconds: a panel for each game, a point for each method."""
    from matplotlib.figure import Figure

    solved = [row for row in rows if row.get("gap") is not None and row.get("seconds_solve")]
    games = list(dict.fromkeys(map(game_of, solved)))
    columns = min(3, len(games))
    figure = Figure(
        figsize=(7.8, 2.4 * -(-len(games) // columns) + 0.9), dpi=200, layout="constrained"
    )
    panels = figure.subplots(-(-len(games) // columns), columns, squeeze=False).ravel()
    for panel, game in zip(panels, games, strict=False):
        _draw_panel(panel, [row for row in solved if game_of(row) == game], game)
    for panel in panels[len(games) :]:
        panel.set_axis_off()
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(), handles, loc="outside lower center", ncols=4, fontsize=6, frameon=False
    )
    return figure


def _draw_panel(panel: Any, rows: Sequence[Any], game: str) -> None:
    for row in rows:
        name = method_of(row)
        marker, color = METHODS.get(name, (".", "#444444"))
        gap = max(row["gap"], LEAST_GAP)
        look = {"markersize": 11, "fillstyle": "none"} if name == "lp" else {"markersize": 5}
        panel.plot(row["seconds_solve"], gap, marker, color=color, label=name, **look)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.margins(0.15)
    panel.set_title(game.replace("(", "\n("), fontsize=7)
    panel.set_xlabel("seconds of solving", fontsize=6)
    panel.set_ylabel("gap", fontsize=6)
    panel.tick_params(labelsize=6)
    panel.grid(color="#dddddd", linewidth=0.5)


SOLVERS = ExperimentSpec(
    name="solvers",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=("kuhn",)),
        Axis("method", tuple(METHODS), quick=("lp", "lcp", "cfr+(gap=0.001)")),
    ),
    measure=solve_warm,
    figures={"solvers.png": draw_solvers},
    shown=("game", "method", "engine", "status", "gap", "iterations", "seconds_solve", "peak_mb"),
)

if __name__ == "__main__":
    run_as_script("solvers")
