"""Payoff operators kept as Kronecker products are the matrix that the game's tree gives, merged by
classes of observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from abstraction.suit import suit
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree
from seqform.form.from_signals import build_signal_form, sequence_maps
from seqform.form.kronecker import KroneckerPayoff
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure, num_classes
from tests.random_signal_games import POKER, POKER_BY_SIZE, random_classes, random_signal_game


def merged_matrix(game: Any, maps: tuple[np.ndarray, ...]) -> sp.csr_array:
    """Return the payoffs of a game's tree with the rows and columns of equal image added up."""
    payoff = build_sequence_form(build_tree(game)).operator
    assert payoff is not None
    a = sp.coo_array(payoff.to_csr())
    shape = tuple(int(images.max()) + 1 for images in maps)
    return sp.csr_array((a.data, (maps[0][a.row], maps[1][a.col])), shape=shape)


def check_products(operator: KroneckerPayoff, matrix: sp.csr_array, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.random(operator.shape[0]), rng.random(operator.shape[1])
    for product, reference, size in (
        (operator.times(y), matrix @ y, abs(matrix) @ y),
        (operator.transposed_times(x), matrix.T @ x, abs(matrix).T @ x),
        (operator.absolute().times(y), abs(matrix) @ y, abs(matrix) @ y),
        (operator.absolute().transposed_times(x), abs(matrix).T @ x, abs(matrix).T @ x),
    ):
        assert (np.abs(product - reference) <= 1e-12 * size + 1e-15).all()


def check_operator(operator: KroneckerPayoff, matrix: sp.csr_array, seed: int = 0) -> None:
    """Compare with a matrix whose entries were added up in floats."""
    made = operator.to_csr()
    assert made.shape == operator.shape == matrix.shape
    assert abs(made - matrix).max() <= 1e-13 * max(1.0, abs(matrix).max())
    assert made.has_canonical_format
    assert made.data.all()
    assert operator.num_nonzeros == made.nnz
    assert abs(operator.absolute().to_csr() - abs(made)).max() == 0
    check_products(operator, made, seed)
    check_submatrices(operator, made, seed)


def check_submatrices(operator: KroneckerPayoff, matrix: sp.csr_array, seed: int) -> None:
    """Compare with parts of the whole matrix: nothing, random rows and columns, everything."""
    rng = np.random.default_rng(seed)
    for share in (0.0, 0.3, 0.9, 1.0):
        rows, columns = (np.flatnonzero(rng.random(size) < share) for size in operator.shape)
        part, expected = operator.submatrix(rows, columns), matrix[rows][:, columns]
        assert part.shape == expected.shape
        assert part.dtype == np.float64
        assert part.nnz == expected.nnz
        assert (abs(part - expected) > 1e-15 * abs(expected)).nnz == 0


def check_maps(fine: SequenceForm, coarse: SequenceForm, maps: tuple[np.ndarray, ...]) -> None:
    """See that merged sequences follow merged sequences."""
    for images, mine, theirs in zip(maps, fine.treeplexes, coarse.treeplexes, strict=True):
        assert set(images.tolist()) == set(range(theirs.num_sequences))
        assert (images[mine.sequence_parent[1:]] == theirs.sequence_parent[images[1:]]).all()


@pytest.mark.parametrize("name", POKER_BY_SIZE)
@pytest.mark.parametrize("seed", [1, 2])
def test_poker_under_random_classes(name: str, seed: int) -> None:
    structure = SignalStructure(POKER[name])
    classes = random_classes(structure, seed)
    form = build_signal_form(structure, classes)
    maps = sequence_maps(structure, structure.identity, classes)
    check_maps(build_signal_form(structure), form, maps)
    assert isinstance(form.operator, KroneckerPayoff)
    check_operator(form.operator, merged_matrix(POKER[name], maps))


@given(st.integers(0, 100_000))
def test_random_signal_games_under_random_classes(seed: int) -> None:
    game = random_signal_game(seed)
    structure = SignalStructure(game)
    for classes in (structure.identity, random_classes(structure, seed)):
        form = build_signal_form(structure, classes)
        maps = sequence_maps(structure, structure.identity, classes)
        assert [[s.max() + 1 for s in stages] for stages in classes] == num_classes(classes)
        assert isinstance(form.operator, KroneckerPayoff)
        check_operator(form.operator, merged_matrix(game, maps), seed)


@pytest.mark.parametrize(("ranks", "suits"), [(5, 2), (5, 3), (8, 4)])
def test_products_of_larger_decks(ranks: int, suits: int) -> None:
    structure = SignalStructure(rhode_island(ranks, suits, max_bets=1))
    operator = build_signal_form(structure, suit(structure)).operator
    assert isinstance(operator, KroneckerPayoff)
    matrix = operator.to_csr()
    assert matrix.nnz == operator.num_nonzeros
    check_products(operator, matrix, ranks)
