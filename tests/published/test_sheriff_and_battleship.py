"""The instances of Farina, Ling, Fang & Sandholm, "Correlation in extensive-form games:
saddle-point formulation and benchmarks", NeurIPS 2019, and the best welfare of correlated play.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.battleship import battleship
from games.sheriff import sheriff
from seqform import Profile, build_sequence_form, build_tree, certify, solve
from seqform.exact.bracket import gains_of

SHERIFF = sheriff(items=10, bribes=2, rounds=2, value=5, fine=1, compensation=1)
"""The baseline instance, section 5.2."""

BATTLESHIP = battleship(width=1, height=3, ships="1", values="1", shots=2, loss=2)
"""The reference instance, section 5.1."""


@pytest.mark.parametrize(
    ("game", "method", "welfare", "values"),
    [
        (SHERIFF, "nfcce", Fraction(150, 11), None),
        (SHERIFF, "efcce", Fraction(220, 23), None),
        (SHERIFF, "efce", Fraction(935, 103), (Fraction(748, 103), Fraction(187, 103))),
        (BATTLESHIP, "nfcce", Fraction(0), None),
        (BATTLESHIP, "efcce", Fraction(-13, 18), None),
        (BATTLESHIP, "efce", Fraction(-13, 18), None),
    ],
)
def test_best_welfare(game: Any, method: str, welfare: Fraction, values: Any) -> None:
    """The objective is the bound, both in integers, so no equilibrium of the kind has more."""
    certificate = solve(game, method=method).certificate
    assert certificate is not None
    assert certificate.objective == certificate.bound == welfare
    assert sum(certificate.values) == welfare
    assert values is None or tuple(certificate.values) == values


def test_uniform_play_is_an_equilibrium_of_battleship() -> None:
    """Player 0 sinks with probability 5/9, player 1 with 1/3: welfare -8/9, as published."""
    form = build_sequence_form(build_tree(BATTLESHIP))
    uniform = Profile.uniform(form.treeplexes)
    assert certify(form, uniform).nash_gap < 1e-12
    first, second = Fraction(5, 9), Fraction(1, 3)
    paid = first - 2 * second, second - 2 * first
    proven = gains_of(form, uniform)
    assert [float(value) for value in proven.values] == pytest.approx([float(p) for p in paid])
    assert sum(paid) == Fraction(-8, 9)
