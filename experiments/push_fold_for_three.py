"""What is a strategy for two who push or fold worth at a table of three?

In a tournament of three, who go all in or fold, each hand with two players left is one of a
tournament of two. That one is solved, and its strategies are mapped to the hands of three
(`experiments.one_more_all_in` defines how). A row has what each seat of the first hand gains at
most by any deviation in the whole tournament, in prizes, and the most that is gained at any seat of
any hand of three (`most_three`), and of two (`most_two`). Beside it are uniform strategies, and
what a search of the whole tournament finds.

Downwards nothing is lost: hands of two lead to hands of two only, so what is an equilibrium of
these by themselves is one there within the tournament of three.

Claim: upwards something is. Who goes in as against one opponent goes in too often against two, and
less is lost by a hand that has to beat both.

Source: the question is from the talk that this package is built from, which asks for a map from
strategies for n players to n + 1. The gains are proven in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.labels import game_of
from experiments.legends import draw_legend
from experiments.markdown import rounded, table
from experiments.one_more_all_in import HANDS, one_more, solve_heads_up
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

MAPPED = tuple(f"mapped, {hands}" for hands in HANDS)
UNIFORM, SEARCHED = "uniform", "searched"
STRATEGIES = (*MAPPED, UNIFORM, SEARCHED)
COLORS = dict(zip(STRATEGIES, ("#56b4e9", "#0072b2", "#999999", "#d55e00"), strict=True))

MEASURES = {
    "nash_conv": "from the first hand,\nall seats together",
    "most_three": "at any hand of three,\nthe most of a seat",
    "most_two": "at any hand of two,\nthe most of a seat",
}

LEAST = 1e-10
"""The least gain that is drawn."""


def measure_gains(point: Point) -> Row:
    """Return what is gained by leaving strategies."""
    from seqform.experiment.measure import make_game
    from seqform.recursive.proof import prove_stationary
    from seqform.recursive.search import search_recursive
    from seqform.recursive.stationary import StationaryProfile
    from seqform.recursive.walk import stage_graph

    game, strategy = make_game(point), str(point["strategy"])
    graph = stage_graph(game)
    if strategy == SEARCHED:
        proof = search_recursive(graph, gap=float(point["gap"])).proof
    elif strategy == UNIFORM:
        proof = prove_stationary(StationaryProfile.uniform(graph))
    else:
        hands = strategy.removeprefix("mapped, ")
        proof = prove_stationary(one_more(graph, solve_heads_up(game), hands))
    gains = np.array(
        [
            [float(high - low) for high, low in zip(*both, strict=True)]
            for both in zip(proof.upper, proof.lower, strict=True)
        ]
    )
    keys: list[Any] = [stage.key for stage in graph.stages]
    of_three = np.array(list(map(all, keys)))
    return {
        "nash_conv": float(gains[0].sum()),
        **{f"gain_{seat}": float(gain) for seat, gain in enumerate(gains[0])},
        "most_three": float(gains[of_three].max()),
        "most_two": float(gains[~of_three].max()),
    }


def table_of(rows: Sequence[Row]) -> str:
    """Return the gains as a table of Markdown."""
    return table(
        {
            "game": game_of(row),
            "strategies": row["strategy"],
            "gain of each seat of the first hand": ", ".join(
                rounded(row[f"gain_{seat}"]) for seat in range(3)
            ),
            "most, hands of three": rounded(row["most_three"]),
            "most, hands of two": rounded(row["most_two"]),
        }
        for row in rows
    )


def draw_gains(rows: Sequence[Row]) -> Any:
    """Draw the gains, a panel for each tournament."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(map(game_of, rows)))
    figure = Figure(figsize=(6.2 * len(games), 3.4), dpi=200, layout="constrained")
    panels = figure.subplots(1, len(games), squeeze=False)[0]
    wide = 0.8 / len(STRATEGIES)
    for panel, name in zip(panels, games, strict=True):
        of = {str(row["strategy"]): row for row in rows if game_of(row) == name}
        for place, (strategy, row) in enumerate(of.items()):
            shift = (place - (len(of) - 1) / 2) * wide
            tall = [max(float(str(row[key])), LEAST) for key in MEASURES]
            places = np.arange(len(MEASURES)) + shift
            panel.bar(places, tall, wide, color=COLORS[strategy], label=strategy)
        panel.set_xticks(range(len(MEASURES)), list(MEASURES.values()))
        panel.set_yscale("log")
        panel.set_ylabel("gain by deviating, units of prize", fontsize=8)
        panel.set_title(name, fontsize=8)
        panel.tick_params(labelsize=7)
    draw_legend(figure)
    return figure


PUSH_FOLD_FOR_THREE = ExperimentSpec(
    name="push_fold_for_three",
    doc=__doc__,
    axes=(
        Axis(
            "game",
            ("three-handed-one-card(chips=12)",),
            quick=("three-handed-one-card(chips=6,cards=4)",),
            help="a tournament of three who go all in or fold",
        ),
        Axis("strategy", STRATEGIES, help="mapped, how hands are; uniform; or searched"),
        Axis("gap", (1e-3,), quick=(1e-2,), help="of the search: what nobody gains more than"),
    ),
    measure=measure_gains,
    figures={"push_fold_for_three.png": draw_gains, "push_fold_for_three.md": table_of},
    shown=("game", "strategy", "nash_conv", "most_three", "most_two", "status"),
)

if __name__ == "__main__":
    run_as_script("push_fold_for_three")
