"""What does the published abstraction of Rhode Island hold'em lose?

`python -m experiments.gameshrink_loss` solves decks with four suits under the full rules, from 3
ranks to the whole 52 cards, once under the published criterion `outcome` and once under the
lossless `equitable`; lifts both into the unabstracted game and certifies them there. Small decks
are solved by linear programs, larger ones by regret minimization to a gap that is printed.

A lifted strategy is exploitable for the difference between the game's value and what the strategy
guarantees. A milli-ante is a thousandth of the ante, 0.005 chips. The abstract game may have
several equilibria; the loss is that of the one found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.tables import Row, arguments, cpu, save, save_picture, show, show_versions
from games.rhode_island import rhode_island
from seqform import solve
from seqform.results.reduction import REDUCTIONS, lift
from seqform.results.solution import Solution

ANTE = 5
SUITS = 4
BY_LP = 4
"""Ranks up to which linear programs are solved."""
RANKS = (3, 4, 5, 6, 8, 10, 13)
QUICK_RANKS = (3,)
GAP = 1e-3
"""Chips to which regret minimization solves the larger decks."""


def losses_of(ranks: int) -> Row:
    """Return values and losses of one deck."""
    (true_seconds, (_, true)), (seconds, (abstract, lifted)) = (
        cpu(partial(solve_lifted, ranks, criterion)) for criterion in ("equitable", "outcome")
    )
    value = (true.lower + true.upper) / 2
    exploitable = value - lifted.lower, lifted.upper - value
    return {
        "deck": f"{ranks}x{SUITS}",
        "cards": ranks * SUITS,
        "method": abstract.method,
        "value": value,
        "value_lower": true.lower,
        "value_upper": true.upper,
        "abstract_lower": abstract.lower,
        "abstract_upper": abstract.upper,
        "value_error": (abstract.lower + abstract.upper) / 2 - value,
        "exploitable_0": exploitable[0],
        "exploitable_1": exploitable[1],
        "exploitability": sum(exploitable) / 2,
        "exploitability_milli_antes": 1000 * sum(exploitable) / 2 / ANTE,
        "cpu_seconds": round(true_seconds + seconds, 1),
    }


def solve_lifted(ranks: int, criterion: str) -> tuple[Solution, Solution]:
    """Return the solution of the smaller game, and the same lifted into the unabstracted game."""
    game = rhode_island(ranks, SUITS)
    smaller, inverse = REDUCTIONS.get(criterion).apply(game)
    abstract = (
        solve(smaller, method="lp") if ranks <= BY_LP else solve(smaller, method="dcfr", gap=GAP)
    )
    return abstract, lift(abstract, inverse)


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw what lifted strategies can be exploited for, and how wrong the abstract value is."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.8, 4.0), dpi=200, layout="constrained")
    left, right = figure.subplots(1, 2)
    cards = [row["cards"] for row in rows]
    for player, marker in ((0, "o"), (1, "s")):
        left.plot(
            cards,
            [row[f"exploitable_{player}"] for row in rows],
            marker=marker,
            label=f"player {player}'s lifted strategy",
        )
    left.plot(
        cards, [row["exploitability"] for row in rows], color="black", linestyle="--", label="mean"
    )
    left.set_ylabel("exploitable for (chips a hand)", fontsize=9)
    left.set_ylim(bottom=0)
    antes = left.secondary_yaxis(
        "right", functions=(lambda chips: 1000 * chips / ANTE, lambda antes: antes * ANTE / 1000)
    )
    antes.set_ylabel("milli-antes")
    left.legend(fontsize=7)
    right.plot(cards, [row["value_error"] for row in rows], marker="D", color="#0072b2")
    right.axhline(0, color="black", linewidth=0.8)
    right.set_ylabel("abstract minus true value (chips a hand)", fontsize=9)
    for axes in (left, right):
        axes.set_xlabel("cards in the deck (4 suits)")
        axes.set_xticks(cards)
        axes.grid(alpha=0.3)
    figure.suptitle("What the published abstraction of Rhode Island hold'em loses", fontsize=10)
    save_picture(path, figure)


COLUMNS = (
    *(
        "deck",
        "method",
        "value_lower",
        "value_upper",
        "abstract_lower",
        "abstract_upper",
        "value_error",
    ),
    *(
        "exploitable_0",
        "exploitable_1",
        "exploitability",
        "exploitability_milli_antes",
        "cpu_seconds",
    ),
)


def main(given: Sequence[str] | None = None) -> None:
    """Solve, lift, save and print."""
    options = arguments(__doc__, given)
    rows = [losses_of(ranks) for ranks in (QUICK_RANKS if options.quick else RANKS)]
    save(options.out / "gameshrink_loss.csv", rows)
    draw(options.out / "gameshrink_loss.png", rows)
    show("What `outcome` loses (chips a hand)", rows, COLUMNS, "method")
    show_versions()


if __name__ == "__main__":
    main()
