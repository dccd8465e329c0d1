"""One or two calls of each command, which its help ends with."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "games": ("games", "games leduc"),
    "info": ("info leduc -p ranks=13",),
    "solve": ("solve leduc --out result", "solve leduc --method dcfr --gap 1e-4"),
    "show": ("show leduc", "show result --player 0"),
    "shrink": ("shrink rhode-island --criterion suit", "shrink kuhn --compare -o compare.svg"),
    "isomorphism": ("isomorphism leduc@Js leduc@Jh", "isomorphism kuhn mine.efg"),
    "compare-nodes": ("compare-nodes leduc Js Jh",),
    "verify": ("verify result",),
    "report": ("report result -o report.html",),
    "evaluate": ("evaluate leduc --profile mine.csv --hands",),
    "best-response": ("best-response leduc --profile mine.csv --player 1",),
    "play": ("play leduc --hands 10",),
    "sample": ("sample leduc --hands 1000 --out hands.csv",),
    "exploit": ("exploit leduc --player 0 --model them.csv --epsilon 0.1",),
    "experiment": ("experiment lp_sizes --decks 5x3,6x3", "experiment mine.toml --jobs 4"),
    "convert": ("convert kuhn kuhn.efg",),
    "write-lp": (
        "write-lp von-stengel example.lp",
        "write-lp von-stengel example.lp --style slide",
    ),
    "write-lcp": ("write-lcp sheriff game.mtx",),
    "draw": ("draw kuhn --solution -o kuhn.svg", "draw leduc --from Js,Qs --max-depth 3"),
    "demo": ("demo",),
    "doctor": ("doctor", "doctor --json"),
}
"""Each without the word ``seqform`` that it begins with."""


def epilog(command: str) -> str:
    """Return how the help of a command ends; a blank line ends each line of it."""
    calls = [f"seqform {call}" for call in EXAMPLES[command]]
    return "\n\n".join(["Example:" if len(calls) == 1 else "Examples:", *calls])
