"""Solve random games in every way there is, and save what disagrees as small .efg files.

``python -m tests.soak --games 2000 --minutes 30`` (or ``make soak``). Game ``i`` is that of seed
``i``; the report says how often each check ran and how it ended. Exit status: 1 if any two answers
disagree, or a process crashes or is stuck; else 0.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from tests.soak.runner import Soak, save


def main() -> int:
    """Check games, report, and save what disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--first", type=int, help="the first seed; by default others every time")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("out/soak"))
    options = parser.parse_args()
    first = random.randrange(10**9) if options.first is None else options.first
    print(f"python -m tests.soak --games {options.games} --first {first}", flush=True)
    soak = Soak(options.games, first, options.jobs)
    soak.run(options.minutes)
    print(soak.table())
    for seed, name, ending in soak.wrong:
        if not ending.startswith(("wrong: stuck", "wrong: crash")):
            save(options.out, seed, name, ending)
    if soak.wrong:
        print(f"{len(soak.wrong)} disagreements; smallest games in {options.out}")
    return int(bool(soak.wrong))


if __name__ == "__main__":
    sys.exit(main())
