"""Strategies judged by `seqform` as whole processes: CPU and wall seconds, and peak memory.

Leduc's commands start anew REPEATS times each, taking turns; the middle is reported. Those of the
52-card Rhode Island hold'em run once, and take the memory of a certificate.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import Run, run

SEQFORM = Path(sys.executable).parent / "seqform"
REPEATS, LIMIT = 15, 1800.0
SMALL = (
    "evaluate leduc --profile {}/strategy.csv",
    "best-response leduc --profile {}/strategy.csv --player 1",
)
LARGE = (
    "verify {}",
    "evaluate rhode-island --profile {}",
    "evaluate rhode-island --profile {} --hands",
    "evaluate rhode-island --profile {} --against {}",
    "best-response rhode-island --profile {} --player 1",
)


def once(command: str, folder: str = "") -> Run:
    """Run a command on a folder that has a saved result."""
    return run([str(SEQFORM), *command.replace("{}", folder).split()], LIMIT)


def judged(commands: tuple[str, ...], solve: str, repeats: int) -> list[dict[str, Any]]:
    """Solve a game once, and run the commands on the result, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        once(f"solve {solve} --out {{}}/saved", folder)
        saved = f"{folder}/saved"
        rounds = [[once(command, saved) for command in commands] for _ in range(repeats)]
    return [
        row(command, list(runs))
        for command, runs in zip(commands, zip(*rounds, strict=True), strict=True)
    ]


def row(command: str, runs: list[Run]) -> dict[str, Any]:
    """Return what the runs of one command took, in the middle."""
    return {
        "command": command.replace("{}", "SAVED"),
        "CPU": statistics.median(each.cpu for each in runs),
        "wall": statistics.median(each.wall for each in runs),
        "peak MB": max(each.peak_mb for each in runs),
        "note": max(each.note for each in runs),
    }


def judging() -> list[dict[str, Any]]:
    """Strategies judged by whole processes: CPU and wall seconds; of Leduc hold'em medians of 15,
    in turns."""
    return judged(SMALL, "leduc", REPEATS)


def judging_whole_game() -> list[dict[str, Any]]:
    """Strategies of the 52-card Rhode Island hold'em judged by whole processes: CPU and wall
    seconds, once each, on a result that `--gap 5e-2` found."""
    return judged(LARGE, "rhode-island --gap 5e-2", 1)


TABLES = {"judging": judging, "judging_whole_game": judging_whole_game}
