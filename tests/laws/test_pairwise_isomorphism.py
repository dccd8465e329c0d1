"""GameShrink by signatures merges what GameShrink by pairs and matchings does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from abstraction.node_classes import levels_from_below
from abstraction.outcome import outcome
from abstraction.pairwise import Enhancements, PairwiseIsomorphism
from abstraction.tree_published import published_classes
from games.kuhn import kuhn
from seqform import GameTree, TreeBuilder, build_tree
from seqform.base.errors import InvalidParameterError
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from tests.random_signal_games import POKER, POKER_BY_SIZE, random_signal_game
from tests.reference.pairwise_isomorphism import shrink_signals
from tests.reference.plain_isomorphism import PlainNodes
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


@pytest.mark.parametrize("name", POKER_BY_SIZE)
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


def check_same_nodes(tree: GameTree) -> None:
    """Compare signatures, pairs, and the trying out of bijections."""
    key, pairs = published_classes(tree).key, PairwiseIsomorphism(tree)
    plain = PlainNodes(tree)
    for level in levels_from_below(tree):
        for x, y in combinations(range(level.start, level.stop), 2):
            assert pairs.isomorphic(x, y) == plain.isomorphic(x, y)
            assert bool(key[x] == key[y]) == (pairs.isomorphic(x, y) and pairs.sets_match(x, y))


@pytest.mark.parametrize("cards", [3, 4])
def test_published_classes_of_kuhn_poker(cards: int) -> None:
    check_same_nodes(build_tree(kuhn(cards)))


small_trees = st.one_of(
    trees(players=(2, 3), zero_sum=(True, False), depth=4),
    st.builds(observable_game, st.integers(0, 10_000), depth=st.integers(1, 3)),
    st.builds(copied_game, trees(depth=3), st.integers(0, 1000)),
)


@given(small_trees)
def test_published_classes_of_random_trees(tree: GameTree) -> None:
    assume(tree.num_nodes <= 100)
    check_same_nodes(tree)


@given(small_trees)
def test_no_enhancement_changes_the_relation(tree: GameTree) -> None:
    assume(tree.num_nodes <= 100)
    found = [
        PairwiseIsomorphism(tree, enhancements=Enhancements(*used))
        for used in product((False, True), repeat=3)
    ]
    for level in levels_from_below(tree):
        for x, y in combinations(range(level.start, level.stop), 2):
            assert len({each.isomorphic(x, y) for each in found}) == 1
    for each in found:
        counts, used = each.counts, each.enhancements
        spared = counts.by_shape + counts.by_histogram + counts.by_disjoint_sets
        assert counts.pairs == spared + counts.compared == found[0].counts.compared
        assert used.shape or counts.by_shape == 0
        assert used.histograms or counts.by_histogram == 0
        assert used.disjoint_sets or counts.by_disjoint_sets == 0
        assert each.num_classes() == len(np.unique(published_classes(tree).key))


@given(small_trees)
def test_the_words_of_the_talk(tree: GameTree) -> None:
    assume(tree.num_nodes <= 60)
    found, plain = PairwiseIsomorphism(tree, literal=True), PlainNodes(tree, literal=True)
    strict = PairwiseIsomorphism(tree)
    for level in levels_from_below(tree):
        for x, y in combinations(range(level.start, level.stop), 2):
            assert found.isomorphic(x, y) == plain.isomorphic(x, y)
            assert found.isomorphic(x, y) >= strict.isomorphic(x, y)


def test_an_enhancement_that_would_change_the_words_is_refused() -> None:
    tree = build_tree(kuhn())
    for used in (Enhancements(histograms=False), Enhancements(shape=False)):
        with pytest.raises(InvalidParameterError, match="shape=False, histograms=False"):
            PairwiseIsomorphism(tree, literal=True, enhancements=used)
    plain = Enhancements(shape=False, histograms=False, disjoint_sets=False)
    assert PairwiseIsomorphism(tree, literal=True, enhancements=plain).counts.compared == 426


def same_key(tree: GameTree) -> bool:
    key = published_classes(tree).key
    return bool(key[1] == key[2])


def test_children_are_matched_besides_their_information_sets() -> None:
    """Player 1 cannot tell x from y, which pay differently: the talk's words alone would make them
    alike, and payoff histograms would be no necessary condition."""
    b = TreeBuilder(2)
    for i, node in enumerate(b.chance(b.root, [("x", Fraction(1, 2)), ("y", Fraction(1, 2))])):
        (below,) = b.decision(node, 0, f"seen {i}", ["on"])
        (end,) = b.decision(below, 1, "not seen", ["on"])
        b.terminal(end, (i, -i))
    tree = b.freeze()
    assert PairwiseIsomorphism(tree, literal=True).isomorphic(1, 2)
    assert not PairwiseIsomorphism(tree).isomorphic(1, 2)
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


def test_probabilities_are_matched_one_by_one() -> None:
    halves, thirds = [Fraction(1, 2)] * 2, [Fraction(1, 3), Fraction(2, 3)]
    for literal in (False, True):
        same, other = (
            PairwiseIsomorphism(two_lotteries(*of), literal)
            for of in ((thirds, thirds[::-1]), (halves, thirds))
        )
        assert same.isomorphic(1, 2)
        assert not other.isomorphic(1, 2)
    assert same_key(two_lotteries(thirds, thirds[::-1]))
    assert not same_key(two_lotteries(halves, thirds))


def test_children_of_one_set_are_not_matched_to_those_of_two() -> None:
    """After x player 1 does not see what player 0 did; after y and z it does, but not which of
    them came."""
    b, third = TreeBuilder(2), Fraction(1, 3)
    for name, node in zip("xyz", b.chance(b.root, [(n, third) for n in "xyz"]), strict=True):
        for action, below in zip("ab", b.decision(node, 0, name, ["a", "b"]), strict=True):
            seen = "after x" if name == "x" else f"after y or z: {action}"
            for end in b.decision(below, 1, seen, ["on"]):
                b.terminal(end, (1, -1))
    tree = b.freeze()
    key = published_classes(tree).key
    assert key[1] != key[2] == key[3]
    pairs = PairwiseIsomorphism(tree)
    assert not pairs.isomorphic(1, 2)
    assert pairs.isomorphic(2, 3)
