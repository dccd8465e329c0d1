"""What does each enhancement of GameShrink spare?

Claim: without any, all pairs of nodes of equal depth are compared. Disjoint sets spare most
comparisons, payoff histograms most of the rest. Histograms tell nearly all that shape tells, so
that leaving out shape costs next to nothing. Numbering nodes by their signatures compares no pairs
at all, and finds the same classes.

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
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

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
    from seqform import build_tree
    from seqform.io.named_game import named_game

    tree = build_tree(named_game(point.game, point.parameters))
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


def write_seconds(rows: Sequence[Row]) -> str:
    """Return seconds, a line for each game and a column for what was left out."""
    games = dict.fromkeys(map(game_of, rows))
    spent = {(game_of(row), row["left_out"]): row for row in rows}
    return table(
        {
            "game": f"`{game}`",
            "nodes": next(row["nodes"] for row in rows if game_of(row) == game),
            "pairs": pairs_of(rows).get(game),
            **{
                _heading(name): rounded(spent[game, name]["spent"])
                for name in COLORS
                if (game, name) in spent
            },
        }
        for game in games
    )


def write_counts(rows: Sequence[Row]) -> str:
    """Return what was compared and spared in the game with the most pairs."""
    pairs = pairs_of(rows)
    largest = max(pairs, key=pairs.__getitem__, default="")
    return table(
        {
            "left out": row["left_out"],
            "pairs": row["pairs"],
            "other shape": row["by_shape"],
            "other histogram": row["by_histogram"],
            "spared by disjoint sets": row["by_disjoint_sets"],
            "compared": row["compared"],
            "matchings": row["matchings"],
        }
        for row in rows
        if game_of(row) == largest and row.get("pairs")
    )


def pairs_of(rows: Sequence[Row]) -> dict[str, int]:
    """Return the pairs of nodes of equal depth in each game."""
    return {game_of(row): int(str(row["pairs"])) for row in rows if row.get("pairs")}


def _heading(left_out: str) -> str:
    if left_out == SIGNATURES:
        return "by signatures"
    return "all enhancements" if left_out == "none" else f"without {left_out}"


def draw_seconds(rows: Sequence[Row]) -> Any:
    """Draw seconds by the number of pairs, a line for what was left out."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.8), dpi=200, layout="constrained")
    panel: Any = figure.subplots()
    pairs = pairs_of(rows)
    for left_out, color in COLORS.items():
        points = sorted(
            (pairs[game_of(row)], row["spent"])
            for row in rows
            if row["left_out"] == left_out and game_of(row) in pairs
        )
        if points:
            panel.plot(
                *zip(*points, strict=True),
                "-o",
                color=color,
                markersize=3,
                label=_heading(left_out),
            )
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("pairs of nodes of equal depth", fontsize=8)
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
    figures={
        "enhancements.png": draw_seconds,
        "seconds.md": write_seconds,
        "counts.md": write_counts,
    },
    shown=("game", "parameters", "left_out", "nodes", "pairs", *COUNTS, "spent"),
    memory="2 GB",
)

if __name__ == "__main__":
    run_as_script("enhancements")
