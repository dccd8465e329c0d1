"""`python -m benchmarks.run [TABLE ...]`: measure, print the tables, and save them in
benchmarks/results/.

One process at a time and one thread; CPU seconds; medians of 3 or more (of 1 for the two largest
games inside one process, and for Gambit on Leduc and liar's dice). Ratios compare figures of one
run of this program on one machine.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import (
    complementary_tables,
    elsewhere_tables,
    holdem,
    judging,
    pages,
    restricted,
)
from benchmarks.cases import CASES
from benchmarks.connect_four import BOARDS as CONNECT_FOUR_BOARDS
from benchmarks.connect_four import GENERIC as CONNECT_FOUR_GENERIC
from benchmarks.exact import CASES as EXACT_CASES
from benchmarks.iterative import CASES as ITERATIVE_CASES
from benchmarks.layouts import layouts
from benchmarks.lossless import CASES as LOSSLESS_CASES
from benchmarks.many_players import many_players
from benchmarks.markdown import Table, markdown
from benchmarks.measure import Run, child, run
from benchmarks.poker_tables import poker_tables
from benchmarks.refinement import GAMES as REFINED
from benchmarks.refinement import OPEN_SPIEL
from benchmarks.small import small
from benchmarks.startup import startup
from benchmarks.tournaments import tournaments, tournaments_of_three
from benchmarks.tried import variants
from seqform.base.provenance import PACKAGES, provenance
from seqform.base.whole_file import write_text

RESULTS = Path(__file__).parent / "results"
TIMED = ("numba", "qdldl", "pypardiso", "mkl", "open_spiel", "ecos", "pygambit", "LiteEFG")
"""Whose versions a table names, beside those that every result does: what is timed here."""

SEQFORM = Path(sys.executable).with_name("seqform")
LARGE = ("leduc 13x2", "liar's dice 6")
SLOW = {("leduc 13x2", "simplex"), ("leduc 13x2", "ipx"), ("liar's dice 6", "simplex")}
"""Bare solves that take more than a minute or two and are never the fastest."""


def repeats(case: str) -> int:
    """Return how often a case is repeated inside one process."""
    return 1 if case in LARGE else 5


def end_to_end() -> Table:
    """From rules to certificate, beside the bare solve of each engine on the same matrices (CPU
    seconds)."""
    rows = []
    for case in CASES:
        mine = child("ours", case, repeats(case), 600).record or {}
        bare = {
            name: bare_solve(case, option).get("seconds")
            for name, option in (("simplex", "simplex"), ("ipx", "ipx"), ("clarabel", "1e-12"))
        }
        best = min(seconds for seconds in bare.values() if seconds is not None)
        took = mine["seconds"]
        ratios = {
            "total / best bare": mine["total"] / best,
            "build / solve": (took["tree"] + took["sequence form"] + took["LP"]) / took["solve"],
        }
        bare = {f"bare {name}": seconds for name, seconds in bare.items()}
        rows.append(
            {
                "game": case,
                "solver": mine["solver"],
                **took,
                "total": mine["total"],
                **bare,
                **ratios,
            }
        )
    return rows


def bare_solve(case: str, option: str) -> dict[str, Any]:
    """Return seconds, gap and size of a bare solve; nothing where it is known to be slow or takes
    over two minutes."""
    if (case, option) in SLOW:
        return {}
    return child(f"engine:{option}", case, repeats(case), 120).record or {}


PEERS = ("kuhn", "goofspiel 4", "liar's dice 4", "leduc 3x2", "liar's dice 5", "leduc 6x2")


def peers() -> Table:
    """Against OpenSpiel and Gambit: CPU seconds inside the process, and CPU and memory of whole
    processes."""
    rows = []
    for case in PEERS:
        mine = compare("ours", "once", case, 5, 120)
        rows.append(
            {
                "game": case,
                "program": "seqform",
                **mine,
                "inside / ours": 1.0,
                "process / ours": 1.0,
            }
        )
        for name, limit in (("open_spiel", 300), ("gambit:float", 60), ("gambit:exact", 60)):
            small = name == "open_spiel" or case in ("kuhn", "goofspiel 4")
            theirs = compare(name, name, case, 3 if small else 1, limit)
            if theirs["inside"] is not None:
                theirs["inside / ours"] = theirs["inside"] / mine["inside"]
                theirs["process / ours"] = theirs["process"] / mine["process"]
            rows.append({"game": case, "program": name, **theirs})
    return rows


def compare(inside: str, whole: str, case: str, times: int, timeout: float) -> dict[str, Any]:
    """Return the median inside a process, and CPU and peak memory of whole processes that do it
    once."""
    measured = child(inside, case, times, timeout)
    if measured.record is None:
        return {
            "inside": None,
            "process": None,
            "peak MB": None,
            "value": None,
            "note": measured.note,
        }
    runs = [child(whole, case, 1, timeout) for _ in range(3 if measured.cpu < 60 else 1)]
    return {
        "inside": measured.record["total"],
        "process": statistics.median(r.cpu for r in runs),
        "peak MB": statistics.median(r.peak_mb for r in runs),
        "value": measured.record["value"],
        "note": measured.record.get("note", ""),
    }


def big() -> Table:
    """`seqform solve` as a whole process on the two games at which OpenSpiel runs out of memory
    (CPU seconds)."""
    rows = []
    for case in LARGE:
        runs = [run(solve_command(case), 600) for _ in range(3)]
        record = runs[0].record or {}
        costs = {
            "CPU": statistics.median(r.cpu for r in runs),
            "peak MB": max(r.peak_mb for r in runs),
        }
        rows.append(
            {
                "game": case,
                **costs,
                **{key: record.get(key) for key in ("value", "nash_gap", "status")},
            }
        )
    return rows


def large_trees() -> Table:
    """Random games of up to ten million nodes: CPU seconds, and MB held at most by the end of each
    step."""
    from benchmarks.large_trees import GAMES

    command = [sys.executable, "-m", "benchmarks.large_trees"]
    return [run([*command, *map(str, game)], 1800).record or {"game": str(game)} for game in GAMES]


def solve_command(case: str) -> list[str]:
    """Return the command line that solves a case."""
    given = [
        word for key, value in CASES[case].parameters.items() for word in ("-p", f"{key}={value}")
    ]
    return [str(SEQFORM), "solve", CASES[case].game, *given, "--json"]


def engines() -> Table:
    """Bare solve time and true nash_gap of each engine and tolerance, by size: which should be the
    default from where?"""
    rows = []
    for case in CASES:
        row: dict[str, Any] = {"game": case, "nonzeros": 0}
        for option in ("simplex", "ipx", "1e-8", "1e-10", "1e-12"):
            record = bare_solve(case, option)
            row["nonzeros"] = record.get("nonzeros", row["nonzeros"])
            row |= {f"{option} s": record.get("seconds"), f"{option} gap": record.get("nash_gap")}
        rows.append(row)
    return sorted(rows, key=lambda row: row["nonzeros"])


CRITERIA = ("outcome", "suit", "equitable")


def shrink() -> Table:
    """GameShrink on the 52-card Rhode Island hold'em (CPU seconds; cold: the first time in a
    process)."""
    measured = ((criterion, reduction("shrink", criterion)) for criterion in CRITERIA)
    return [
        {"criterion": criterion, **(r.record or {}), "peak MB": r.peak_mb}
        for criterion, r in measured
    ]


def assembled() -> Table:
    """The linear program of the 52-card game as a compressed matrix (CPU seconds from the rules
    on)."""
    measured = reduction("assemble", "outcome")
    return [{"criterion": "outcome", **(measured.record or {}), "peak MB": measured.peak_mb}]


def kronecker() -> Table:
    """The Kronecker operator against its own matrix, largest difference of a product relative to
    its largest entry."""
    decks = [f"{ranks}x{suits}" for ranks in range(3, 9) for suits in (2, 3, 4)]
    return [{"deck": deck, **(reduction("difference", deck).record or {})} for deck in decks]


def iterative() -> Table:
    """Iterative solvers: milliseconds an iteration, and CPU seconds to an exploitability of 1e-3,
    1e-4 and 1e-5 (two minutes at most)."""
    rows = []
    for game in ITERATIVE_CASES:
        for program in ("dcfr", "cfr+", "pcfr+", "open_spiel", "LiteEFG"):
            measured = run([sys.executable, "-m", "benchmarks.iterative", program, game], 600)
            rows.append(
                {"game": game, "program": program, **(measured.record or {"note": measured.note})}
            )
    return rows


def exact() -> Table:
    """Exact equilibria: CPU seconds of the float linear program and of the exact step after it;
    others' own (two minutes at most)."""
    rows = []
    for game in EXACT_CASES:
        record = exact_child("seqform", game, 900)
        row = {"game": game, **record}
        for program in ("gambit", "qsopt_ex"):
            theirs = (
                exact_child(program, game, 120)
                if record["sequences"][0] <= MOST_SEQUENCES[program]
                else {"note": "not tried"}
            )
            agrees = (
                "" if theirs.get("value", record["value"]) == record["value"] else ", another value"
            )
            seconds = theirs.get("exact s")
            ratio = None if seconds is None else seconds / (record["LP s"] + record["exact s"])
            row |= {
                f"{program} s": theirs["note"] if seconds is None else f"{seconds:.3g}{agrees}",
                f"{program} / ours": ratio,
            }
        row["value"] = (
            record["value"]
            if len(record["value"]) < 130
            else f"a fraction of {len(record['value']):,} characters"
        )
        rows.append(row)
    return rows


