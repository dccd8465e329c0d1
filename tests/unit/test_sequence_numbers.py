"""Which number each sequence of a tree has, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from seqform import build_sequence_form
from seqform.tree.builder import TreeBuilder

HALF = Fraction(1, 2)


def test_information_sets_are_numbered_by_own_moves_made_before() -> None:
    """Left player 0 moves three times, right it waits for player 1 first, and moves twice."""
    b = TreeBuilder(2)
    left, right = b.chance(b.root, [("left", HALF), ("right", HALF)])
    node = left
    for label in ("first", "second", "third"):
        (node,) = b.decision(node, 0, label, ["on"])
    b.terminal(node, (1, -1))
    node = right
    for player, label in ((1, "wait"), (1, "more"), (0, "late"), (0, "last")):
        node, out = b.decision(node, player, label, ["on", "out"])
        b.terminal(out, (2, -2))
    b.terminal(node, (3, -3))
    form = build_sequence_form(b.freeze())
    mine, theirs = form.treeplexes
    labels = [form.infoset_label(0, infoset) for infoset in range(mine.num_infosets)]
    assert labels == ["first", "late", "second", "last", "third"]
    assert mine.parent_sequence.tolist() == [0, 0, 1, 2, 4]
    assert mine.first_sequence.tolist() == [1, 2, 4, 5, 7, 8]
    assert theirs.parent_sequence.tolist() == [0, 1]
    for mine_in_tree in form.tree_infosets:
        with pytest.raises(ValueError, match="read-only"):
            mine_in_tree[0] = 0
    # rows are player 0's sequences: out of "late" and of "last", and the ends of both ways
    paid = form.operator.to_csr().toarray()
    assert paid.tolist() == [
        [0, 0, 1, 0, 1],
        [0] * 5,
        [0] * 5,
        [0, 0, 0, 1, 0],
        [0] * 5,
        [0, 0, 0, 1.5, 0],
        [0, 0, 0, 1, 0],
        [0.5, 0, 0, 0, 0],
    ]


def test_where_nobody_moves_there_are_no_sequences_but_the_empty_ones() -> None:
    b = TreeBuilder(2)
    for node, payoff in zip(b.chance(b.root, [("a", HALF), ("b", HALF)]), (1, 5), strict=True):
        b.terminal(node, (payoff, -payoff))
    form = build_sequence_form(b.freeze())
    assert [treeplex.num_sequences for treeplex in form.treeplexes] == [1, 1]
    assert form.operator.to_csr().toarray().tolist() == [[3]]


def test_one_float_among_the_chances_makes_payoffs_inexact() -> None:
    b = TreeBuilder(2)
    for node in b.chance(b.root, [("a", Fraction(1, 4)), ("b", 0.75)]):
        b.terminal(node, (1, -1))
    assert not build_sequence_form(b.freeze()).operator.is_exact
