"""How long does the published linear program take to solve, as a linear program?

Claim: an interior point method with supernodal factors, ordered by nested dissection, solves the
program of Gilpin and Sandholm's Rhode Island hold'em within the hour, on one core.

Source: Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5),
2007, who report a week; docs/explanation/published-program.md.

Decks of Rhode Island hold'em under the full rules, by `outcome` classes, to a nash_gap in chips of
the smaller game. `pardiso` solves the plain program, `clarabel` the sparsified one, each up to ten
minutes; the whole deck has two hours. CPU seconds are of making, solving and certifying, on one
thread. The whole deck needs 12 GB: `--decks 13x4 --engines pardiso`.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.decks import cards, deck_axis
from experiments.markdown import rounded, table
from experiments.timing import cpu
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

PROGRAMS = {"pardiso": "plain", "clarabel": "sparsified"}
"""What solves the program, and in which form."""

USUAL, LONG = 600.0, 7200.0
"""Seconds that a solver has: for decks of up to 32 cards, and for larger ones."""


def solve_published(point: Point) -> Row:
    """Solve the smaller game's program up to a gap."""
    from seqform import make, reduce, solve

    form, _ = reduce(make("rhode-island", **point.parameters), "outcome")
    spent, solution = cpu(
        lambda: solve(
            form,
            method="lp",
            solver=str(point["engine"]),
            program=PROGRAMS[str(point["engine"])],
            gap=float(str(point["aim"])),
            time_limit=USUAL if cards(point) <= 32 else LONG,
        )
    )
    return {
        "status": solution.status.name,
        "gap": solution.nash_gap,
        "lower": solution.lower,
        "upper": solution.upper,
        "iterations": solution.iterations,
        "spent": round(spent, 1),
        "message": solution.message,
    }


def write_table(rows: Sequence[Row]) -> str:
    """Return what each engine came to."""
    return table(
        {
            "deck": row["deck"],
            "engine": row["engine"],
            "asked for": rounded(row["aim"]),
            "nash_gap": rounded(row["gap"]),
            "iterations": row["iterations"],
            "CPU s": rounded(row["spent"]),
            "MB": rounded(row["peak_mb"]),
        }
        for row in rows
    )


PUBLISHED_PROGRAM = ExperimentSpec(
    name="published_program",
    doc=__doc__,
    axes=(
        deck_axis(("4x4", "5x4"), ("3x2",)),
        Axis("engine", tuple(PROGRAMS), help="what solves it: pardiso, clarabel"),
        Axis("aim", (1e-3, 1e-4), quick=(1e-3,), help="the nash_gap to go for, in chips"),
    ),
    measure=solve_published,
    figures={"published_program.md": write_table},
    shown=("deck", "engine", "aim", "gap", "iterations", "spent", "peak_mb"),
    memory=lambda point: 2**30 * (12 if cards(point) > 32 else 4),
)

if __name__ == "__main__":
    run_as_script("published_program")
