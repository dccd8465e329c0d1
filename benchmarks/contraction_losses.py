"""What do contractions lose on random games with observable actions?

`python -m benchmarks.contraction_losses` applies both of GameShrink's transformations, step by step
and until no pair is left, to the 500 random games of `tests/shrinkable_games.py`. What is left is
solved, and the answer is lifted to the whole game and judged there. It is one equilibrium of
several. An answer loses if its nash_gap is above 1e-6.
"""

from __future__ import annotations

import sys
from collections import Counter

from abstraction.contraction import CONTRACTION, CONTRACTION_MATCHED, Contraction
from seqform import certify, solve
from seqform.links.lifting import lift_profile
from tests.shrinkable_games import observable_game

GAMES = 500
LOSES = 1e-6


def counted(reduction: Contraction, count: int) -> Counter[str]:
    """Return how many games have steps and lose, and how many of those keep all names."""
    found: Counter[str] = Counter()
    for seed in range(count):
        steps = list(reduction.steps(observable_game(seed)))
        found["steps"] += len(steps)
        found["steps in which actions do not correspond by name"] += sum(
            not step.by_name for step in steps
        )
        if not steps:
            continue
        last, by_name = steps[-1], all(step.by_name for step in steps)
        found["games with steps"] += 1
        found["of these, with all actions by name"] += by_name
        if last.smaller is None or last.back_to_all is None:
            found["games in which a player forgets something at the end"] += 1
            continue
        profile = solve(last.smaller).profile
        assert profile is not None
        lifted = lift_profile(profile, last.back_to_all)
        loses = certify(last.back_to_all.original, lifted).nash_gap > LOSES
        found["games that lose"] += loses
        found["of these, with all actions by name, lose"] += loses and by_name
    return found


def main(count: int = GAMES) -> None:
    """Count and print."""
    for reduction in (CONTRACTION, CONTRACTION_MATCHED):
        print(f"{reduction.name}, {count} games")
        for what, number in counted(reduction, count).items():
            print(f"  {what}: {number}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
