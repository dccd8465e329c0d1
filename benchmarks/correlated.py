"""Best correlated equilibria of Sheriff and Battleship: sizes and seconds against the game's size.

`python -m benchmarks.correlated` measures whole processes, one at a time and one thread each, and
writes the table benchmarks/results/correlated.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import run

RESULTS = Path(__file__).parent / "results"
LIMIT = 600.0
"""Seconds that a process may take."""


def _sheriff(items: int, bribes: int, rounds: int) -> tuple[str, dict[str, Any]]:
    return "sheriff", {"items": items, "bribes": bribes, "rounds": rounds}


def _battleship(width: int, height: int, shots: int) -> tuple[str, dict[str, Any]]:
    return "battleship", {"width": width, "height": height, "shots": shots}


GAMES = (
    _sheriff(2, 2, 1),
    _sheriff(2, 2, 2),
    _sheriff(3, 3, 2),
    _sheriff(10, 2, 2),
    _sheriff(10, 4, 2),
    _sheriff(2, 2, 3),
    _sheriff(3, 3, 3),
    _sheriff(5, 3, 3),
    _battleship(2, 1, 1),
    _battleship(3, 1, 2),
    _battleship(3, 1, 3),
    _battleship(2, 2, 2),
    _battleship(2, 2, 3),
    _battleship(3, 2, 2),
)
KINDS = ("efce", "nfcce")
COLUMNS = (
    "game",
    "kind",
    "nodes",
    "pairs",
    "rows",
    "columns",
    "nonzeros",
    "solve s",
    "exact s",
    "certify s",
    "MB",
    "welfare",
    "proven within",
    "engine",
)


def solved(kind: str, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Solve one game, and return what the table says of it."""
    from seqform import make, solve

    solution = solve(make(name, **parameters), method=kind)
    sizes, seconds, proven = solution.sizes, solution.seconds, solution.certificate
    found: dict[str, Any] = {
        "nodes": sizes["nodes"],
        "pairs": sizes["relevant_pairs"],
        **{key: sizes[f"solver_{key}"] for key in ("rows", "columns", "nonzeros")},
        **{f"{phase} s": round(seconds.get(phase, 0.0), 2) for phase in ("solve", "exact")},
        "certify s": round(seconds.get("certify", 0.0), 2),
        "engine": solution.method.partition("/")[2],
    }
    if proven is None:
        return {**found, "welfare": solution.message, "proven within": ""}
    gap = abs(float(proven.bound - proven.objective)) + proven.largest_gain
    is_exact = proven.is_optimal
    welfare = str(proven.objective) if is_exact else f"{float(proven.objective):.9g}"
    return {**found, "welfare": welfare, "proven within": "exact" if is_exact else f"{gap:.1e}"}


def measure(kind: str, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the table, from a process of its own."""
    asked = json.dumps([kind, name, parameters])
    done = run([sys.executable, "-m", "benchmarks.correlated", asked], LIMIT)
    game = " ".join([name, *map(str, parameters.values())])
    row = {"game": game, "kind": kind, "MB": round(done.peak_mb)}
    return row | (done.record or {"welfare": done.note})


def main() -> None:
    rows = []
    for name, parameters in GAMES:
        for kind in KINDS:
            rows.append(measure(kind, name, parameters))
            print(rows[-1], flush=True)
    lines = [
        "## Best correlated equilibria: sheriff (items, bribes, rounds), battleship (grid, shots).",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        *(f"| {' | '.join(str(row.get(column, '')) for column in COLUMNS)} |" for row in rows),
    ]
    (RESULTS / "correlated.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(solved(*json.loads(sys.argv[1]))))
    else:
        main()
