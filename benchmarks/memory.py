"""What `seqform info` estimates, beside what `seqform solve` takes at most: 20 games.

`python -m benchmarks.memory` measures whole processes, one at a time, and writes the table
benchmarks/results/memory.md with the largest factor between the two.
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


def measure(game: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the estimate and the peak of one game, in MB."""
    given = [word for item in parameters.items() for word in ("-p", "{}={}".format(*item))]
    start = [sys.executable, "-c", "from seqform.cli import main; main()"]
    search = ["--gap", "1"] if game == "rhode-island" and parameters["ranks"] == 6 else []
    said = run([*start, "info", game, *given, "--json"], LIMIT)
    done = run([*start, "solve", game, *given, *search, "--json"], LIMIT)
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
    """Measure all games, and write the table."""
    rows = []
    for game, parameters in GAMES:
        rows.append(measure(game, parameters))
        print(json.dumps(rows[-1]), flush=True)
    write(rows)


def write(rows: list[dict[str, Any]]) -> None:
    """Write the rows and their table."""
    (RESULTS / "memory.json").write_text(json.dumps(rows, indent=1) + "\n")
    (RESULTS / "memory.md").write_text(text(rows))


def text(rows: list[dict[str, Any]]) -> str:
    """Return the table of the rows."""
    title, table = markdown(TITLE, rows).split("\n\n", 1)
    worst = max(row["factor"] for row in rows)
    said = f"The largest factor is {worst}. `python -m benchmarks.memory` measures it."
    return "\n\n".join((title, said, table))


def saved() -> list[dict[str, Any]]:
    """Return the rows that were measured."""
    found: list[dict[str, Any]] = json.loads((RESULTS / "memory.json").read_text())
    return found


if __name__ == "__main__":
    main()
