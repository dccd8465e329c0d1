"""A signal game's sequence form is the same straight from its rules and by way of its tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from seqform import build_sequence_form, build_tree
from seqform.form.from_signals import build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from tests.random_signal_games import POKER, POKER_BY_SIZE, random_signal_game


def sequence_permutation(a: SequenceForm, b: SequenceForm, player: int) -> np.ndarray:
    """Map a's sequences to b's: those after an information set and an action of the same name."""
    names = []
    for form in (a, b):
        treeplex = form.treeplexes[player]
        pairs: list[Any] = ["empty"]
        for h in range(treeplex.num_infosets):
            pairs += [(form.infoset_label(player, h), action) for action in form.actions(player, h)]
        assert len(pairs) == len(set(pairs)) == treeplex.num_sequences
        names.append(pairs)
    where = {name: sequence for sequence, name in enumerate(names[1])}
    assert where.keys() == set(names[0])
    return np.array([where[name] for name in names[0]])


def check_same(direct: SequenceForm, by_tree: SequenceForm) -> None:
    permutations = [sequence_permutation(direct, by_tree, player) for player in (0, 1)]
    for player, permutation in enumerate(permutations):
        mine, theirs = direct.treeplexes[player], by_tree.treeplexes[player]
        assert (
            permutation[mine.sequence_parent[1:]] == theirs.sequence_parent[permutation[1:]]
        ).all()
        first = mine.first_sequence[:-1]
        there = theirs.infoset_of[permutation[first]]
        # actions are in the same order
        assert np.array_equal(permutation[first], theirs.first_sequence[there])
    assert direct.operator is not None
    assert by_tree.operator is not None
    a, b = direct.operator.to_sparse(), by_tree.operator.to_sparse()
    assert a.numerators is not None
    assert b.numerators is not None
    at = sp.coo_array(a.matrix)
    places = (permutations[0][at.row], permutations[1][at.col])
    moved = sp.csr_array(
        (a.numerators.astype(np.int64) * b.denominator, places), shape=a.matrix.shape
    )
    kept = sp.csr_array(
        (b.numerators.astype(np.int64) * a.denominator, b.matrix.indices, b.matrix.indptr),
        shape=b.matrix.shape,
    )
    assert abs(moved - kept).sum() == 0
    assert direct.operator.num_nonzeros == a.matrix.nnz == b.matrix.nnz
    assert direct.constant_sum == by_tree.constant_sum == 0
    assert (direct.unit, direct.num_nodes) == (by_tree.unit, by_tree.num_nodes)


@pytest.mark.parametrize("name", POKER_BY_SIZE)
def test_poker_and_dice(name: str) -> None:
    game = POKER[name]
    direct = build_signal_form(SignalStructure(game))
    by_tree = build_sequence_form(build_tree(game))
    check_same(direct, by_tree)
    assert direct.largest_payoff == by_tree.largest_payoff
    for player in (0, 1):
        assert (
            direct.treeplexes[player].first_sequence == by_tree.treeplexes[player].first_sequence
        ).all()
        assert (
            direct.treeplexes[player].parent_sequence == by_tree.treeplexes[player].parent_sequence
        ).all()


@given(st.integers(0, 100_000))
def test_random_signal_games(seed: int) -> None:
    game = random_signal_game(seed)
    check_same(build_signal_form(SignalStructure(game)), build_sequence_form(build_tree(game)))


@given(st.integers(0, 100_000))
def test_the_largest_payoff_is_that_of_the_tree(seed: int) -> None:
    game = random_signal_game(seed)
    tree = build_sequence_form(build_tree(game))
    assert build_signal_form(SignalStructure(game)).largest_payoff == tree.largest_payoff