MOST_SEQUENCES = {"gambit": 340, "qsopt_ex": 6100}
"""Sequences of player 0 beyond which others were not seen to end within minutes."""


def exact_child(program: str, game: str, timeout: float) -> dict[str, Any]:
    """Return what one program measures of one game, or a note."""
    measured = run([sys.executable, "-m", "benchmarks.exact", program, game], timeout)
    return measured.record or {"note": measured.note}


def refinement() -> Table:
    """Quasi-perfect equilibria: CPU seconds of the linear program, of the exact equilibrium, and of
    refining it; what is gained after a mistake, before and after; OpenSpiel's linear program."""
    rows = []
    for game in REFINED:
        command = [sys.executable, "-m", "benchmarks.refinement"]
        measured = run([*command, "seqform", game], 900)
        row = {"game": game, **(measured.record or {"note": measured.note})}
        if game in OPEN_SPIEL:
            theirs = run([*command, "open_spiel", game], 300).record or {}
            row |= {f"open_spiel {key}": value for key, value in theirs.items()}
        rows.append(row)
    return rows


def whole_game() -> Table:
    """The whole Rhode Island hold'em by its equitable classes: CPU seconds and iterations to each
    gap, then wall seconds by threads. Medians of 3 for the default, `tuned-dcfr` in single
    precision."""
    rows: Table = []
    script = [sys.executable, "-m", "benchmarks.whole_game"]
    for method, precision, times in (
        ("tuned-dcfr", "single", 3),
        ("hs-dcfr", "single", 1),
        ("tuned-dcfr", "double", 1),
    ):
        runs = [run([*script, method, precision, "1", "600"], 900) for _ in range(times)]
        peak = statistics.median(measured.peak_mb for measured in runs)
        looks = zip(*((measured.record or {}).get("gaps", []) for measured in runs), strict=True)
        rows += [
            {"method": method, "precision": precision, "threads": 1, **_median(look), "MB": peak}
            for look in looks
        ]
    for precision in ("single", "double"):
        for threads in (1, 2, 4):
            case = ["tuned-dcfr", precision]
            measured = run([*script, *case, str(threads), "12"], 300)
            speed = {key: (measured.record or {}).get(key) for key in ("ms", "wall ms")}
            rows.append(
                {
                    **dict(zip(("method", "precision"), case, strict=True)),
                    "threads": threads,
                    **speed,
                    "MB": measured.peak_mb,
                }
            )
    return rows


