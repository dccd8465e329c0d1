"""One run of an iterative solver in a process of its own: `python -m benchmarks.iterative PROGRAM
GAME` prints one JSON line.

Exploitability is half the nash_gap. CPU seconds are from the solver's start, after loading and
compiling, to the first look at which a target was reached; looks are at iterations that grow by a
tenth, and their own time is not counted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

CASES = {
    "leduc 3x2": ("leduc", {}, "leduc_poker"),
    "liar's dice 4": ("liars-dice", {"sides": "4"}, "liars_dice(numdice=1,dice_sides=4)"),
    "liar's dice 5": ("liars-dice", {"sides": "5"}, "liars_dice(numdice=1,dice_sides=5)"),
    "liar's dice 6": ("liars-dice", {"sides": "6"}, "liars_dice(numdice=1,dice_sides=6)"),
}


TARGETS = (1e-3, 1e-4, 1e-5)
LIMIT = 120.0


def climb(run: Callable[[int], None], exploitability: Callable[[], float]) -> dict[str, Any]:
    """Run to growing numbers of iterations; return milliseconds an iteration, and CPU seconds and
    iterations to each target."""
    done, seconds, left = 0, 0.0, list(TARGETS)
    record: dict[str, Any] = {}
    while left and seconds < LIMIT:
        count = max(1, done // 10)
        start = time.process_time()
        run(count)
        seconds += time.process_time() - start
        done += count
        reached = exploitability()
        while left and reached <= left[0]:
            record[f"s to {left.pop(0):g}"] = seconds
    return {"iterations": done, "ms": 1000 * seconds / done, **record}


def ours(method: str, name: str) -> dict[str, Any]:
    """Run one of our regret rules on the game's tree."""
    from seqform import build_sequence_form, build_tree
    from seqform.game.catalogue import make
    from seqform.methods.method import METHODS

    game, parameters, _ = CASES[name]
    form = build_sequence_form(build_tree(make(game, **dict(parameters))))
    make_engine = METHODS.get(method).engine
    make_engine(form).run(1)  # compiles
    engine = make_engine(form)

    def half_gap() -> float:
        lower, upper = engine.bounds()
        return (upper - lower) / 2

    return climb(engine.run, half_gap)


def open_spiel(name: str) -> dict[str, Any]:
    """Run OpenSpiel's C++ CFR+."""
    import pyspiel

    game = pyspiel.load_game(CASES[name][2])
    solver = pyspiel.CFRPlusSolver(game)

    def run(count: int) -> None:
        for _ in range(count):
            solver.evaluate_and_update_policy()

    return climb(run, lambda: pyspiel.exploitability(game, solver.average_policy()))


def lite_efg(name: str) -> dict[str, Any]:
    """Run LiteEFG's CFR+ with linear averages."""
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines.CFRplus import graph

    solver = graph()
    environment = LiteEFG.OpenSpielEnv(
        pyspiel.load_game(CASES[name][2]), traverse_type="Enumerate", regenerate=True
    )
    environment.set_graph(solver)

    def run(count: int) -> None:
        for _ in range(count):
            solver.update_graph(environment)
            environment.update_strategy(solver.current_strategy())

    def half_gap() -> float:
        return (
            float(sum(environment.exploitability(solver.current_strategy(), "linear-avg-iterate")))
            / 2
        )

    return climb(run, half_gap)


PEERS = {"open_spiel": open_spiel, "LiteEFG": lite_efg}


def main() -> None:
    """Measure and print."""
    program, name = sys.argv[1:]
    record = PEERS[program](name) if program in PEERS else ours(program, name)
    print(json.dumps(record))


if __name__ == "__main__":
    main()
