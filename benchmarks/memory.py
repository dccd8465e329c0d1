"""What `seqform info` estimates, beside what `seqform solve` takes at most: games, and methods.

`python -m benchmarks.memory` measures whole processes for 20 games, one at a time, and writes the
table benchmarks/results/memory.md with the largest factor between the two. `python -m
benchmarks.memory methods` does the same for methods that are named, in memory_by_method.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.markdown import markdown
from benchmarks.measure import run

RESULTS = Path(__file__).parent / "results"
TITLE = "Peak memory of whole processes, in MB: what `info` estimates and what `solve` takes"
LIMIT = 900.0
"""Seconds that a process may take."""


def _deck(ranks: int, suits: int, max_bets: int = 3) -> dict[str, int]:
    return {"ranks": ranks, "suits": suits, "max_bets": max_bets}


GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kuhn", {}),
    ("kuhn", {"cards": 50}),
    ("leduc", {}),
    ("leduc", {"ranks": 6}),
    ("leduc", {"ranks": 10}),
    ("leduc", {"ranks": 13}),
    ("liars-dice", {}),
    ("liars-dice", {"sides": 5}),
    ("liars-dice", {"sides": 4}),
    ("goofspiel", {}),
    ("goofspiel", {"cards": 5}),
    ("random", {"depth": 9, "seed": 1}),
    ("random", {"depth": 13, "seed": 1}),
    ("rhode-island", _deck(3, 2, 1)),
    ("rhode-island", _deck(3, 2)),
    ("rhode-island", _deck(4, 3, 1)),
    ("rhode-island", _deck(3, 4)),
    ("rhode-island", _deck(4, 4)),
    ("rhode-island", _deck(5, 4)),
    ("rhode-island", _deck(6, 4)),
)


BY_METHOD = (
    "kuhn",
    "kuhn -p players=3",
    "kuhn --method mip",
    "centipede",
    "tic-tac-toe",
    "tic-tac-toe --method minimax",
    "goofspiel --method nfcce",
    "leduc --method lcp",
    "leduc -p ranks=12 --method lcp",
    "leduc -p ranks=13 --method dcfr --gap 0.5",
    "kuhn -p players=3 --method cfr+ --gap 0.5",
    "random -p depth=8 -p zero_sum=false --method dcfr --gap 0.5",
)
"""What is typed after `seqform solve`; without its gap after `seqform info`."""

COMMANDS = {
    "memory": "python -m benchmarks.memory",
    "memory_by_method": "python -m benchmarks.memory methods",
}
"""What measures the tables, by their names."""

START = (sys.executable, "-m", "seqform")


def measure_method(words: str) -> dict[str, Any]:
    """Return the estimate and the peak of one call, in MB; the process says the peak itself."""
    about = words.partition(" --gap")[0].split()
    said = run([*START, "info", *about, "--json"], LIMIT).record or {}
    done = run([*START, "solve", *words.split(), "--json"], LIMIT).record or {}
    estimate, peak = said["memory_estimate_mb"], done["peak_rss_mb"]
    return {
        "game and method": words,
        "estimated by": said["memory_estimate_of"],
        "method": done["method"],
        "estimated": estimate,
        "measured": round(peak),
        "factor": round(max(estimate / peak, peak / estimate), 2),
    }


def measure(game: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the estimate and the peak of one game, in MB."""
    given = [word for item in parameters.items() for word in ("-p", "{}={}".format(*item))]
    search = ["--gap", "1"] if game == "rhode-island" and parameters["ranks"] == 6 else []
    said = run([*START, "info", game, *given, "--json"], LIMIT)
    done = run([*START, "solve", game, *given, *search, "--json"], LIMIT)
    estimate = said.record["memory_estimate_mb"] if said.record else None
    method = done.record["method"] if done.record else done.note
    return {
        "game": " ".join([game, *given[1::2]]),
        "method": method,
        "estimated": estimate,
        "measured": round(done.peak_mb),
        "factor": round(max(estimate / done.peak_mb, done.peak_mb / estimate), 2),
        "info itself": round(said.peak_mb),
    }


def main() -> None:
    """Measure all games, or the methods, and write the table."""
    if sys.argv[1:] == ["methods"]:
        write([shown(measure_method(words)) for words in BY_METHOD], "memory_by_method")
    else:
        write([shown(measure(game, parameters)) for game, parameters in GAMES], "memory")


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """Print a row when it is measured, and return it."""
    print(json.dumps(row), flush=True)
    return row


def write(rows: list[dict[str, Any]], name: str) -> None:
    """Write the rows and their table."""
    (RESULTS / f"{name}.json").write_text(json.dumps(rows, indent=1) + "\n")
    (RESULTS / f"{name}.md").write_text(text(rows, name))


def text(rows: list[dict[str, Any]], name: str = "memory") -> str:
    """Return the table of the rows."""
    title, table = markdown(TITLE, rows).split("\n\n", 1)
    worst = max(row["factor"] for row in rows)
    said = f"The largest factor is {worst}. `{COMMANDS[name]}` measures it."
    return "\n\n".join((title, said, table))


def saved(name: str = "memory") -> list[dict[str, Any]]:
    """Return the rows that were measured."""
    found: list[dict[str, Any]] = json.loads((RESULTS / f"{name}.json").read_text())
    return found


if __name__ == "__main__":
    main()
