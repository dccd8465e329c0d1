"""What are games worth, by which method, and in what time?

Every game is solved by every method, after every reduction, and the answer is certified. Games,
methods and reductions are those of whoever asks.

Claim: none; this is the experiment to begin one's own with.

Source: each row's certificate.
"""

from __future__ import annotations

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
)

if __name__ == "__main__":
    run_as_script("sweep")
