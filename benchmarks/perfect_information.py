"""One measurement in a process of its own: `python -m benchmarks.perfect_information WHAT [ARGUMENT
...]` prints one JSON line.

Tic-tac-toe is solved by each program from its own rules, the median of several times after a first
one. Uniform trees are the worst case for a table, because no state comes again, and the best or the
worst for alpha-beta, as its moves are ordered.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from math import ceil, floor
from typing import Any

from seqform.game.rules import TERMINAL, PerfectInformation


class Uniform(PerfectInformation):
    """A full tree of a given branching and depth with random payoffs, in which players alternate.

    A state is its number in level order; `search_order` puts the best move first.
    """

    num_players = 2

    def __init__(self, branching: int, depth: int) -> None:
        rng = random.Random(0)
        self.branching, self.depth = branching, depth
        self.starts = [sum(branching**i for i in range(level)) for level in range(depth + 2)]
        values = [rng.randint(-1000, 1000) for _ in range(branching**depth)]
        self.leaves, self.best = values, list[int]()
        for level in reversed(range(depth)):
            pick = min if level % 2 else max
            families = [values[i : i + branching] for i in range(0, len(values), branching)]
            values = [pick(family) for family in families]
            self.best = [
                family.index(value) for family, value in zip(families, values, strict=True)
            ] + self.best

    def root(self) -> tuple[int, int]:
        return 0, 0

    def player(self, state: tuple[int, int]) -> int:
        return TERMINAL if state[0] == self.depth else state[0] % 2

    def actions(self, state: tuple[int, int]) -> range:
        return range(self.branching)

    def search_order(self, state: tuple[int, int]) -> list[int]:
        best = self.best[state[1]]
        return [best, *(move for move in range(self.branching) if move != best)]

    def child(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] + 1, state[1] * self.branching + 1 + action

    def payoffs(self, state: tuple[int, int]) -> tuple[int, int]:
        value = self.leaves[state[1] - self.starts[self.depth]]
        return value, -value


def repeated(run: Callable[[], Any], times: int) -> float:
    """Return the median CPU seconds of a call, after one that is not counted."""
    seconds = []
    for _ in range(times + 1):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds[1:])


def alphabeta(times: int) -> dict[str, Any]:
    from games.tic_tac_toe import tic_tac_toe
    from seqform.perfect_information import alpha_beta

    results = []
    seconds = repeated(lambda: results.append(alpha_beta(tic_tac_toe())), times)
    return {"value": results[0].value, "nodes": results[0].statistics["nodes"], "seconds": seconds}


def backward(times: int) -> dict[str, Any]:
    from games.tic_tac_toe import tic_tac_toe
    from seqform.perfect_information import backward_induction

    results = []
    seconds = repeated(lambda: results.append(backward_induction(tic_tac_toe())), times)
    return {
        "value": results[0].value[0],
        "nodes": results[0].statistics["nodes"],
        "seconds": seconds,
    }


def open_spiel_alpha_beta(times: int) -> dict[str, Any]:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    results = []
    seconds = repeated(
        lambda: results.append(minimax.alpha_beta_search(pyspiel.load_game("tic_tac_toe"))), times
    )
    return {"value": results[0][0], "seconds": seconds}


def open_spiel_value_iteration(times: int) -> dict[str, Any]:
    import pyspiel
    from open_spiel.python.algorithms import value_iteration

    results = []

    def run() -> None:
        game = pyspiel.load_game("tic_tac_toe")
        values = value_iteration.value_iteration(game, depth_limit=-1, threshold=0.01)
        results.append((values[str(game.new_initial_state())], len(values)))

    seconds = repeated(run, times)
    return {"value": results[0][0], "nodes": results[0][1], "seconds": seconds}


def growth(branching: int, depth: int) -> dict[str, Any]:
    """Minimax, and alpha-beta without a table with moves as they come and with the best first, on
    one uniform tree."""
    from seqform.perfect_information import alpha_beta, minimax

    game = Uniform(branching, depth)
    runs: dict[str, Callable[[], Any]] = {
        "minimax": lambda: minimax(game),
        "alpha-beta": lambda: alpha_beta(game, table_size=0, ordered=False),
        "best first": lambda: alpha_beta(game, table_size=0),
    }
    record: dict[str, Any] = {"b": branching, "d": depth, "b^d": branching**depth}
    record["best case"] = branching ** ceil(depth / 2) + branching ** floor(depth / 2) - 1
    values = set()
    for name, run in runs.items():
        start = time.process_time()
        result = run()
        seconds, nodes = time.process_time() - start, result.statistics["nodes"]
        values.add(result.value)
        record |= {
            f"{name} nodes": nodes,
            f"{name} s": seconds,
            f"{name} us a node": 1e6 * seconds / nodes,
        }
    assert len(values) == 1
    return record


ACTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "alphabeta": alphabeta,
    "backward": backward,
    "open_spiel_alpha_beta": open_spiel_alpha_beta,
    "open_spiel_value_iteration": open_spiel_value_iteration,
    "growth": growth,
}


if __name__ == "__main__":
    print(json.dumps(ACTIONS[sys.argv[1]](*map(int, sys.argv[2:]))))
