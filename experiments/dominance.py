"""How much smaller are games without their dominated actions?

Claim: leaving out weakly dominated actions shrinks goofspiel and liar's dice to a part; strict
dominance finds little, and in these poker games nothing.

Source: measured here; docs/explanation/dominated-actions.md says what each loses.

Seconds are CPU seconds of one run of the reduction, with making the smaller game.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.labels import game_of
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

GAMES = (
    *("kuhn", "kuhn(cards=13)", "goofspiel(cards=4)", "liars-dice(sides=3)", "leduc"),
    "random(players=3,depth=8,zero_sum=false)",
)


def leave_out(point: Point) -> Row:
    """Return each player's sequences before and after a reduction."""
    from seqform import build_sequence_form, build_tree
    from seqform.io.named_game import named_game
    from seqform.links.link import REDUCTIONS

    tree = build_tree(named_game(point.game, point.parameters))
    before = build_sequence_form(tree)
    reduction = REDUCTIONS.get(point.reduction)
    seconds, (after, _) = cpu(lambda: reduction.apply(tree))
    return {
        "before": " + ".join(f"{treeplex.num_sequences:,}" for treeplex in before.treeplexes),
        "after": " + ".join(f"{treeplex.num_sequences:,}" for treeplex in after.treeplexes),
        "spent": round(seconds, 3),
    }


def write_table(rows: Sequence[Row]) -> str:
    """Return both reductions of each game on one line."""
    by = {(game_of(row), row["reduction"]): row for row in rows}
    return table(
        {
            "game": f"`{game}`",
            "sequences": weak["before"],
            "after `dominated`": weak["after"],
            "after `strictly-dominated`": by[game, "strictly-dominated"]["after"],
            "CPU seconds": rounded(weak["spent"]),
        }
        for (game, reduction), weak in by.items()
        if reduction == "dominated" and (game, "strictly-dominated") in by
    )


DOMINANCE = ExperimentSpec(
    name="dominance",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=("kuhn", "liars-dice(sides=3)")),
        Axis("reduction", ("dominated", "strictly-dominated")),
    ),
    measure=leave_out,
    prepare=load_solvers,
    figures={"dominance.md": write_table},
    shown=("game", "reduction", "before", "after", "spent"),
)

if __name__ == "__main__":
    run_as_script("dominance")
