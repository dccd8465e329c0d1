"""How far do linear programs go, and how good are their answers?

Claim: a solver's own tolerance says little about the gap; Clarabel at 1e-12 is within 1e-8 chips;
auxiliary variables ("sparsified") save nonzeros from a million of them on.

Source: measured here; Zhang & Sandholm, ICML 2020, and Farina & Sandholm, AAAI 2022, for the
sparsified program.

Decks of Rhode Island hold'em under the full rules, by lossless `equitable` classes: with the payoff
matrix written out and through auxiliary variables, by HiGHS and by Clarabel. The solver's claim
(its status, tolerance and objective) stands beside the nash_gap that best responses prove, in
chips. Decks above 5x4 take from minutes to an hour, and 14 GB: `--decks 6x4,8x4,13x4`.

Seconds are CPU seconds, one run, one thread, of making and solving the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from experiments.decks import cards, deck_axis
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, ExperimentSpec, Point, Role, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm
    from seqform.solvers.linear.program import LinearProgram, LPSolution

FORMS = ("materialised", "sparsified")
ENGINES = {
    "simplex": ("simplex", 1e-9, 6),
    "ipx": ("ipx", 1e-9, 12),
    "clarabel(1e-8)": ("clarabel", 1e-8, 16),
    "clarabel(1e-12)": ("clarabel", 1e-12, 52),
}
"""What solves a program, to which tolerance, and up to how many cards that takes minutes."""

LARGEST_MATERIALISED = 24
"""Cards up to which the payoff matrix is written out; beyond that it takes more than 14 GB."""

USUAL, LONG = 300.0, 2400.0
"""Seconds that a solver has: for decks of up to 20 cards, and for larger ones."""


def solve_program(point: Point) -> Row:
    """Solve a program, and compare what the solver says of its answer with what that is worth."""
    from seqform import make, reduce

    form, _ = reduce(make("rhode-island", **point.parameters), "equitable")
    engine, tolerance, _ = ENGINES[point["engine"]]
    making, program = cpu(lambda: builder(point["form"])(form))
    limit = USUAL if cards(point) <= 20 else LONG
    solving, answer = cpu(lambda: answer_of(program, engine, tolerance, limit))
    return {
        "tolerance": tolerance,
        "time_limit": limit,
        **program.size._asdict(),
        "spent": round(making + solving, 1),
        "iterations": answer.iterations,
        "claim": answer.message,
        **worth(form, program, answer),
    }


def builder(form: str) -> Callable[[SequenceForm], LinearProgram]:
    """Return what makes a program in a form."""
    from seqform.solvers.linear.program import build_lp
    from seqform.solvers.linear.sparsified_program import build_sparsified_lp

    return {"materialised": build_lp, "sparsified": build_sparsified_lp}[form]


def answer_of(program: LinearProgram, engine: str, tolerance: float, limit: float) -> LPSolution:
    """Solve a program; HiGHS has its own tolerance."""
    from seqform.solvers.linear.clarabel import solve_clarabel
    from seqform.solvers.linear.highs import solve_highs

    if engine == "clarabel":
        return solve_clarabel(program, tolerance, limit)
    return solve_highs(program, engine, limit)


def worth(form: SequenceForm, program: LinearProgram, answer: LPSolution) -> Row:
    """Return the objective, and the interval and nash_gap that a point proves.

    A solver may have stopped without a point.
    """
    from seqform import certify

    if answer.primal is None:
        return {}
    certificate = certify(form, form.profile_of_plans(program.plans(answer)))
    return {
        "objective": float(program.objective @ answer.primal / program.scale),
        "lower": certificate.lower,
        "upper": certificate.upper,
        "gap": certificate.nash_gap,
    }


def takes_minutes(point: Point) -> bool:
    """Return whether a combination ends in minutes, or, of a large deck, within the hour."""
    fits = point["form"] == "sparsified" or cards(point) <= LARGEST_MATERIALISED
    return fits and cards(point) <= ENGINES[point["engine"]][2]


def one_of(*known: str) -> Callable[[str], str]:
    """Return what reads a word that is one of a few."""

    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"write {' or '.join(known)}")
        return text

    return read


def write_table(rows: Sequence[Row]) -> str:
    """Return what a solver claims of its answer, and what that is worth."""
    return table(
        {
            "deck": row["deck"],
            "form": row["form"],
            "engine": row["engine"],
            "CPU s": rounded(row["spent"]),
            "MB": rounded(row["peak_mb"]),
            "iterations": row["iterations"],
            "claim": row["claim"],
            "claimed value": row["objective"],
            "true nash_gap": rounded(row["gap"]),
        }
        for row in rows
    )


LINEAR_PROGRAMS = ExperimentSpec(
    name="linear_programs",
    doc=__doc__,
    axes=(
        deck_axis(("3x2", "3x4", "4x4", "5x4"), ("3x2",)),
        Axis(
            "max_bets",
            (3,),
            quick=(1,),
            plural="max_bets",
            help="bets a round",
            role=Role.PARAMETER,
        ),
        Axis("form", FORMS, read=one_of(*FORMS)),
        Axis("engine", tuple(ENGINES), read=one_of(*ENGINES)),
    ),
    measure=solve_program,
    keep=takes_minutes,
    prepare=load_solvers,
    figures={"linear_programs.md": write_table},
    shown=("deck", "form", "engine", "rows", "nonzeros", "spent", "claim", "gap"),
    memory=lambda point: 2**30 * (14 if cards(point) > 20 else 3),
)

if __name__ == "__main__":
    run_as_script("linear_programs")
