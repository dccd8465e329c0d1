"""How large and how slow is a game's normal form, and what does the sequence form spare us?

`python -m experiments.normal_vs_sequence` counts pure strategies, reduced ones and sequences of the
same zero-sum games. Where the reduced normal form has at most five million entries it is built, and
solved by the linear program of a matrix game. The sequence form is always solved, by the same
solver. Both values are certified.

Seconds are CPU seconds, the least of three, after a warm-up. `build` is making the table from the
sequence form; `table` and `sequence` are making the linear program, solving it by HiGHS, and
certifying. The tree and the sequence form are made before, and in none of them. Nonzeros of the
table are those of its payoffs; those of the sequence form have the constraints too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log10, prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from experiments.tables import Row, arguments, cpu, save, save_picture, show, show_versions, warm_up
from seqform import (
    NormalForm,
    SequenceForm,
    Solution,
    build_normal_form,
    build_sequence_form,
    build_tree,
    count_strategies,
    make,
    solve,
)
from seqform.form.pure_strategies import EXACT_BELOW, large_number

T = TypeVar("T")

SOLVED_UP_TO = 5_000_000
"""Entries of a table up to which it is built and solved."""

NOTHING: Row = {
    "table_nonzeros": None,
    "build_seconds": None,
    "table_seconds": None,
    "table_value": None,
    "table_gap": None,
}


@dataclass(frozen=True)
class Case:
    """A game of the registry with parameters, and the line of the picture that it is on."""

    family: str
    game: str
    parameters: Mapping[str, object]

    @property
    def name(self) -> str:
        """What tables call it."""
        return " ".join([self.game, *(f"{key}={of}" for key, of in self.parameters.items())])


KUHN = tuple(Case("Kuhn poker, 3 to 13 cards", "kuhn", {"cards": n}) for n in range(3, 14))
RANDOM = tuple(
    Case("random, depth 3 to 13", "random", {"seed": 4, "depth": depth, "branching": 2})
    for depth in range(3, 14)
)
LEDUC = tuple(Case("Leduc, 2 to 5 ranks", "leduc", {"ranks": n}) for n in range(2, 6))
TEXTBOOK = (
    Case("others", "von-stengel", {}),
    Case("others", "king-queen-jack", {}),
    Case("others", "goofspiel", {"cards": 3}),
    Case("others", "goofspiel", {"cards": 4}),
    Case("others", "liars-dice", {"sides": 3}),
)
CASES = (*KUHN, *RANDOM, *LEDUC, *TEXTBOOK)
QUICK = (*KUHN[:2], *RANDOM[:2], *TEXTBOOK[:1])


def row_of(case: Case) -> Row:
    """Return a game's sizes in both forms, and the seconds that each takes."""
    form = build_sequence_form(build_tree(make(case.game, **case.parameters)))
    seconds, solution = fastest(lambda: by_program(form))
    return {
        "family": case.family,
        "game": case.name,
        "nodes": form.num_nodes,
        **strategies_of(form),
        **{f"sequences_{p}": t.num_sequences for p, t in enumerate(form.treeplexes)},
        "sequence_nonzeros": solution.sizes["lp_nonzeros"],
        "sequence_seconds": round(seconds, 5),
        "value": float(solution.value),
        "gap": solution.nash_gap,
        **table_of(form),
    }


def strategies_of(form: SequenceForm) -> Row:
    """Return how many pure and reduced strategies the players have."""
    counts = [count_strategies(treeplex) for treeplex in form.treeplexes]
    combinations = prod(count.reduced for count in counts)
    return {
        **{f"pure_{player}": _cell(count.pure) for player, count in enumerate(counts)},
        **{f"reduced_{player}": _cell(count.reduced) for player, count in enumerate(counts)},
        "log10_combinations": round(log10(combinations), 3),
    }


def _cell(count: int) -> int | str:
    return count if count < EXACT_BELOW else large_number(count)


