"""The sequence form of a game of hands is, entry by entry, that of the explicit tree."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import build_sequence_form, build_tree
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import reach_of_others
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex
from tests.examples import examples
from tests.random_hand_games import random_hand_game
from tests.reference.hand_rules import HandRules

SEEDS = st.integers(0, 100_000)
UNIT = Fraction(1, 2**53)
MORE = Fraction(101, 100)
"""Bounds are rounded, too, and higher orders are left out of them."""


def names(form: SequenceForm, player: int) -> list[str]:
    """Return the name of each sequence: the information set's text, and the action."""
    found = [""]
    for infoset in range(form.treeplexes[player].num_infosets):
        text = form.infoset_text(player, infoset)
        found += [f"{text} {action}" for action in form.action_texts(player, infoset)]
    assert len(set(found)) == len(found)
    return found


def entries(form: SequenceForm, player: int) -> dict[tuple[str, str], Fraction]:
    """Return what a player is paid by the names of both players' sequences."""
    (rows, columns), numbers = form.payoffs.entries(player)
    mine, theirs = names(form, 0), names(form, 1)
    over = form.payoffs.denominator(player)
    return {
        (mine[row], theirs[column]): Fraction(int(number), over)
        for row, column, number in zip(rows, columns, numbers.tolist(), strict=True)
        if number
    }


def parents(form: SequenceForm, player: int) -> dict[str, str]:
    """Return for each sequence the one before it, by names."""
    of = names(form, player)
    return {
        of[s]: of[p] for s, p in enumerate(form.treeplexes[player].sequence_parent.tolist()) if s
    }


@given(SEEDS)
def test_it_is_the_form_of_the_tree(seed: int) -> None:
    game = random_hand_game(seed)
    form, tree = hand_form(game), build_sequence_form(build_tree(HandRules(game)))
    assert isinstance(form, HandForm)
    assert form.constant_sum == tree.constant_sum
    assert form.num_nodes == tree.num_nodes
    assert form.largest_payoff >= tree.largest_payoff
    for player in (0, 1):
        mine, theirs = parents(form, player), parents(tree, player)
        assert theirs.items() <= mine.items()  # hands that no hand can be dealt with are left out
    assert entries(form, 0) == entries(tree, 0)


@given(SEEDS)
def test_counts_are_those_of_the_arrays(seed: int) -> None:
    form = hand_form(random_hand_game(seed))
    for counted in form.treeplexes:
        made = Treeplex(np.array(counted.parent_sequence), np.array(counted.first_sequence))
        for name in ("num_infosets", "num_sequences", "num_runs", "most_actions"):
            assert getattr(counted, name) == getattr(made, name)
        assert counted.most_following >= made.most_following
    operator = form.zero_sum_operator()
    assert operator.num_nonzeros >= operator.to_sparse().num_nonzeros


@given(SEEDS, st.sampled_from([0, 30]))
def test_products_are_those_of_the_matrix_up_to_their_bounds(seed: int, digits: int) -> None:
    operator = hand_form(random_hand_game(seed)).zero_sum_operator()
    absolute, errors = operator.absolute(), operator.errors()
    assert errors is not None
    whole, rng = operator.to_sparse(), np.random.default_rng(seed)
    assert whole.numerators is not None
    positive = SparsePayoff(whole.matrix, np.abs(whole.numerators), whole.denominator)
    for axis in (0, 1):
        size = operator.shape[1 - axis]
        vector = rng.random(size) * 10.0 ** rng.uniform(-digits, digits, size)
        true, magnitude = (exactly(of, axis, vector) for of in (whole, positive))
        product, sizes, bounds = (
            of.transposed_times(vector) if axis else of.times(vector)
            for of in (operator, absolute, errors)
        )
        share = operator.roundings(axis) * UNIT
        for place, size in enumerate(magnitude):
            bound = share * size + MORE * Fraction(bounds[place])
            assert abs(Fraction(product[place]) - true[place]) <= bound
            assert Fraction(sizes[place]) + bound >= size


