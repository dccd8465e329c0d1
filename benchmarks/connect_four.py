"""One board of Connect Four in a process of its own: `python -m benchmarks.connect_four METHOD
COLUMNS ROWS` prints one JSON line.

CPU seconds are without compilation: a small board is solved before.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

BOARDS = (
    (4, 4),
    (5, 4),
    (6, 4),
    (7, 4),
    (8, 4),
    (4, 5),
    (5, 5),
    (6, 5),
    (7, 5),
    (4, 6),
    (5, 6),
    (6, 6),
    (7, 6),
)
"""Columns and rows; the registry says who wins."""

GENERIC = ((4, 4), (5, 4), (6, 4), (4, 5))
"""Those that alpha-beta on the rules solves within a minute or so."""


def solve(method: str, columns: int, rows: int) -> dict[str, Any]:
    """Solve a board from its empty position."""
    from games.connect_four import connect_four
    from games.connect_four_solver import solve as bitboard
    from seqform.perfect_information import alpha_beta

    solver: Any = {"bitboard": bitboard, "alphabeta": alpha_beta}[method]
    solver(connect_four(3, 4))
    start = time.process_time()
    result = solver(connect_four(columns, rows))
    seconds = time.process_time() - start
    nodes = result.statistics["nodes"]
    return {
        "value": result.value,
        "first move": result.best_action,
        "nodes": nodes,
        "s": seconds,
        "million nodes a second": nodes / seconds / 1e6,
    }


if __name__ == "__main__":
    print(json.dumps(solve(sys.argv[1], *map(int, sys.argv[2:]))))
