"""What can two players be paid in Nash and in correlated equilibria?

`python -m experiments.payoff_regions` draws the regions of EFCE, EFCCE and NFCCE of small games,
exactly, and all Nash equilibria, where they can be enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from experiments.tables import Row, arguments, save, save_picture, show
from games.random_games import random_game
from games.sheriff import sheriff
from games.signalling import signalling
from games.textbook import chicken
from seqform import (
    PayoffRegion,
    SequenceForm,
    build_sequence_form,
    build_tree,
    payoff_region,
    solve,
)
from seqform.base.deadline import time_limited
from seqform.base.errors import GameTooLargeError
from seqform.drawing import draw_regions
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria

KINDS = ("nfcce", "efcce", "efce")

GAMES: dict[str, Any] = {
    "chicken": chicken,
    "signalling": signalling,
    "sheriff": lambda: sheriff(2, 2, 2, 5, 1, 1),
    "random": lambda: random_game(seed=58, depth=4, zero_sum=False, chance=0.15, hidden=0.9),
}
QUICK = ("chicken", "signalling")

SECONDS = 20
"""For the Nash equilibria of a game."""


def nash_equilibria(form: SequenceForm) -> Equilibria:
    """Return all extreme Nash equilibria of a game; one if they are not found in time."""
    with suppress(GameTooLargeError):
        with time_limited(SECONDS):
            found = all_equilibria(form)
        if len(found):
            return found
    exact = solve(form, method="lcp", exact=True).exact
    return Equilibria((exact,) if exact else (), False, None, form)


def row_of(name: str, region: PayoffRegion) -> Row:
    """Return a region as a row of a table."""
    corners = " ".join(f"({x}, {y})" for x, y in region.corners)
    return {
        "game": name,
        "kind": region.kind,
        "corners": len(region.corners),
        "programs": region.programs,
        "relaxed": "yes" if region.is_relaxed else "no",
        "payoffs": corners,
    }


def main(given: Sequence[str] | None = None) -> None:
    """Draw the regions of each game, and save their corners."""
    options = arguments(__doc__, given)
    rows: list[Row] = []
    for name in QUICK if options.quick else GAMES:
        form = build_sequence_form(build_tree(GAMES[name]()))
        regions = [payoff_region(form, kind) for kind in KINDS]
        rows += [row_of(name, region) for region in regions]
        nash = nash_equilibria(form)
        figure = draw_regions(regions, nash, f"{name}: payoffs of equilibria")
        save_picture(options.out / f"payoff_regions_{name}.png", figure)
    save(options.out / "payoff_regions.csv", rows)
    show("Payoff regions", rows, list(rows[0]), "game")


if __name__ == "__main__":
    main()
