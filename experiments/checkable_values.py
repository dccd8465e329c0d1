"""How large is a proof of a value that anybody can check, and how long does checking take?

`python -m experiments.checkable_values` solves decks (ranks x suits, three bets a round) in their
lossless `equitable` classes and writes a certificate of each: deck, betting, showdown, classes, and
plans of the classes in integers. `tools/check_certificate.py` then checks it in a process of its
own, against the rules as `tools/rhode_island.py` writes them down. `--large` takes the 52-card
game, too: half an hour, 1 GB, and a certificate of 9 MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from abstraction.equitable import equitable
from experiments.tables import Row, arguments, cpu, save, show, show_versions
from games.rhode_island import rhode_island
from seqform import solve
from seqform.base.errors import SolverError
from seqform.base.memory import peak_rss_mb
from seqform.exact.certificate_file import Proof
from seqform.exact.interval import outwards, prove
from seqform.exact.quotient_file import quotient_of_signals, write_quotient_certificate
from seqform.game.observations import SignalStructure

TOOLS = Path(__file__).parents[1] / "tools"
BITS = 36


class Deck(NamedTuple):
    """A deck of so many ranks and suits, and the nash_gap to search to, in chips."""

    ranks: int
    suits: int
    gap: float


QUICK = (Deck(3, 2, 1e-2),)
DECKS = (Deck(3, 2, 1e-4), Deck(3, 4, 1e-4), Deck(4, 4, 1e-4))
LARGE = (Deck(13, 4, 1.9e-5),)
COLUMNS = (
    "deck",
    "lower",
    "upper",
    "width",
    "kilobytes",
    "solve_seconds",
    "write_seconds",
    "check_seconds",
    "peak_mb",
)


def row_of(deck: Deck, folder: Path) -> Row:
    """Solve a deck, write its certificate, have it checked, and return the figures."""
    name = f"{deck.ranks}x{deck.suits}"
    structure = SignalStructure(rhode_island(deck.ranks, deck.suits))
    quotient = quotient_of_signals(structure, equitable(structure))
    seconds, solution = cpu(lambda: solve(quotient.form, method="hs-dcfr", gap=deck.gap))
    if solution.profile is None:
        raise SolverError(f"{name}: {solution.message}")
    proven = prove(quotient.form, solution.profile, BITS)
    path = folder / f"rhode-island-{name}.json.gz"
    identity = {
        "name": "rhode-island",
        "params": {"ranks": deck.ranks, "suits": deck.suits},
        "unit": "chips",
        "fingerprint": "",
    }
    writing, _ = cpu(lambda: write_quotient_certificate(path, quotient, identity, Proof.of(proven)))
    lower, upper = outwards(proven, 10)
    return {
        "deck": name,
        "lower": lower,
        "upper": upper,
        "width": float(proven.width),
        "kilobytes": path.stat().st_size // 1000,
        "solve_seconds": round(seconds, 1),
        "write_seconds": round(writing, 1),
        "check_seconds": round(check(path, deck), 1),
        "peak_mb": round(peak_rss_mb()),
    }


def check(path: Path, deck: Deck) -> float:
    """Have a certificate checked against the rules; return the CPU seconds that takes.

    Raises
    ------
    CalledProcessError
        If it is refused.
    """
    rules = path.with_suffix("").with_suffix(".rules.json")
    with rules.open("w") as file:
        command = [sys.executable, TOOLS / "rhode_island.py", deck.ranks, deck.suits, 3]
        subprocess.run(list(map(str, command)), stdout=file, check=True)
    before = os.times()
    subprocess.run([sys.executable, TOOLS / "check_certificate.py", path, rules], check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])  # of child processes


def main(given: Sequence[str] | None = None) -> None:
    """Run, save and print."""
    options = arguments(__doc__, given, large="the game of 52 cards, too: half an hour")
    folder = options.out / "certificates"
    folder.mkdir(exist_ok=True)
    rows: list[Row] = []
    for deck in QUICK if options.quick else DECKS + LARGE * options.large:
        rows.append(row_of(deck, folder))
        save(options.out / "checkable_values.csv", rows)
    show("Values that anybody can check", rows, COLUMNS, "deck")
    show_versions()


if __name__ == "__main__":
    main()
