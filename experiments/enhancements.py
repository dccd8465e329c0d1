"""What does each enhancement of GameShrink spare?

Claim: without any, all pairs of nodes of equal depth are compared, and seconds grow with their
number. Shape, payoff histograms and disjoint sets each spare most pairs that are left to them.
Without disjoint sets, alike nodes are compared with one another again and again. Numbering nodes by
their signatures compares no pairs at all, and finds the same classes.

Source: Gilpin, "Computing equilibria in extensive form games", talk, 2005, slide 33; Gilpin &
Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007.

A pair is counted at the first of shape, histogram and disjoint sets that spares comparing it.
Seconds are CPU seconds of finding the relation, once, in a tree that is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.labels import game_of
from experiments.markdown import rounded, table
from experiments.timing import cpu
from seqform.cli.experiment import run_as_script
from seqform.experiment import Axis, ExperimentSpec, Point, Row

GAMES = (
    *("kuhn(cards=4)", "kuhn(cards=8)", "kuhn(cards=13)"),
    *("leduc(ranks=2)", "leduc", "liars-dice(sides=3)"),
)
QUICK = ("kuhn(cards=4)", "liars-dice(sides=3)")
COUNTS = ("by_shape", "by_histogram", "by_disjoint_sets", "compared", "matchings")
LEFT_OUT = {
    "none": (),
    "shape": ("shape",),
    "histograms": ("histograms",),
    "disjoint sets": ("disjoint_sets",),
    "all": ("shape", "histograms", "disjoint_sets"),
}
SIGNATURES = "pairs themselves"
"""Left out by the way that numbers nodes by their signatures."""

COLORS = {
    "none": "#0072b2",
    "shape": "#56b4e9",
    "histograms": "#e69f00",
    "disjoint sets": "#cc79a7",
    "all": "#d55e00",
    SIGNATURES: "#009e73",
}


def compare(point: Point) -> Row:
    """Return what the relation of a game's nodes takes, with something left out."""
    from abstraction.tree_published import published_classes
    from seqform import build_tree, make

    tree = build_tree(make(point.game, **point.parameters))
    left_out = str(point["left_out"])
    if left_out == SIGNATURES:
        spent, classes = cpu(lambda: published_classes(tree))
        return {"nodes": tree.num_nodes, "classes": _number(classes.key), "spent": spent}
    return {"nodes": tree.num_nodes, **_by_pairs(tree, LEFT_OUT[left_out])}


def _by_pairs(tree: Any, left_out: Sequence[str]) -> Row:
    from dataclasses import asdict

    from abstraction.pairwise import Enhancements, PairwiseIsomorphism

    used = Enhancements(**dict.fromkeys(left_out, False))
    spent, found = cpu(lambda: PairwiseIsomorphism(tree, enhancements=used))
    return {**asdict(found.counts), "classes": found.num_classes(), "spent": spent}


def _number(key: Any) -> int:
    import numpy as np

    return len(np.unique(key))


def prepare(point: Point) -> None:
    """Load SciPy's matching, and compare once."""
    from abstraction.pairwise import PairwiseIsomorphism
    from seqform import build_tree, make

    PairwiseIsomorphism(build_tree(make("kuhn")))


def write_table(rows: Sequence[Row]) -> str:
    """Return what was compared and spared, a line for each game and what was left out."""
    return table(
        {
            "game": f"`{game_of(row)}`",
            "nodes": row["nodes"],
            "left out": row["left_out"],
            "pairs": row.get("pairs"),
            "shape differs": row.get("by_shape"),
            "histogram differs": row.get("by_histogram"),
            "spared by sets": row.get("by_disjoint_sets"),
            "compared": row.get("compared"),
            "matchings": row.get("matchings"),
            "CPU seconds": rounded(row["spent"]),
        }
        for row in rows
    )


def draw_seconds(rows: Sequence[Row]) -> Any:
    """Draw seconds by the number of nodes, a line for what was left out."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.8), dpi=200, layout="constrained")
    panel: Any = figure.subplots()
    for left_out, color in COLORS.items():
        points = sorted((row["nodes"], row["spent"]) for row in rows if row["left_out"] == left_out)
        if points:
            name = "by signatures" if left_out == SIGNATURES else f"left out: {left_out}"
            panel.plot(*zip(*points, strict=True), "-o", color=color, markersize=3, label=name)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("nodes of the tree", fontsize=8)
    panel.set_ylabel("CPU seconds", fontsize=8)
    panel.tick_params(labelsize=7)
    panel.grid(alpha=0.25, linewidth=0.5)
    panel.legend(fontsize=7, frameon=False)
    return figure


ENHANCEMENTS_COMPARED = ExperimentSpec(
    name="enhancements",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=QUICK),
        Axis("left_out", (*LEFT_OUT, SIGNATURES), plural="left_outs", help="of the enhancements"),
    ),
    measure=compare,
    prepare=prepare,
    figures={"enhancements.png": draw_seconds, "enhancements.md": write_table},
    shown=("game", "parameters", "left_out", "nodes", "pairs", *COUNTS, "spent"),
    memory="2 GB",
)

if __name__ == "__main__":
    run_as_script("enhancements")
