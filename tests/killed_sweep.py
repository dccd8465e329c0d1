"""Kill one sweep many times, at random moments, and look whether its table is the same at the end.

Run as `python -m tests.killed_sweep COUNT FOLDER`, in a process of its own, since it forks.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from pathlib import Path

from seqform import run_experiment
from seqform.experiment import Row, read_table
from seqform.experiment.row import VARYING
from tests.killed import killed_after
from tests.sweeps import logged, squares

POINTS, SECONDS = 60, 0.04
"""How many there are, and what one takes."""


def inputs_and_answers(rows: list[Row]) -> list[Row]:
    """Return rows without what differs from run to run."""
    kept = (name for name in rows[0] if name not in {*VARYING, "folder", "key"})
    names = list(kept)
    return [{name: row[name] for name in names} for row in rows]


def run(folder: Path) -> list[Row]:
    """Run the sweep, or go on."""
    spec = squares(folder, SECONDS)
    return list(run_experiment(spec, {"number": range(POINTS)}, out=folder / "out").rows)


def there(folder: Path) -> set[int]:
    """Return the points whose rows are there."""
    table = folder / "out" / "rows.csv"
    return {int(str(row["number"])) for row in read_table(table)} if table.exists() else set()


def begun(folder: Path) -> list[int]:
    """Return the points that were begun, in order."""
    if not (folder / "log").exists():
        return []
    return [int(words[1]) for words in logged(folder) if words[0] == "begin"]


def main(count: int, folder: Path) -> None:
    """Kill a sweep so often, let it end, and compare it with one that nobody killed."""
    gc.freeze()  # each point looks for garbage before it begins
    for name in ("killed", "whole"):
        (folder / name).mkdir()
    start = time.perf_counter()
    whole = run(folder / "whole")
    # on a busy machine a row takes longer; if it is less busy then, some kills are left for later
    a_few_rows = (time.perf_counter() - start) / 20
    place, rng, kills = folder / "killed", random.Random(count), 0
    for _ in range(count):
        had, before = there(place), len(begun(place))
        kills += killed_after(rng.uniform(0.0, a_few_rows), lambda: run(place))
        assert had <= there(place), "rows were lost"
        assert not had & set(begun(place)[before:]), "rows were made again"
    assert inputs_and_answers(run(place)) == inputs_and_answers(whole)
    assert len(begun(place)) <= POINTS + kills, "more than what was in flight was lost"
    print(kills, len(begun(place)))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
