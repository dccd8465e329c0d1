"""What do reductions of Rhode Island hold'em's decks lose?

Decks are solved with at most one bet a round, before and after each reduction. CPU seconds are
those of reducing, solving, lifting and certifying.

A reduction loses what the players can gain by deviating in the *whole* game from an equilibrium of
the smaller one: the gap of the lifted profile, half of which is its exploitability. The smaller
game may have several equilibria, and `outcome` is measured on the one that the solver returns.

Claim: `suit` and `equitable` lose nothing, and `outcome` loses chips from the smallest decks on.

Source: measured here; docs/explanation/gameshrink.md says why.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.decks import deck_axis
from experiments.lp_sizes import CRITERIA
from experiments.markdown import rounded, table
from seqform.experiment import Axis, Cell, ExperimentSpec, Point, Role, Row, run_as_script

DECKS = (
    *("3x2", "4x2", "5x2", "6x2", "7x2", "8x2"),
    *("3x3", "4x3", "5x3", "6x3"),
    *("3x4", "4x4", "5x4"),
)
DIRECT = ("3x2", "4x2", "5x2", "6x2", "3x3", "4x3", "3x4")
"""Decks that are also solved as they are; `suit` solves the others, and loses nothing."""


def is_direct_or_reduced(point: Point) -> bool:
    """Tell whether a deck is small enough to be solved by this criterion."""
    return point.reduction != "none" or point["deck"] in DIRECT


def write_table(rows: Sequence[Row]) -> str:
    """Return what `outcome` loses on each deck, and what the lossless reductions do at most."""
    by = {(row["deck"], row["reduction"]): row for row in rows}
    needed = ("suit", "equitable", "outcome")
    whole = [deck for deck, _ in by if all((deck, name) in by for name in needed)]
    of_decks = [[by[deck, name] for name in needed] for deck in dict.fromkeys(whole)]
    return table(losses(*three) for three in of_decks)


def losses(suit: Row, equitable: Row, outcome: Row) -> dict[str, Cell]:
    """Return the line of a deck."""
    lossless = max(float(row["gap"] or 0) for row in (suit, equitable))
    return {
        "deck": suit["deck"],
        "value": f"{suit['value']:.9f}",
        "`outcome` value": f"{outcome['abstract_value']:.9f}",
        "nash_gap of the lifted profile": f"{outcome['gap']:.3f}",
        "exploitability": f"{float(outcome['gap'] or 0) / 2:.3f}",
        "largest lifted nash_gap of `suit` and `equitable`": rounded(lossless, 1),
    }


LP_LOSSES = ExperimentSpec(
    name="lp_losses",
    doc=__doc__,
    axes=(
        Axis("game", ("rhode-island",)),
        deck_axis(DECKS, ("3x2", "4x2")),
        Axis("max_bets", (1,), plural="max_bets", help="bets a round", role=Role.PARAMETER),
        Axis("criterion", CRITERIA, plural="criteria", role=Role.REDUCTION),
    ),
    keep=is_direct_or_reduced,
    figures={"lp_losses.md": write_table},
    shown=(
        "deck",
        "criterion",
        "lp_rows",
        "abstract_lp_rows",
        "value",
        "abstract_value",
        "gap",
        "status",
        "seconds",
    ),
)

if __name__ == "__main__":
    run_as_script("lp_losses")
