"""How fast do the solvers converge?

Claim: on large games `hs-dcfr` is ahead of other regret minimization; `pdhg` converges linearly on
small ones; where a linear program fits, it is quicker and closer.

Source: measured here; the methods' papers are in docs/explanation/regret-minimization.md.

Every iterative method runs on Kuhn, Leduc, liar's dice and the whole Rhode Island hold'em (by
lossless `equitable` classes). Rows are the nash_gap against iterations and CPU seconds, compilation
excluded. The linear program, where one can be solved, is a point: its time and its certified gap.
Gaps are the engines' own, computed by best responses to the averages; the last one of each line is
certified.

Games and methods of one's own take part by name, file or `module:attribute`. A method has ten
seconds for a game, or what its options say: `cfr+(time_limit=60,gap=1e-6,iterations=1000)`. Options
of a regret rule are its fields: `dcfr(gamma=2)`. One without an engine is a line where its answers
have a history, by wall-clock seconds, and else a point.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.engines import MakeEngine, engine_maker, solution_of
from experiments.labels import game_of, method_of
from experiments.legends import draw_legend, drawn_gap
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, Cell, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm

ITERATIVE = ("cfr", "cfr+", "dcfr", "hs-dcfr", "linear-cfr", "pcfr+", "pdhg")
PROGRAM = "lp"
DASHES = ("-", "--", ":", "-.")
"""Of lines that would have the color of another."""


class Aim(NamedTuple):
    """The CPU seconds that each method has for a game, and the gap at which it may stop."""

    seconds: float
    gap: float


AIMS = {
    "kuhn": Aim(2.0, 1e-12),
    "leduc": Aim(10.0, 1e-10),
    "liars-dice(sides=5)": Aim(10.0, 1e-10),
    "rhode-island": Aim(90.0, 1e-5),
}
OTHERS = Aim(10.0, 1e-10)
TITLES = {
    "kuhn": "Kuhn",
    "leduc": "Leduc",
    "liars-dice(sides=5)": "liar's dice, 5 sides",
    "rhode-island": "Rhode Island",
}


def form_of(point: Point) -> SequenceForm:
    """Return the sequence form that methods run on.

    That is the tree's, or for Rhode Island hold'em the one of its `equitable` classes.
    """
    from seqform import build_sequence_form, build_tree, reduce
    from seqform.io.named_game import named_game

    game = named_game(point.game, point.parameters)
    if point.game == "rhode-island":
        return reduce(game, "equitable")[0]
    return build_sequence_form(build_tree(game))


def converge(point: Point) -> list[Row]:
    """Return gap against iterations and CPU seconds: a line, or where there is none a point."""
    make, form = engine_maker(point), form_of(point)
    return found(point, form) if make is None else curve(point, form, make)


def curve(point: Point, form: SequenceForm, make: MakeEngine) -> list[Row]:
    """Return gap against iterations and CPU seconds."""
    from seqform import certify
    from seqform.solvers.iterative.search import Limits, progress

    aim, single = aim_of(point), point.game == "rhode-island"
    first = make(form, single)
    first.run(1)  # compiles, as does the next line
    first.bounds()
    del first
    engine = make(form, single)
    most = point.options.get("iterations")
    limits = Limits(aim.gap, math.inf if most is None else float(most))
    start = time.process_time()
    rows: list[Row] = []
    for now in progress(engine, limits):
        spent = time.process_time() - start
        rows.append({"iterations": now.iterations, "spent": round(spent, 5), "gap": now.gap})
        if now.gap <= aim.gap or spent >= aim.seconds:
            break
    certificate = certify(form, form.profile_of_plans(engine.plans()))
    rows[-1]["certified_gap"] = certificate.nash_gap
    return rows


def aim_of(point: Point) -> Aim:
    """Return the seconds and the gap of a point: those of its options, else of its game."""
    aim, options = AIMS.get(str(point["game"]), OTHERS), point.options
    return Aim(
        float(options.get("time_limit") or aim.seconds), float(options.get("gap") or aim.gap)
    )


def found(point: Point, form: SequenceForm) -> list[Row]:
    """Return the way of a method without an engine, if it tells one, and its certified gap."""
    options: dict[str, Any] = {"exact": False} if point.method == PROGRAM else {}
    if point.method != PROGRAM:  # which ends by itself
        options["time_limit"] = aim_of(point).seconds
    seconds, solution = cpu(lambda: solution_of(point, form, **options))
    rows: list[Row] = [
        {"iterations": look.iterations, "spent": round(look.seconds, 5), "gap": look.gap}
        for look in solution.history
    ]
    gap = solution.nash_gap
    spent = {"iterations": solution.iterations, "spent": round(seconds, 5)}
    return [*rows, {**spent, "gap": gap, "certified_gap": gap}]


def draw_convergence(rows: Sequence[Row]) -> Any:
    """Draw gaps against iterations above and against seconds below, a column for each game."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(map(game_of, rows)))
    colors = colors_of(rows)
    figure = Figure(figsize=(3.0 * len(games), 5.6), dpi=160, layout="constrained")
    panels = figure.subplots(2, len(games), squeeze=False)
    for column, game in enumerate(games):
        mine = [row for row in rows if game_of(row) == game and row["gap"] is not None]
        for line, (axis, label) in enumerate(
            {"iterations": "iterations", "spent": "CPU seconds"}.items()
        ):
            _draw_panel(panels[line][column], mine, axis, colors)
            panels[line][column].set_xlabel(label)
        panels[0][column].set_title(TITLES.get(game, game), fontsize=10)
    for line in panels:
        line[0].set_ylabel("nash_gap")
    draw_legend(figure)
    return figure