def table_of(form: SequenceForm) -> Row:
    """Return what building and solving the normal form takes, if it is small enough."""
    if prod(count_strategies(treeplex).reduced for treeplex in form.treeplexes) > SOLVED_UP_TO:
        return NOTHING
    built, normal = fastest(lambda: table(form))
    solved, solution = fastest(lambda: by_program(normal.one_shot))
    return {
        "table_nonzeros": int(np.count_nonzero(normal.tables[0].numbers)),
        "build_seconds": round(built, 5),
        "table_seconds": round(solved, 5),
        "table_value": float(solution.value),
        "table_gap": solution.nash_gap,
    }


def table(form: SequenceForm) -> NormalForm:
    """Return the normal form, and make the game of one move that it is."""
    normal = build_normal_form(form)
    assert normal.one_shot.num_players == 2
    return normal


def by_program(form: SequenceForm) -> Solution:
    """Solve a linear program in floats by HiGHS."""
    return solve(form, method="lp", solver="highs", exact=False)


def fastest(action: Callable[[], T]) -> tuple[float, T]:
    """Return the least CPU seconds of three calls, and what the last one returned."""
    runs = [cpu(action) for _ in range(3)]
    return min(seconds for seconds, _ in runs), runs[-1][1]


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw sizes and seconds of both forms against the nodes of the tree."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 4.0), dpi=200, layout="constrained")
    sizes, seconds = figure.subplots(1, 2)
    for number, family in enumerate(dict.fromkeys(str(row["family"]) for row in rows)):
        mine = [row for row in rows if row["family"] == family]
        line = "" if family == "others" else "-"
        style: dict[str, Any] = {"color": f"C{number}", "markersize": 3.5, "linewidth": 1}
        nodes = [row["nodes"] for row in mine]
        sizes.plot(nodes, [row["log10_combinations"] for row in mine], f"s{line}", **style)
        entries = [log10(float(row["sequence_nonzeros"] or 1)) for row in mine]
        sizes.plot(nodes, entries, f"o{line}", markerfacecolor="white", label=family, **style)
        both = [row for row in mine if row["table_seconds"] is not None]
        whole = [
            float(row["build_seconds"] or 0) + float(row["table_seconds"] or 0) for row in both
        ]
        seconds.plot([row["nodes"] for row in both], whole, f"s{line}", **style)
        own = [row["sequence_seconds"] for row in mine]
        seconds.plot(nodes, own, f"o{line}", markerfacecolor="white", **style)
    sizes.set_yscale("symlog", linthresh=10)
    powers = [0, 2, 4, 6, 8, 10, 20, 50, 100, 200]
    sizes.set_yticks(powers, [f"$10^{{{power}}}$" for power in powers])
    sizes.minorticks_off()
    sizes.set_ylabel("entries of the table; nonzeros of the program", fontsize=8)
    seconds.set_yscale("log")
    seconds.set_ylabel(f"CPU seconds; tables of up to {SOLVED_UP_TO:,} entries", fontsize=8)
    for panel in (sizes, seconds):
        panel.set_xscale("log")
        panel.set_xlabel("nodes of the tree", fontsize=8)
        panel.tick_params(labelsize=8)
        panel.grid(which="major", color="#dddddd", linewidth=0.5)
    figure.suptitle("Normal form (filled squares) and sequence form (hollow circles)", fontsize=10)
    figure.legend(loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    save_picture(path, figure)


COLUMNS = (
    *("family", "game", "nodes", "pure_0", "pure_1", "reduced_0", "reduced_1"),
    *("sequences_0", "sequences_1", "table_nonzeros", "sequence_nonzeros"),
    *("build_seconds", "table_seconds", "sequence_seconds"),
)


def main(given: Sequence[str] | None = None) -> None:
    """Count, build, solve, save, draw and print."""
    options = arguments(__doc__, given)
    warm_up()
    rows = [row_of(case) for case in (QUICK if options.quick else CASES)]
    save(options.out / "normal_vs_sequence.csv", rows)
    draw(options.out / "normal_vs_sequence.png", rows)
    shown = [
        {"family": row["family"], **{column: row[column] for column in COLUMNS}} for row in rows
    ]
    show("Normal form and sequence form of the same games", shown, COLUMNS, "game")
    show_versions()


if __name__ == "__main__":
    main()
