"""What a start costs: a whole process that imports seqform, or solves a small game."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import run

SEQFORM = Path(sys.executable).with_name("seqform")
TURNS = 15
BARE, OPEN_SPIEL = "python -c pass", "open_spiel"

OPEN_SPIEL_KUHN = """
import pyspiel
from open_spiel.python.algorithms import sequence_form_lp
print(sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("kuhn_poker"))[0])
"""

PROGRAMS = {
    BARE: [sys.executable, "-c", "pass"],
    "import seqform": [sys.executable, "-c", "import seqform"],
    "seqform games": [str(SEQFORM), "games"],
    "seqform solve --help": [str(SEQFORM), "solve", "--help"],
    "seqform solve kuhn": [str(SEQFORM), "solve", "kuhn", "--json"],
    OPEN_SPIEL: [sys.executable, "-c", OPEN_SPIEL_KUHN],
}


def startup() -> list[dict[str, Any]]:
    """Whole processes that take turns, beside bare Python and a script that solves Kuhn poker in
    OpenSpiel (median CPU seconds of 15, and medians of the ratios of each turn)."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs run from bytecode once installed
    turns = [
        {name: run(command, 60).cpu for name, command in PROGRAMS.items()} for _ in range(TURNS + 1)
    ]
    del turns[0]  # it warms the file cache, and may have compiled
    return [
        {
            "program": name,
            "CPU": median(turn[name] for turn in turns),
            "of bare Python": median(turn[name] / turn[BARE] for turn in turns),
            "of open_spiel": median(turn[name] / turn[OPEN_SPIEL] for turn in turns),
        }
        for name in PROGRAMS
    ]
