"""Payoffs and treeplexes against their definitions, worked out leaf by leaf in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import build_sequence_form
from seqform.form.payoff import SparsePayoff
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE
from seqform.tree.tree import NODE_COLUMNS, GameTree
from tests.laws.test_programs import rebuild
from tests.strategies import games, random_profile, seeds, trees

ANY: dict[str, Any] = {"players": (1, 2, 3), "zero_sum": (True, False)}
Entries = dict[tuple[int, ...], list[Fraction]]


def entries(game: SequenceForm) -> Entries:
    """Add up chance weight times payoff over the paying nodes at which the same sequences meet, as
    docs/data-model.md says."""
    tree = game.tree
    where = [{h: i for i, h in enumerate(infosets.tolist())} for infosets in game.tree_infosets]
    found: Entries = {}
    for leaf in range(tree.num_nodes):
        if tree.payoff[leaf] < 0:
            continue
        weight, sequences, node = Fraction(1), [0] * game.num_players, leaf
        while node > 0:
            parent = int(tree.parent[node])
            mover = int(tree.player[parent])
            if mover == CHANCE:
                weight *= Fraction(tree.probabilities[tree.probability[node]])
            elif sequences[mover] == 0:  # going up, the first own action met is the last one made
                h = where[mover][int(tree.infoset[parent])]
                sequences[mover] = (
                    int(game.treeplexes[mover].first_sequence[h])
                    + node
                    - int(tree.first_child[parent])
                )
            node = parent
        row = found.setdefault(tuple(sequences), [Fraction(0)] * game.num_players)
        for player, payoff in enumerate(tree.payoffs[tree.payoff[leaf]]):
            row[player] += weight * Fraction(payoff)
    return found


def check_entries(game: SequenceForm) -> None:
    expected = {key: row for key, row in entries(game).items() if any(row)}
    if not isinstance(game, ZeroSumForm):
        tensor = game.payoffs
        assert len(tensor.sequences) == len(expected)
        for key, weights in zip(tensor.sequences.tolist(), tensor.weights.tolist(), strict=True):
            assert weights == [float(u) for u in expected[tuple(key)]]  # exact sums, rounded once
        for player, numerators in enumerate(tensor.numerators):
            found = [Fraction(int(n), tensor.denominators[player]) for n in numerators]
            assert found == [expected[tuple(key)][player] for key in tensor.sequences.tolist()]
    for player in range(game.num_players):
        if game.num_players != 2 or (isinstance(game, ZeroSumForm) and player == 1):
            continue
        shape = tuple(treeplex.num_sequences for treeplex in game.treeplexes)
        is_zero_sum = isinstance(game, ZeroSumForm)
        operator = game.operator if is_zero_sum else game.payoffs.matrix(player, shape)
        assert isinstance(operator, SparsePayoff)
        assert operator.numerators is not None
        matrix = operator.to_csr().tocoo()
        found = {
            (int(i), int(j)): Fraction(int(n), operator.denominator)
            for i, j, n in zip(matrix.row, matrix.col, operator.numerators, strict=True)
        }
        assert found == {key: row[player] for key, row in expected.items() if row[player]}
        assert matrix.data.tolist() == [float(u) for u in found.values()]


@given(games(**ANY))
def test_payoffs_are_what_the_leaves_add_up_to(game: SequenceForm) -> None:
    check_entries(game)


@given(
    trees(**ANY),
    st.sampled_from([Fraction(10**30 + 1, 3**40), Fraction(2**62 + 1, 3), Fraction(1, 7**25)]),
)
def test_payoffs_are_exact_beyond_64_bits(tree: GameTree, factor: Fraction) -> None:
    check_entries(build_sequence_form(rebuild(tree, lambda _, row: [factor * u for u in row])))


@given(games(**ANY), seeds)
def test_gradients_are_what_the_leaves_add_up_to(game: SequenceForm, seed: int) -> None:
    plans = random_profile(game, seed, sparse=True).plans
    for player in range(game.num_players):
        expected = [Fraction(0)] * game.treeplexes[player].num_sequences
        size = list(expected)
        for key, row in entries(game).items():
            complement = isinstance(game, ZeroSumForm) and player == 1
            weight = -row[0] if complement else row[player]
            for other, s in enumerate(key):
                weight *= 1 if other == player else Fraction(float(plans[other][s]))
            expected[key[player]] += weight
            size[key[player]] += abs(weight)
        if isinstance(game, ZeroSumForm) and player == 1:  # the constant is paid whatever happens
            expected[0] += Fraction(game.constant_sum)
            size[0] += abs(Fraction(game.constant_sum))
        found = game.payoffs.gradient(player, plans)
        # relative to the terms that were added: at most 1,000 of them, each rounded a few times
        assert all(
            abs(Fraction(f) - e) <= Fraction(1, 10**12) * s
            for f, e, s in zip(found.tolist(), expected, size, strict=True)
        )


@given(games(**ANY))
def test_runs_are_as_long_as_can_be(game: SequenceForm) -> None:
    """Each run ends only where the next information set lies below one of the run's own."""
    for treeplex in game.treeplexes:
        for (run, _), (following, _) in zip(treeplex.runs, treeplex.runs[1:], strict=False):
            above = treeplex.infoset_of[treeplex.parent_sequence[following.start]]
            assert run.start <= above < run.stop


@given(games(**ANY))
def test_a_best_response_takes_the_first_of_equal_actions(game: SequenceForm) -> None:
    for treeplex in game.treeplexes:
        value, plan = treeplex.best_response(np.zeros(treeplex.num_sequences))
        first = np.zeros(treeplex.num_sequences)
        first[treeplex.first_sequence[:-1]] = 1
        assert value == 0
        assert plan.tolist() == treeplex.to_plan(first).tolist()


def test_residuals_find_each_kind_of_violation() -> None:
    treeplex = Treeplex(np.array([0, 1], dtype=np.int32), np.array([1, 3, 5], dtype=np.int32))
    for plan, residuals in [
        ([1, 0.5, 0.5, 0.25, 0.25], (0, 0)),
        ([1.5, 0.75, 0.75, 0.75, 0], (0.5, 0)),  # twice too heavy all over: only the root tells
        ([1, 0.5, 0.25, 0.5, 0], (0.25, 0)),
        ([1, 0.5, 0.5, 0.5, 0.125], (0.125, 0)),
        ([1, 1.25, -0.25, 1.25, 0], (0, 0.25)),
    ]:
        assert treeplex.residuals(np.array(plan, dtype=float)) == residuals
    alone = Treeplex(np.zeros(0, dtype=np.int32), np.ones(1, dtype=np.int32))
    assert alone.residuals(np.array([1.25])) == (0.25, 0)
    assert alone.residuals(np.array([-0.5])) == (1.5, 0.5)


@given(trees(**ANY))
def test_all_columns_of_a_tree_are_read_only(tree: GameTree) -> None:
    for column in (*NODE_COLUMNS, "infoset_player", "infoset_num_actions", "level_start"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, column)[:] = 0
