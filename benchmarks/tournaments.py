"""Tournaments: games that lead on to games, solved and proven, on one thread."""

from __future__ import annotations

import time
from typing import Any

WIDTH = 1e-9
"""Of brackets, as a chance to win the tournament."""

KUHN = range(4, 11)
"""Chips on the table."""

CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "Kuhn, 4 to 10 chips, together": [("kuhn-tournament", {"chips": chips}) for chips in KUHN],
    "Leduc, 20 chips": [("leduc-tournament", {"chips": 20})],
    "one card of 13, 40 chips": [("one-card-tournament", {"chips": 40, "cards": 13})],
    "push or fold, 8,000 chips, blinds 300 and 600": [("push-fold-tournament", {})],
    "the same against a player who may do anything": [("push-fold-against-anything", {})],
}


def tournaments() -> list[dict[str, Any]]:
    """Recursive games of two players, one thread: CPU seconds until strategies are found between
    whose guarantees there is less than 1e-9, and until that is proven; values of the first game's
    first stage to player 0."""
    from seqform import solve_recursive

    solve_recursive(_made("kuhn-tournament", {"chips": 3}))  # libraries are loaded
    rows = []
    for name, games in CASES.items():
        spent, found, stages, iterations, width = [0.0, 0.0], 0.0, 0, 0, 0.0
        for number, (game, parameters) in enumerate(games):
            made = _made(game, parameters)
            start = time.process_time()
            ends = [start]
            solution = solve_recursive(
                made, gap=WIDTH, callback=lambda _, ends=ends: ends.append(time.process_time())
            )
            spent[0] += ends[-1] - start
            spent[1] += time.process_time() - start
            stages += len(solution.graph.stages)
            iterations = max(iterations, solution.run.iterations)
            width = max(width, float(solution.width))
            found = found if number else float(solution.lower)
        rows.append(
            {
                "game": name,
                "stages": stages,
                "iterations": iterations,
                "value": round(found, 10),
                "width": width,
                "found": spent[0],
                "proven": spent[1],
            }
        )
    return rows


def _made(game: str, parameters: dict[str, Any]) -> Any:
    from seqform import make

    return make(game, **parameters)
