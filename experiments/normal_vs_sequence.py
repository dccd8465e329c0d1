"""How large and how slow is a game's normal form, and what does the sequence form spare us?

Claim: the table grows exponentially in the size of the tree and the sequence form linearly; from
about a hundred nodes on the table is slower, and soon it cannot be built.

Source: von Stengel, Efficient computation of behavior strategies, Games and Economic Behavior 14,
1996; Koller, Megiddo & von Stengel, STOC 1994.

Pure strategies, reduced ones and sequences of the same zero-sum games are counted. Where the
reduced normal form has at most five million entries it is built, and solved by the linear program
of a matrix game. The sequence form is always solved, by the same solver. Both values are certified.

Seconds are CPU seconds, the least of three, after a warm-up. `build` is making the table from the
sequence form; `table` and `sequence` are making the linear program, solving it by HiGHS, and
certifying. The tree and the sequence form are made before, and in none of them. Nonzeros of the
table are those of its payoffs; those of the sequence form have the constraints too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log10, prod
from typing import TYPE_CHECKING, Any, TypeVar

from experiments.labels import game_of
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import NormalForm, SequenceForm, Solution

T = TypeVar("T")

SOLVED_UP_TO = 5_000_000
"""Entries of a table up to which it is built and solved."""

FAMILIES = {
    "Kuhn poker, 3 to 13 cards": tuple(f"kuhn(cards={n})" for n in range(3, 14)),
    "random, depth 3 to 13": tuple(
        f"random(branching=2,depth={depth},seed=4)" for depth in range(3, 14)
    ),
    "Leduc, 2 to 5 ranks": tuple(f"leduc(ranks={n})" for n in range(2, 6)),
}
"""The lines of the picture."""

OTHERS = (
    *("von-stengel", "king-queen-jack", "goofspiel(cards=3)", "goofspiel(cards=4)"),
    "liars-dice(sides=3)",
)
GAMES = (*(game for games in FAMILIES.values() for game in games), *OTHERS)
QUICK = ("kuhn(cards=3)", "kuhn(cards=4)", *FAMILIES["random, depth 3 to 13"][:2], "von-stengel")


def compare(point: Point) -> Row:
    """Return a game's sizes in both forms, and the seconds that each takes."""
    from seqform import build_sequence_form, build_tree
    from seqform.io.named_game import named_game

    form = build_sequence_form(build_tree(named_game(point.game, point.parameters)))
    seconds, solution = fastest(lambda: by_program(form))
    return {
        "family": next((name for name, of in FAMILIES.items() if point["game"] in of), "others"),
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
    from seqform import count_strategies

    counts = [count_strategies(treeplex) for treeplex in form.treeplexes]
    combinations = prod(count.reduced for count in counts)
    return {
        **{f"pure_{player}": _cell(count.pure) for player, count in enumerate(counts)},
        **{f"reduced_{player}": _cell(count.reduced) for player, count in enumerate(counts)},
        "log10_combinations": round(log10(combinations), 3),
    }


def _cell(count: int) -> int | str:
    from seqform.form.pure_strategies import EXACT_BELOW, large_number

    return count if count < EXACT_BELOW else large_number(count)


def table_of(form: SequenceForm) -> Row:
    """Return what building and solving the normal form takes, if it is small enough."""
    import numpy as np

    from seqform import count_strategies

    if prod(count_strategies(treeplex).reduced for treeplex in form.treeplexes) > SOLVED_UP_TO:
        return {}
    built, (normal, one_shot) = fastest(lambda: normal_form(form))
    solved, solution = fastest(lambda: by_program(one_shot))
    return {
        "table_nonzeros": int(np.count_nonzero(normal.tables[0].numbers)),
        "build_seconds": round(built, 5),
        "table_seconds": round(solved, 5),
        "table_value": float(solution.value),
        "table_gap": solution.nash_gap,
    }


def normal_form(form: SequenceForm) -> tuple[NormalForm, SequenceForm]:
    """Return the normal form, and the game of one move that it is."""
    from seqform import build_normal_form

    normal = build_normal_form(form)
    return normal, normal.one_shot


def by_program(form: SequenceForm) -> Solution:
    """Solve a linear program in floats by HiGHS."""
    from seqform import solve

    return solve(form, method="lp", solver="highs", exact=False)


def fastest(action: Callable[[], T]) -> tuple[float, T]:
    """Return the least CPU seconds of three calls, and what the last one returned."""
    runs = [cpu(action) for _ in range(3)]
    return min(seconds for seconds, _ in runs), runs[-1][1]


def draw_forms(rows: Sequence[Row]) -> Any:
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
        both = [row for row in mine if row.get("table_seconds") is not None]
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
    return figure


IN_THE_TABLE = (*(f"kuhn(cards={cards})" for cards in (3, 4, 5, 6, 13)), "leduc(ranks=3)")
"""The games of the table."""


def write_table(rows: Sequence[Row]) -> str:
    """Return sizes and seconds of both forms of a few games."""
    return table(
        {
            "game": f"`{game_of(row)}`",
            "reduced strategies": f"{_count(row['reduced_0'])} x {_count(row['reduced_1'])}",
            "sequences": f"{row['sequences_0']} + {row['sequences_1']}",
            "nonzeros of the table": row["table_nonzeros"],
            "of the program": row["sequence_nonzeros"],
            "seconds by table": by_table(row),
            "by sequences": rounded(row["sequence_seconds"]),
        }
        for row in rows
        if game_of(row) in IN_THE_TABLE
    )


def _count(count: Any) -> str:
    return f"{count:,}" if isinstance(count, int) else str(count)


def by_table(row: Row) -> str:
    """Return the seconds of building and solving the normal form; nothing if it was not."""
    seconds = [row["build_seconds"], row["table_seconds"]]
    return "" if None in seconds else rounded(sum(float(each or 0) for each in seconds))


NORMAL_VS_SEQUENCE = ExperimentSpec(
    name="normal_vs_sequence",
    doc=__doc__,
    axes=(Axis("game", GAMES, quick=QUICK),),
    measure=compare,
    prepare=load_solvers,
    figures={"normal_vs_sequence.png": draw_forms, "normal_vs_sequence.md": write_table},
    shown=("game", "parameters", "nodes", "reduced_0", "table_nonzeros", "sequence_nonzeros"),
    memory="2 GB",
)

if __name__ == "__main__":
    run_as_script("normal_vs_sequence")
