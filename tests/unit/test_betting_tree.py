"""Public betting trees: what is built, how it is read, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from seqform.base.errors import InvalidGameError
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.game.rules import CHANCE, TERMINAL


def two_rounds() -> BettingTree:
    """Check or bet, then a card, and a bet again by player 1; a fold ends play at once."""
    builder = BettingTreeBuilder()
    check, bet = builder.act(builder.root, 0, ["check", "bet"])
    fold, call = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (Fraction(1, 2), Fraction(-1, 2)))
    builder.showdown(builder.deal(call), 3)
    later = builder.deal(check)
    passed, bet_again = builder.act(later, 1, ["check", "bet"])
    builder.showdown(passed, 1)
    builder.show(bet_again, (2, -2), (1, -1), (-2, 2))
    return builder.build()


def test_nodes_are_in_level_order_and_children_side_by_side() -> None:
    tree = two_rounds()
    assert tree.num_nodes == 9
    assert tree.parent.tolist() == [-1, 0, 0, 1, 2, 2, 3, 3, 5]
    assert tree.player.tolist() == [
        0,
        CHANCE,
        1,
        1,
        TERMINAL,
        CHANCE,
        TERMINAL,
        TERMINAL,
        TERMINAL,
    ]
    for node in range(tree.num_nodes):
        assert list(tree.children(node)) == np.flatnonzero(tree.parent == node).tolist()


def test_what_is_dealt_and_paid() -> None:
    tree = two_rounds()
    assert tree.dealt.tolist() == [0, 0, 0, 1, 0, 0, 1, 1, 1]
    assert tree.num_dealt == 1
    assert tree.denominator == 2
    assert tree.paid[4].tolist() == [[1, -1]] * 3
    assert tree.paid[7].tolist() == [[4, -4], [2, -2], [-4, 4]]
    assert tree.paid[8].tolist() == [[6, -6], [0, 0], [-6, 6]]
    assert np.flatnonzero(tree.is_fold).tolist() == [4]
    assert np.flatnonzero(tree.is_showdown).tolist() == [6, 7, 8]


def test_lines_are_written() -> None:
    assert two_rounds().lines == (
        "",
        "check",
        "bet",
        "check/",
        "bet-fold",
        "bet-call",
        "check/check",
        "check/bet",
        "bet-call/",
    )


def test_last_own_actions() -> None:
    tree = two_rounds()
    assert tree.last_own(0).tolist() == [-1, 1, 2, 1, 2, 2, 1, 1, 2]
    assert tree.last_own(1).tolist() == [-1, -1, -1, -1, 4, 5, 6, 7, 5]


def sums(*paid: tuple[int | Fraction, int | Fraction]) -> BettingTree:
    builder = BettingTreeBuilder()
    ends = builder.act(builder.root, 0, [str(place) for place in range(len(paid))])
    for end, both in zip(ends, paid, strict=True):
        builder.end(end, both)
    return builder.build()


def test_the_constant_sum_is_that_of_all_ends() -> None:
    assert two_rounds().constant_sum == 0
    assert sums((1, 2), (2, 1)).constant_sum == 3
    assert sums((Fraction(1, 2), 0), (Fraction(1, 3), Fraction(1, 6))).constant_sum == Fraction(
        1, 2
    )
    assert sums((1, 2), (2, 2)).constant_sum is None


def test_a_showdown_that_pays_the_same_is_a_fold() -> None:
    builder = BettingTreeBuilder()
    builder.showdown(builder.root, 0)
    tree = builder.build()
    assert tree.is_fold.tolist() == [True]
    assert not tree.is_showdown.any()


@pytest.mark.parametrize("actions", [[], ["a", "a"]])
def test_actions_must_be_there_and_differ(actions: list[str]) -> None:
    builder = BettingTreeBuilder()
    with pytest.raises(InvalidGameError, match="R3: node 0 of a betting tree has actions"):
        builder.act(builder.root, 0, actions)


def test_a_node_is_said_once() -> None:
    builder = BettingTreeBuilder()
    builder.act(builder.root, 0, ["a"])
    for say in (lambda: builder.deal(0), lambda: builder.end(0, (0, 0))):
        with pytest.raises(InvalidGameError, match="node 0 of a betting tree was said already"):
            say()


def test_every_node_must_be_said() -> None:
    builder = BettingTreeBuilder()
    builder.act(builder.root, 0, ["a"])
    with pytest.raises(InvalidGameError, match="node 1 of a betting tree is without actions"):
        builder.build()


def test_hands_are_shown_after_the_last_card() -> None:
    builder = BettingTreeBuilder()
    early, late = builder.act(builder.root, 0, ["early", "late"])
    builder.showdown(early, 1)
    builder.showdown(builder.deal(late), 1)
    with pytest.raises(InvalidGameError, match="shown after 'early', before the last card"):
        builder.build()
