"""How far do linear programs go, and how good are their answers?

`python -m experiments.linear_programs` solves decks of Rhode Island hold'em under the full rules,
by lossless `equitable` classes: with the payoff matrix written out and through auxiliary variables
("sparsified"), by HiGHS and by Clarabel. Each is solved in a process of its own. The solver's claim
(its status, tolerance and objective) stands beside the nash_gap that best responses prove, in
chips. `--large` goes on to the decks that take from minutes to an hour. What the saved table says
of cases that are not run is kept.

Seconds are CPU seconds, one run, one thread, of making and solving the program; the peak memory is
that of the whole process.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from experiments.tables import Row, arguments, cpu, save, save_markdown, show, show_versions
from games.rhode_island import rhode_island
from seqform import SequenceForm, certify
from seqform.results.reduction import REDUCTIONS
from seqform.solvers.linear.clarabel import solve_clarabel
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import LinearProgram, LPSolution, build_lp
from seqform.solvers.linear.sparsified_program import build_sparsified_lp

CLASSES = "equitable"
FORMS = {"materialised": build_lp, "sparsified": build_sparsified_lp}
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Case:
    """A program, and what solves it; a solver has `time_limit` seconds."""

    ranks: int
    suits: int
    form: str
    engine: str
    tolerance: float
    time_limit: float = 600
    max_bets: int = 3

    @property
    def key(self) -> Row:
        """The columns that tell cases apart."""
        deck = f"{self.ranks}x{self.suits}" + (
            "" if self.max_bets == 3 else f", {self.max_bets} bet"
        )
        return {
            "deck": deck,
            "classes": CLASSES,
            "form": self.form,
            "engine": self.engine,
            "tolerance": self.tolerance,
        }


HIGHS, USUAL, TIGHT = 1e-9, 1e-8, 1e-12
BOTH = tuple(FORMS)
QUICK = tuple(
    Case(3, 2, form, *engine, max_bets=1)
    for form in BOTH
    for engine in (("simplex", HIGHS), ("clarabel", TIGHT))
)
DEFAULT = (
    *QUICK,
    *(Case(3, 2, form, engine, HIGHS, 300) for form in BOTH for engine in ("simplex", "ipx")),
    *(Case(3, 2, form, "clarabel", TIGHT) for form in BOTH),
    *(Case(3, 4, form, "ipx", HIGHS, 300) for form in BOTH),
    *(
        Case(ranks, 4, form, "clarabel", tolerance)
        for ranks in (3, 4)
        for form in BOTH
        for tolerance in (USUAL, TIGHT)
    ),
    *(Case(5, 4, form, "clarabel", TIGHT) for form in BOTH),
)
LARGE = (
    *(Case(6, 4, form, "clarabel", TIGHT, 2400) for form in BOTH),
    *(Case(ranks, 4, "sparsified", "clarabel", TIGHT, 2400) for ranks in (8, 13)),
)


def row_of(case: Case) -> Row:
    """Solve a case in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "experiments.linear_programs",
        "--case",
        json.dumps(asdict(case)),
    ]
    printed = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **ONE_THREAD}
    ).stdout
    return json.loads(printed)  # type: ignore[no-any-return]


def solved(case: Case) -> Row:
    """Solve a case, and compare what the solver says of its answer with what that is worth."""
    game = rhode_island(case.ranks, case.suits, case.max_bets)
    form, _ = REDUCTIONS.get(CLASSES).apply(game)
    making, program = cpu(lambda: FORMS[case.form](form))
    solving, answer = cpu(partial(run, case, program))
    return {
        **case.key,
        "time_limit": case.time_limit,
        **program.size._asdict(),
        "cpu_seconds": round(making + solving, 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "iterations": answer.iterations,
        "claim": answer.message,
        **worth(form, program, answer),
    }


def run(case: Case, program: LinearProgram) -> LPSolution:
    """Solve a program as a case says; HiGHS has its own tolerance."""
    if case.engine == "clarabel":
        return solve_clarabel(program, case.tolerance, case.time_limit)
    return solve_highs(program, case.engine, case.time_limit)


def worth(form: SequenceForm, program: LinearProgram, answer: LPSolution) -> Row:
    """Return the objective, and the interval and nash_gap that a point proves.

    A solver may have stopped without a point.
    """
    if answer.primal is None:
        return dict.fromkeys(("objective", "value_lower", "value_upper", "nash_gap"))
    certificate = certify(form, form.profile_of_plans(program.plans(answer)))
    return {
        "objective": float(program.objective @ answer.primal / program.scale),
        "value_lower": certificate.lower,
        "value_upper": certificate.upper,
        "nash_gap": certificate.nash_gap,
    }


TITLE = f"Linear programs of Rhode Island hold'em by {CLASSES} classes, in chips a hand"
COLUMNS = (
    *(
        "deck",
        "form",
        "engine",
        "tolerance",
        "rows",
        "nonzeros",
        "cpu_seconds",
        "peak_mb",
        "iterations",
        "claim",
    ),
    *("objective", "value_lower", "value_upper", "nash_gap"),
)


def rows_in(path: Path) -> list[Row]:
    """Return what is saved, in text; nothing if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: read(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def read(cell: str) -> str | int | float | None:
    """Return a cell of a CSV file as the number that it was."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell or None


def merged(rows: Sequence[Row], new: Row) -> list[Row]:
    """Return the rows with one added, in the order of the cases.

    It replaces the row of the same case, if there is one.
    """
    keys = [case.key for case in (*DEFAULT, *LARGE)]
    at = [
        next(i for i, key in enumerate(keys) if key.items() <= row.items()) for row in (*rows, new)
    ]
    found = dict(zip(at, (*rows, new), strict=True))
    return [found[i] for i in sorted(found)]


def main(given: Sequence[str] | None = None) -> None:
    """Solve, save and print."""
    given = sys.argv[1:] if given is None else given
    if given[:1] == ["--case"]:
        print(json.dumps(solved(Case(**json.loads(given[1])))))
        return
    options = arguments(
        __doc__, given, large="also decks that take from minutes to an hour, and 14 GB"
    )
    path = options.out / "linear_programs.csv"
    rows = rows_in(path)
    for case in QUICK if options.quick else (*DEFAULT, *(LARGE if options.large else ())):
        rows = merged(rows, row_of(case))
        save(path, rows)
    save_markdown(options.out / "linear_programs.md", rows, COLUMNS)
    show(TITLE, rows, COLUMNS, "deck")
    show_versions()


if __name__ == "__main__":
    main()
