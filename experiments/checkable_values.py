"""How large is a proof of a value that anybody can check, and how long does checking take?

Claim: the value of the 52-card Rhode Island hold'em has a proof of 9 MB, which Python's standard
library checks in about a minute.

Source: measured here; docs/explanation/checkable-quotients.md has the theorem.

Decks (ranks x suits, three bets a round) are solved in their lossless `equitable` classes, and a
certificate of each is written into the folder `certificates`: deck, betting, showdown, classes, and
plans of the classes in integers. `tools/check_certificate.py` then checks it in a process of its
own, against the rules as `tools/rhode_island.py` writes them down. The 52-card game takes half an
hour, and 1 GB: `--decks 13x4`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.decks import deck_axis
from experiments.markdown import rounded, table
from experiments.timing import cpu, load_solvers
from seqform.base.errors import SolverError
from seqform.experiment import ExperimentSpec, Point, Row, run_as_script

TOOLS = Path(__file__).parents[1] / "tools"
CERTIFICATES = Path("certificates")
BITS = 36
GAPS = {"3x2": 1e-4, "3x4": 1e-4, "4x4": 1e-4, "13x4": 1.9e-5}
"""The nash_gap to search to, in chips."""


def prove_value(point: Point) -> Row:
    """Solve a deck, write its certificate, have it checked, and return the figures.

    Raises
    ------
    SolverError
        If the search has no answer.
    CalledProcessError
        If the certificate is refused.
    """
    from abstraction.equitable import equitable
    from seqform import make, solve
    from seqform.exact.bracket import interval_of
    from seqform.exact.plan_proof import outwards
    from seqform.exact.quotient_file import quotient_of_signals, write_quotient_certificate
    from seqform.game.observations import SignalStructure

    deck = str(point["deck"])
    structure = SignalStructure(make("rhode-island", **point.parameters))
    quotient = quotient_of_signals(structure, equitable(structure))
    gap = GAPS.get(deck, 1e-4)
    seconds, solution = cpu(lambda: solve(quotient.form, method="hs-dcfr", gap=gap))
    if solution.profile is None:
        raise SolverError(f"{deck}: {solution.message}")
    proven = interval_of(quotient.form, solution.profile, BITS)
    CERTIFICATES.mkdir(exist_ok=True)
    path = CERTIFICATES / f"rhode-island-{deck}.json.gz"
    identity = {
        "name": "rhode-island",
        "params": dict(point.parameters),
        "unit": "chips",
        "fingerprint": "",
    }
    writing, _ = cpu(lambda: write_quotient_certificate(path, quotient, identity, proven))
    lower, upper = outwards(proven, 10)
    return {
        "lower": lower,
        "upper": upper,
        "gap": float(proven.width),
        "kilobytes": path.stat().st_size // 1000,
        "solve_seconds": round(seconds, 1),
        "write_seconds": round(writing, 1),
        "check_seconds": round(check(path, point), 1),
    }


def check(path: Path, point: Point) -> float:
    """Have a certificate checked against the rules; return the CPU seconds that takes.

    Raises
    ------
    CalledProcessError
        If it is refused.
    """
    rules = path.with_suffix("").with_suffix(".rules.json")
    with rules.open("w") as file:
        deck = [str(point.parameters[name]) for name in ("ranks", "suits")]
        command = [sys.executable, str(TOOLS / "rhode_island.py"), *deck, "3"]
        subprocess.run(command, stdout=file, check=True)
    before = os.times()
    command = [sys.executable, str(TOOLS / "check_certificate.py"), str(path), str(rules)]
    subprocess.run(command, check=True, stdout=sys.stderr)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])  # of child processes


def write_table(rows: Sequence[Row]) -> str:
    """Return the intervals, and what it takes to find, to write and to check them."""
    return table(
        {
            "deck": row["deck"],
            "interval, chips": f"{row['lower']:.10f} to {row['upper']:.10f}",
            "width": rounded(row["gap"]),
            "certificate, kB": row["kilobytes"],
            "solve, CPU s": rounded(row["solve_seconds"]),
            "write, CPU s": row["write_seconds"],
            "check, CPU s": row["check_seconds"],
        }
        for row in rows
    )


CHECKABLE_VALUES = ExperimentSpec(
    name="checkable_values",
    doc=__doc__,
    axes=(deck_axis(("3x2", "3x4", "4x4"), ("3x2",)),),
    measure=prove_value,
    prepare=load_solvers,
    figures={"checkable_values.md": write_table},
    shown=("deck", "lower", "upper", "gap", "kilobytes", "solve_seconds", "check_seconds"),
    memory="2 GB",
)

if __name__ == "__main__":
    run_as_script("checkable_values")
