"""Every engine ends on every small game, whatever the size of its payoffs, and says how."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.kuhn import kuhn
from seqform import Status, TreeBuilder, solve
from seqform.solvers.linear import clarabel, highs
from seqform.tree.tree import GameTree

ENGINES = [
    ("highs", "simplex"),
    ("highs", "ipx"),
    ("highs", "pdlp"),
    ("clarabel", None),
    ("cvxpy", "CLARABEL"),
]


def three_by_three(least: float, most: float, seed: int) -> GameTree:
    """Return a game of payoffs of random signs, between two powers of ten."""
    rng, b = random.Random(seed), TreeBuilder(2)
    for node in b.decision(b.root, 0, "x", range(3)):
        for leaf in b.decision(node, 1, "y", range(3)):
            payoff = rng.choice([-1, 1]) * 10 ** rng.uniform(least, most)
            b.terminal(leaf, (payoff, -payoff))
    return b.freeze()


@pytest.mark.parametrize(("solver", "engine"), ENGINES)
@pytest.mark.parametrize("sizes", [(-9, 9), (-5, 14), (-10, -9), (-291, -290), (18, 19), (-1, 0)])
def test_every_engine_ends(solver: str, engine: str | None, sizes: tuple[float, float]) -> None:
    """The first two have games on which the first-order engine went on forever."""
    for seed in (9, 17):
        game = three_by_three(*sizes, seed)
        solution = solve(game, method="lp", solver=solver, engine=engine, exact=False)
        assert solution.status is Status.SOLVED
        assert solution.nash_gap <= 1e-6 * solution.game.payoff_scale


def test_an_engine_that_stalls_ends_and_says_so(monkeypatch: Any) -> None:
    """HiGHS 1.16 takes 35,280 iterations here, and 1.15 went round in circles."""
    monkeypatch.setitem(highs.ITERATIONS, "pdlp", 100)
    game = three_by_three(-5, 14, 19)
    solution = solve(game, method="lp", solver="highs", engine="pdlp", exact=False)
    assert solution.message.startswith("stalled: still not within its tolerance after ")
    assert solution.status is Status.INACCURATE
    assert solution.nash_gap > 1e-6 * solution.game.payoff_scale


@pytest.mark.parametrize(("solver", "engine"), ENGINES[:4])
def test_what_was_found_at_an_engines_own_limit_is_certified(
    solver: str, engine: str | None, monkeypatch: Any
) -> None:
    """That limit is nobody's wish: the status says what the answer is worth."""
    monkeypatch.setattr(highs, "_most_iterations", lambda program, engine: 2)
    monkeypatch.setattr(clarabel, "ITERATIONS", 2)
    solution = solve(kuhn(), method="lp", solver=solver, engine=engine, exact=False)
    assert solution.status in (Status.INACCURATE, Status.FAILED)
    assert "stalled" in solution.message
    assert (solution.profile is None) == (solution.status is Status.FAILED)
