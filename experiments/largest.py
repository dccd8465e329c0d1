"""What is the largest game of each kind that a linear program solves and certifies in a minute?

Claim: lossless classes take the limit of poker from a few million nodes to a hundred million. A
folded program solves liar's dice with one side more, and goofspiel six times faster.

Source: measured here; docs/explanation/folded-program.md shows the table.

A game counts if its certificate says SOLVED within 60 CPU seconds and 4 GB of peak memory, loading
and building included. "plain" is the whole linear program of the game as it is, by the default
solver. "auto" is what `--method lp` chooses by itself. Each kind has the sizes around its limits;
what fails is a row with its reason. A point may take ten minutes, so that the first size beyond the
limit says by how much.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from experiments.labels import game_of
from experiments.markdown import rounded, table
from seqform.experiment import Axis, Cell, ExperimentSpec, Point, Row, run_as_script
from seqform.experiment.measure import solve_point
from seqform.experiment.named import read_named

CPU_SECONDS, MEGABYTES = 60.0, 4096.0
"""What a game may take to count."""

ROW_SECONDS = 600.0
"""What a point may take before it is stopped."""

SIZES = {
    "plain": (
        *("kuhn(cards=500)", "kuhn(cards=700)", "kuhn(cards=900)"),
        *("leduc(ranks=17)", "leduc(ranks=20)", "leduc(ranks=23)"),
        *("liars-dice(sides=7)", "liars-dice(sides=8)"),
        *("goofspiel(cards=6)", "goofspiel(cards=7)"),
        *("rhode-island(ranks=4,suits=2)", "rhode-island(ranks=5,suits=2)"),
        *("random(nodes=1000000,depth=60,seed=0)", "random(nodes=2000000,depth=60,seed=0)"),
    ),
    "auto": (
        *("kuhn(cards=900)", "kuhn(cards=1200)"),
        *("leduc(ranks=60)", "leduc(ranks=75)"),
        *("liars-dice(sides=8)", "liars-dice(sides=9)"),
        *("goofspiel(cards=6)", "goofspiel(cards=7)"),
        *("rhode-island(ranks=5,suits=4)", "rhode-island(ranks=6,suits=4)"),
        *("random(nodes=1000000,depth=60,seed=0)", "random(nodes=2000000,depth=60,seed=0)"),
    ),
}
"""The games around the limit of each program, in the order of their sizes for each kind."""


def solve_by(point: Point) -> Row:
    """Return the row of a game that is solved by a linear program, plain or as it is chosen."""
    by_lp = replace(point, method="lp", reduction="auto")
    if point["program"] == "plain":
        by_lp = replace(by_lp, reduction="none", options={"program": "plain"})
    return solve_point(by_lp)


def is_around_limit(point: Point) -> bool:
    """Return whether a game is one of those that show where a program's limit is."""
    every = {game for games in SIZES.values() for game in games}
    return point["game"] in SIZES[str(point["program"])] or point["game"] not in every


def counts(row: Row) -> bool:
    """Return whether a row is of a game solved and certified within the limits."""
    fits = float(str(row["cpu_seconds"])) <= CPU_SECONDS and float(str(row["peak_mb"])) <= MEGABYTES
    return row["status"] == "solved" and fits


def write_largest(rows: Sequence[Row]) -> str:
    """Return for each kind of game the largest that counts, and what the next one comes to."""
    kinds = {(str(row["game"]), str(row["program"])) for row in rows}
    plain_first = sorted(kinds, key=lambda kind: (kind[0], kind[1] != "plain"))
    return table(line for kind in plain_first for line in _lines(rows, *kind))


def _lines(rows: Sequence[Row], game: str, program: str) -> Iterator[dict[str, Cell]]:
    mine = {game_of(row): row for row in rows if (row["game"], row["program"]) == (game, program)}
    counting = [name for name, row in mine.items() if counts(row)]
    if not counting:
        return
    known = [name for name in map(_labelled, SIZES[program]) if name.startswith(game)]
    order = known if counting[-1] in known else list(mine)
    largest = max(counting, key=order.index)
    row, after = mine[largest], order[order.index(largest) + 1 :]
    yield {
        "game": f"`{largest}`",
        "program": program,
        "nodes": row["nodes"],
        "nonzeros": row["solver_nonzeros"],
        "CPU s": rounded(row["cpu_seconds"]),
        "MB": rounded(row["peak_mb"]),
        "nash_gap": rounded(row["gap"]),
        "the next": f"`{after[0]}`: {_outcome(mine.get(after[0]))}" if after else "",
    }


def _labelled(game: str) -> str:
    """Return a game's label, with its parameters in the order in which rows have them."""
    name, parameters = read_named(game)
    return game_of({"game": name, "parameters": json.dumps(parameters, sort_keys=True)})


def _outcome(row: Row | None) -> str:
    """Return what a game that does not count came to; without an answer there is no row."""
    if row is None:
        return "refused or stopped"
    return f"{row['status']}, {rounded(row['cpu_seconds'])} s, {rounded(row['peak_mb'])} MB"


LARGEST = ExperimentSpec(
    name="largest",
    doc=__doc__,
    axes=(
        Axis(
            "game",
            tuple(dict.fromkeys(game for games in SIZES.values() for game in games)),
            quick=("kuhn(cards=4)", "liars-dice(sides=4)"),
        ),
        Axis("program", tuple(SIZES), help="plain, or as it is chosen"),
    ),
    measure=solve_by,
    keep=is_around_limit,
    figures={"largest.md": write_largest},
    shown=(
        "game",
        "program",
        "engine",
        "status",
        "gap",
        "solver_nonzeros",
        "cpu_seconds",
        "peak_mb",
    ),
    memory="4 GB",
    row_time_limit=ROW_SECONDS,
)

if __name__ == "__main__":
    run_as_script("largest")
