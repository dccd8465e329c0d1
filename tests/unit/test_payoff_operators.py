"""Payoff operators made by hand: bounds that are met, and what tells two operators apart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from seqform.base.errors import UnsupportedGameError
from seqform.exact.products import integer_matrix
from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.form.payoff import PayoffOperator, ZeroSumPayoffs
from seqform.form.payoff_tensor import PayoffTensor, tensor_of
from seqform.form.sparse_payoff import SparsePayoff
from tests.intervals import sparse

STAKES = np.array([[1, 2, 3], [0, 0, 4]])
SIGNALS = np.array([[5, 0], [6, 7]])


def kronecker(stakes: np.ndarray, signals: np.ndarray, denominator: int = 2) -> KroneckerPayoff:
    """Return ``stakes (x) signals / denominator``."""
    lines = tuple(
        Lines(num_classes * np.arange(num_lines), np.ones(num_lines, dtype=np.int64), num_classes)
        for num_lines, num_classes in zip(stakes.shape, signals.shape, strict=True)
    )
    shape = tuple(s * t for s, t in zip(stakes.shape, signals.shape, strict=True))
    term = Term((lines[0], lines[1]), sp.csr_array(stakes), sp.csr_array(signals))
    return KroneckerPayoff((shape[0], shape[1]), (term,), denominator)


WHOLE = np.kron(STAKES, SIGNALS)
BOTH = [kronecker(STAKES, SIGNALS), sparse(WHOLE)]


@pytest.mark.parametrize("operator", BOTH)
def test_an_operator_is_its_matrix(operator: PayoffOperator) -> None:
    assert (operator.to_csr().toarray() == WHOLE / 2).all()
    ones, others = np.ones(4), np.ones(6)
    assert (operator.times(others) == WHOLE.sum(axis=1) / 2).all()
    assert (operator.transposed_times(ones) == WHOLE.sum(axis=0) / 2).all()


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_of_an_operator_is_that_of_its_matrix(turned: bool) -> None:
    factors = (STAKES.T, SIGNALS.T) if turned else (STAKES, SIGNALS)
    whole = np.kron(*factors) / 2
    for chosen in ([], [0], [1, 3], [0, 1, 2, 3]):
        rows, columns = np.array(chosen, dtype=np.int64), np.arange(whole.shape[1])
        part = kronecker(*factors).submatrix(rows, columns)
        assert (part.toarray() == whole[rows]).all()
        part = kronecker(*factors).submatrix(np.arange(whole.shape[0]), rows)
        assert (part.toarray() == whole[:, rows]).all()


def test_the_other_player_is_paid_the_opposite() -> None:
    exchanged = kronecker(STAKES, SIGNALS).exchanged()
    assert exchanged.shape == (6, 4)
    assert (exchanged.to_csr().toarray() == -WHOLE.T / 2).all()


def test_roundings_are_those_of_the_longest_row_or_column() -> None:
    """Rows have up to three stakes and two signals, columns two and two; each is an addition."""
    assert [sparse(WHOLE).roundings(axis) for axis in (0, 1)] == [1 + 6, 1 + 4]
    one = kronecker(STAKES, SIGNALS)
    assert [one.roundings(axis) for axis in (0, 1)] == [6 + 3 + 2 + 1, 6 + 2 + 2 + 1]
    nothing = kronecker(np.zeros((2, 3), dtype=int), SIGNALS)
    for terms in (one.terms + nothing.terms, nothing.terms + one.terms):
        assert replace(one, terms=terms).roundings(0) == 6 + 3 + 2 + 2
    assert replace(one, terms=()).roundings(0) == 6


@pytest.mark.parametrize(("stakes", "signals"), [((1, 3), (1, 1)), ((1, 1), (1, 3))])
def test_the_bound_on_products_is_met_by_rows_and_by_columns(
    stakes: tuple[int, int], signals: tuple[int, int]
) -> None:
    """Three entries of 5 times 7 add up in one direction, and none do in the other."""
    factors = np.full(stakes, 5), np.full(signals, -7)
    for one in (kronecker(*factors), kronecker(factors[0].T, factors[1].T)):
        assert one.numerator_bound() == 3 * 5 * 7
        assert replace(one, terms=one.terms * 2).numerator_bound() == 2 * 3 * 5 * 7
    for matrix in (np.full((1, 3), -35), np.full((3, 1), 35)):
        assert sparse(matrix).numerator_bound() == 3 * 5 * 7


def test_partial_sums_are_bounded_where_nothing_is_staked() -> None:
    nothing = kronecker(np.zeros((1, 1), dtype=int), np.full((1, 3), 7))
    assert nothing.numerator_bound() == 3 * 7


@pytest.mark.parametrize("factor", ["stakes", "signals"])
def test_one_factor_of_floats_makes_an_operator_inexact(factor: str) -> None:
    one = kronecker(STAKES, SIGNALS)
    assert one.is_exact
    (term,) = one.terms
    floats = replace(term, **{factor: getattr(term, factor).astype(np.float64)})
    assert not replace(one, terms=(floats,)).is_exact
    assert not replace(one, terms=(term, floats)).is_exact


@pytest.mark.parametrize(
    "other",
    [
        kronecker(STAKES, SIGNALS, 3),
        kronecker(2 * STAKES, SIGNALS),
        kronecker(STAKES, 2 * SIGNALS),
        kronecker(STAKES[::-1], SIGNALS),
        kronecker(STAKES[:, ::-1], SIGNALS),
        sparse(2 * WHOLE),
        sparse(WHOLE[::-1]),
        sparse(WHOLE[:, ::-1]),
    ],
)
def test_whatever_differs_has_another_fingerprint(other: PayoffOperator) -> None:
    same = kronecker(STAKES, SIGNALS) if isinstance(other, KroneckerPayoff) else sparse(WHOLE)
    own, digest = (b"|".join(operator.fingerprint()) for operator in (same, other))
    assert own != digest
    assert own == b"|".join(replace(same).fingerprint())


def test_floats_have_no_numerators() -> None:
    payoff = SparsePayoff(sp.csr_array(np.array([[0.5, 0.0], [0.0, 0.1]])))
    with pytest.raises(UnsupportedGameError, match="are floats and have no numerators"):
        payoff.numerator_bound()


@pytest.mark.parametrize("constant", [Fraction(3), Fraction(-3)])
def test_player_1_gets_what_player_0_leaves_of_the_constant(constant: Fraction) -> None:
    """The constant is one more term, paid to the empty sequence; bounds take its magnitude."""
    payoffs = ZeroSumPayoffs(sparse(WHOLE - 100), constant)
    plans = np.ones(4), np.ones(6)
    empty = np.eye(6)[0] * float(constant)
    assert (payoffs.gradient(1, plans) == empty - (WHOLE - 100).sum(axis=0) / 2).all()
    size = abs(WHOLE - 100)
    assert (payoffs.absolute_gradient(0, plans) == size.sum(axis=1) / 2).all()
    assert (payoffs.absolute_gradient(1, plans) == abs(empty) + size.sum(axis=0) / 2).all()
    assert [payoffs.roundings(player) for player in (0, 1)] == [1 + 6, 1 + 4 + 2]
    assert replace(payoffs, constant_sum=0).roundings(1) == 1 + 4


def test_payoffs_sum_to_zero_and_are_no_fractions_unless_said() -> None:
    payoffs = ZeroSumPayoffs(SparsePayoff(sp.csr_array(WHOLE / 2)))
    assert (payoffs.constant_sum, payoffs.sum_spread) == (0, 0)
    assert (payoffs.operator.denominator, payoffs.operator.is_exact) == (1, False)


def test_merged_sequences_are_paid_what_their_members_are_together() -> None:
    """Rows 1 and 3 become one, and columns 0, 2 and 4; fractions stay so, and floats too."""
    images = np.array([0, 1, 2, 1], dtype=np.int32), np.array([0, 1, 0, 2, 0, 3], dtype=np.int32)
    rows, columns = (np.eye(size)[image] for size, image in zip((3, 4), images, strict=True))
    expected = rows.T @ WHOLE @ columns / 2
    for operator in (sparse(WHOLE), SparsePayoff(sp.csr_array(WHOLE / 2))):
        merged = ZeroSumPayoffs(operator).merged(images, (3, 4)).operator.to_sparse()
        assert (merged.to_csr().toarray() == expected).all()
        assert merged.is_exact == operator.is_exact
        assert merged.denominator == operator.denominator


def test_the_most_entries_that_meet_in_a_sequence_are_counted() -> None:
    sequences = np.array([[0, 0], [0, 1], [0, 2], [1, 2]], dtype=np.int32)
    tensor = PayoffTensor(sequences, np.ones((4, 2)), (None, None), (1, 1))
    assert [tensor.roundings(player) for player in (0, 1)] == [2 + 3, 2 + 2]
    nothing = PayoffTensor(sequences[:0], np.ones((0, 2)), (None, None), (1, 1))
    assert nothing.roundings(0) == 2


def test_floats_are_not_proven() -> None:
    floats = SparsePayoff(sp.csr_array(WHOLE / 2))
    with pytest.raises(UnsupportedGameError, match="proofs are in exact arithmetic"):
        integer_matrix(floats)
    matrix, denominator = integer_matrix(kronecker(STAKES, SIGNALS))
    assert (matrix.to_dense() == WHOLE).all()
    assert denominator == 2


def test_an_entry_of_which_only_an_error_is_known_is_kept() -> None:
    places = np.array([0, 0, 0], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)
    numbers, errors = np.array([0.0, 0.0, 3.0]), np.array([0.5, 0.0, 0.0])
    kept = SparsePayoff.from_sorted(*places, numbers, None, (1, 3), errors)
    assert kept.matrix.indices.tolist() == [0, 2]
    assert kept.entry_errors is not None
    assert kept.entry_errors.tolist() == [0.5, 0.0]


def test_merged_floats_carry_the_errors_of_their_sums() -> None:
    """Player 0's payoffs are floats, which cancel, and player 1's are integers."""
    sequences = np.array([[0, 1], [0, 2]], dtype=np.int32)
    floats, integers = np.array([0.1, -0.1]), np.array([2, -2])
    tensor = tensor_of(sequences, [floats, integers], [False, True], (1, 1), None)
    images = [np.zeros(1, dtype=np.int32), np.array([0, 1, 1], dtype=np.int32)]
    merged = tensor.merged(images, [1, 2])
    assert merged.sequences.tolist() == [[0, 1]]
    assert merged.weights.tolist() == [[0.0, 0.0]]
    assert merged.entry_errors is not None
    assert merged.entry_errors[0, 0] > 0 == merged.entry_errors[0, 1]
