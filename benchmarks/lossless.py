"""What lossless classes save on one game: `python -m benchmarks.lossless METHOD GAME` prints one
JSON line.

METHOD is `lp`, or `dcfr` to a nash_gap of a thousandth of the largest payoff. Seconds are CPU
seconds from the rules to the certificate in the whole game, after a warm-up; the median of as many
runs as fit into two seconds, of three at most. All ways are measured in turn in one process.
"""

from __future__ import annotations

import json
import statistics
import sys
from typing import Any

from benchmarks.child import cpu
from seqform import Solution, make, solve

SHARE = 1e-3
"""The gap of a search, as a share of the largest payoff."""

SCALES = {"kuhn": 2, "leduc": 13, "rhode-island": 55, "liars-dice": 1, "goofspiel": 1, "random": 5}
"""About the largest payoffs."""

WAYS = {"as is": "none", "equitable": "equitable", "default": "auto"}
"""How a game is solved: `abstract` of each."""

LIMIT = 20.0
"""Seconds that a solve may take."""


def _deck(ranks: int, suits: int, max_bets: int) -> dict[str, int]:
    return {"ranks": ranks, "suits": suits, "max_bets": max_bets}


SIGNAL_GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"kuhn, {n} cards": ("kuhn", {"cards": n}) for n in (3, 6, 13, 26)},
    **{f"leduc {n}x2": ("leduc", {"ranks": n}) for n in (3, 4, 5, 6, 8, 10, 13)},
    "leduc 13x4 merged": ("leduc", {"ranks": 13, "suits": 4, "merge_suits": True}),
    **{
        f"rhode-island {n}x{suits}, {bets} bets": ("rhode-island", _deck(n, suits, bets))
        for n, suits, bets in (
            *((3, 2, 1), (3, 2, 2), (4, 2, 1), (3, 3, 1), (4, 2, 2), (3, 3, 2)),
            *((5, 2, 2), (4, 3, 1), (5, 3, 1), (4, 3, 2), (5, 3, 2)),
        )
    },
}
TREE_GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"liars-dice {n}": ("liars-dice", {"sides": n}) for n in (3, 4, 5, 6)},
    **{f"goofspiel {n}": ("goofspiel", {"cards": n}) for n in (3, 4, 5)},
    **{f"random, depth {n}": ("random", {"depth": n, "seed": 1}) for n in (6, 9, 11, 13)},
}
CASES = SIGNAL_GAMES | TREE_GAMES

LARGE = {
    *(("lp", f"rhode-island {deck} bets") for deck in ("5x2, 2", "5x3, 1", "4x3, 2", "5x3, 2")),
    ("lp", "rhode-island 4x3, 1 bets"),
    ("dcfr", "rhode-island 5x3, 2 bets"),
}
"""What takes too long as it is, and is only measured reduced."""


def measure(method: str, name: str) -> dict[str, Any]:
    """Measure one game as it is and reduced."""
    for abstract in WAYS.values():
        once("kuhn", {}, method, abstract)
    once("goofspiel", {"cards": 3}, method, "equitable")
    game, parameters = CASES[name]
    ways = [way for way in WAYS if way != "as is" or (method, name) not in LARGE]
    taken: dict[str, list[tuple[float, Solution]]] = {way: [] for way in ways}
    while not taken["default"] or (len(taken["default"]) < 3 and _total(taken) < 2):
        for way in ways:
            taken[way].append(cpu(lambda way=way: once(game, parameters, method, WAYS[way])))
    seconds = {way: statistics.median(s for s, _ in runs) for way, runs in taken.items()}
    reduced, default = taken["equitable"][0][1], taken["default"][0][1]
    best = min(seconds["equitable"], seconds.get("as is", float("inf")))
    assert reduced.abstract is not None
    return {
        "sequences": reduced.sizes["sequences"],
        "reduced to": sum(t.num_sequences for t in reduced.abstract.game.treeplexes),
        "LP nonzeros reduced": reduced.abstract.sizes.get("lp_nonzeros"),
        "as is": seconds.get("as is"),
        "equitable": seconds["equitable"],
        "default": seconds["default"],
        "default takes": default.reduction or "as is",
        "default / better": seconds["default"] / best,
        "as is / equitable": seconds["as is"] / seconds["equitable"]
        if "as is" in seconds
        else None,
        "nash_gap": default.nash_gap,
        "status": default.status.name,
    }


def once(game: str, parameters: dict[str, Any], method: str, abstract: str) -> Solution:
    """Solve a game from its rules, one way."""
    options: dict[str, Any] = {"method": method, "time_limit": LIMIT}
    if method == "lp":
        options["exact"] = False
    else:
        options["gap"] = SHARE * SCALES[game]
    return solve(make(game, **parameters), abstract=abstract, **options)


def _ratio(seconds: dict[str, float]) -> float | None:
    return seconds["as is"] / seconds["equitable"] if "as is" in seconds else None


def _total(taken: dict[str, list[tuple[float, Solution]]]) -> float:
    return sum(seconds for runs in taken.values() for seconds, _ in runs)


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
