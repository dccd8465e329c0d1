"""Measure all experiments anew, and draw all pictures: `python -m tools.figures [NAME ...]`.

Rows and pictures of the experiments go to experiments/results, the gallery's drawings to
docs/gallery. Rows that an experiment measures only for those who ask (decks that take hours) stay.
"""

from __future__ import annotations

import sys
import time

from experiments import two_jacks
from seqform import EXPERIMENTS, run_experiment
from seqform.experiment import Now
from seqform.experiment.task import FAILED, KILLED
from tools.gallery import ROOT, draw_all

RESULTS = ROOT / "experiments" / "results"
YOURS = "sweep"
"""The experiment that is for whoever asks, and has no results of ours."""


def remake(name: str) -> None:
    """Measure an experiment anew.

    Raises
    ------
    RuntimeError
        If a point failed.
    """
    folder, start = RESULTS / name, time.perf_counter()
    rows = run_experiment(name, out=folder, fresh=True, progress=tell).rows
    wrong = [row for row in rows if row["status"] in (FAILED, KILLED)]
    if wrong:
        raise RuntimeError(f"{name}: {wrong[0]['reason']}")
    (folder / "rows.parquet").unlink(missing_ok=True)  # what is committed is text
    print(f"{name}: {len(rows)} rows in {time.perf_counter() - start:.0f} s", flush=True)


def tell(now: Now) -> None:
    """Show how far an experiment is, on one line."""
    print(f"\r{now.point.experiment}: {now.done} of {now.total} ", end="", file=sys.stderr)


def main(names: list[str]) -> None:
    """Remake what is asked for; by default everything."""
    for name in names or sorted(set(EXPERIMENTS.names()) - {YOURS}):
        remake(name)
    if not names:
        two_jacks.draw()
        draw_all()


if __name__ == "__main__":
    main(sys.argv[1:])
