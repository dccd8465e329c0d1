"""Every step of GameShrink's transformation makes a game whose strategies can be lifted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from abstraction.contractible import (
    ContractiblePair,
    by_isomorphism,
    by_matching,
    contractible_pairs,
)
from abstraction.contraction import CONTRACTION, CONTRACTION_MATCHED
from seqform import CHANCE, GameTree, TreeBuilder, restricted_game
from seqform.links.lifting import lift_profile
from seqform.tree.validate import validate
from tests.examples import examples
from tests.reference.plain_isomorphism import PlainNodes, isomorphic_games
from tests.shrinkable_games import copied_game, observable_game
from tests.strategies import random_profile, trees

some_trees = st.one_of(
    trees(players=(2, 3), zero_sum=(True, False), depth=4),
    st.builds(observable_game, st.integers(0, 10_000), depth=st.integers(1, 3)),
    st.builds(copied_game, trees(depth=3), st.integers(0, 1000)),
)
both = st.sampled_from([CONTRACTION, CONTRACTION_MATCHED])


def unseen(tree: GameTree, copies: int, player: int) -> GameTree:
    """Let chance or a player choose one of several copies of a game, and nobody see which."""
    b = TreeBuilder(tree.num_players)
    names = [f"copy {i}" for i in range(copies)]
    if player < 0:
        tops = b.chance(b.root, [(name, 1 / copies if copies == 2 else 0.25) for name in names])
    else:
        tops = b.decision(b.root, player, "first of all", names)
    stack = [(top, 0) for top in tops]
    while stack:
        node, source = stack.pop()
        below = tree.children(source)
        labels = [tree.labels[tree.label[c]] for c in below]
        if tree.payoff[source] >= 0 and below:
            b.reward(node, tree.payoffs[tree.payoff[source]])
        if not below:
            b.terminal(node, tree.payoffs[tree.payoff[source]])
        elif tree.player[source] == CHANCE:
            odds = [tree.probabilities[tree.probability[c]] for c in below]
            made = b.chance(node, list(zip(labels, odds, strict=True)))
            stack += zip(made, below, strict=True)
        else:
            key = int(tree.infoset[source])
            made = b.decision(node, int(tree.player[source]), key, labels)
            stack += zip(made, below, strict=True)
    return b.freeze()


def check_steps(tree: GameTree, reduction: Any, seed: int) -> int:
    """Look at every step, and return how many there are."""
    before, level, done = tree, 0, 0
    for step in reduction.steps(tree):
        assert step.before is before
        validate(step.after)
        record = step.record()
        assert record["level"] >= level
        done += 1
        assert step.number == done
        below = [restricted_game(before, node) for node in (step.kept, step.merged)]
        assert below[0].num_nodes == below[1].num_nodes  # type: ignore[union-attr]
        assert step.after.num_nodes == before.num_nodes - below[1].num_nodes  # type: ignore[union-attr]
        assert step.after.num_infosets <= before.num_infosets
        assert before.parent[step.kept] == before.parent[step.merged] == step.parent
        assert before.infoset[step.kept] == before.infoset[step.merged]
        if step.is_after_chance:
            check_probabilities(step.before, step.after)
        for inverse in (step.back, step.back_to_all):
            if inverse is not None:
                check_lifting(step, inverse, seed)
        before, level = step.after, record["level"]
    return done


def check_probabilities(before: GameTree, after: GameTree) -> None:
    for tree in (before, after):
        for node in np.flatnonzero(tree.player == CHANCE).tolist():
            rows = [tree.probabilities[tree.probability[c]] for c in tree.children(node)]
            assert sum(rows) == pytest.approx(1)


def check_lifting(step: Any, inverse: Any, seed: int) -> None:
    """Lift a random profile: it is a profile, and where nobody forgets, all of it is copied."""
    profile = random_profile(step.smaller, seed)
    lifted = lift_profile(profile, inverse)
    for treeplex, plan in zip(inverse.original.treeplexes, lifted.plans, strict=True):
        E, e = treeplex.constraints()
        assert E @ plan == pytest.approx(e)
        assert (plan >= 0).all()
    for images, small in zip(inverse.sequences, step.smaller.treeplexes, strict=True):
        assert set(images.tolist()) - {-1} == set(range(small.num_sequences))


@given(some_trees, both, st.integers(0, 1000))
def test_steps_of_random_games(tree: GameTree, reduction: Any, seed: int) -> None:
    assume(tree.num_nodes <= 300)
    check_steps(tree, reduction, seed)


@examples(15, 60)
@given(
    trees(players=(2, 3), zero_sum=(True, False), depth=3),
    st.sampled_from([2, 4]),
    st.sampled_from([-1, 0, 1]),
    both,
    st.integers(0, 1000),
)
def test_copies_that_nobody_tells_apart_become_one(
    tree: GameTree, copies: int, player: int, reduction: Any, seed: int
) -> None:
    assume(tree.player[0] >= 0 and 2 < tree.num_nodes <= 60)
    whole = unseen(tree, copies, player)
    assert check_steps(whole, reduction, seed) >= copies - 1
    steps = list(reduction.steps(whole))[: copies - 1]
    assert all(step.by_name for step in steps)  # of several isomorphisms that one is taken
    last = steps[-1].after
    assert len(last.children(0)) == 1
    assert last.num_nodes == 1 + tree.num_nodes


@given(some_trees)
def test_pairs_are_contractible_by_the_definition(tree: GameTree) -> None:
    assume(tree.num_nodes <= 40)
    found = {(pair.x, pair.y) for pair in contractible_pairs(tree)}
    assert found == set(plain_pairs(tree, is_isomorphic))
    plain = PlainNodes(tree)
    matched = {(pair.x, pair.y) for pair in contractible_pairs(tree, by_matching)}
    assert matched == set(plain_pairs(tree, lambda tree, x, y: plain.isomorphic(x, y)))


def is_isomorphic(tree: GameTree, x: int, y: int) -> bool:
    games: list[Any] = [restricted_game(tree, node) for node in (x, y)]
    return isomorphic_games(games[0], games[1])


def plain_pairs(tree: GameTree, isomorphic: Any) -> list[tuple[int, int]]:
    """Return the pairs of the definition, looked for one by one."""
    found = []
    for x in range(tree.num_nodes):
        for y in range(x + 1, tree.num_nodes):
            h, parent = tree.infoset[x], tree.parent[x]
            if tree.infoset[y] != h or tree.parent[y] != parent or parent < 0:
                continue
            after_chance = tree.player[parent] == CHANCE
            if h < 0:
                if not (tree.player[x] == tree.player[y] == CHANCE and after_chance):
                    continue
            else:
                members = np.flatnonzero(tree.infoset == h)
                alone = (tree.infoset == tree.infoset[parent]).sum() == 1
                if (tree.parent[members] != parent).any() or not (after_chance or alone):
                    continue
            if isomorphic(tree, x, y):
                found.append((x, y))
    return found


@given(some_trees, st.sampled_from([by_isomorphism, by_matching]))
def test_both_restricted_games_are_mapped_node_by_node(tree: GameTree, relation: Any) -> None:
    assume(tree.num_nodes <= 200)
    for pair in contractible_pairs(tree, relation):
        check_map(tree, pair)


def check_map(tree: GameTree, pair: ContractiblePair) -> None:
    image = dict(zip(pair.below_x.tolist(), pair.below_y.tolist(), strict=True))
    assert image[pair.x] == pair.y
    assert len(set(image.values())) == len(image)
    for node, other in image.items():
        assert tree.player[node] == tree.player[other]
        assert {image[child] for child in tree.children(node)} == set(tree.children(other))
        rows = [tree.payoff[each] for each in (node, other)]
        assert (rows[0] < 0) == (rows[1] < 0)
        assert rows[0] < 0 or tree.payoffs[rows[0]] == tree.payoffs[rows[1]]
        odds = [tree.probability[each] for each in (node, other)]
        if node != pair.x and odds[0] >= 0:
            assert tree.probabilities[odds[0]] == tree.probabilities[odds[1]]
