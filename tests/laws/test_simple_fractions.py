"""Simple fractions next to floats: proven by walking the tree, or not taken at all."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import UnsupportedGameError
from seqform.exact.simple_fractions import MARGIN, simple_equilibrium
from seqform.tree.tree import GameTree
from tests.one_choice import check_equilibrium, choice_of_floats, near_tie
from tests.strategies import trees


@given(trees(depth=5), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1e-15, 1e-9, 1e-3, 0.5]))
def test_what_is_found_is_an_equilibrium_however_far_the_floats(
    tree: GameTree, seed: int, noise: float
) -> None:
    solution = solve(tree, method="lp")
    assert solution.profile is not None
    assert solution.exact is not None
    rng = np.random.default_rng(seed)
    plans = [plan + noise * rng.uniform(-1, 1, plan.shape) for plan in solution.profile.plans]
    found = simple_equilibrium(solution.game, plans)
    if found is not None:
        check_equilibrium(solution.game, found)
        assert found.value == solution.exact.value


@pytest.mark.parametrize("noise", [0.0, 2e-15, -8e-15])
def test_kuhn_is_found(noise: float) -> None:
    game = build_sequence_form(build_tree(kuhn()))
    exact = solve(kuhn()).exact
    assert exact is not None
    found = simple_equilibrium(game, [plan + noise for plan in exact.floats()])
    assert found is not None
    assert found.value == Fraction(-1, 18)
    assert [plan.tolist() for plan in found.plans] == [plan.tolist() for plan in exact.plans]


def test_floats_far_from_simple_fractions_give_nothing() -> None:
    game = build_sequence_form(build_tree(kuhn()))
    exact = solve(kuhn()).exact
    assert exact is not None
    assert simple_equilibrium(game, [plan + 1e-4 for plan in exact.floats()]) is None


def test_large_denominators_are_left_to_the_basis() -> None:
    solution = solve(leduc())
    assert solution.profile is not None
    assert solution.exact is not None
    assert max(solution.exact.denominators) > 2 ** (52 - MARGIN)
    assert simple_equilibrium(solution.game, solution.profile.plans) is None


def test_fractions_that_are_no_equilibrium_are_not_taken() -> None:
    game = build_sequence_form(near_tie())
    first, second = (np.array([1.0, 1, 0, 0]), np.array([1.0]))
    assert simple_equilibrium(game, (first, second)) is None
    best = simple_equilibrium(game, (np.array([1.0, 0, 1, 0]), second))
    assert best is not None
    assert best.value == 1 + Fraction(1, 10**12)


def test_fractions_that_are_no_plans_are_not_taken() -> None:
    game = build_sequence_form(near_tie())
    assert simple_equilibrium(game, (np.array([1.0, 0.5, 0, 0]), np.array([1.0]))) is None


def test_games_with_floats_are_refused() -> None:
    game = build_sequence_form(choice_of_floats())
    with pytest.raises(UnsupportedGameError, match="int or Fraction"):
        simple_equilibrium(game, (np.array([1.0, 1, 0]), np.array([1.0])))
