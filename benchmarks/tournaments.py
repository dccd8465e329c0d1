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


UNITS = (15, 27)
"""On the table of a tournament of three players; the big blind is 2."""

SHARE = 5e-4
"""Of the entry fee: what nobody may gain more than, at any position."""

OTHER = 2
"""The seed of the deals that have not been seen."""


def tournaments_of_three() -> list[dict[str, Any]]:
    """Push or fold for three, one thread, CPU seconds: until deals were drawn, until by the best
    deviation nobody gains more than 0.05% of the entry fee anywhere, and until that is proven.
    The gains are the largest of any position, and from the first hand, with the deals that were
    drawn and with others, as a share of the fee."""
    from seqform.recursive.elsewhere import prove_elsewhere
    from seqform.recursive.search import search_recursive
    from seqform.recursive.walk import stage_graph

    search_recursive(_made("three-handed-push-fold", {"chips": 3, "deals": 1}), iterations=1)
    rows = []
    for units in UNITS:
        ends = [time.process_time()]
        game = _made("three-handed-push-fold", {"chips": units})
        graph = stage_graph(game)
        graph.make_ready()
        ends.append(time.process_time())
        fee = game.entry_fee
        solution = search_recursive(
            graph,
            gap=float(SHARE * fee),
            callback=lambda _, ends=ends: ends.append(time.process_time()),
        )
        proven = time.process_time()
        other = _made("three-handed-push-fold", {"chips": units, "seed": OTHER})
        judged = prove_elsewhere(solution.profile, other)
        rows.append(
            {
                "units": units,
                "stages": len(graph.stages),
                "sweeps": solution.run.iterations,
                "gain": float(solution.width / fee),
                "from the first hand": float(solution.gain / fee),
                "gain, other deals": float(judged.width / fee),
                "from the first hand, other deals": float(max(judged.gains) / fee),
                "drawn": ends[1] - ends[0],
                "found": ends[-1] - ends[0],
                "proven": proven - ends[0],
            }
        )
    return rows


def _made(game: str, parameters: dict[str, Any]) -> Any:
    from seqform import make

    return make(game, **parameters)
