"""Complementary pivots in a process of its own: ``python -m benchmarks.complementary PROGRAM GAME``
prints one JSON line.

PROGRAM is ours, or Gambit's ``lcp_solve``, each in floats or exact. Both are given the tree of the
game as their own object; CPU seconds are from there to the answer, ours with its certificate.

``python -m benchmarks.complementary FOLDER`` solves every two-player .efg file below a folder, and
prints those without an equilibrium in fractions.
"""

from __future__ import annotations

import io
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.child import cpu
from benchmarks.exact import RANDOM

NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "sheriff 5 3 3": ("sheriff", {"items": 5, "bribes": 3, "rounds": 3}),
    "battleship 2 2 3": ("battleship", {"width": 2, "height": 2, "shots": 3}),
    **{f"leduc {ranks}{RANDOM}": ("leduc", {"ranks": ranks}) for ranks in range(3, 14)},
}


def random_name(nodes: int, seed: int) -> str:
    """Return the name of a random general-sum game of about so many nodes."""
    return f"random {nodes} {seed}"


def tree_of(name: str) -> Any:
    """Return a game's tree: random, or of the catalogue, perhaps with a payoff drawn for each leaf
    and player."""
    from games.random_games import random_game
    from seqform import build_tree, make

    if name.startswith("random "):
        nodes, seed = map(int, name.split()[1:])
        return random_game(
            *(seed, 2, 10_000, 3, False, 1000, 0.1, 0.9), nodes=nodes, infoset_nodes=8
        )
    tree = build_tree(make(NAMED[name][0], **NAMED[name][1]))
    return with_random_payoffs(tree) if name.endswith(RANDOM) else tree


def with_random_payoffs(tree: Any) -> Any:
    """Return a tree in which each leaf pays both players integers from -1000 to 1000 of its own."""
    import numpy as np

    from seqform.game.rules import TERMINAL
    from seqform.tree.tree import NODE_COLUMNS, GameTree

    columns = {column: getattr(tree, column) for column in NODE_COLUMNS}
    leaves = np.flatnonzero(tree.player == TERMINAL)
    columns["payoff"] = np.full(tree.num_nodes, -1)
    columns["payoff"][leaves] = np.arange(len(leaves))
    drawn = np.random.default_rng(0).integers(-1000, 1001, (len(leaves), 2)).tolist()
    tables = {
        key: getattr(tree, key)
        for key in ("num_players", "probabilities", "labels", "infoset_labels", "unit")
    }
    return GameTree.from_columns(columns, payoffs=tuple(map(tuple, drawn)), **tables)


def ours(name: str, exact: bool) -> dict[str, Any]:
    """Solve from the tree, and say what the path took."""
    from seqform import make, solve

    solve(make("kuhn"), method="lcp", exact=exact)  # loads what is loaded once
    tree = tree_of(name)
    seconds, found = cpu(lambda: solve(tree, method="lcp", abstract=None, exact=exact))
    return {
        "nodes": tree.num_nodes,
        "pairs": found.sizes["lcp_pairs"],
        "nonzeros": found.sizes["lcp_nonzeros"],
        "pivots": found.iterations,
        "seconds": seconds,
        "gap": found.nash_gap,
        "exact": found.exact is not None,
        "bits": max(d.bit_length() for d in found.exact.denominators) if found.exact else None,
        "message": found.message,
    }


def gambit(name: str, exact: bool) -> dict[str, Any]:
    """Solve by Gambit from its own game."""
    import pygambit

    from seqform.io import efg_text

    game = pygambit.read_efg(io.StringIO(efg_text(tree_of(name))))
    seconds, found = cpu(lambda: pygambit.nash.lcp_solve(game, rational=exact))
    regret = float(found.equilibrium.max_regret())
    return {"seconds": seconds, "gap": regret}


def folder(path: Path) -> dict[str, Any]:
    """Count the two-player games of perfect recall in a folder, and those proven to be solved."""
    from seqform import build_sequence_form, solve
    from seqform.base.errors import ImperfectRecallError
    from seqform.io import read_efg

    games, general, seconds, failed = 0, 0, 0.0, []
    for file in sorted(path.rglob("*.efg")):
        tree = read_efg(file)
        try:
            form = build_sequence_form(tree)
        except ImperfectRecallError:
            continue
        if form.num_players != 2:
            continue
        took, found = cpu(partial(solve, form, method="lcp", exact=True))
        games, seconds, general = games + 1, seconds + took, general + (form.constant_sum is None)
        if found.exact is None or found.exact.as_gains().nash_gap:
            failed.append(f"{file.name}: {found.message}")
    return {"games": games, "general-sum": general, "seconds": seconds, "failed": failed}


PROGRAMS = {"ours": ours, "gambit": gambit}

if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps(folder(Path(sys.argv[1]))))
    else:
        program, arithmetic, game = sys.argv[1:]
        print(json.dumps(PROGRAMS[program](game, arithmetic == "exact")))
