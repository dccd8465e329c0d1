"""Backward induction on random games: against recursion, against every pure profile, and against
itself without a table."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import GameTree, build_tree, solve
from seqform.perfect_information import (
    TreeInduction,
    backward_induction,
    backward_induction_tree,
    check_one_shot,
    pure_equilibria,
)
from seqform.tree.as_rules import TreeGame
from tests.perfect_games import Lattice, perfect_trees
from tests.reference.perfect_information import (
    all_profiles,
    largest_gain,
    profile_values,
    subgame_values,
)

seeds = st.integers(0, 10_000)


@given(perfect_trees())
def test_every_subgame_of_a_tree_is_worth_what_recursion_says(tree: GameTree) -> None:
    game = TreeGame(tree)
    expected = [subgame_values(game, node) for node in range(tree.num_nodes)]
    rules = backward_induction(game)
    exact = backward_induction_tree(tree, exact=True)
    floats = backward_induction_tree(tree)
    assert [rules.values_of(node) for node in range(tree.num_nodes)] == expected
    assert [tuple(row) for row in exact.values.tolist()] == expected
    assert floats.values.dtype == np.float64
    assert floats.values == pytest.approx(
        np.array(expected, dtype=float).reshape(floats.values.shape), abs=1e-12
    )
    assert rules.value == exact.value == expected[0]


@given(perfect_trees())
def test_the_first_best_child_is_chosen(tree: GameTree) -> None:
    rules, exact = backward_induction(TreeGame(tree)), backward_induction_tree(tree, exact=True)
    for node in range(tree.num_nodes):
        player, children = int(tree.player[node]), tree.children(node)
        if player < 0:
            assert exact.best_child[node] == -1
            assert rules.best_action(node) is None
            continue
        values = [exact.values[child][player] for child in children]
        assert exact.best_child[node] == children[values.index(max(values))]
        assert rules.best_action(node) == tree.labels[tree.label[exact.best_child[node]]]


@given(seeds, st.sampled_from([1, 2, 3]), st.sampled_from([0.0, 0.3]), st.integers(1, 12))
def test_a_table_changes_nothing_but_the_work(
    seed: int, players: int, chance: float, size: int
) -> None:
    game = Lattice(seed, players, chance)
    whole = backward_induction(game)
    small = backward_induction(game, cache_size=size)
    none = backward_induction(game, cache=False)
    assert whole.value == small.value == none.value == subgame_values(game, game.root())
    for state in list(whole.table):
        for other in (small, none):
            assert whole.values_of(state) == other.values_of(state) == subgame_values(game, state)
            assert whole.best_action(state) == other.best_action(state)
    assert len(small.table) <= size
    assert not none.table
    assert (
        whole.statistics["nodes"]
        == len(whole.table)
        <= small.statistics["nodes"]
        <= none.statistics["nodes"]
    )
    assert none.statistics == {"nodes": build_tree(Nodewise(game)).num_nodes, "table_hits": 0}


class Nodewise:
    """The same game with the history in the state, so that no state comes again."""

    def __init__(self, game: Lattice) -> None:
        self.game, self.num_players = game, game.num_players

    def root(self) -> Any:
        return (self.game.root(),)

    def player(self, history: Any) -> int:
        return self.game.player(history[-1])

    def actions(self, history: Any) -> Any:
        return self.game.actions(history[-1])

    def chance(self, history: Any) -> Any:
        return self.game.chance(history[-1])

    def child(self, history: Any, action: Any) -> Any:
        return (*history, self.game.child(history[-1], action))

    def infoset(self, history: Any) -> Any:
        return history

    def payoffs(self, history: Any) -> Any:
        return self.game.payoffs(history[-1])

    def rewards(self, history: Any) -> Any:
        return self.game.rewards(history[-1])


@given(perfect_trees())
def test_nobody_gains_by_deviating_once(tree: GameTree) -> None:
    game, profile = TreeGame(tree), backward_induction_tree(tree, exact=True)
    for certificate in (
        check_one_shot(tree, profile),
        check_one_shot(game, backward_induction(game)),
    ):
        assert (certificate.largest_gain, certificate.player, certificate.state) == (0, None, None)
        assert certificate.value == profile.value
        assert certificate.num_decisions == tree.count("decision")
    assert check_one_shot(tree, backward_induction_tree(tree)).largest_gain == 0


@given(perfect_trees(), seeds)
def test_the_certificate_of_any_profile_is_its_largest_gain(tree: GameTree, seed: int) -> None:
    rng = np.random.default_rng(seed)
    choice = {
        node: int(rng.choice(tree.children(node)))
        for node in range(tree.num_nodes)
        if tree.player[node] >= 0
    }
    # values and best children are still to be filled in
    values = np.zeros((tree.num_nodes, tree.num_players), dtype=object)
    profile = TreeInduction(values, np.full(tree.num_nodes, -1))
    for node, child in choice.items():
        profile.best_child[node] = child
    certificate = check_one_shot(tree, profile)
    assert certificate.largest_gain == largest_gain(tree, choice)
    values = profile_values(tree, choice)
    assert certificate.value == values[0]
    if certificate.player is not None:
        node = certificate.state
        assert tree.player[node] == certificate.player
        best = max(values[child][certificate.player] for child in tree.children(node))
        assert best - values[choice[node]][certificate.player] == certificate.largest_gain


@given(perfect_trees(depth=4))
@settings(max_examples=100)
def test_all_pure_equilibria_are_those_that_survive_one_shot_deviations(tree: GameTree) -> None:
    if np.prod(tree.num_children[tree.player >= 0].astype(float)) > 3000:
        return
    expected = {
        tuple(sorted(choice.items()))
        for choice in all_profiles(tree)
        if largest_gain(tree, choice) == 0
    }
    found = list(pure_equilibria(tree))
    decisions = np.flatnonzero(tree.player >= 0).tolist()
    profiles = [
        tuple((node, int(equilibrium.best_child[node])) for node in decisions)
        for equilibrium in found
    ]
    assert len(profiles) == len(set(profiles))
    assert set(profiles) == expected
    for equilibrium, profile in zip(found, profiles, strict=True):
        values = [tuple(row) for row in equilibrium.values.tolist()]
        assert values == profile_values(tree, dict(profile))
    assert profiles[0] == tuple(
        (node, int(backward_induction_tree(tree, exact=True).best_child[node]))
        for node in decisions
    )


def test_equilibria_are_found_one_at_a_time() -> None:
    game = Lattice(1, levels=5, rewards=False)
    # everything is a tie: more equilibria than anybody can count
    game.paid = dict.fromkeys(game.paid, (0, 0))
    assert len(list(islice(backward_induction(Nodewise(game), ties="all"), 5))) == 5


@given(perfect_trees(players=(2,), zero_sum=(True,)))
@settings(max_examples=40)
def test_the_linear_program_finds_the_same_value(tree: GameTree) -> None:
    value = float(backward_induction_tree(tree, exact=True).value[0])
    solution = solve(tree, method="lp")
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12
    assert solution.value == pytest.approx(value, abs=1e-8)