def _median(looks: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return what equal searches took to the same gap."""
    return {name: statistics.median(look[name] for look in looks) for name in looks[0]}


def tried() -> Table:
    """Other ways to search a deck of six ranks (Rhode Island hold'em): to each gap, CPU seconds."""
    rows: Table = []
    for name in variants():
        measured = run([sys.executable, "-m", "benchmarks.tried", name], 120)
        rows.append({"variant": name, **(measured.record or {"note": measured.note})})
    return rows


def lossless() -> Table:
    """Solving as it is, by equitable classes, and as `auto` chooses (CPU seconds)."""
    rows: Table = []
    for method in ("lp", "dcfr"):
        for name in LOSSLESS_CASES:
            measured = run([sys.executable, "-m", "benchmarks.lossless", method, name], 150)
            record = measured.record or {"note": measured.note}
            rows.append({"method": method, "game": name, **record})
    return rows


TIC_TAC_TOE = {
    ("alpha-beta", "seqform"): (
        "alphabeta",
        """
from games.tic_tac_toe import tic_tac_toe
from seqform.perfect_information import alpha_beta
print(alpha_beta(tic_tac_toe()).value)
""",
    ),
    ("alpha-beta", "open_spiel"): (
        "open_spiel_alpha_beta",
        """
import pyspiel
from open_spiel.python.algorithms import minimax
print(minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))[0])
""",
    ),
    ("every state", "seqform"): (
        "backward",
        """
from games.tic_tac_toe import tic_tac_toe
from seqform.perfect_information import backward_induction
print(backward_induction(tic_tac_toe()).value)
""",
    ),
    ("every state", "open_spiel"): (
        "open_spiel_value_iteration",
        """
import pyspiel
from open_spiel.python.algorithms import value_iteration
game = pyspiel.load_game("tic_tac_toe")
print(len(value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01)))
""",
    ),
}
"""By what is computed and by whom: the measurement inside a process, and the script that is a whole
one."""


def tic_tac_toe() -> Table:
    """Tic-tac-toe: CPU seconds inside a process and of whole ones, medians of 9; ratios are to
    seqform."""
    rows: Table = []
    for (what, program), (inside, script) in TIC_TAC_TOE.items():
        measured = (
            run([sys.executable, "-m", "benchmarks.perfect_information", inside, "9"], 120).record
            or {}
        )
        whole = statistics.median(
            [run([sys.executable, "-c", script], 60).cpu for _ in range(10)][1:]
        )
        row = {
            "what": what,
            "program": program,
            "inside": measured["seconds"],
            "process": whole,
            "states": measured.get("nodes"),
        }
        ours = rows[-1] if program == "open_spiel" else row
        rows.append(row | {f"{key} / ours": row[key] / ours[key] for key in ("inside", "process")})
    for method in ("alphabeta", "backward"):
        command = [str(SEQFORM), "solve", "tic-tac-toe", "--method", method, "--json"]
        whole = statistics.median([run(command, 60).cpu for _ in range(10)][1:])
        rows.append(
            {"what": f"seqform solve --method {method}", "program": "seqform", "process": whole}
        )
    return rows


GROWTH = (
    (2, 8),
    (2, 12),
    (2, 16),
    (3, 6),
    (3, 8),
    (3, 10),
    (4, 6),
    (4, 8),
    (8, 4),
    (8, 5),
    (8, 6),
    (16, 4),
)


def growth() -> Table:
    """Nodes and CPU seconds on uniform trees of branching b and depth d, against b^d and the best
    case b^ceil(d/2) + b^floor(d/2) - 1."""
    command = [sys.executable, "-m", "benchmarks.perfect_information", "growth"]
    return [run([*command, str(b), str(d)], 300).record or {} for b, d in GROWTH]


def connect_four() -> Table:
    """Connect Four from the empty board by `--method bitboard`, beside alpha-beta on the rules (CPU
    seconds, one thread, one run)."""
    command = [sys.executable, "-m", "benchmarks.connect_four"]
    rows: Table = []
    for board in CONNECT_FOUR_BOARDS:
        name = list(map(str, board))
        ours = run([*command, "bitboard", *name], 1200)
        generic = (
            run([*command, "alphabeta", *name], 300).record or {}
            if board in CONNECT_FOUR_GENERIC
            else {}
        )
        beside = {f"alpha-beta {key}": generic.get(key) for key in ("value", "nodes", "s")}
        rows.append(
            {
                "board": "x".join(name),
                **(ours.record or {"note": ours.note}),
                "peak MB": ours.peak_mb,
                **beside,
            }
        )
    return rows


def reduction(what: str, argument: str) -> Run:
    """Run one measurement of `benchmarks.reductions`."""
    return run([sys.executable, "-m", "benchmarks.reductions", what, argument], 600)


TABLES: dict[str, Callable[[], Table]] = {
    "startup": startup,
    "small": small,
    "end_to_end": end_to_end,
    "big": big,
    "large_trees": large_trees,
    "engines": engines,
    "peers": peers,
    "shrink": shrink,
    "lossless": lossless,
    "assembled": assembled,
    "kronecker": kronecker,
    "iterative": iterative,
    "exact": exact,
    "refinement": refinement,
    "whole_game": whole_game,
    "tried": tried,
    "tic_tac_toe": tic_tac_toe,
    "growth": growth,
    "connect_four": connect_four,
    "many_players": many_players,
    "poker_tables": poker_tables,
    **elsewhere_tables.TABLES,
    **complementary_tables.TABLES,
    **judging.TABLES,
    "restricted": restricted.restricted,
    "pages": pages.pages,
    **holdem.TABLES,
    "tournaments": tournaments,
    "tournaments_of_three": tournaments_of_three,
    "libratus": holdem.libratus,
}

ASKED_FOR = ("libratus",)
"""Tables of files that one has to bring; without names they are left out."""


def texts(name: str, rows: Table) -> dict[str, str]:
    """Return the tables of a benchmark's rows as markdown, by file."""
    title = " ".join((TABLES[name].__doc__ or name).split("\n\n")[0].split())
    return {f"{file}.md": markdown(title, layout(rows)) for file, layout in layouts(name).items()}


def saved() -> dict[str, dict[str, Any]]:
    """Return what was measured by benchmark: its rows, and their provenance."""
    paths = {name: RESULTS / f"{name}.json" for name in TABLES}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


NAMED = (
    "processor",
    "python",
    "seqform",
    "highspy",
    "clarabel",
    "open_spiel",
    "pygambit",
    "LiteEFG",
)


def versions(contents: dict[str, dict[str, Any]]) -> str:
    """Return when each benchmark was measured, with what, as markdown."""
    lines = [
        {"table": f"`{name}`", "date": content["provenance"]["time"][:10]}
        | {key: content["provenance"].get(key) for key in NAMED}
        for name, content in contents.items()
    ]
    return markdown("When each table was measured, with what.", lines)


def all_texts() -> dict[str, str]:
    """Return the tables of all that was measured as markdown, by file."""
    contents = saved()
    tables = {
        file: text
        for name in contents
        for file, text in texts(name, contents[name]["rows"]).items()
    }
    return tables | {"versions.md": versions(contents)}


def write_tables() -> None:
    """Write the tables of all that was measured."""
    for file, text in all_texts().items():
        write_text(RESULTS / file, text)


def main(names: list[str]) -> None:
    """Measure the named tables, or all."""
    RESULTS.mkdir(exist_ok=True)
    for name in names or [name for name in TABLES if name not in ASKED_FOR]:
        rows = TABLES[name]()
        print("\n".join(texts(name, rows).values()), flush=True)
        content = {"provenance": provenance((*PACKAGES, *TIMED)), "rows": rows}
        write_text(RESULTS / f"{name}.json", json.dumps(content, indent=1) + "\n")
        write_tables()


if __name__ == "__main__":
    main(sys.argv[1:])
