"""Tables of complementary pivots: beside Gambit's, and by size up to where they take too long."""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.complementary import NAMED, random_name
from benchmarks.measure import Run, run

Table = list[dict[str, Any]]

PEER_GAMES = tuple(random_name(500, seed) for seed in range(6))
PEER_LIMIT = 120.0
"""Seconds that a process of the other program may take."""

SIZES = (500, 2_000, 5_000, 20_000, 100_000, 500_000)
LIMIT = 600.0
"""Seconds after which a game is given up."""


def child(program: str, arithmetic: str, game: str, timeout: float) -> Run:
    """Run one measurement of `benchmarks.complementary`."""
    return run(
        [sys.executable, "-m", "benchmarks.complementary", program, arithmetic, game], timeout
    )


def lcp_peer() -> Table:
    """Random general-sum games of 500 nodes, beside Gambit's lcp_solve (CPU seconds).

    The gaps are the certified nash_gap, and the largest regret that Gambit finds.
    """
    rows: Table = []
    for game in PEER_GAMES:
        for arithmetic in ("float", "exact"):
            mine = child("ours", arithmetic, game, PEER_LIMIT).record or {}
            theirs = child("gambit", arithmetic, game, PEER_LIMIT)
            record = theirs.record or {"note": theirs.note}
            rows.append(
                {
                    **{"game": game, "arithmetic": arithmetic, "pairs": mine.get("pairs")},
                    **{"pivots": mine.get("pivots"), "s": mine.get("seconds")},
                    **{"gap": mine.get("gap"), "gambit s": record.get("seconds")},
                    "gambit regret": record.get("gap"),
                    "gambit / ours": (record.get("seconds") or theirs.cpu) / mine["seconds"],
                    "note": record.get("note", ""),
                }
            )
    return rows


def lcp_sizes() -> Table:
    """Pivots and CPU seconds to a proven equilibrium by size (ten minutes at most).

    Medians of three random games; then games in which much is hidden, one each.
    """
    rows = [_median(nodes) for nodes in SIZES]
    for game in NAMED:
        found = child("ours", "exact", game, LIMIT)
        rows.append({"game": game, **_row(found)})
        if found.record is None and game.startswith("leduc"):
            break  # larger ones take longer
    return rows


PIVOT_SIZES = (500, 5_000, 20_000, 100_000)


def pivots() -> Table:
    """Pivots and CPU seconds to a proven equilibrium of one random game of each size, once."""
    return [_row(child("ours", "exact", random_name(nodes, 0), LIMIT)) for nodes in PIVOT_SIZES]


def _median(nodes: int) -> dict[str, Any]:
    """Return the measurement in the middle of three games."""
    found = [child("ours", "exact", random_name(nodes, seed), LIMIT) for seed in range(3)]
    ordered = sorted((_row(one) for one in found), key=lambda row: row.get("s", LIMIT))
    pivots = [row.get("pivots", "") for row in ordered]
    return {"game": f"random, {nodes:,} nodes", **ordered[1], "pivots of all": str(pivots)}


def _row(found: Run) -> dict[str, Any]:
    record = found.record
    if record is None:
        return {"note": found.note}
    return {
        **{key: record[key] for key in ("nodes", "pairs", "nonzeros", "pivots")},
        **{"s": record["seconds"], "peak MB": round(found.peak_mb), "bits": record["bits"]},
        "note": "proven" if record["exact"] else record["message"],
    }


TABLES = {"lcp_peer": lcp_peer, "lcp_sizes": lcp_sizes, "pivots": pivots}