def colors_of(rows: Sequence[Row]) -> dict[str, str]:
    """Return a color for each method that was measured: ours have always the same."""
    measured = {method_of(row) for row in rows} - {PROGRAM}
    known = (*ITERATIVE, *sorted(measured - {*ITERATIVE}))
    return {method: f"C{place}" for place, method in enumerate(known) if method in measured}


def _draw_panel(axes: Any, rows: Sequence[Row], axis: str, colors: dict[str, str]) -> None:
    places = list(colors)
    for method, color in colors.items():
        mine = [row for row in rows if method_of(row) == method]
        x, y = [row[axis] for row in mine], [drawn_gap(row["gap"]) for row in mine]
        if len(mine) > 1:
            style = DASHES[places.index(method) // 10 % len(DASHES)]
            axes.loglog(x, y, style, label=method, linewidth=1.2, color=color)
        elif mine and axis == "spent":
            axes.loglog(x, y, "D", label=method, markersize=5, color=color)
    if axis == "spent":
        points = [(row[axis], drawn_gap(row["gap"])) for row in rows if method_of(row) == PROGRAM]
        for spent, gap in points:
            axes.loglog([spent], [gap], "*", color="black", markersize=10, label=PROGRAM)
    axes.grid(alpha=0.3)
    if not axes.lines:
        axes.text(0.5, 0.5, "no line", ha="center", transform=axes.transAxes, color="#666666")
        axes.set(xticks=[], yticks=[])


TARGETS = {"1e-3": 1e-3, "1e-5": 1e-5, "1e-8": 1e-8}
"""The gaps of the table, in the game's unit."""


def write_table(rows: Sequence[Row]) -> str:
    """Return iterations, and CPU seconds in brackets, to a few gaps."""
    lines: dict[tuple[str, Cell], dict[str, Cell]] = {}
    for row in rows:
        game, method = game_of(row), method_of(row)
        line = lines.setdefault((game, method), {"game": f"`{game}`", "method": f"`{method}`"})
        for heading, target in TARGETS.items():
            line.setdefault(heading, None)
            if line[heading] is None and float(row["gap"] or 0) <= target:
                line[heading] = f"{row['iterations']:,} ({rounded(row['spent'])} s)"
    return table(lines.values())


CONVERGENCE = ExperimentSpec(
    name="convergence",
    doc=__doc__,
    axes=(
        Axis("game", tuple(AIMS), quick=("kuhn",)),
        Axis("method", (*ITERATIVE, PROGRAM)),
    ),
    measure=converge,
    keep=lambda point: (point.game, point.method) != ("rhode-island", PROGRAM),
    prepare=load_solvers,
    figures={"convergence.png": draw_convergence, "convergence.md": write_table},
    shown=("game", "parameters", "method", "iterations", "spent", "gap"),
    memory="2 GB",
    brief=True,
)

if __name__ == "__main__":
    run_as_script("convergence")
