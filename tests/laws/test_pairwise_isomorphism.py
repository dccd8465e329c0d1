"""GameShrink by signatures merges what GameShrink by pairs and matchings does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from abstraction.outcome import outcome
from abstraction.tree_published import published_classes
from games.kuhn import kuhn
from seqform import GameTree, TreeBuilder, build_tree
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from tests.random_signal_games import POKER, random_signal_game
from tests.reference.pairwise_isomorphism import PairwiseTree, shrink_signals
from tests.shrinkable_games import copied_game, observable_game
from tests.strategies import trees


def class_pairs(game: Any) -> list[set[tuple[int, int]]]:
    """Return, for each player and stage, the pairs (class by signatures, class by pairs) of what
    can be observed."""
    structure = SignalStructure(game)
    cards = [card for card, copies in enumerate(game.deck.copies) for _ in range(copies)]
    found = []
    for player, stages in enumerate(outcome(structure)):
        for stage, (classes, slow) in enumerate(
            zip(stages, shrink_signals(game, player), strict=True)
        ):
            fast = dict(
                zip(
                    map(tuple, structure.signals(player, stage).tolist()),
                    classes.tolist(),
                    strict=True,
                )
            )
            found.append(
                {(fast[tuple(cards[i] for i in seen)], number) for seen, number in slow.items()}
            )
    return found


def check_same(pairs: set[tuple[int, int]]) -> None:
    assert len(pairs) == len({fast for fast, _ in pairs}) == len({slow for _, slow in pairs})


@pytest.mark.parametrize("name", POKER)
def test_outcome_merges_what_matchings_of_pairs_do(name: str) -> None:
    for pairs in class_pairs(POKER[name]):
        check_same(pairs)


@given(st.integers(0, 100_000))
def test_random_signal_games_without_copies(seed: int) -> None:
    game = random_signal_game(seed)
    cards = max(len(game.deck.cards), len(game.recipients))
    for pairs in class_pairs(
        replace(game, deck=Deck(tuple("xyzw"[:cards]), (1,) * cards, game.deck.replacement))
    ):
        check_same(pairs)


@given(st.integers(0, 100_000))
def test_with_copies_nothing_merges_that_pairs_keep_apart(seed: int) -> None:
    """With copies told apart, pairs merge more: what comes about in unequally many ways may be
    alike there."""
    for pairs in class_pairs(random_signal_game(seed)):
        assert len(pairs) == len({fast for fast, _ in pairs})


def check_same_nodes(tree: GameTree, literal: bool = False) -> None:
    key, pairwise = published_classes(tree).key, PairwiseTree(tree, literal)
    for level in pairwise.levels:
        for x, y in combinations(level, 2):
            assert bool(key[x] == key[y]) == pairwise.alike(x, y)


@pytest.mark.parametrize("cards", [3, 4])
@pytest.mark.parametrize("literal", [False, True])
def test_published_classes_of_kuhn_poker(cards: int, literal: bool) -> None:
    check_same_nodes(build_tree(kuhn(cards)), literal)


small_trees = st.one_of(
    trees(players=(2, 3), zero_sum=(True, False), depth=4),
    st.builds(observable_game, st.integers(0, 10_000), depth=st.integers(1, 3)),
    st.builds(copied_game, trees(depth=3), st.integers(0, 1000)),
)


@given(small_trees)
def test_published_classes_of_random_trees(tree: GameTree) -> None:
    assume(tree.num_nodes <= 200)
    check_same_nodes(tree)


def same_key(tree: GameTree) -> bool:
    key = published_classes(tree).key
    return bool(key[1] == key[2])


def test_children_are_matched_besides_their_information_sets() -> None:
    """Player 1 cannot tell x from y, which pay differently: the paper's words alone would make them
    alike."""
    b = TreeBuilder(2)
    for i, node in enumerate(b.chance(b.root, [("x", Fraction(1, 2)), ("y", Fraction(1, 2))])):
        (below,) = b.decision(node, 0, f"seen {i}", ["on"])
        (end,) = b.decision(below, 1, "not seen", ["on"])
        b.terminal(end, (i, -i))
    tree = b.freeze()
    assert PairwiseTree(tree, literal=True).isomorphic.connected(1, 2)
    assert not PairwiseTree(tree).alike(1, 2)
    assert not same_key(tree)


def two_lotteries(x: list[Fraction], y: list[Fraction]) -> GameTree:
    """Let chance choose between two chance nodes below which every outcome pays the same."""
    b = TreeBuilder(2)
    for odds, node in zip(
        (x, y), b.chance(b.root, [("x", Fraction(1, 2)), ("y", Fraction(1, 2))]), strict=True
    ):
        for end in b.chance(node, [(f"ball {i}", p) for i, p in enumerate(odds)]):
            b.terminal(end, (1, -1))
    return b.freeze()


def test_probabilities_of_children_that_are_alike_are_added_where_there_are_equally_many() -> None:
    halves, thirds = [Fraction(1, 2)] * 2, [Fraction(1, 3), Fraction(2, 3)]
    assert PairwiseTree(two_lotteries(halves, halves), literal=True).alike(1, 2)
    assert same_key(two_lotteries(halves, halves))
    assert not PairwiseTree(two_lotteries(halves, thirds), literal=True).alike(1, 2)
    assert same_key(two_lotteries(halves, thirds))
    assert not same_key(two_lotteries(halves, [Fraction(1, 3)] * 3))
