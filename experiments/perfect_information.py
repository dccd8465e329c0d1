"""How many positions does each algorithm look at where nothing is hidden?

Claim: minimax looks at every history and backward induction at every position once. Alpha-beta with
a table of positions cuts most of the tree. Where many histories lead to few positions, as in nim,
it still comes to more nodes than there are positions.

Source: Knuth & Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975),
293-326. The counts are measured here.

Games that are not zero-sum, or in which chance moves, are solved by backward induction only: the
refusals of the others are rows too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.labels import broken, game_of
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script
from seqform.experiment.measure import make_game

GAMES = (
    "tic-tac-toe",
    "nim",
    "mnk(columns=4,rows=2,in_a_row=3)",
    "connect-four(columns=3,rows=3,connect=3)",
    "centipede",
    "two-player-tree",
)
METHODS = ("backward", "minimax", "alphabeta")
COLORS = {"backward": "#009e73", "minimax": "#d55e00", "alphabeta": "#0072b2"}
COUNTS = ("nodes", "cutoffs", "table_hits", "table_size")


def search(point: Point) -> Row:
    """Return the value, and what the search counted."""
    from seqform import solve

    solution = solve(make_game(point), method=point.method)
    return {
        "status": solution.status.name.lower(),
        "value": float(solution.values[0]),
        **{name: solution.sizes.get(name) for name in COUNTS},
        **{f"seconds_{phase}": spent for phase, spent in solution.seconds.items()},
    }


def draw_nodes(rows: Sequence[Row]) -> Any:
    """Draw the positions that each algorithm looked at, by game."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.6), dpi=200, layout="constrained")
    panel: Any = figure.subplots()
    games = list(dict.fromkeys(map(game_of, rows)))
    methods = list(dict.fromkeys(str(row["method"]) for row in rows))
    width = 0.8 / len(methods)
    for number, method in enumerate(methods):
        found = [
            (games.index(game_of(row)) + number * width, row["nodes"])
            for row in rows
            if row["method"] == method and row.get("nodes")
        ]
        bars = panel.bar(
            *zip(*found, strict=True), width, label=method, color=COLORS.get(method), align="edge"
        )
        panel.bar_label(bars, fmt="{:,.0f}", fontsize=5.5, rotation=90, padding=2)
    panel.set_yscale("log")
    panel.margins(y=0.2)
    panel.set_xticks([at + 0.4 for at in range(len(games))], [broken(game) for game in games])
    panel.set_ylabel("positions looked at", fontsize=8)
    panel.tick_params(labelsize=7)
    panel.legend(fontsize=7, frameon=False)
    return figure


PERFECT_INFORMATION = ExperimentSpec(
    name="perfect_information",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=("nim", "tic-tac-toe")),
        Axis("method", METHODS),
    ),
    measure=search,
    figures={"perfect_information.png": draw_nodes},
    shown=("game", "method", "status", "value", *COUNTS, "cpu_seconds"),
)

if __name__ == "__main__":
    run_as_script("perfect_information")
