"""How far does polishing take an average, or a linear program's solution, round by round?

Claim: with three to six ranks, two rounds take an average of 1.5e-5 chips to about 1e-8 or below,
and five to between 3e-10 and 1e-12.

Source: measured here; docs/explanation/polishing.md says how it works.

Decks of Rhode Island hold'em (ranks x suits, three bets a round, by lossless `equitable` classes)
go to an average of `tuned-dcfr`, and to the answer of Clarabel where its memory allows. Both are
polished. A row is the certified nash_gap in chips after a round, with CPU seconds from the start of
the search or of the program. The 52-card game takes an hour, and about 4 GB: `--decks 13x4`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from experiments.decks import deck_axis
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, Cell, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm, Solution
    from seqform.methods.polish import Round


class Aim(NamedTuple):
    """The gaps, in chips, of the average and to reach; how many rounds; whether by a program."""

    start: float
    gap: float
    rounds: int
    by_program: bool


AIMS = {
    "3x2": Aim(1e-3, 1e-9, 10, True),
    "3x4": Aim(1.5e-5, 1e-11, 10, True),
    "4x4": Aim(1.5e-5, 1e-10, 10, True),
    "6x4": Aim(1.5e-5, 1e-9, 10, False),
    "13x4": Aim(1.5e-5, 1e-8, 5, False),
}
OTHERS = Aim(1.5e-5, 1e-8, 5, False)
STARTS = ("average", "program")


def polish_rounds(point: Point) -> list[Row]:
    """Return what a first solution came to, and each round of polishing it."""
    from seqform import make, reduce
    from seqform.methods.polish import polish

    aim = AIMS.get(str(point["deck"]), OTHERS)
    form, _ = reduce(make("rhode-island", **point.parameters), "equitable")
    seconds, solution = cpu(lambda: first_solution(form, point["start"], aim))
    rows = [_row(0, solution.nash_gap, (1.0, 1.0), seconds)]
    begun = time.process_time() - seconds

    def tell(now: Round) -> None:
        rows.append(_row(len(rows), now.gap, now.kept, time.process_time() - begun))

    if solution.profile is not None:
        polish(form, solution.profile, gap=aim.gap, rounds=aim.rounds, callback=tell)
    return rows


def first_solution(form: SequenceForm, start: str, aim: Aim) -> Solution:
    """Return what is polished."""
    from seqform import solve

    if start == "average":
        return solve(form, method="tuned-dcfr", gap=aim.start)
    return solve(form, solver="clarabel")


def _row(number: int, gap: float, kept: tuple[float, float], seconds: float) -> Row:
    return {
        "round": number,
        "gap": gap,
        "kept_0": round(kept[0], 3),
        "kept_1": round(kept[1], 3),
        "spent": round(seconds, 2),
    }


def fits(point: Point) -> bool:
    """Return whether a deck is solved from this start."""
    return point["start"] == "average" or AIMS.get(str(point["deck"]), OTHERS).by_program


def write_table(rows: Sequence[Row]) -> str:
    """Return the gap after each round, with CPU seconds so far in brackets."""
    lines: dict[tuple[object, object], dict[str, Cell]] = {}
    for row in rows:
        start = {"average": "`tuned-dcfr`", "program": "Clarabel"}[str(row["start"])]
        line = lines.setdefault((row["deck"], start), {"deck": row["deck"], "start": start})
        heading = f"round {row['round']}" if row["round"] else "it leaves"
        line[heading] = f"{rounded(row['gap'])} ({rounded(row['spent'])})"
    return table(lines.values())


POLISHING = ExperimentSpec(
    name="polishing",
    doc=__doc__,
    axes=(
        deck_axis(("3x4", "4x4", "6x4"), ("3x2",)),
        Axis("start", STARTS, help="what is polished: average, program"),
    ),
    measure=polish_rounds,
    keep=fits,
    prepare=load_solvers,
    figures={"polishing.md": write_table},
    shown=("deck", "start", "round", "gap", "kept_0", "kept_1", "spent"),
    memory="5 GB",
)

if __name__ == "__main__":
    run_as_script("polishing")
