"""Restricted Nash responses beside solving the game: `python -m benchmarks.restricted GAME METHOD`
prints one JSON line.

CPU seconds of `solve` on sequence forms that are made already, everything compiled; the middle of
REPEATS, or of fewer if these take longer than ENOUGH seconds. The model of player 1 is drawn at
random in eighths, from one seed. Signal games of more than 2,000,000 payoffs are not stored, nor
are their restricted games: both go by rounds of cards. Smaller restricted games are stored.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from fractions import Fraction
from typing import Any

from benchmarks.measure import run

GAMES: dict[str, tuple[str, dict[str, int], float]] = {
    "leduc": ("leduc", {}, 1e-3),
    "leduc, 6 ranks": ("leduc", {"ranks": 6}, 1e-3),
    "rhode-island 4 x 2": ("rhode-island", {"ranks": 4, "suits": 2}, 1e-1),
    "rhode-island 6 x 4": ("rhode-island", {"ranks": 6, "suits": 4}, 1e-1),
    "rhode-island": ("rhode-island", {}, 1e-1),
}
"""The game, its parameters, and the gap for regret minimization, in chips."""

METHODS: dict[str, dict[str, Any]] = {
    "lp": {"method": "lp", "exact": False},
    "exact": {"method": "lp", "exact": True},
    "dcfr": {"method": "dcfr"},
}
CASES = (
    ("leduc", "lp"),
    ("leduc", "exact"),
    ("leduc, 6 ranks", "lp"),
    ("leduc", "dcfr"),
    ("rhode-island 4 x 2", "dcfr"),
    ("rhode-island 6 x 4", "dcfr"),
    ("rhode-island", "dcfr"),
)
WEIGHTS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
REPEATS, ENOUGH, LIMIT = 5, 10.0, 900.0


def form_of(name: str) -> Any:
    """Return the game's sequence form; of Rhode Island by classes that lose nothing."""
    from abstraction.equitable import EQUITABLE
    from seqform import build_sequence_form, build_tree, make

    game, parameters, _ = GAMES[name]
    made = make(game, **parameters)
    if game == "leduc":
        return build_sequence_form(build_tree(made))
    return EQUITABLE.apply(made)[0].zero_sum()


def random_model(form: Any) -> Any:
    """Return a model of player 1 in eighths."""
    import numpy as np

    from seqform.form.profile import Profile
    from seqform.strategies.exploit.model import model_from

    rng = np.random.default_rng(0)
    behaviors = [t.to_behavior(rng.random(t.num_sequences) + 1e-3) for t in form.treeplexes]
    profile = Profile.from_behaviors(form.treeplexes, behaviors).rounded(form.treeplexes, 3)
    return model_from(profile, form, 1)


def seconds(form: Any, options: dict[str, Any]) -> float:
    """Return the CPU seconds of a solve, in the middle of several."""
    from seqform import solve

    times: list[float] = []
    for _ in range(REPEATS):
        start = time.process_time()
        solution = solve(form, abstract=None, **options)
        times.append(time.process_time() - start)
        assert solution.status.name == "SOLVED", solution.message
        if sum(times) > ENOUGH:
            break
    return statistics.median(times)


def measure(name: str, method: str) -> dict[str, Any]:
    """Return the seconds of the game, and of restricted games of it."""
    from seqform.strategies.exploit.restricted_response import restricted_form

    form, options = form_of(name), dict(METHODS[method])
    if method == "dcfr":
        options["gap"] = GAMES[name][2]
    model = random_model(form)
    restricted = [restricted_form(model, p) for p in WEIGHTS]
    seconds(restricted[0], options | ({"gap": 1e3} if method == "dcfr" else {}))  # compiles
    plain = seconds(form, options)
    return {
        "game": name,
        "method": method,
        "payoffs": form.operator.num_nonzeros,
        "plain s": plain,
        **{
            f"p = {p}, times": seconds(game, options) / plain
            for p, game in zip(WEIGHTS, restricted, strict=True)
        },
    }


def restricted() -> list[dict[str, Any]]:
    """Restricted Nash responses: CPU seconds beside solving the game, medians of up to 5."""
    command = [sys.executable, "-m", "benchmarks.restricted"]
    found = [(case, run([*command, *case], LIMIT)) for case in CASES]
    return [
        each.record or {"game": case[0], "method": case[1], "note": each.note}
        for case, each in found
    ]


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
