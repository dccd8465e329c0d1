"""How fast do the solvers converge?

`python -m experiments.convergence` runs every iterative method on Kuhn, Leduc, liar's dice and the
whole Rhode Island hold'em (by lossless `equitable` classes) and records the nash_gap against
iterations and CPU seconds, compilation excluded. The linear program, where one can be solved, is a
point: its time and its certified gap. Gaps are the engines' own, computed by best responses to the
averages; the last one of each line is certified.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from abstraction.equitable import EQUITABLE
from experiments.tables import Row, arguments, cpu, save, save_picture, show, show_versions, warm_up
from seqform import build_sequence_form, build_tree, certify, solve
from seqform.form.sequence_form import SequenceForm
from seqform.game.catalogue import make
from seqform.methods.method import METHODS
from seqform.solvers.iterative.search import Limits, progress

ITERATIVE = tuple(method.name for method in METHODS if hasattr(method, "engine"))


class Case(NamedTuple):
    """A game by name and parameters.

    `seconds` is the CPU time that each method has for it, and `gap` where a method may stop.
    """

    name: str
    game: str
    parameters: dict[str, str]
    seconds: float
    gap: float


CASES = (
    Case("Kuhn", "kuhn", {}, 2.0, 1e-12),
    Case("Leduc", "leduc", {}, 10.0, 1e-10),
    Case("liar's dice 5", "liars-dice", {"sides": "5"}, 10.0, 1e-10),
    Case("Rhode Island", "rhode-island", {}, 90.0, 1e-5),
)
QUICK = tuple(case._replace(seconds=0.3) for case in CASES[:2])


def form_of(case: Case) -> SequenceForm:
    """Return the sequence form that methods run on.

    That is the tree's, or for Rhode Island hold'em the one of its `equitable` classes.
    """
    game = make(case.game, **case.parameters)
    if case.game == "rhode-island":
        return EQUITABLE.apply(game)[0]
    return build_sequence_form(build_tree(game))


def curve(case: Case, form: SequenceForm, method: str) -> list[Row]:
    """Return gap against iterations and CPU seconds."""
    single = case.game == "rhode-island"
    make_engine = METHODS.get(method).engine  # type: ignore[attr-defined]
    first = make_engine(form, single)
    first.run(1)  # compiles, as does the next line
    first.bounds()
    del first
    engine = make_engine(form, single)
    start = time.process_time()
    rows: list[Row] = []
    for now in progress(engine, Limits(gap=case.gap)):
        seconds = time.process_time() - start
        row: Row = {
            "game": case.name,
            "method": method,
            "iterations": now.iterations,
            "cpu_seconds": round(seconds, 5),
        }
        rows.append({**row, "gap": now.gap, "certified_gap": None})
        if now.gap <= case.gap or seconds >= case.seconds:
            break
    certificate = certify(form, form.profile_of_plans(engine.plans()))
    rows[-1]["certified_gap"] = certificate.nash_gap
    return rows


def point(case: Case, form: SequenceForm) -> list[Row]:
    """Return time and certified gap of the linear program, if it can be solved."""
    if case.game == "rhode-island":
        return []
    seconds, solution = cpu(lambda: solve(form, method="lp"))
    row: Row = {
        "game": case.name,
        "method": "lp",
        "iterations": solution.iterations,
        "cpu_seconds": round(seconds, 5),
    }
    return [{**row, "gap": solution.nash_gap, "certified_gap": solution.nash_gap}]


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw gaps against iterations above and against seconds below, a column for each game."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(str(row["game"]) for row in rows))
    figure = Figure(figsize=(3.0 * len(games), 5.6), dpi=160, layout="constrained")
    panels = figure.subplots(2, len(games), squeeze=False)
    for column, game in enumerate(games):
        for line, axis in enumerate(("iterations", "cpu_seconds")):
            axes = panels[line][column]
            for number, method in enumerate(ITERATIVE):
                mine = [row for row in rows if row["game"] == game and row["method"] == method]
                axes.loglog(
                    [r[axis] for r in mine],
                    [r["gap"] for r in mine],
                    label=method,
                    linewidth=1.2,
                    color=f"C{number}",
                )
            for row in rows:
                if row["game"] == game and row["method"] == "lp" and axis == "cpu_seconds":
                    axes.loglog(
                        [row[axis]],
                        [row["gap"]],
                        marker="*",
                        color="black",
                        markersize=10,
                        linestyle="none",
                        label="lp",
                    )
            axes.set_xlabel("iterations" if axis == "iterations" else "CPU seconds")
            axes.grid(alpha=0.3)
            if not line:
                axes.set_title(game, fontsize=10)
        panels[0][column].set_ylabel("nash_gap" if not column else "")
    panels[1][0].set_ylabel("nash_gap")
    handles, labels = panels[1][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    save_picture(path, figure)


def main(given: Sequence[str] | None = None) -> None:
    """Run, save and print."""
    options = arguments(__doc__, given)
    warm_up()
    rows: list[Row] = []
    for case in QUICK if options.quick else CASES:
        form = form_of(case)
        rows += [row for method in ITERATIVE for row in curve(case, form, method)] + point(
            case, form
        )
    save(options.out / "convergence.csv", rows)
    draw(options.out / "convergence.png", rows)
    last = [row for row in rows if row["certified_gap"] is not None]
    show(
        "Where each method was at its limit",
        last,
        ("game", "method", "iterations", "cpu_seconds", "gap", "certified_gap"),
        "game",
    )
    show_versions()


if __name__ == "__main__":
    main()
