"""What the published abstraction loses lies between two bounds, whichever equilibrium is found."""

from __future__ import annotations

import pytest

from benchmarks.published_losses import GAMES, counts, losses_of
from tests.shrinkable_games import lifted_gap, merged, observable_game, two_jacks


def test_an_equilibrium_that_is_found_loses_neither_less_nor_more() -> None:
    for seed in (0, 33, 41, 60):
        tree = observable_game(seed)
        found = losses_of(tree)
        gap = lifted_gap(tree, merged(tree, published=True))
        assert found.least - 1e-6 <= gap <= found.greatest + 1e-6


def test_two_jacks_lose_nothing() -> None:
    found = losses_of(two_jacks(in_turn=True))
    assert found.value == found.abstract_value
    assert found.greatest == pytest.approx(0.0, abs=1e-6)


@pytest.mark.long
def test_how_many_of_500_games_lose() -> None:
    """The figures in docs/explanation/gameshrink.md."""
    found = counts([losses_of(observable_game(seed)) for seed in range(GAMES)])
    assert list(found.values())[:3] == [14, 39, 57]
    assert found["greatest loss"] == pytest.approx(0.5, abs=1e-6)
