"""Rhode Island hold'em with few cards and at most one bet a round: what is lost by merging, and
what is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from abstraction.equitable import equitable
from abstraction.outcome import outcome
from abstraction.suit import suit
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import solve
from seqform.game.observations import Classes, SignalStructure, num_classes
from seqform.game.signals import SignalGame
from seqform.links.link import REDUCTIONS
from seqform.results.lift import lift
from seqform.results.solution import Solution
from seqform.results.status import Status

# ranks, suits, the game's value, the value of its reduction by 'outcome'; computed once before by
# another program
SMALL = (4, 2, -0.282605352, -0.294198022)
LARGE = (5, 2, -0.622514412, -0.597187629)
VALUES = [SMALL, pytest.param(*LARGE, marks=pytest.mark.long)]
DECKS = [(3, 2), (3, 3), (4, 2), pytest.param(5, 2, marks=pytest.mark.long)]


@cache
def solved_and_lifted(ranks: int, suits: int, criterion: str) -> tuple[Solution, Solution]:
    game = rhode_island(ranks, suits, max_bets=1)
    reduced, inverse = REDUCTIONS.get(criterion).apply(game)
    solution = solve(reduced)
    return solution, lift(solution, inverse)


@pytest.mark.parametrize(("ranks", "suits", "value", "_lossy"), VALUES)
@pytest.mark.parametrize("criterion", ["suit", "equitable"])
def test_lossless_criteria_keep_the_value(
    ranks: int, suits: int, value: float, _lossy: float, criterion: str
) -> None:
    solution, lifted = solved_and_lifted(ranks, suits, criterion)
    assert solution.value == pytest.approx(value, abs=1e-8)
    assert lifted.value == pytest.approx(solution.value, abs=1e-9)
    assert lifted.lower - 1e-9 <= value <= lifted.upper + 1e-9


def test_the_value_of_the_whole_game() -> None:
    ranks, suits, value, _ = SMALL
    solution = solve(rhode_island(ranks, suits, max_bets=1))
    assert solution.value == pytest.approx(value, abs=1e-8)
    assert solution.nash_gap < 1e-6


@pytest.mark.parametrize(("ranks", "suits", "value", "abstract_value"), VALUES)
def test_the_published_criterion_changes_the_value_and_loses_something(
    ranks: int, suits: int, value: float, abstract_value: float
) -> None:
    solution, lifted = solved_and_lifted(ranks, suits, "outcome")
    assert solution.status is Status.SOLVED
    assert solution.value == pytest.approx(abstract_value, abs=1e-8)
    assert lifted.status is Status.LIFTED
    assert lifted.nash_gap > 1e-3
    assert lifted.lower <= value <= lifted.upper


@pytest.mark.parametrize(("ranks", "suits"), DECKS)
@pytest.mark.parametrize("criterion", ["suit", "equitable"])
def test_lifted_equilibria_lose_nothing(ranks: int, suits: int, criterion: str) -> None:
    _, lifted = solved_and_lifted(ranks, suits, criterion)
    assert lifted.status is Status.SOLVED
    assert lifted.nash_gap < 1e-9


CRITERIA: dict[str, Callable[[SignalStructure], Classes]] = {
    "outcome": outcome,
    "suit": suit,
    "equitable": equitable,
}
CLASSES = {"suit": [4, 28, 168], "outcome": [4, 24, 103]}


@pytest.mark.parametrize("criterion", CLASSES)
def test_classes(criterion: str) -> None:
    structure = SignalStructure(rhode_island(4, 2, 1))
    assert num_classes(CRITERIA[criterion](structure)) == [CLASSES[criterion]] * 2


SUITED = [
    leduc(),
    leduc(2, 3),
    leduc(4, 4),
    rhode_island(2, 2),
    rhode_island(3, 2),
    rhode_island(4, 3),
    rhode_island(5, 2),
    rhode_island(7, 4),
]


@pytest.mark.parametrize("game", SUITED)
def test_the_coarsest_lossless_classes_are_never_more_than_those_of_the_suits(
    game: SignalGame,
) -> None:
    structure = SignalStructure(game)
    for coarse, fine in zip(equitable(structure), suit(structure), strict=True):
        for a, b in zip(coarse, fine, strict=True):
            # A union of classes of suits.
            pairs = set(zip(a.tolist(), b.tolist(), strict=True))
            assert len(pairs) == b.max() + 1 >= a.max() + 1


def test_nothing_merges_in_kuhn_poker() -> None:
    structure = SignalStructure(kuhn(5))
    for criterion in (outcome, equitable):
        assert num_classes(criterion(structure)) == num_classes(structure.identity)
