"""GameShrink on trees written down by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import abstraction.node_classes
import abstraction.tree_shrink
from abstraction.node_classes import shares
from abstraction.tree import TREE, lossless_classes
from abstraction.tree_published import published_classes
from abstraction.tree_shrink import TreeReduction
from games.kuhn import kuhn
from games.leduc import leduc
from seqform import GameTree, TreeBuilder, build_sequence_form, build_tree, solve
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import build_signal_form
from seqform.game.observations import SignalStructure
from seqform.tree.tree import NODE_COLUMNS
from tests.shrinkable_games import hidden_coin, lifted_gap, merged, two_jacks


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("in_turn", [False, True])
def test_two_jacks_become_one(in_turn: bool, published: bool) -> None:
    tree = two_jacks(in_turn)
    merge = merged(tree, published=published)
    assert merge.tree.num_infosets == 4
    # a class is named after its first member in the tree
    assert set(merge.tree.infoset_labels) == {(0, "J1"), (0, "K"), (1, "J2"), (1, "K")}
    number = {label: int(merge.infoset[h]) for h, label in enumerate(tree.infoset_labels)}
    assert number[0, "J1"] == number[0, "J2"] != number[0, "K"]
    assert number[1, "J1"] == number[1, "J2"] != number[1, "K"]
    assert merge.action == ((0, 1),) * 6
    assert lifted_gap(tree, merge) < 1e-9
    assert solve(merge.tree).value == pytest.approx(solve(tree).value)


def test_probabilities_of_merged_outcomes_are_added_exactly() -> None:
    small = merged(two_jacks(in_turn=True)).tree
    assert [small.probabilities[small.probability[c]] for c in small.children(0)] == [
        Fraction(2, 3),
        Fraction(1, 3),
    ]
    jack, king = small.children(0)
    assert [small.probabilities[small.probability[c]] for c in small.children(jack)] == [
        Fraction(1, 2),
        Fraction(1, 2),
    ]
    assert [small.probabilities[small.probability[c]] for c in small.children(king)] == [1]
    assert small.is_exact
    assert small.num_nodes == 1 + 2 + 3 + 3 * 4


def test_actions_in_another_order_are_matched() -> None:
    tree = two_jacks(in_turn=False, mirrored=True)
    merge = merged(tree)
    assert merge.tree.num_infosets == 4
    action = dict(zip(tree.infoset_labels, merge.action, strict=True))
    assert action[0, "J1"] == (0, 1)
    assert action[0, "J2"] == (1, 0)
    assert merge.tree.actions(int(merge.infoset[list(tree.infoset_labels).index((0, "J2"))])) == (
        "check",
        "bet",
    )
    assert lifted_gap(tree, merge) < 1e-9


def test_outcomes_of_unequal_probability_merge_where_nothing_else_tells_them_apart() -> None:
    b = TreeBuilder(2)
    for i, node in enumerate(
        b.chance(b.root, [("likely", Fraction(3, 4)), ("rare", Fraction(1, 4))])
    ):
        for payoff, end in zip(
            (1, -1), b.decision(node, 0, f"seen {i}", ["up", "down"]), strict=True
        ):
            b.terminal(end, (payoff, -payoff))
    merge = merged(b.freeze())
    assert (merge.tree.num_nodes, merge.infoset.tolist()) == (4, [0, 0])


def noisy_report(heads_prize: int) -> GameTree:
    """Let player 0 guess a coin for a prize after a report that is right four times out of five."""
    b = TreeBuilder(2)
    cases = {
        ("heads", "heads"): 4,
        ("tails", "heads"): 1,
        ("heads", "tails"): 1,
        ("tails", "tails"): 4,
    }
    nodes = b.chance(b.root, [(case, Fraction(weight, 10)) for case, weight in cases.items()])
    for (coin, report), node in zip(cases, nodes, strict=True):
        for guess, end in zip(
            ("heads", "tails"), b.decision(node, 0, report, ["heads", "tails"]), strict=True
        ):
            prize = (heads_prize if coin == "heads" else 1) * (guess == coin)
            b.terminal(end, (prize, -prize))
    return b.freeze()


def test_the_published_isomorphism_ignores_that_one_choice_must_fit_all_nodes() -> None:
    tree = hidden_coin()
    merge = merged(tree, published=True)
    assert merge.tree.num_nodes == 4
    assert solve(tree).value == pytest.approx(1 / 3)
    assert solve(merge.tree).value == pytest.approx(1)
    assert lifted_gap(tree, merge) == pytest.approx(2 / 3)
    assert merged(tree).tree.num_nodes == 7


def test_the_published_isomorphism_ignores_what_information_sets_say_about_chance() -> None:
    tree = noisy_report(heads_prize=2)
    merge = merged(tree, published=True)
    assert (merge.tree.num_infosets, merge.action) == (1, ((0, 1), (0, 1)))
    assert solve(tree).value == pytest.approx(1.2)
    assert solve(merge.tree).value == pytest.approx(1)
    assert lifted_gap(tree, merge) == pytest.approx(0.2)
    assert merged(tree).tree.num_nodes == 13


def test_information_sets_may_merge_by_exchanging_actions() -> None:
    tree = noisy_report(heads_prize=1)
    merge = merged(tree)
    assert (merge.tree.num_infosets, merge.action) == (1, ((0, 1), (1, 0)))
    assert solve(merge.tree).value == pytest.approx(0.8)
    assert lifted_gap(tree, merge) < 1e-9


def test_nothing_merges_in_kuhn_poker_and_suits_merge_in_leduc() -> None:
    assert merged(build_tree(kuhn())).tree.num_nodes == 58
    merge = merged(build_tree(leduc()))
    known = build_tree(leduc(merge_suits=True))
    assert (
        (merge.tree.num_nodes, merge.tree.num_infosets)
        == (known.num_nodes, known.num_infosets)
        == (1939, 288)
    )


def test_a_game_in_which_nothing_merges_stays_as_it_is() -> None:
    tree = noisy_report(heads_prize=2)
    merge = merged(tree)
    assert merge.infoset.tolist() == [0, 1]
    assert merge.action == ((0, 1), (0, 1))
    for column in NODE_COLUMNS:
        assert (getattr(merge.tree, column) == getattr(tree, column)).all()
    for table in ("probabilities", "payoffs", "labels", "unit", "num_players"):
        assert getattr(merge.tree, table) == getattr(tree, table)


def test_a_single_node_and_a_very_deep_tree() -> None:
    b = TreeBuilder(2)
    b.terminal(b.root, (1, -1))
    assert merged(b.freeze()).tree.num_nodes == 1
    b = TreeBuilder(2)
    node, twin = b.chance(b.root, [("a", Fraction(1, 2)), ("b", Fraction(1, 2))])
    for depth in range(1500):
        (node,) = b.decision(node, depth % 2, ("a", depth), ["on"])
        (twin,) = b.decision(twin, depth % 2, ("b", depth), ["on"])
    b.terminal(node, (1, -1))
    b.terminal(twin, (1, -1))
    assert merged(b.freeze()).tree.num_nodes == 1502


def signals_of_a_choice() -> GameTree:
    """Let player 0 choose a, b or c, unseen; player 1 sees s or t and guesses. With s it is right
    to answer b with yes and c with no, with t the other way round; after a nothing is paid."""
    b = TreeBuilder(2)
    for choice, node in zip("abc", b.decision(b.root, 0, "choice", list("abc")), strict=True):
        half = Fraction(1, 2)
        for sign, dealt in zip("st", b.chance(node, [("s", half), ("t", half)]), strict=True):
            right = "yes" if (choice == "b") == (sign == "s") else "no"
            for guess, end in zip(
                ("yes", "no"), b.decision(dealt, 1, sign, ["yes", "no"]), strict=True
            ):
                prize = 0 if choice == "a" else 1 if guess == right else -1
                b.terminal(end, (-prize, prize))
    return b.freeze()


def test_what_a_signal_says_about_unseen_choices_is_kept() -> None:
    """The nodes after a could be merged, if s and t told player 1 the same."""
    tree = signals_of_a_choice()
    merge = merged(tree)
    assert merge.tree.num_nodes == tree.num_nodes
    assert merge.infoset.tolist() == [0, 1, 2]
    published = merged(tree, published=True)
    assert published.tree.num_nodes < tree.num_nodes


@pytest.mark.parametrize("player", [0, 1])
def test_an_information_set_is_the_same_wherever_its_nodes_are(player: int) -> None:
    """After left a jack is dealt first, and after right its twin, which has the actions in another
    order."""
    b = TreeBuilder(2)
    half, wins = Fraction(1, 2), {"left": 1, "right": 2}
    for side, node in zip(wins, b.decision(b.root, 1 - player, "side", list(wins)), strict=True):
        cards = ["J1", "J2"] if side == "left" else ["J2", "J1"]
        for card, dealt in zip(cards, b.chance(node, [(c, half) for c in cards]), strict=True):
            actions = ["up", "down"] if card == "J1" else ["down", "up"]
            for action, end in zip(actions, b.decision(dealt, player, card, actions), strict=True):
                prize = wins[side] if action == "up" else -3
                b.terminal(end, (prize, -prize) if player == 0 else (-prize, prize))
    tree = b.freeze()
    merge = merged(tree)
    assert (merge.tree.num_nodes, merge.tree.num_infosets) == (9, 2)
    assert merge.action[1:] == ((0, 1), (1, 0))
    assert merge.tree.actions(1) == ("up", "down")
    assert lifted_gap(tree, merge) < 1e-9
    assert solve(merge.tree).value == pytest.approx(solve(tree).value)


@pytest.mark.parametrize("published", [False, True])
def test_a_reward_is_told_from_none(published: bool) -> None:
    b = TreeBuilder(2)
    half = Fraction(1, 2)
    for rewarded, node in enumerate(b.chance(b.root, [("plain", half), ("rewarded", half)])):
        if rewarded:
            b.reward(node, (2, -2))
        for payoff, end in zip((1, 2), b.decision(node, 0, rewarded, ["a", "b"]), strict=True):
            b.terminal(end, (payoff, -payoff))
    tree = b.freeze()
    for numbers in ([0, 1], [1, 0]):  # whichever number the reward has
        payoffs = tuple(tree.payoffs[i] for i in numbers)
        row = np.append(np.argsort(numbers), -1)[tree.payoff].astype(tree.payoff.dtype)
        other = replace(tree, payoffs=payoffs, payoff=row)
        assert merged(other, published).tree.num_nodes == tree.num_nodes


@pytest.mark.parametrize("relation", [lossless_classes, published_classes])
def test_classes_of_a_level_lie_within_the_numbers_of_its_nodes(relation: Any) -> None:
    for tree in (build_tree(kuhn()), two_jacks(in_turn=True), signals_of_a_choice()):
        key = relation(tree).key
        for a, b in pairwise(tree.level_start.tolist()):
            assert (key[a:b] >= a).all()
            assert (key[a:b] < b).all()


def test_shares_of_nothing_are_zero() -> None:
    groups, keys = np.array([0, 1, 2, 2]), np.array([5, 5, 5, 6])
    weights = np.array([0, Fraction(1, 2), 1, 0], dtype=object)
    found = shares(groups, keys, weights, 4).tolist()
    assert len(set(found)) == 4


def test_a_reduction_is_lossless_and_has_a_threshold_as_it_says() -> None:
    mine = TreeReduction("mine", published_classes)
    assert (mine.lossless, mine.takes_threshold) == (False, True)
    assert (TREE.lossless, TREE.takes_threshold) == (True, True)
    tree = two_jacks(in_turn=False)
    for game in (tree, build_sequence_form(tree)):
        assert mine.accepts(game) is None
        small, inverse = mine.apply(game)
        assert small.num_nodes == 16
        assert inverse.original.num_nodes == tree.num_nodes
    assert mine.apply(build_sequence_form(tree))[1].original.tree is tree
    signals = build_signal_form(SignalStructure(kuhn()))
    with pytest.raises(UnsupportedGameError, match="'mine' needs the game's tree"):
        mine.apply(signals)


def test_a_time_limit_is_looked_at_while_subtrees_are_merged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    for module in (abstraction.node_classes, abstraction.tree_shrink):
        monkeypatch.setattr(module, "check_time", said.append)
    merged(two_jacks(in_turn=False))
    assert set(said) == {"comparing subtrees", "matching subtrees", "merging subtrees"}
