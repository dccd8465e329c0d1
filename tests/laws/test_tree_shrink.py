"""Laws of GameShrink on trees: what holds in the smaller game holds in the original."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kuhn import kuhn
from games.leduc import leduc
from games.random_games import random_game
from seqform import GameTree, build_sequence_form, build_tree, certify, expected_values, solve
from seqform.form.profile import Profile
from seqform.links.lifting import lift_profile
from seqform.links.link import SequenceMap
from tests.shrinkable_games import copied_game, merged, observable_game
from tests.strategies import random_profile, seeds, trees


@st.composite
def observable_games(draw: Any, players: int = 2) -> GameTree:
    return observable_game(
        seed=draw(seeds),
        ranks=draw(st.integers(1, 3)),
        copies=draw(st.integers(1, 2)),
        depth=draw(st.integers(0, 6 - 2 * (players - 1))),
        players=players,
        max_payoff=draw(st.sampled_from([1, 2, 1000])),
    )


@st.composite
def copied_games(draw: Any, players: int = 2, zero_sum: bool = True) -> GameTree:
    seed = draw(st.integers(0, 10_000))
    tree = random_game(
        seed, players, depth=4, chance=0.3, zero_sum=zero_sum, rewards=draw(st.booleans())
    )
    return copied_game(tree, seed, copies=draw(st.integers(1, 3)))


zero_sum_games = st.one_of(observable_games(), copied_games(), trees())
all_games = st.one_of(
    zero_sum_games,
    observable_games(players=3),
    copied_games(players=3, zero_sum=False),
    trees((1, 3), (False,)),
)


def check_lifted_equilibrium(tree: GameTree) -> None:
    merge = merged(tree)
    small, large = build_sequence_form(merge.tree), build_sequence_form(tree)
    solution = solve(small)
    assert solution.profile is not None
    certificate = certify(
        large, lift_profile(solution.profile, SequenceMap(large, merge.sequences(small, large)))
    )
    assert certificate.nash_gap < 1e-9 * max(1.0, large.largest_payoff)


@given(zero_sum_games)
def test_a_lifted_equilibrium_is_an_equilibrium(tree: GameTree) -> None:
    check_lifted_equilibrium(tree)


@pytest.mark.parametrize("game", [kuhn(), kuhn(4), leduc(), leduc(2, 3)])
def test_a_lifted_equilibrium_of_poker_is_an_equilibrium(game: Any) -> None:
    check_lifted_equilibrium(build_tree(game))


@given(all_games, seeds)
def test_any_lifted_profile_pays_and_can_be_exploited_as_before(tree: GameTree, seed: int) -> None:
    merge = merged(tree)
    small, large = build_sequence_form(merge.tree), build_sequence_form(tree)
    profile = random_profile(small, seed, sparse=seed % 2 == 0)
    before = certify(small, profile)
    after = certify(large, lift_profile(profile, SequenceMap(large, merge.sequences(small, large))))
    scale = 1e-9 * max(1.0, large.largest_payoff)
    np.testing.assert_allclose(after.values, before.values, rtol=0, atol=scale)
    np.testing.assert_allclose(after.gains, before.gains, rtol=0, atol=scale)


@given(all_games)
def test_uniform_play_pays_the_same(tree: GameTree) -> None:
    small, large = build_sequence_form(merged(tree).tree), build_sequence_form(tree)
    paid = [expected_values(game, Profile.uniform(game.treeplexes)) for game in (small, large)]
    np.testing.assert_allclose(*paid, rtol=0, atol=1e-9 * max(1.0, large.largest_payoff))


@given(all_games)
def test_the_tree_never_grows_and_actions_stay_actions(tree: GameTree) -> None:
    for published in (False, True):
        merge = merged(tree, published=published)
        assert merge.tree.num_nodes <= tree.num_nodes
        assert merge.tree.num_infosets <= tree.num_infosets
        assert set(merge.infoset.tolist()) == set(range(merge.tree.num_infosets))
        assert [sorted(action) for action in merge.action] == [
            list(range(n)) for n in tree.infoset_num_actions.tolist()
        ]
        assert (merge.tree.infoset_player[merge.infoset] == tree.infoset_player).all()


@given(copied_games())
def test_copies_of_a_game_become_one(tree: GameTree) -> None:
    copies = len(tree.children(0))
    below = (tree.num_nodes - 1) // copies
    assert merged(tree).tree.num_nodes <= 1 + below


@given(all_games)
def test_shrinking_twice_is_shrinking_once(tree: GameTree) -> None:
    once = merged(tree).tree
    assert merged(once).tree.num_nodes == once.num_nodes
