"""What can two players be paid in Nash and in correlated equilibria?

`python -m experiments.payoff_regions` draws the regions of EFCE, EFCCE and NFCCE of small games,
exactly, and marks the Nash equilibria in pure strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from experiments.tables import Row, arguments, save, save_picture, show
from games.random_games import random_game
from games.sheriff import sheriff
from games.signalling import signalling
from games.textbook import chicken
from seqform import PayoffRegion, SequenceForm, build_sequence_form, build_tree, payoff_region
from seqform.concepts.correlated import CorrelatedAnswer
from seqform.concepts.nfcce import NFCCE
from seqform.drawing import draw_regions
from seqform.form.correlation_plan import product_plan
from seqform.form.relevant_pairs import relevant_pairs
from seqform.form.treeplex import Treeplex

KINDS = ("nfcce", "efcce", "efce")

GAMES: dict[str, Any] = {
    "chicken": chicken,
    "signalling": signalling,
    "sheriff": lambda: sheriff(2, 2, 2, 5, 1, 1),
    "random": lambda: random_game(seed=58, depth=4, zero_sum=False, chance=0.15, hidden=0.9),
}
QUICK = ("chicken", "signalling")

MOST_PAIRS = 2_000
"""Pairs of pure strategies up to which all are tried as Nash equilibria."""


def pure_plans(treeplex: Treeplex, first: int = 0) -> Iterator[set[int]]:
    """Yield the sequences that each reduced pure strategy plays after one of its own."""
    infosets = np.flatnonzero(treeplex.parent_sequence == first).tolist()
    choices = []
    for infoset in infosets:
        start, stop = treeplex.first_sequence[infoset : infoset + 2].tolist()
        choices.append(
            [{move} | rest for move in range(start, stop) for rest in pure_plans(treeplex, move)]
        )
    for chosen in product(*choices):
        yield set().union(*chosen)


def pure_nash(form: SequenceForm) -> list[tuple[Fraction, Fraction]]:
    """Return what Nash equilibria in pure strategies pay; none if there are too many to try.

    A product of strategies is a Nash equilibrium if nobody gains by a deviation before the game.
    """
    strategies = [list(pure_plans(treeplex)) for treeplex in form.treeplexes]
    if len(strategies[0]) * len(strategies[1]) > MOST_PAIRS:
        return []
    pairs, found = relevant_pairs(form), set()
    for chosen in product(*strategies):
        plans = []
        for treeplex, made in zip(form.treeplexes, chosen, strict=True):
            plan = np.zeros(treeplex.num_sequences, dtype=object)
            plan[[0, *made]] = 1
            plans.append(plan)
        answer = CorrelatedAnswer(product_plan(pairs, plans, (1, 1)))
        certificate = NFCCE.certify(form, answer)
        if certificate.largest_gain == 0:
            found.add((Fraction(certificate.values[0]), Fraction(certificate.values[1])))
    return sorted(found)


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
        nash = pure_nash(form)
        marked = {"Nash, pure": nash} if nash else {}
        figure = draw_regions(regions, marked, f"{name}: payoffs of equilibria")
        save_picture(options.out / f"payoff_regions_{name}.png", figure)
    save(options.out / "payoff_regions.csv", rows)
    show("Payoff regions", rows, list(rows[0]), "game")


if __name__ == "__main__":
    main()
