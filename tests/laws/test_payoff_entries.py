"""Payoffs and treeplexes against their definitions, worked out leaf by leaf in fractions."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import build_sequence_form
from seqform.form.payoff_tensor import PayoffTensor
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from seqform.tree.tree import NODE_COLUMNS, GameTree
from tests.rebuilt import Entries, entries, rebuild
from tests.reference.oracles import on_plans
from tests.strategies import games, random_profile, seeds, trees

ANY: dict[str, Any] = {"players": (1, 2, 3), "zero_sum": (True, False)}


def check_entries(game: SequenceForm) -> None:
    expected = {key: row for key, row in entries(game).items() if any(row)}
    if isinstance(game, ZeroSumForm):
        assert isinstance(game.operator, SparsePayoff)
        check_matrix(game.operator, expected, 0)
        check_constant_sum(game, expected)
        return
    tensor = game.payoffs
    assert isinstance(tensor, PayoffTensor)
    assert [tuple(key) for key in tensor.sequences.tolist()] == sorted(expected)
    assert tensor.weights.shape == (len(expected), game.num_players)
    assert len(tensor.numerators) == len(tensor.denominators) == game.num_players
    for player, numerators in enumerate(tensor.numerators):
        exact = [expected[key][player] for key in sorted(expected)]
        assert numerators is not None
        assert [Fraction(int(n), tensor.denominators[player]) for n in numerators] == exact
        # exact sums, rounded once
        assert tensor.weights[:, player].tolist() == [float(u) for u in exact]
        if game.num_players == 2:
            shape = tuple(treeplex.num_sequences for treeplex in game.treeplexes)
            check_matrix(tensor.matrix(player, shape), expected, player)


def check_matrix(operator: SparsePayoff, expected: Entries, player: int) -> None:
    assert operator.numerators is not None
    matrix = operator.to_csr().tocoo()
    found = {
        (int(i), int(j)): Fraction(int(n), operator.denominator)
        for i, j, n in zip(matrix.row, matrix.col, operator.numerators, strict=True)
    }
    assert found == {key: row[player] for key, row in expected.items() if row[player]}
    assert matrix.data.tolist() == [float(u) for u in found.values()]


def check_constant_sum(game: ZeroSumForm, expected: Entries) -> None:
    """Compare player 1's own payoffs with what player 0 leaves of the constant, on all plans."""
    shape = tuple(treeplex.num_sequences for treeplex in game.treeplexes)
    left, own = np.full(shape, Fraction(0)), np.full(shape, Fraction(0))
    left[0, 0] = Fraction(game.constant_sum)
    for key, row in expected.items():
        left[key] -= row[0]
        own[key] += row[1]
    first, second = game.treeplexes
    for_all = [on_plans(second, on_plans(first, payoffs).T).tolist() for payoffs in (left, own)]
    assert for_all[0] == for_all[1]


@given(games(**ANY))
def test_payoffs_are_what_the_leaves_add_up_to(game: SequenceForm) -> None:
    check_entries(game)


@given(
    trees(**ANY),
    st.sampled_from([Fraction(10**30 + 1, 3**40), Fraction(2**62 + 1, 3), Fraction(1, 7**25)]),
)
def test_payoffs_are_exact_beyond_64_bits(tree: GameTree, factor: Fraction) -> None:
    check_entries(build_sequence_form(rebuild(tree, lambda _, row: [factor * u for u in row])))


@given(trees(**ANY), st.integers(0, 2))
def test_one_players_floats_leave_the_others_exact(tree: GameTree, who: int) -> None:
    """Numerators are kept for each player whose own payoffs are all exact."""
    who = min(who, tree.num_players - 1)

    def some_floats(_: int, row: Any) -> list[Any]:
        return [0.1 * u + 0.3 if player == who else u for player, u in enumerate(row)]

    game = build_sequence_form(rebuild(tree, some_floats))
    if isinstance(game, ZeroSumForm):  # one player's payoffs were constant
        assert game.operator.is_exact == (who == 1)
        return
    expected = {key: row for key, row in entries(game).items() if any(row)}
    tensor = game.payoffs
    assert isinstance(tensor, PayoffTensor)
    for player in range(tree.num_players):
        numerators = tensor.numerators[player]
        keys, weights = map(tuple, tensor.sequences.tolist()), tensor.weights[:, player].tolist()
        found = dict(zip(keys, weights, strict=True))
        if player == who:
            assert numerators is None
            assert tensor.denominators[player] == 1
            for key, row in expected.items():
                assert found.get(key, 0.0) == pytest.approx(float(row[player]), abs=1e-9)
        else:
            assert numerators is not None
            assert {key: u for key, u in found.items() if u} == {
                key: float(row[player]) for key, row in expected.items() if row[player]
            }


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("factor", "kind"),
    [(1, np.int64), (Fraction(2**20, 3), np.int64), (2**62, object), (Fraction(10**40, 7), object)],
)
def test_numerators_are_integers_of_the_smallest_type_that_holds_them(
    players: int, factor: Fraction, kind: type
) -> None:
    tree = random_game(5, players=players, depth=5, zero_sum=False, max_payoff=10)
    own = [factor / Fraction(2 * player + 1) for player in range(players)]
    game = build_sequence_form(rebuild(tree, lambda _, row: [*map(mul, own, row)]))
    tensor = game.payoffs
    assert isinstance(tensor, PayoffTensor)
    assert (len(set(tensor.denominators)) > 1) == (players > 1)
    assert [n.dtype for n in tensor.numerators if n is not None] == [np.dtype(kind)] * players
    check_entries(game)


@given(games(**ANY), seeds)
def test_gradients_are_what_the_leaves_add_up_to(game: SequenceForm, seed: int) -> None:
    check_gradients(game, seed)


@given(trees(), st.fractions(-3, 3, max_denominator=7), seeds)
def test_player_1_of_a_constant_sum_game_gets_its_own_payoffs(
    tree: GameTree, constant: Fraction, seed: int
) -> None:
    more = rebuild(tree, lambda _, row: [row[0], row[1] + constant], interior=False)
    game = build_sequence_form(more)
    assert isinstance(game, ZeroSumForm)
    assert game.constant_sum == constant
    check_entries(game)
    check_gradients(game, seed)


def check_gradients(game: SequenceForm, seed: int) -> None:
    """Compare with each player's own payoffs: by sequence; of constant-sum games, on all plans."""
    plans = random_profile(game, seed, sparse=True).plans
    for player in range(game.num_players):
        expected = np.full(game.treeplexes[player].num_sequences, Fraction(0))
        size = expected.copy()
        for key, row in entries(game).items():
            weight = row[player]
            for other, s in enumerate(key):
                weight *= 1 if other == player else Fraction(float(plans[other][s]))
            expected[key[player]] += weight
            size[key[player]] += abs(weight)
        found = np.array([Fraction(f) for f in game.payoffs.gradient(player, plans).tolist()])
        if isinstance(game, ZeroSumForm) and player == 1:
            treeplex = game.treeplexes[1]
            found, expected = on_plans(treeplex, found), on_plans(treeplex, expected)
            terms = [abs(row[0]) + abs(row[1]) for row in entries(game).values()]
            size[:] = sum(terms, abs(Fraction(game.constant_sum)))
        # relative to the terms that were added: at most 1,000 of them, each rounded a few times
        assert all(abs(found - expected) <= Fraction(1, 10**12) * size)


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
