"""One exact equilibrium in a process of its own: `python -m benchmarks.exact PROGRAM GAME` prints
one JSON line.

Ours: CPU seconds of the float linear program by HiGHS, with the engine that `--exact` takes, and of
the exact step after it, from the basis to the proof; then those of the certificate's checker as a
whole process. Of the others: of their own exact solve.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

CHECKER = Path(__file__).parents[1] / "tools" / "check_certificate.py"
LONG = 3.0
"""Seconds from which a linear program is solved once, not five times."""

RANDOM = ", random payoffs"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "kuhn": ("kuhn", {}),
    "goofspiel 4": ("goofspiel", {"cards": 4}),
    "goofspiel 5": ("goofspiel", {"cards": 5}),
    **{f"liar's dice {sides}": ("liars-dice", {"sides": sides}) for sides in (3, 4, 5, 6)},
    "leduc 3x2": ("leduc", {}),
    **{
        f"leduc {ranks} merged": ("leduc", {"ranks": ranks, "merge_suits": True})
        for ranks in (4, 5, 6, 10, 13, 16, 20, 26)
    },
    "leduc 13x2": ("leduc", {"ranks": 13}),
    "leduc 3x2" + RANDOM: ("leduc", {}),
    "leduc 6x2" + RANDOM: ("leduc", {"ranks": 6}),
    "leduc 13 merged" + RANDOM: ("leduc", {"ranks": 13, "merge_suits": True}),
}


def tree_of(name: str) -> Any:
    """Return a case's tree; with random payoffs, each leaf pays an integer from -1000 to 1000 drawn
    for it."""
    import numpy as np

    from seqform import build_tree
    from seqform.game.catalogue import make
    from seqform.game.rules import TERMINAL
    from seqform.tree.tree import NODE_COLUMNS, GameTree

    tree = build_tree(make(CASES[name][0], **CASES[name][1]))
    if not name.endswith(RANDOM):
        return tree
    columns = {column: getattr(tree, column) for column in NODE_COLUMNS}
    drawn = np.random.default_rng(0).integers(0, 2001, tree.num_nodes)
    columns["payoff"] = np.where(tree.player == TERMINAL, drawn, -1)
    tables = {
        key: getattr(tree, key)
        for key in ("num_players", "probabilities", "labels", "infoset_labels", "unit")
    }
    return GameTree.from_columns(
        columns, payoffs=tuple((value, -value) for value in range(-1000, 1001)), **tables
    )


def cpu(action: Any) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and what it returns."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def ours(name: str) -> dict[str, Any]:
    """Solve the linear program, make its basis exact, and check the certificate."""
    import scipy.sparse.linalg  # noqa: F401 - what the exact step loads

    from seqform import build_sequence_form
    from seqform.base.number import fraction_text
    from seqform.exact.certificate import as_bytes, certificate_of
    from seqform.methods.lp import exact_engine
    from seqform.solvers.linear.program import build_lp
    from seqform.solvers.linear.rational_vertex import exact_equilibrium
    from seqform.solvers.linear.solver import LPOptions, solve_program

    def once(game: Any) -> tuple[float, float, Any]:
        program = build_lp(game)
        lp, answer = cpu(
            lambda: solve_program(program, "highs", LPOptions(exact_engine(program.size)))
        )
        return lp, *cpu(lambda: exact_equilibrium(program, answer.basis))

    once(build_sequence_form(tree_of("kuhn")))  # loads libraries
    game = build_sequence_form(tree_of(name))
    runs = [once(game)]
    if runs[0][0] < LONG:
        runs += [once(game) for _ in range(4)]
    lp, exact = (statistics.median(run[column] for run in runs) for column in (0, 1))
    found = runs[0][2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        path.write_bytes(as_bytes(certificate_of(found.proven, {"name": name})))
        checked = child_cpu([sys.executable, str(CHECKER), str(path)])
    return {
        "sequences": [treeplex.num_sequences for treeplex in game.treeplexes],
        "engine": exact_engine(build_lp(game).size),
        "LP s": lp,
        "exact s": exact,
        "exact / LP": exact / lp,
        "bits": max(whole.bit_length() for whole in found.denominators),
        "checker s": checked,
        "value": fraction_text(found.value),
    }


def child_cpu(command: list[str]) -> float:
    """Return the CPU seconds of a process, which must succeed."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def gambit(name: str) -> dict[str, Any]:
    """Solve with Gambit's lp_solve in rational arithmetic, from our tree as an .efg text."""
    import io

    import pygambit

    from benchmarks.gambit import value
    from seqform.io import efg_text

    game = pygambit.read_efg(io.StringIO(efg_text(tree_of(name))))
    seconds, found = cpu(lambda: value(game))
    return {"exact s": seconds, "value": str(found)}


def qsopt(name: str) -> dict[str, Any]:
    """Solve the linear program, in integers, with QSopt_ex's esolver (Debian's package
    qsopt-ex)."""
    from seqform import build_sequence_form
    from seqform.solvers.linear.highs_file import write_lp
    from seqform.solvers.linear.program import build_lp

    if shutil.which("esolver") is None:
        return {"value": "not installed"}
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "game.lp", Path(folder) / "out.sol"
        program = build_lp(build_sequence_form(tree_of(name)))
        write_lp(program, path)
        seconds = child_cpu(["esolver", "-O", str(out), "-L", str(path)])
        optimum = next(line for line in out.read_text().splitlines() if "Value" in line).split("=")[
            1
        ]
        return {
            "exact s": seconds,
            "value": str(Fraction(optimum.strip()) / Fraction(program.scale)),
        }


PROGRAMS = {"seqform": ours, "gambit": gambit, "qsopt_ex": qsopt}


def main() -> None:
    """Measure and print."""
    program, name = sys.argv[1:]
    print(json.dumps(PROGRAMS[program](name)))


if __name__ == "__main__":
    main()
