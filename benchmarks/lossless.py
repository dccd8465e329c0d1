"""What lossless classes save on one game: `python -m benchmarks.lossless METHOD GAME` prints one
JSON line.

METHOD is `lp`, or `dcfr` to a nash_gap of a thousandth of the largest payoff. Seconds are CPU
seconds from the rules to the certificate in the whole game, after a warm-up; the median of as many
runs as fit into a second, of three at most. Both ways are measured in turn in one process.
"""

from __future__ import annotations

import json
import statistics
import sys
from typing import Any

from abstraction.equitable import EQUITABLE
from benchmarks.child import cpu
from seqform import build_sequence_form, build_tree, solve
from seqform.form.sequence_form import sizes
from seqform.game.catalogue import make
from seqform.results.reduction import lift
from seqform.results.solution import Solution

SHARE = 1e-3
"""The gap of a search, as a share of the largest payoff."""

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
    solve_direct("kuhn", {}, method)
    solve_reduced("kuhn", {}, method)
    solve_reduced("goofspiel", {"cards": 3}, method)
    game, parameters = CASES[name]
    direct, reduced = [], []
    while not reduced or (len(reduced) < 3 and sum(s for s, _ in (*direct, *reduced)) < 1):
        if (method, name) not in LARGE:
            direct.append(cpu(lambda: solve_direct(game, parameters, method)))
        reduced.append(cpu(lambda: solve_reduced(game, parameters, method)))
    abstract, lifted, reducing = reduced[0][1]
    record: dict[str, Any] = {
        "LP nonzeros": direct[0][1].sizes.get("lp_nonzeros") if direct else None,
        "reduced to": abstract.sizes.get("lp_nonzeros"),
        "sequences": sizes(lifted.game)["sequences"],
        "reduced to sequences": sizes(abstract.game)["sequences"],
        "as is": None,
        "reducing": reducing,
        "reduced": statistics.median(seconds for seconds, _ in reduced),
        "nash_gap": lifted.nash_gap,
        "status": lifted.status.name,
    }
    if direct:
        record["as is"] = statistics.median(seconds for seconds, _ in direct)
        record["as is / reduced"] = record["as is"] / record["reduced"]
        record["status as is"] = direct[0][1].status.name
    return record


def solve_direct(game: str, parameters: dict[str, Any], method: str) -> Solution:
    """Solve a game as it is."""
    form = build_sequence_form(build_tree(make(game, **parameters)))
    return solve(form, **_options(form.largest_payoff, method))


def solve_reduced(
    game: str, parameters: dict[str, Any], method: str
) -> tuple[Solution, Solution, float]:
    """Solve a game's quotient and lift; return both solutions and the seconds of reducing."""
    built = make(game, **parameters)
    seconds, (form, inverse) = cpu(lambda: EQUITABLE.apply(built))
    abstract = solve(form, **_options(form.largest_payoff, method))
    return abstract, lift(abstract, inverse), seconds


def _options(scale: float, method: str) -> dict[str, Any]:
    options: dict[str, Any] = {"method": method, "exact": False, "time_limit": LIMIT}
    return options if method == "lp" else options | {"gap": SHARE * scale}


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
