"""What does the published abstraction of Rhode Island hold'em lose?

Claim: strategies lifted from `outcome`, the published criterion, lose 0.80 chips a hand on average
in the whole game, and the abstract game's value is 0.01 chips off.

Source: Gilpin & Sandholm, J. ACM 54(5), 2007, call the abstraction lossless.

Decks with four suits, from 3 ranks to the whole 52 cards, are solved under the full rules: once by
`outcome`, and once by the lossless `equitable` classes. Both solutions are lifted into the
unabstracted game and certified there. Small decks are solved by linear programs, larger ones by
regret minimization to a gap of a thousandth of a chip.

A lifted strategy is exploitable for the difference between the game's value and what the strategy
guarantees. A milli-ante is a thousandth of the ante, 0.005 chips. The abstract game may have
several equilibria; the loss is that of the one found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from experiments.decks import cards, deck_axis
from experiments.markdown import table
from experiments.timing import load_solvers
from seqform.experiment import ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import Solution

ANTE = 5
BY_LP = 4
"""Ranks up to which linear programs are solved."""
GAP = 1e-3
"""Chips to which regret minimization solves the larger decks."""
LARGE = 30
"""Cards from which a deck needs the memory of the whole game."""


def losses(point: Point) -> Row:
    """Return values and losses of one deck."""
    (_, true), (abstract, lifted) = (
        solve_lifted(point.parameters, criterion) for criterion in ("equitable", "outcome")
    )
    value = (true.lower + true.upper) / 2
    exploitable = value - lifted.lower, lifted.upper - value
    return {
        "cards": cards(point),
        "engine": abstract.method,
        "value": value,
        "lower": true.lower,
        "upper": true.upper,
        "abstract_lower": abstract.lower,
        "abstract_upper": abstract.upper,
        "value_error": (abstract.lower + abstract.upper) / 2 - value,
        "exploitable_0": exploitable[0],
        "exploitable_1": exploitable[1],
        "exploitability": sum(exploitable) / 2,
        "exploitability_milli_antes": 1000 * sum(exploitable) / 2 / ANTE,
    }


def solve_lifted(parameters: Mapping[str, Any], criterion: str) -> tuple[Solution, Solution]:
    """Return the solution of the smaller game, and the same lifted into the unabstracted game."""
    from seqform import lift, make, reduce, solve

    smaller, inverse = reduce(make("rhode-island", **parameters), criterion)
    how: dict[str, Any] = {"method": "dcfr", "gap": GAP}
    if parameters["ranks"] <= BY_LP:
        how = {"method": "lp"}
    abstract = solve(smaller, **how)
    return abstract, lift(abstract, inverse)


def memory(point: Point) -> float:
    """Return the bytes that a deck needs."""
    return 2**30 * (13 if cards(point) > LARGE else 3)


def draw_losses(rows: Sequence[Row]) -> Any:
    """Draw what lifted strategies can be exploited for, and how wrong the abstract value is."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.2, 4.0), dpi=200)
    # room between the second scale and the other panel
    figure.set_layout_engine("constrained", w_pad=0.12)
    left, right = figure.subplots(1, 2)
    decks = [row["cards"] for row in rows]
    for player, marker in ((0, "o"), (1, "s")):
        left.plot(
            decks,
            [row[f"exploitable_{player}"] for row in rows],
            marker=marker,
            label=f"player {player}'s lifted strategy",
        )
    means = [row["exploitability"] for row in rows]
    left.plot(decks, means, color="black", linestyle="--", label="mean")
    left.set_ylabel("exploitable for (chips a hand)", fontsize=9)
    left.set_ylim(bottom=0)
    antes = left.secondary_yaxis(
        "right", functions=(lambda chips: 1000 * chips / ANTE, lambda antes: antes * ANTE / 1000)
    )
    antes.set_ylabel("milli-antes", fontsize=9)
    left.legend(fontsize=7)
    right.plot(decks, [row["value_error"] for row in rows], marker="D", color="#0072b2")
    right.axhline(0, color="black", linewidth=0.8)
    right.set_ylabel("abstract minus true value (chips a hand)", fontsize=9)
    for axes in (left, right):
        axes.set_xlabel("cards in the deck")
        axes.set_xticks(decks)
        axes.grid(alpha=0.3)
    figure.suptitle("What the published abstraction of Rhode Island hold'em loses", fontsize=10)
    return figure


def write_table(rows: Sequence[Row]) -> str:
    """Return both values of each deck, and what lifted strategies lose, in chips a hand."""
    return table(
        {
            "deck": row["deck"],
            "value": f"{row['value']:.5f}",
            "`outcome` value less the value": f"{row['value_error']:.5f}",
            "player 0's strategy is exploitable for": f"{row['exploitable_0']:.3f}",
            "player 1's": f"{row['exploitable_1']:.3f}",
            "mean": f"{row['exploitability']:.3f}",
            "milli-antes": f"{row['exploitability_milli_antes']:.0f}",
        }
        for row in rows
    )


GAMESHRINK_LOSS = ExperimentSpec(
    name="gameshrink_loss",
    doc=__doc__,
    axes=(deck_axis(tuple(f"{ranks}x4" for ranks in (3, 4, 5, 6, 8, 10, 13)), ("3x4",)),),
    measure=losses,
    prepare=load_solvers,
    figures={"gameshrink_loss.png": draw_losses, "gameshrink_loss.md": write_table},
    shown=("deck", "value", "value_error", "exploitable_0", "exploitable_1", "exploitability"),
    memory=memory,
)

if __name__ == "__main__":
    run_as_script("gameshrink_loss")
