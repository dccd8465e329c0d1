"""Games from elsewhere, one measurement in a process of its own: `python -m benchmarks.elsewhere
WHAT GAME` prints one JSON line.

Times are CPU seconds. Memory is limited to 4 GB, so that what does not fit ends this process only.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.child import cpu

MEMORY = 4 * 2**30


def open_spiel(name: str) -> dict[str, Any]:
    """Load and solve one of OpenSpiel's games, and let OpenSpiel judge the policy."""
    import pyspiel

    from seqform import solve
    from seqform.base.errors import SeqformError
    from seqform.io import from_open_spiel, open_spiel_game, to_open_spiel_policy

    try:
        load, tree = cpu(lambda: from_open_spiel(name, max_nodes=300_000))
        record = {"nodes": tree.num_nodes, "infosets": tree.num_infosets, "load s": load}
        seconds, solution = cpu(lambda: solve(tree))
    except SeqformError as error:
        return {"note": f"refused: {str(error).partition(' at information set')[0]}"}
    record |= {"solve s": seconds, "value": solution.value, "nash_gap": solution.nash_gap}
    if tree.num_nodes > 1:
        record["OpenSpiel's exploitability"] = pyspiel.exploitability(
            open_spiel_game(name), to_open_spiel_policy(solution)
        )
    return record


def sequence_form_lp(name: str) -> dict[str, Any]:
    """Solve the game with OpenSpiel's own linear program."""
    from open_spiel.python.algorithms import sequence_form_lp

    from seqform.io import open_spiel_game

    game = open_spiel_game(name)
    seconds, answer = cpu(lambda: sequence_form_lp.solve_zero_sum_game(game))
    return {"its value": float(answer[0]), "its s": seconds}


def loading(name: str) -> dict[str, Any]:
    """Compare loading through the adapter with the bare traversal of the game in Python, medians of
    5 pairs."""
    from seqform.io import from_open_spiel, open_spiel_game

    game = open_spiel_game(name)
    nodes = traverse(game)
    pairs = [
        (cpu(lambda: traverse(game))[0], cpu(lambda: from_open_spiel(game))[0]) for _ in range(5)
    ]
    bare, load = (1e6 * statistics.median(times) / nodes for times in zip(*pairs, strict=True))
    return {
        "nodes": nodes,
        "bare us/node": bare,
        "load us/node": load,
        "ratio": statistics.median(b / a for a, b in pairs),
    }


def traverse(game: Any) -> int:
    """Visit all states of a game, ask for what they pay, and count them."""
    states, count = [game.new_initial_state()], 0
    while states:
        state = states.pop()
        count += 1
        if state.is_terminal():
            state.returns()
        elif state.is_chance_node():
            states += [state.child(action) for action, _ in state.chance_outcomes()]
        else:
            states += [state.child(action) for action in state.legal_actions()]
    return count


def gambit_game(path: str) -> dict[str, Any]:
    """Say what a game of Gambit's catalogue is, and solve it if it is of a kind that we solve."""
    import pygambit

    from benchmarks.gambit import value
    from seqform import build_sequence_form, build_tree, solve
    from seqform.base.errors import SeqformError
    from seqform.io import read_efg
    from seqform.methods.describe import describe

    tree = read_efg(path)
    about = describe(tree)
    record = {
        "players": tree.num_players,
        "nodes": tree.num_nodes,
        "sum": about.get("sum", ""),
        "recall": about["recall"].partition(":")[0],
        "information": "perfect" if tree.perfect_information else "imperfect",
    }
    try:
        if tree.perfect_information:
            return record | subgame_perfect(tree)
        solution = solve(build_sequence_form(build_tree(tree)))
    except SeqformError as error:
        return record | {"answer": f"refused: {str(error).partition(',')[0].partition(';')[0]}"}
    if not solution.is_constant_sum:
        proven = "exact gains 0, values" if solution.exact else f"nash_gap {solution.nash_gap:.1e},"
        paid = solution.exact.values if solution.exact else solution.values
        return record | {"answer": f"{proven} {', '.join(map(str, paid))}"}
    try:
        difference: Any = abs(solution.value - float(value(pygambit.read_efg(path))))
    except ValueError as error:  # its profile leaves sets that are not reached without a move
        difference = str(error)
    return record | {"answer": f"value {solution.value:.9g}", "difference to Gambit": difference}


def subgame_perfect(tree: Any) -> dict[str, Any]:
    """Solve by backward induction, and check at every node that no deviation gains."""
    from seqform.perfect_information import backward_induction, check_one_shot
    from seqform.tree.as_rules import TreeGame

    rules = TreeGame(tree)
    result = backward_induction(rules)
    gain = check_one_shot(rules, result).largest_gain
    return {"answer": f"subgame perfect: {tuple(map(str, result.value))}, largest gain {gain}"}


def efg_file(kind: str) -> dict[str, Any]:
    """Read a file of a million nodes, write it again, and read that."""
    from seqform.io import read_efg, write_efg

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        with path.open("w") as file:
            file.writelines(FILES[kind]())
        seconds, tree = cpu(lambda: read_efg(path))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        write = cpu(lambda: write_efg(tree, path))[0]
        return {
            "nodes": tree.num_nodes,
            "depth": tree.depth,
            "read s": seconds,
            "peak MB": peak,
            "write s": write,
        }


HEAD = 'EFG 2 R "benchmark" { "Player 1" "Player 2" }\n""\n\n'


def binary(depth: int = 19) -> Iterator[str]:
    """A binary tree, as Gambit would write it: every definition repeated, an outcome of its own at
    every leaf."""
    yield HEAD
    rng, stack, outcomes = random.Random(1), [depth], 0
    while stack:
        level = stack.pop()
        if not level:
            outcomes += 1
            payoffs = f"{rng.randint(-999, 999)}/7, {rng.randint(-99, 99)}.{rng.randint(0, 99)}"
            yield f't "" {outcomes} "Outcome {outcomes}" {{ {payoffs} }}\n'
            continue
        stack += [level - 1, level - 1]
        lottery = 'c "" 1 "(0,1)" { "a" 1/2 "b" 1/2 } 0\n'
        yield (
            f'p "" {level % 2 + 1} {level} "(1,{level})" {{ "left" "right" }} 0\n'
            if level % 6
            else lottery
        )


def deep(depth: int = 10**6) -> Iterator[str]:
    """One path, with an information set at every node."""
    yield HEAD
    for i in range(depth):
        yield f'p "" {i % 2 + 1} {i + 1} "" {{ "go" }} 0\n'
    yield 't "" 1 "end" { 1, -1 }\n'


FILES = {"binary": binary, "one path": deep}


def main(what: str, game: str) -> None:
    """Run one measurement and print it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    actions = {
        "open_spiel": open_spiel,
        "sequence_form_lp": sequence_form_lp,
        "loading": loading,
        "gambit_game": gambit_game,
        "efg_file": efg_file,
    }
    print(json.dumps(actions[what](game)))


if __name__ == "__main__":
    main(*sys.argv[1:])
