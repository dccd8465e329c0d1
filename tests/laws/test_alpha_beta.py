"""Minimax and alpha-beta on random games: the same value as backward induction, for less work, with
bounds that hold."""

from __future__ import annotations

from math import ceil, floor, inf
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.perfect_information import Uniform
from seqform import GameTree, TreeBuilder
from seqform.game.rules import TERMINAL
from seqform.perfect_information import SearchResult, alpha_beta, backward_induction, minimax
from seqform.tree.as_rules import TreeGame
from tests.perfect_games import Lattice, perfect_trees
from tests.reference.perfect_information import subgame_values

seeds = st.integers(0, 10_000)
zero_sum_trees = perfect_trees(players=(2,), zero_sum=(True,), chance=(0.0,), depth=6)


def payoff_along(game: Any, line: tuple[Any, ...]) -> Any:
    """Return what player 0 gets along a line of play, which must go to the end."""
    state, total = game.root(), 0
    for action in line:
        rewards = game.rewards(state) if hasattr(game, "rewards") else None
        total += rewards[0] if rewards else 0
        state = game.child(state, action)
    assert game.player(state) == TERMINAL
    return total + game.payoffs(state)[0]


def check(game: Any, result: SearchResult, value: Any) -> None:
    assert result.solved
    assert result.values == (value, -value)
    assert result.estimate is None
    assert payoff_along(game, result.principal_variation) == value
    assert result.best_action == (
        result.principal_variation[0] if result.principal_variation else None
    )


@given(zero_sum_trees)
def test_the_value_of_a_tree(tree: GameTree) -> None:
    game = TreeGame(tree)
    value = backward_induction(game).value[0]
    plain = minimax(game)
    check(game, plain, value)
    assert plain.statistics["nodes"] == tree.num_nodes
    assert plain.statistics["cutoffs"] == 0
    for size in (None, 0, 3):
        result = alpha_beta(game, table_size=size)
        check(game, result, value)
        assert result.statistics["nodes"] <= tree.num_nodes
        assert size is None or result.statistics["table_size"] <= size


@given(seeds, st.booleans())
def test_the_value_where_states_come_again(seed: int, ordered: bool) -> None:
    game = Lattice(seed)
    value = subgame_values(game, game.root())[0]
    plain = minimax(game)
    for result in (
        plain,
        alpha_beta(game, ordered=ordered),
        alpha_beta(game, ordered=ordered, table_size=0),
        alpha_beta(game, ordered=ordered, table_size=5),
        alpha_beta(game, ordered=ordered, iterative=True),
        alpha_beta(game, depth=game.levels),
    ):
        check(game, result, value)
    assert alpha_beta(game, ordered=ordered).statistics["nodes"] <= plain.statistics["nodes"]


@given(seeds, st.integers(-12, 11), st.integers(1, 6), st.sampled_from([None, 0, 5]))
def test_a_value_outside_of_the_window_is_bounded(
    seed: int, alpha: int, width: int, size: int | None
) -> None:
    game = Lattice(seed)
    value = subgame_values(game, game.root())[0]
    result = alpha_beta(game, window=(alpha, alpha + width), table_size=size)
    assert result.lower <= value <= result.upper
    if alpha < value < alpha + width:
        check(game, result, value)
    elif value <= alpha:
        assert (result.lower, result.upper <= alpha) == (-inf, True)
    else:
        assert (result.upper, result.lower >= alpha + width) == (inf, True)


def estimate(game: Lattice, state: Any, depth: int) -> tuple[int, bool]:
    """Return minimax with the evaluation at a depth, and whether it was needed."""
    if game.player(state) == TERMINAL:
        return game.payoffs(state)[0], False
    if depth == 0:
        return game.evaluate(state), True
    below = [estimate(game, game.child(state, action), depth - 1) for action in game.actions(state)]
    reward = game.rewards(state)
    best = (min if game.player(state) else max)(value for value, _ in below)
    return best + (reward[0] if reward else 0), any(limited for _, limited in below)


@given(seeds, st.integers(1, 6), st.booleans())
def test_with_a_depth_limit_the_evaluation_stands_for_what_is_below(
    seed: int, depth: int, rewards: bool
) -> None:
    game = Lattice(seed, rewards=rewards)
    expected, limited = estimate(game, game.root(), depth)
    result = alpha_beta(game, depth=depth, table_size=0)
    if depth == 1:  # nothing can be pruned
        assert result.statistics["nodes"] == 1 + len(game.actions(game.root()))
        assert result.solved is not limited
    if result.solved:
        assert result.value == subgame_values(game, game.root())[0]
    else:
        assert limited
        assert (result.estimate, result.depth) == (expected, depth)
        assert (result.lower, result.upper) == (-inf, inf)


