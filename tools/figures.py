"""Measure all experiments anew, and draw all pictures: `python -m tools.figures [NAME ...]`.

Rows, pictures and tables of the experiments go to experiments/results, the gallery's drawings to
docs/gallery, and the tables to the pages that show them. Rows that an experiment measures only for
those who ask (decks that take hours) stay.
"""

from __future__ import annotations

import sys
import time

from experiments import two_jacks
from seqform import EXPERIMENTS, run_experiment
from seqform.experiment import Now
from seqform.experiment.task import FAILED, KILLED
from tools.gallery import ROOT, draw_all
from tools.tables import fill_all

RESULTS = ROOT / "experiments" / "results"
JOBS = 2
"""Points that are measured at a time, each on one core."""

YOURS = "sweep"
"""The experiment that is for whoever asks, and has no results of ours."""


def remake(name: str) -> list[str]:
    """Measure an experiment anew, and return what went wrong."""
    folder, start = RESULTS / name, time.perf_counter()
    rows = run_experiment(name, out=folder, fresh=True, jobs=JOBS, progress=tell).rows
    (folder / "rows.parquet").unlink(missing_ok=True)  # what is committed is text
    print(f"{name}: {len(rows)} rows in {time.perf_counter() - start:.0f} s", flush=True)
    return [f"{name}: {row['reason']}" for row in rows if row["status"] in (FAILED, KILLED)]


def tell(now: Now) -> None:
    """Show how far an experiment is, on one line."""
    print(f"\r{now.point.experiment}: {now.done} of {now.total} ", end="", file=sys.stderr)


def main(names: list[str]) -> None:
    """Remake what is asked for; by default everything. End with what went wrong."""
    names_of_all = sorted(set(EXPERIMENTS.names()) - {YOURS})
    wrong = [reason for name in names or names_of_all for reason in remake(name)]
    if not names:
        two_jacks.draw(ROOT / "docs" / "explanation")
        draw_all()
    fill_all()
    if wrong:
        raise SystemExit("\n".join(dict.fromkeys(wrong)))


if __name__ == "__main__":
    main(sys.argv[1:])
