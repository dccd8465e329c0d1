"""Values of recursive games: against closed forms, and against value iteration in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import matrix_game
from seqform.game.recursive import End, Leaf, Next
from seqform.recursive.proof import prove_stationary
from seqform.recursive.solve import solve_recursive
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from tests.random_recursive_games import TableGame, hide_or_run, kuhn_tournament, ruin
from tests.strategies import seeds

Cell = Any
"""Where a cell of a stage leads: what seat 0 gets, or the next stage and whether seats change."""


def random_cells(seed: int, stages: int, ends: float) -> dict[tuple[int, str, str], Cell]:
    rng = random.Random(seed)
    cells: dict[tuple[int, str, str], Cell] = {}
    for key in range(stages):
        for first in "ab":
            for second in "ab":
                if rng.random() < ends:
                    cells[key, first, second] = Fraction(rng.randint(0, 4), 4)
                else:
                    cells[key, first, second] = rng.randrange(stages), rng.random() < 0.5
    return cells


def as_game(cells: dict[tuple[int, str, str], Cell], stages: int, endless: Fraction) -> TableGame:
    """Return the game in which every stage is a matrix of two rows and columns."""
    hand = matrix_game([[0, 0], [0, 0]], actions=["ab", "ab"])

    def leads(key: int, leaf: Leaf) -> Any:
        cell = cells[(key, *leaf.at)]  # type: ignore[misc]
        if isinstance(cell, Fraction):
            return End((cell, 1 - cell))
        return Next(cell[0], (1, 0) if cell[1] else (0, 1))

    return TableGame(dict.fromkeys(range(stages), hand), leads, (endless, 1 - endless))


def matrix_value(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> Fraction:
    """Return the value of [[a, b], [c, d]]."""
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low == high else (a * d - b * c) / (a + d - b - c)


def swept(
    cells: dict[tuple[int, str, str], Cell], values: dict[Any, Fraction], up: bool
) -> dict[Any, Fraction]:
    """Return what each stage is worth to seats 0 and 1, rounded to 40 bits, down or up.

    The keys of values are a stage and the seat of the player who wants to get much.
    """
    found = {}
    for key, seat in values:
        worth = []
        for first in "ab":
            for second in "ab":
                cell = cells[key, first, second]
                if isinstance(cell, Fraction):
                    worth.append(cell if seat == 0 else 1 - cell)
                else:
                    worth.append(values[cell[0], 1 - seat if cell[1] else seat])
        a, b, c, d = worth
        value = matrix_value(a, b, c, d) if seat == 0 else matrix_value(a, c, b, d)
        scaled = value * 2**40
        found[key, seat] = Fraction(-(-scaled // 1) if up else scaled // 1, 2**40)
    return found


@given(seeds, st.integers(1, 3), st.sampled_from([0.3, 0.6, 0.9]), st.sampled_from([0, 1, 2]))
def test_brackets_meet_those_of_value_iteration(
    seed: int, stages: int, ends: float, halves: int
) -> None:
    """By n stages, where all that goes on is worth nothing, or all there is."""
    cells = random_cells(seed, stages, ends)
    graph = stage_graph(as_game(cells, stages, Fraction(halves, 2)))
    solution = solve_recursive(graph, iterations=30)
    low = {(key, seat): Fraction(0) for key in range(stages) for seat in range(2)}
    high = dict.fromkeys(low, Fraction(1))
    for _ in range(60):
        low, high = swept(cells, low, up=False), swept(cells, high, up=True)
    for stage in graph.stages:
        number, first = graph.number(graph.label(graph.stages.index(stage))), stage.who or (0, 1)
        assert len(first) == 2
        for seat in range(2):
            lower, upper = solution.proof.lower[number][seat], solution.proof.upper[number][seat]
            assert lower <= upper
            assert lower <= high[stage.key, seat]
            assert upper >= low[stage.key, seat]


@pytest.mark.parametrize("won", [Fraction(1, 2), Fraction(1, 3), Fraction(3, 5), Fraction(1)])
@pytest.mark.parametrize("stages", [1 + 1, 5, 12])
def test_the_gamblers_ruin(won: Fraction, stages: int) -> None:
    solution = solve_recursive(ruin(stages, won))
    assert solution.width < Fraction(1, 10**9)
    odds = (1 - won) / won
    for chips in range(1, stages):
        exact = Fraction(chips, stages)
        if odds != 1:
            exact = (1 - odds**chips) / (1 - odds**stages)
        try:
            low, high = solution.bracket(chips)
        except KeyError:
            assert won == 1  # never loses a chip, and so it is where it has not begun
            continue
        assert low <= exact <= high


@pytest.mark.parametrize("p", [0.5, 2.0**-10, 2.0**-20])
def test_who_runs_with_a_probability_is_sure_of_the_rest(p: float) -> None:
    graph = stage_graph(hide_or_run())
    run = np.array([1.0, 1 - p, p])
    proof = prove_stationary(StationaryProfile(graph, ((run, np.array([1.0, 0.5, 0.5])),)))
    sure, slack = 1 - Fraction(p), Fraction(1, 2**51) / Fraction(p)  # of all stages that play lasts
    assert sure - slack <= proof.lower[0][0] <= sure
    assert proof.upper[0][0] == 1


def test_the_value_of_hide_or_run_is_not_attained() -> None:
    """Nobody is sure of 1: the bracket never closes, and holds 1."""
    for iterations in (1, 4, 8):
        solution = solve_recursive(hide_or_run(), iterations=iterations)
        assert solution.lower < 1 == solution.upper
    graph = stage_graph(hide_or_run())
    hides = StationaryProfile(graph, ((np.array([1.0, 1, 0]), np.array([1.0, 1, 0])),))
    assert prove_stationary(hides).lower[0][0] == 0  # seat 1 waits for ever


def test_the_value_of_the_kuhn_tournament_is_a_root() -> None:
    def polynomial(x: Fraction) -> Fraction:
        return 5 * x**3 - 6 * x**2 - 15 * x + 8

    solution = solve_recursive(kuhn_tournament(4, 2))
    assert polynomial(solution.lower) > 0 > polynomial(solution.upper)
    assert solution.width < Fraction(1, 10**9)
