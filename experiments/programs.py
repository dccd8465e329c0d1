"""Which linear program of a game is solved soonest, and by which engine?

Claim: the folded program where it saves a fifth of the nonzeros, the sparsified one where that
saves three fifths, and else the plain one; so chosen, Clarabel takes at most twice the least.

Source: measured here; von Stengel, GEB 14, 1996, for the plain program; Farina & Sandholm, AAAI
2022, for the sparsified one; docs/explanation/folded-program.md for the folded one.

Each program of a game is solved by each engine. Seconds are CPU seconds of making and of solving
it, and the nash_gap is what best responses prove of the answer. An engine has 30 seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from experiments.labels import game_of
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, Cell, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform.solvers.linear.program import LinearProgram, LPSolution

GAMES = (
    "kuhn(cards=13)",
    "liars-dice(sides=4)",
    "liars-dice(sides=5)",
    "liars-dice(sides=6)",
    "goofspiel(cards=4)",
    "goofspiel(cards=5)",
    "leduc",
    "leduc(ranks=6)",
    "random(nodes=20000,depth=60,seed=0)",
    "rhode-island(ranks=3,suits=2,max_bets=1)",
)
PROGRAMS = ("plain", "folded", "sparsified")
ENGINES = ("simplex", "ipx", "clarabel")
ENGINE_SECONDS = 30.0


def solve_program(point: Point) -> Row:
    """Return what making and solving a program of a game takes, and what the answer is worth."""
    from seqform import build_sequence_form, build_tree, certify
    from seqform.experiment.measure import make_game
    from seqform.methods.which_program import make_program

    form = build_sequence_form(build_tree(make_game(point)))
    making, program = cpu(lambda: make_program(form, point["program"]))
    solving, answer = cpu(lambda: answer_of(program, point["engine"]))
    row: Row = {
        **program.size._asdict(),
        "is_chosen": make_program(form).size == program.size,
        "make": round(making, 4),
        "solve": round(solving, 4),
        "claim": answer.message,
        "iterations": answer.iterations,
    }
    if answer.primal is None:
        return row
    return row | {"gap": certify(form, form.profile_of_plans(program.plans(answer))).nash_gap}


def answer_of(program: LinearProgram, engine: str) -> LPSolution:
    """Solve a program by an engine."""
    from seqform.solvers.linear.clarabel import solve_clarabel
    from seqform.solvers.linear.highs import solve_highs

    if engine == "clarabel":
        return solve_clarabel(program, time_limit=ENGINE_SECONDS)
    return solve_highs(program, engine, ENGINE_SECONDS)


def write_programs(rows: Sequence[Row]) -> str:
    """Return seconds by engine for each program of each game, and Clarabel's nash_gap."""
    kinds = dict.fromkeys((game_of(row), str(row["program"])) for row in rows)
    return table(_line(rows, *kind) for kind in kinds)


def _line(rows: Sequence[Row], game: str, program: str) -> dict[str, Cell]:
    mine = {row["engine"]: row for row in rows if (game_of(row), row["program"]) == (game, program)}
    first = next(iter(mine.values()))
    name = f"**{program}**" if first["is_chosen"] else program
    line: dict[str, Cell] = {
        "game": f"`{game}`",
        "program": name,
        "nonzeros": first["nonzeros"],
        "made in": rounded(first["make"]),
    }
    for engine in ENGINES:
        row = mine.get(engine)
        line[engine] = rounded(row["solve"]) if row and row["gap"] is not None else ""
    clarabel = mine.get("clarabel")
    return line | {"nash_gap of clarabel": rounded(clarabel["gap"]) if clarabel else ""}


PROGRAMS_COMPARED = ExperimentSpec(
    name="programs",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=("liars-dice(sides=4)",)),
        Axis("program", PROGRAMS),
        Axis("engine", ENGINES),
    ),
    measure=solve_program,
    prepare=load_solvers,
    figures={"programs.md": write_programs},
    shown=("game", "program", "engine", "nonzeros", "make", "solve", "gap"),
    memory="3 GB",
)

if __name__ == "__main__":
    run_as_script("programs")
