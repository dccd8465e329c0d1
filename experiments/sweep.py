"""What are games worth, by which method, and in what time?

Every game is solved by every method, after every reduction, and the answer is certified. Games,
methods and reductions are those of whoever asks. The picture has a column of panels for each game
where numbers were swept, such as `-p cards=3,4,5`; else a place for each game.

Claim: none; this is the experiment to begin one's own with.

Source: each row's certificate.
"""

from __future__ import annotations

from experiments.sweep_picture import draw_sweep
from seqform.experiment import Axis, ExperimentSpec, run_as_script

SWEEP = ExperimentSpec(
    name="sweep",
    doc=__doc__,
    axes=(
        Axis("game", ("kuhn", "leduc"), quick=("kuhn",), help="names, files, module:attribute"),
        Axis("reduction", ("none",), help="none, auto, or names"),
        Axis("method", ("auto",), help="auto, or names such as cfr+(iterations=100)"),
        Axis("seed", (None,), help="of a random game, or of a method that takes one"),
    ),
    figures={"sweep.png": draw_sweep},
)

if __name__ == "__main__":
    run_as_script("sweep")
