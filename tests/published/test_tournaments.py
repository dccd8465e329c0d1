"""Values of tournaments that are published, or that somebody can work out by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from games.anything_tournament import anything_tournament, more_is_never_worse, most_lost
from games.hand_classes import HANDS_OF
from seqform import make, solve_recursive
from seqform.recursive.solution import RecursiveSolution


def test_kuhn_tournament_of_four_chips_is_the_root_of_a_cubic() -> None:
    def polynomial(x: Fraction) -> Fraction:
        return 5 * x**3 - 6 * x**2 - 15 * x + 8

    low, high = solve_recursive(make("kuhn-tournament", chips=4)).bracket(2)
    assert high - low < Fraction(1, 10**9)
    assert polynomial(low) > 0 > polynomial(high)


@pytest.fixture(scope="module")
def miltersen() -> RecursiveSolution:
    """Miltersen & Sorensen's tournament; the figures are of a probe of ours."""
    return solve_recursive(make("push-fold-tournament"))


@pytest.mark.parametrize(
    ("chips", "seat", "value"),
    [(4000, 0, 0.5003108837), (2000, 0, 0.2536435243), (6000, 1, 0.2463691114)],
)
def test_values_of_push_or_fold(
    miltersen: RecursiveSolution, chips: int, seat: int, value: float
) -> None:
    low, high = miltersen.bracket(chips, seat)
    assert high - low < Fraction(1, 10**9)
    assert float(low) == pytest.approx(value, abs=6e-11)


@pytest.mark.parametrize(("chips", "percent"), [(4000, 66.9), (2000, 77.7), (1000, 94.6)])
def test_short_stacks_push_more(miltersen: RecursiveSolution, chips: int, percent: float) -> None:
    pushes = miltersen.profile.behaviors[miltersen.number(chips)][0][2::2]
    hands = np.array([len(of) for of in HANDS_OF])
    assert 100 * float(pushes @ hands) / 1326 == pytest.approx(percent, abs=0.05)


@pytest.mark.long
def test_push_or_fold_loses_at_most_what_is_published() -> None:
    """Miltersen & Sorensen: within 1.4 percentage points of the optimum; here it is proven."""
    solution = solve_recursive(anything_tournament())
    assert more_is_never_worse(solution)
    lost = most_lost(solution)
    assert max(lost, key=lambda chips: lost[chips]) == 4000
    assert 1.3848220 < 100 * float(lost[4000]) < 1.3848221
