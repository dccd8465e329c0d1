"""Tournaments refuse what cannot be: stacks, blinds, cards, and hands that win too much."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.chip_tournament import ChipTournament
from seqform import make, matrix_game, solve_recursive
from seqform.base.errors import GameTooLargeError, InvalidGameError, InvalidParameterError
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("kuhn-tournament", {"chips": 1}, "chips=1 is too small: use 2 or more"),
        ("kuhn-tournament", {"first": 8}, "first=8 is too large: use 7 or less"),
        ("kuhn-tournament", {"first": -1}, "first=-1 is too small"),
        ("kuhn-tournament", {"cards": 1}, "cards=1 is too small"),
        ("leduc-tournament", {"suits": 0}, "suits=0 is too small"),
        ("leduc-tournament", {"max_bets": -1}, "max_bets=-1 is too small"),
        ("one-card-tournament", {"cards": 1}, "cards=1 is too small"),
        ("one-card-tournament", {"small_blind": 3}, "big_blind=2 is too small: use 3 or more"),
        ("one-card-tournament", {"big_blind": 0, "small_blind": 0}, "big_blind=0 is too small"),
        ("push-fold-tournament", {"unit": 0}, "unit=0 is too small"),
        ("push-fold-tournament", {"chips": 8050}, "multiples of unit=100"),
        ("push-fold-tournament", {"first": 150}, "multiples of unit=100"),
        ("push-fold-tournament", {"small_blind": 250}, "small_blind=250 and big_blind=600 have"),
        ("push-fold-against-anything", {"free": 2}, "free=2 is too large: use 1 or less"),
    ],
)
def test_bad_parameters(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        make(name, **parameters)


def test_stages_are_counted_before_any_is_made() -> None:
    with pytest.raises(GameTooLargeError, match="79,999 stages"):
        solve_recursive(make("push-fold-tournament", chips=8_000_000))


@pytest.mark.parametrize("paid", [3, Fraction(1, 2)])
def test_hands_that_pay_too_much(paid: Any) -> None:
    hand = matrix_game([[paid], [-1]])
    game = ChipTournament(lambda mine, theirs: hand, chips=4, first=2)
    with pytest.raises(InvalidGameError, match="nobody wins more than the other has"):
        stage_graph(game)


def test_a_tournament_of_ones_own() -> None:
    """Matching pennies for a chip: a fair game, so the chips are the value."""
    hand = matrix_game([[1, -1], [-1, 1]])
    solution = solve_recursive(ChipTournament(lambda mine, theirs: hand, chips=5, first=2))
    assert solution.status is Status.SOLVED
    for stage in solution.graph.stages:
        low, high = solution.bracket(stage.key)
        assert low <= Fraction(stage.key, 5) <= high  # type: ignore[arg-type]


def test_parameters_have_words() -> None:
    from seqform.game.catalogue import GAMES

    for name in GAMES.names():
        if "tournament" in name:
            entry = GAMES.get(name)
            assert set(entry.meanings) == set(entry.parameters)
