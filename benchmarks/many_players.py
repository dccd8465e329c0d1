"""Games of three players, of general sums: a table of `benchmarks.run`. ``python -m
benchmarks.many_players METHOD SEED DEPTH`` measures one game in this process, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from benchmarks.child import cpu
from benchmarks.measure import run
from games.kuhn import kuhn
from games.random_games import random_game
from seqform import build_sequence_form, build_tree, solve

METHODS = {"qre": {}, "cfr+": {"iterations": 5000, "polish": True}}
CASES = ((0, 0), (2, 7), (2, 9), (2, 11), (2, 13), (2, 15), (3, 17))
"""Seed and depth of random games; depth 0 stands for three-player Kuhn poker."""

LIMIT = 300
"""CPU seconds and a little more."""


def measure(method: str, seed: int, depth: int) -> dict[str, Any]:
    """Solve a game from its sequence form to its proof."""
    options: dict[str, Any] = {"players": 3, "depth": depth, "zero_sum": False}
    tree = random_game(seed, **options) if depth else build_tree(kuhn(players=3))
    form = build_sequence_form(tree)
    solve(random_game(1, players=3, depth=3, zero_sum=False), method=method)  # loads what it needs
    seconds, solution = cpu(lambda: solve(form, method=method, **METHODS[method]))
    proof = solution.exact or solution.bracket
    return {
        "game": f"random, depth {depth}" if depth else "kuhn, 3 players",
        "nodes": f"{tree.num_nodes:,}",
        "sequences": f"{sum(t.num_sequences for t in form.treeplexes):,}",
        "steps": solution.iterations,
        "proof": solution.proof,
        "gap": float(getattr(proof, "nash_gap", 0)),
        "seconds": seconds,
    }


def many_players() -> list[dict[str, Any]]:
    """Games of three players, of general sums: from the sequence form to the proof, in CPU
    seconds."""
    rows = []
    for seed, depth in CASES:
        for method in METHODS:
            command = ["-m", "benchmarks.many_players", method, str(seed), str(depth)]
            done = run([sys.executable, *command], LIMIT)
            game = f"random, depth {depth}" if depth else "kuhn, 3 players"
            rows.append({"method": method, **(done.record or {"game": game, "proof": done.note})})
    return rows


if __name__ == "__main__":
    given, of_seed, at_depth = sys.argv[1:]
    print(json.dumps(measure(given, int(of_seed), int(at_depth))))