def num_histories(game: Lattice, state: Any, depth: int) -> int:
    """Return how many histories there are down to a depth."""
    if depth == 0 or game.player(state) == TERMINAL:
        return 1
    below = (game.child(state, action) for action in game.actions(state))
    return 1 + sum(num_histories(game, child, depth - 1) for child in below)


@given(seeds, st.integers(1, 6), st.booleans(), st.booleans())
def test_minimax_to_a_depth_is_alpha_beta_to_it_and_sees_all_of_it(
    seed: int, depth: int, rewards: bool, own: bool
) -> None:
    game = Lattice(seed, rewards=rewards)
    given = None if own else lambda state: 3 * state[1] - 4
    result = minimax(game, depth=depth, evaluation=given)
    pruned = alpha_beta(game, depth=depth, evaluation=given, table_size=0)
    # what alpha-beta leaves out may be all that lies beyond the depth: then it proves the value
    assert result.lower <= pruned.lower <= pruned.upper <= result.upper
    value = pruned.lower if pruned.estimate is None else pruned.estimate
    assert value == (result.lower if result.estimate is None else result.estimate)
    assert result.statistics["nodes"] == num_histories(game, game.root(), depth)
    assert result.statistics["cutoffs"] == 0
    if given:
        game.evaluate = given  # type: ignore[method-assign]
    expected, limited = estimate(game, game.root(), depth)
    assert (result.estimate if limited else result.value) == expected
    assert result.solved is not limited


@given(seeds)
def test_a_search_that_deepens_stops_as_soon_as_the_value_is_proven(seed: int) -> None:
    game = Lattice(seed)
    result = alpha_beta(game, iterative=True, depth=3)
    if result.solved:
        assert result.value == subgame_values(game, game.root())[0]
    else:
        assert result.depth == 3
        assert result.estimate is not None


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (2, 8), (3, 5), (4, 4), (5, 3), (7, 2)])
def test_with_the_best_moves_first_the_fewest_leaves_are_looked_at(
    branching: int, depth: int
) -> None:
    """Knuth & Moore 1975, theorem 1: b^ceil(d/2) + b^floor(d/2) - 1 leaves; the inner nodes of that
    tree are counted likewise."""
    game = Uniform(branching, depth)
    result = alpha_beta(game, table_size=0)
    fewest = sum(
        branching ** ceil(level / 2) + branching ** floor(level / 2) - 1
        for level in range(depth + 1)
    )
    assert result.statistics["nodes"] == fewest
    assert minimax(game).statistics["nodes"] == sum(branching**level for level in range(depth + 1))
    assert result.value == minimax(game).value


@given(zero_sum_trees)
def test_float_payoffs(tree: GameTree) -> None:
    from dataclasses import replace

    assume(tree.num_nodes > 1)
    inexact = replace(tree, payoffs=tuple((0.1 * u, -0.1 * u) for u, _ in tree.payoffs))
    game = TreeGame(inexact)
    assert alpha_beta(game).value == pytest.approx(backward_induction(game).value[0], abs=1e-12)
    assert minimax(game).value == backward_induction(game).value[0]


@given(seeds)
def test_bounds_are_fail_soft(seed: int) -> None:
    game = Lattice(seed)
    value = subgame_values(game, game.root())[0]
    most = 4 * (game.levels + 1)
    assert value <= alpha_beta(game, window=(1000, 1001)).upper <= most
    assert value >= alpha_beta(game, window=(-1001, -1000)).lower >= -most


@given(zero_sum_trees)
def test_a_cutoff_cuts_at_least_one_move(tree: GameTree) -> None:
    """Behind the last move of a node there is nothing to cut off (Knuth & Moore 1975)."""
    decisions: list[Any] = []
    found = alpha_beta(TreeGame(tree), trace=decisions.append)
    assert found.statistics["cutoffs"] == sum(bool(made.skipped) for made in decisions)


def test_a_bound_that_the_last_move_meets_cuts_nothing() -> None:
    builder = TreeBuilder(2)
    first, second = builder.decision(0, 0, "root", ["left", "right"])
    builder.terminal(first, (1, -1))
    (only,) = builder.decision(second, 1, "right", ["down"])
    builder.terminal(only, (0, 0))
    assert alpha_beta(TreeGame(builder.freeze())).statistics["cutoffs"] == 0