def exactly(operator: SparsePayoff, axis: int, vector: np.ndarray) -> list[Fraction]:
    """Return a product with a vector of floats, in fractions."""
    ratios = [Fraction(entry) for entry in vector.tolist()]
    over = max(of.denominator for of in ratios)  # powers of two
    numbers = np.array([int(of * over) for of in ratios], dtype=object)
    found = operator.integer_transposed_times(numbers) if axis else operator.integer_times(numbers)
    return [Fraction(number, operator.denominator * over) for number in found.tolist()]


@examples(12, 25)
@given(SEEDS)
def test_products_in_integers_are_exact(seed: int) -> None:
    operator = hand_form(random_hand_game(seed)).zero_sum_operator()
    matrix, rng = operator.to_sparse(), np.random.default_rng(seed)
    assert operator.denominator == matrix.denominator
    for axis in (0, 1):
        small = rng.integers(0, 1000, operator.shape[1 - axis])
        for vector in (small, small.astype(object) * 3**80):
            found, expected = (
                of.integer_times(vector) if axis == 0 else of.integer_transposed_times(vector)
                for of in (operator, matrix)
            )
            assert found.dtype == vector.dtype
            assert (found == expected).all()
        ones = np.ones(operator.shape[1 - axis], dtype=object)
        absolute = operator.absolute()
        sums = (
            absolute.integer_times(ones) if axis == 0 else absolute.integer_transposed_times(ones)
        )
        assert (
            max(sums)
            <= operator.numerator_bound()
            <= 1.1
            * max(
                *absolute.integer_times(np.ones(operator.shape[1], dtype=object)),
                *absolute.integer_transposed_times(np.ones(operator.shape[0], dtype=object)),
            )
            + 2
        )


@examples(12, 25)
@given(SEEDS)
def test_parts_are_those_of_the_matrix(seed: int) -> None:
    operator = hand_form(random_hand_game(seed)).zero_sum_operator()
    matrix, rng = operator.to_csr(), np.random.default_rng(seed)
    for share in (0.0, 0.3, 1.0):
        rows, columns = (np.flatnonzero(rng.random(size) < share) for size in operator.shape)
        part = operator.submatrix(rows, columns)
        assert part.shape == (len(rows), len(columns))
        assert (part != matrix[rows][:, columns]).nnz == 0


@examples(12, 25)
@given(SEEDS)
def test_general_sums_are_those_of_the_tree(seed: int) -> None:
    game = random_hand_game(seed, zero_sum=False)
    form, tree = hand_form(game), build_sequence_form(build_tree(HandRules(game)))
    if form.constant_sum != tree.constant_sum:  # what pays otherwise cannot happen
        assert form.constant_sum is None
        return
    for player in (0, 1):
        assert entries(form, player) == entries(tree, player)


@pytest.mark.parametrize("seed", range(15))
def test_how_sets_are_reached_is_what_the_tree_says(seed: int) -> None:
    game = random_hand_game(seed)
    form, tree = hand_form(game), build_sequence_form(build_tree(HandRules(game)))
    rng = np.random.default_rng(seed)
    behaviors = [_random_behavior(of, rng) for of in form.treeplexes]
    plans = [of.to_plan(b) for of, b in zip(form.treeplexes, behaviors, strict=True)]
    theirs = []
    for player, of in enumerate(tree.treeplexes):
        place = {name: at for at, name in enumerate(names(form, player))}
        theirs.append(plans[player][[place[name] for name in names(tree, player)]])
        assert of.num_sequences == len(theirs[-1])
    found, expected = reach_of_others(form, plans), reach_of_others(tree, theirs)
    for player in (0, 1):
        by_name = {
            form.infoset_text(player, h): reach for h, reach in enumerate(found[player].tolist())
        }
        for h, reach in enumerate(expected[player].tolist()):
            assert by_name.pop(tree.infoset_text(player, h)) == pytest.approx(reach, abs=1e-12)
        assert all(abs(reach) < 1e-12 for reach in by_name.values())


def _random_behavior(treeplex: Treeplex, rng: np.random.Generator) -> np.ndarray:
    drawn = rng.random(treeplex.num_sequences)
    if not treeplex.num_infosets:
        return np.ones(1)
    drawn[1:] /= treeplex.to_actions(treeplex.over_actions(np.add, drawn))
    drawn[0] = 1.0
    return drawn
