"""Poker for three players and more, by regret minimization: a table of `benchmarks.run`. ``python
-m benchmarks.poker_tables GAME`` measures one game in this process, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from benchmarks.child import cpu
from benchmarks.measure import run
from seqform import build_sequence_form, build_tree, make, solve
from seqform.experiment.named import read_named

GAMES = (
    "kuhn(players=3)",
    "kuhn(players=5)",
    "leduc(players=3,ranks=2)",
    "leduc(players=3,merge_suits=true)",
    "leduc(players=3)",
    "leduc(players=4,ranks=3,max_bets=1,merge_suits=true)",
    "rhode-island(players=3,ranks=5,suits=1,max_bets=1)",
    "rhode-island(players=3,ranks=3,suits=2,max_bets=1)",
)
RULES = ("cfr+", "dcfr", "pcfr+", "pdcfr+")
ITERATIONS = 1000
TO_THE_END: dict[str, Any] = {"gap": 1e-12, "polish": False}
LIMIT = 900
"""CPU seconds and a little more."""


def measure(game: str) -> list[dict[str, Any]]:
    """Build a game, and search it by each rule; gains are certified."""
    solve(make("kuhn", players=3), method="pdcfr+", iterations=5)  # loads what is needed
    name, parameters = read_named(game)
    tree_seconds, tree = cpu(lambda: build_tree(make(name, **parameters)))
    form_seconds, form = cpu(lambda: build_sequence_form(tree))
    rows = []
    for rule in RULES:
        seconds, solution = cpu(
            lambda rule=rule: solve(form, method=rule, iterations=ITERATIONS, **TO_THE_END)
        )
        rows.append(
            {
                "game": game,
                "nodes": f"{tree.num_nodes:,}",
                "sequences": f"{sum(t.num_sequences for t in form.treeplexes):,}",
                "build": tree_seconds + form_seconds,
                "rule": rule,
                "seconds": seconds,
                "gains": [float(gain) for gain in solution.certificate.gains],
                "gap": solution.certificate.nash_gap,
            }
        )
    return rows


def poker_tables() -> list[dict[str, Any]]:
    """Poker for three players and more: a thousand iterations of each rule, in CPU seconds, and
    what each player still gains by a best response, in chips."""
    rows: list[dict[str, Any]] = []
    for game in GAMES:
        done = run([sys.executable, "-m", "benchmarks.poker_tables", game], LIMIT)
        found = done.record or {"rows": [{"game": game, "rule": done.note}]}
        rows += found["rows"]
    return rows


if __name__ == "__main__":
    print(json.dumps({"rows": measure(sys.argv[1])}))
