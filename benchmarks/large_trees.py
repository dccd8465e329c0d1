"""A large random game from its tree to a certificate, in this process: ``python -m
benchmarks.large_trees SEED DEPTH BRANCHING GAP`` prints what each step costs as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from benchmarks.child import cpu
from games.random_games import random_game
from seqform import build_sequence_form, certify, solve
from seqform.base.memory import peak_rss_mb

GAMES = ((1, 24, 3, 2.0), (1, 11, 8, 2.0), (15, 12, 8, 2.0))
"""Seed, depth, most actions at a node, and the gap to reach, where payoffs are up to 1,000."""


def measure(seed: int, depth: int, branching: int, gap: float) -> dict[str, Any]:
    """Build, solve and certify; CPU seconds of each step, and the most memory held by its end."""
    record: dict[str, Any] = {"game": f"random, depth {depth}, up to {branching} actions"}

    def step(name: str, action: Any) -> Any:
        record[f"{name} s"], made = cpu(action)
        record[f"{name} MB"] = round(peak_rss_mb())
        return made

    options: dict[str, Any] = {"depth": depth, "branching": branching, "max_payoff": 1000}
    tree = step("tree", lambda: random_game(seed, **options))
    record["nodes"] = f"{tree.num_nodes:,}"
    form = step("form", lambda: build_sequence_form(tree))
    record["sequences"] = f"{sum(t.num_sequences for t in form.treeplexes):,}"
    solution = step("search", lambda: solve(form, method="dcfr", gap=gap, time_limit=600))
    certificate = step("certify", lambda: certify(form, solution.profile))
    record |= {"nash_gap": certificate.nash_gap, "status": solution.status.name.lower()}
    return record


def main(arguments: list[str]) -> None:
    """Measure one game."""
    seed, depth, branching = map(int, arguments[:3])
    print(json.dumps(measure(seed, depth, branching, float(arguments[3]))))


if __name__ == "__main__":
    main(sys.argv[1:])
