"""Payoffs near 1 to 3 whose common denominator is beyond the range of floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from seqform import SequenceForm, TreeBuilder, build_sequence_form, solve
from seqform.base.objectives import OBJECTIVES
from seqform.exact.optimum import worth
from tests.reference.exact_values import proven_interval

NEAR_2, NEAR_1, NEAR_3 = (
    near + Fraction(1, prime**power)
    for near, prime, power in ((2, 3, 300), (1, 5, 250), (3, 7, 200))
)


def by_rows(*paid: tuple[Any, Any]) -> SequenceForm:
    """Return the game of two rows and two columns that pays so."""
    builder = TreeBuilder(2)
    cells = iter(paid)
    for row in builder.decision(builder.root, 0, "row", ["up", "down"]):
        for cell in builder.decision(row, 1, "column", ["left", "right"]):
            builder.terminal(cell, next(cells))
    return build_sequence_form(builder.freeze())


COORDINATION = by_rows((NEAR_2, NEAR_1), (0, 0), (0, 0), (NEAR_3, NEAR_2))
PENNIES = by_rows((NEAR_2, -NEAR_2), (0, 0), (0, 0), (NEAR_1, -NEAR_1))
DOMINATED = by_rows((NEAR_1, -NEAR_1), (NEAR_2, -NEAR_2), (NEAR_1, -NEAR_1), (NEAR_3, -NEAR_3))


@pytest.mark.parametrize("by", [{}, {"solver": "highs"}])
@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "none"])
def test_best_equilibria_are_exact(objective: str, by: dict[str, str]) -> None:
    x, y = NEAR_2 / (NEAR_1 + NEAR_2), NEAR_3 / (NEAR_2 + NEAR_3)  # who mixes makes the other do so
    mixed = (NEAR_2 * y, NEAR_1 * x)
    best = max(worth(v, objective) for v in ((NEAR_2, NEAR_1), (NEAR_3, NEAR_2), mixed))
    solution = solve(COORDINATION, optimize=objective, **by)
    assert solution.optimum is not None
    assert solution.optimum.value == best


@pytest.mark.parametrize("refine", ["quasi-perfect", "undominated"])
@pytest.mark.parametrize("game", [PENNIES, DOMINATED])
def test_refined_equilibria_are_proven(game: SequenceForm, refine: str) -> None:
    solution = solve(game, refine=refine)
    assert solution.exact is not None
    plans = [
        [Fraction(int(weight), whole) for weight in plan]
        for plan, whole in zip(solution.exact.plans, solution.exact.denominators, strict=True)
    ]
    assert proven_interval(game, plans) == (solution.exact.value, solution.exact.value)
    if game is DOMINATED:  # down pays no less, and more against right
        assert plans[0][1:] == [0, 1]
