"""How small does a threshold make a game, and what does that lose?

Claim: a larger threshold of `outcome` makes the game smaller and the loss larger, from tenths of a
chip a hand to several chips.

Source: Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5),
2007, Section 6, has the threshold, and no measured loss.

The smaller game is solved, and the equilibrium lifted and certified in the whole game. The gap is
what both players together could win there by deviating; half of it is the exploitability. The
smaller game may have several equilibria; the loss is that of the one that is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.labels import game_of
from seqform.experiment import Axis, ExperimentSpec, Row, run_as_script

GAMES = (
    "rhode-island(ranks=4,suits=2,max_bets=1)",
    "rhode-island(ranks=5,suits=2,max_bets=1)",
    "rhode-island(ranks=4,suits=3,max_bets=1)",
    "leduc(ranks=6)",
    "leduc(ranks=13)",
)
THRESHOLDS = (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2)
MARKERS = "osD^v<>pX"


def draw_thresholds(rows: Sequence[Row]) -> Any:
    """Draw the exploitability of lifted equilibria against the size of the smaller program."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), dpi=200, layout="constrained")
    panel = figure.subplots()
    solved: list[Any] = [row for row in rows if row.get("gap") is not None]
    for number, name in enumerate(dict.fromkeys(map(game_of, solved))):
        points = [
            (row["abstract_lp_rows"], row["gap"] / 2) for row in solved if game_of(row) == name
        ]
        marker = MARKERS[number % len(MARKERS)]
        panel.plot(*zip(*points, strict=True), marker=marker, markersize=4, linewidth=1, label=name)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("rows of the smaller game's linear program", fontsize=8)
    panel.set_ylabel("exploitability in the whole game, chips a hand", fontsize=8)
    panel.tick_params(labelsize=7)
    panel.grid(color="#dddddd", linewidth=0.5)
    panel.legend(fontsize=7, frameon=False)
    return figure


THRESHOLDS_OF_OUTCOME = ExperimentSpec(
    name="thresholds",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=("leduc(ranks=3)",)),
        Axis(
            "reduction",
            tuple(f"outcome(threshold={threshold})" for threshold in THRESHOLDS),
            quick=("outcome(threshold=0)", "outcome(threshold=0.5)"),
        ),
        Axis("method", ("lp",)),
    ),
    version=2,
    figures={"thresholds.png": draw_thresholds},
    shown=(
        "game",
        "parameters",
        "reduction",
        "status",
        "lp_rows",
        "abstract_lp_rows",
        "abstract_value",
        "gap",
    ),
)

if __name__ == "__main__":
    run_as_script("thresholds")
