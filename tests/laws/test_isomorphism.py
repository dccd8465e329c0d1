"""Isomorphisms of random games: found in copies, refused where there is none, checked plainly."""

from __future__ import annotations

from dataclasses import replace
from math import factorial, prod
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from seqform import GameTree, isomorphism, restricted_game, solve
from seqform.tree.isomorphism import Isomorphism, is_isomorphism
from seqform.tree.restricted import nodes_below
from seqform.tree.validate import validate
from tests.reference.plain_isomorphism import isomorphic_games, keeps_sets, maps
from tests.renamed_games import rebuilt
from tests.shrinkable_games import copied_game, observable_game
from tests.strategies import trees

any_trees = st.one_of(
    trees(players=(1, 2, 3), zero_sum=(False,), depth=4),
    trees(depth=4),
    st.builds(observable_game, st.integers(0, 10_000), depth=st.integers(1, 3)),
    st.builds(copied_game, trees(depth=3), st.integers(0, 1000)),
)
seeds = st.integers(0, 10_000)


def few_maps(tree: GameTree) -> bool:
    return tree.num_nodes < 60 and prod(map(factorial, tree.num_children.tolist())) <= 3000


def payoffs_of(tree: GameTree, node: int) -> Any:
    return tree.payoffs[tree.payoff[node]] if tree.payoff[node] >= 0 else None


@given(any_trees, seeds)
def test_copies_are_found_and_the_map_keeps_everything(tree: GameTree, seed: int) -> None:
    found = isomorphism(tree, rebuilt(tree, seed))
    assert isinstance(found, Isomorphism)
    node = found.node.tolist()
    for x in range(tree.num_nodes):
        assert tree.player[x] == found.other.player[node[x]]
        assert payoffs_of(tree, x) == payoffs_of(found.other, node[x])
        assert sorted(node[c] for c in tree.children(x)) == list(found.other.children(node[x]))
    assert keeps_sets(tree, found.other, dict(enumerate(node)), alike_actions=True)
    for x in np.flatnonzero(tree.infoset >= 0).tolist():
        h = tree.infoset[x]
        assert found.other.infoset[node[x]] == found.infoset[h]
        first = found.other.children(node[x]).start
        assert [node[c] - first for c in tree.children(x)] == list(found.action[h] or ())


@given(any_trees, any_trees, seeds, st.booleans())
def test_small_games_are_isomorphic_where_some_bijection_says_so(
    tree: GameTree, other: GameTree, seed: int, alike: bool
) -> None:
    assume(few_maps(tree) and few_maps(other))
    for second in (other, rebuilt(tree, seed)):
        found = isomorphism(tree, second, alike_actions=alike)
        same_players = tree.num_players == second.num_players
        assert bool(found) == (same_players and isomorphic_games(tree, second, alike))


@given(any_trees, seeds, seeds, st.booleans())
def test_swapped_payoffs_and_split_sets_are_isomorphic_where_some_bijection_says_so(
    tree: GameTree, seed: int, at: int, alike: bool
) -> None:
    """Copies that nothing counted tells apart."""
    assume(few_maps(tree))
    ends = np.flatnonzero(tree.num_children == 0).tolist()
    a, b = ends[at % len(ends)], ends[(at // 7) % len(ends)]
    swap = {a: b, b: a}
    copy = rebuilt(tree, seed, paid=lambda node: payoffs_of(tree, swap.get(node, node)))
    assert bool(isomorphism(tree, copy, alike_actions=alike)) == isomorphic_games(tree, copy, alike)
    decisions = np.flatnonzero(tree.infoset >= 0).tolist()
    if decisions:
        alone = decisions[at % len(decisions)]
        copy = rebuilt(
            tree, seed, infoset=lambda node: -1 if node == alone else int(tree.infoset[node])
        )
        found = isomorphism(tree, copy, alike_actions=alike)
        assert bool(found) == isomorphic_games(tree, copy, alike)
        is_split = (tree.infoset == tree.infoset[alone]).sum() > 1
        assert bool(found) != is_split


@given(any_trees, seeds)
def test_another_payoff_is_refused(tree: GameTree, seed: int) -> None:
    end = int(np.flatnonzero(tree.num_children == 0)[seed % (tree.num_children == 0).sum()])
    paid = payoffs_of(tree, end)
    more = (paid[0] + 1, *paid[1:])
    copy = rebuilt(tree, seed, paid=lambda n: more if n == end else payoffs_of(tree, n))
    found = isomorphism(tree, copy)
    assert not found
    assert "pay" in found.reason  # type: ignore[union-attr]


@given(trees(depth=4), trees(depth=4), seeds)
def test_isomorphic_games_have_one_value(tree: GameTree, other: GameTree, seed: int) -> None:
    for second in (other, rebuilt(tree, seed)):
        if isomorphism(tree, second):
            values = [solve(each, exact=True, abstract="none").value for each in (tree, second)]
            assert abs(values[0] - values[1]) < 1e-9


@given(any_trees, seeds)
def test_a_map_that_was_changed_is_found_out(tree: GameTree, seed: int) -> None:
    found = isomorphism(tree, rebuilt(tree, seed))
    assert isinstance(found, Isomorphism)
    assert is_isomorphism(found)
    assume(tree.num_nodes > 2)
    node = found.node.copy()
    i, j = seed % tree.num_nodes, (seed // 7) % tree.num_nodes
    node[[i, j]] = node[[j, i]]
    wrong = dict(enumerate(node.tolist()))
    is_map = few_maps(tree) and wrong in maps(tree, found.other, 0, 0)
    if few_maps(tree):
        expected = is_map and keeps_sets(tree, found.other, wrong, alike_actions=True)
        assert is_isomorphism(replace(found, node=node)) == expected


@given(any_trees, seeds)
def test_restricted_games_are_valid_and_hold_what_is_below(tree: GameTree, seed: int) -> None:
    x = seed % tree.num_nodes
    below, game = nodes_below(tree, x), restricted_game(tree, x)
    assert isinstance(game, GameTree)
    validate(game)
    assert game.num_nodes == len(below)
    descendants = [
        n for n in range(tree.num_nodes) if tree.path(n)[: len(tree.path(x))] == tree.path(x)
    ]
    assert below.tolist() == descendants
    for number, node in enumerate(descendants):
        assert game.path(number) == tree.path(node)[len(tree.path(x)) :]
        assert payoffs_of(game, number) == payoffs_of(tree, node)
        assert game.player[number] == tree.player[node]
        if tree.infoset[node] >= 0:
            h = tree.infoset_labels[tree.infoset[node]]
            assert game.infoset_labels[game.infoset[number]] == h
    pairs = {(int(game.infoset[i]), int(tree.infoset[n])) for i, n in enumerate(descendants)}
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
