"""Integer systems are solved exactly: against Gaussian elimination in fractions, and where
floats have no digits left."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd, lcm
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform.base.errors import SolverError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact import linear_system
from seqform.exact.linear_system import ExactSystem, eliminate, solve_exactly
from seqform.exact.reconstruct import common_denominator
from tests.reference.exact_values import gaussian_elimination

sizes = st.sampled_from([1, 3, 100, 2**30, 2**55, 2**62, 2**80, 10**100])


def integers(values: list[int]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def sparse(rows: list[list[int]]) -> IntegerMatrix:
    entries = [(i, j, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value]
    values = integers([value for *_, value in entries])
    if all(abs(value) < 2**63 for value in values):
        values = values.astype(np.int64)
    i, j = (np.array([entry[axis] for entry in entries], dtype=np.int64) for axis in (0, 1))
    return IntegerMatrix.from_entries(i, j, values, (len(rows), len(rows[0])))


@given(
    st.integers(0, 2**32),
    st.integers(1, 7),
    sizes,
    st.sampled_from([1, 1000, 2**70, 10**400]),
    st.sampled_from([0, 100]),
)
def test_the_solution_is_that_of_gaussian_elimination(
    seed: int, n: int, size: int, right: int, dense_up_to: int
) -> None:
    rng = random.Random(seed)
    rows = [
        [rng.randint(-size, size) if i == j or rng.random() < 0.6 else 0 for j in range(n)]
        for i in range(n)
    ]
    rhs = [rng.randint(-right, right) for _ in range(n)]
    with patch.object(linear_system, "DENSE_UP_TO", dense_up_to):
        for transposed in (False, True):
            system = [list(column) for column in zip(*rows, strict=True)] if transposed else rows
            expected = gaussian_elimination(
                [[Fraction(entry) for entry in row] for row in system],
                [Fraction(entry) for entry in rhs],
            )
            if expected is None:
                with pytest.raises(SolverError, match="singular"):
                    ExactSystem(sparse(rows)).solve(integers(rhs), transposed)
                continue
            numerators, denominator = ExactSystem(sparse(rows)).solve(integers(rhs), transposed)
            assert [Fraction(entry, denominator) for entry in numerators] == expected
            # lowest terms, whatever factors it has
            assert denominator == lcm(*(entry.denominator for entry in expected))


@pytest.mark.parametrize("dense_up_to", [0, 100])
def test_denominators_of_a_thousand_bits(dense_up_to: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_system, "DENSE_UP_TO", dense_up_to)
    rng = random.Random(0)
    n = 100
    rows = [
        [rng.randint(-1000, 1000) if i == j or rng.random() < 0.2 else 0 for j in range(n)]
        for i in range(n)
    ]
    rhs = [rng.randint(-9, 9) for _ in range(n)]
    numerators, denominator = solve_exactly(sparse(rows), integers(rhs))
    assert denominator.bit_length() > 1000
    assert gcd(denominator, *numerators) == 1
    for row, right in zip(rows, rhs, strict=True):
        assert sum(a * x for a, x in zip(row, numerators, strict=True)) == denominator * right


@pytest.mark.parametrize("epsilon", [2**10, 2**15, 2**20, 2**30, 2**40, 10**400])
def test_systems_that_are_nearly_singular(epsilon: int) -> None:
    """Two nearly equal rows: fewer digits a step, then none in floats, but the same answer."""
    rows = [[epsilon, epsilon + 1], [epsilon - 1, epsilon]]
    numerators, denominator = solve_exactly(sparse(rows), integers([1, 0]))
    assert (list(numerators), denominator) == ([epsilon, 1 - epsilon], 1)


@pytest.mark.parametrize(("e", "digits"), [(16, 16), (22, 8)])
def test_fewer_digits_are_taken_where_floats_are_inaccurate(
    e: int, digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, rhs = [[7 * 2**e + 1, 7 * 2**e + 4, 1], [7 * 2**e - 3, 7 * 2**e, 2], [1, 1, 3]], [1, 5, 7]
    monkeypatch.setattr(linear_system, "ELIMINATE_UP_TO", 0)
    numerators, denominator = solve_exactly(sparse(rows), integers(rhs))
    assert [Fraction(entry, denominator) for entry in numerators] == gaussian_elimination(
        [[Fraction(entry) for entry in row] for row in rows], [Fraction(entry) for entry in rhs]
    )
    monkeypatch.setattr(
        linear_system, "STEPS", tuple(step for step in (32, 16, 8) if step > digits)
    )
    with pytest.raises(SolverError, match="no fractions"):
        solve_exactly(sparse(rows), integers(rhs))


@pytest.mark.parametrize(
    ("rows", "rhs"),
    [
        ([[2, 1], [1, 3]], [10**400, 1]),
        ([[2**70 + 1, 5], [3, 2**65 + 7]], [1, 2]),
        ([[2**70 + 1, 5], [3, 2**65 + 7]], [10**400, 2]),
    ],
)
def test_large_numbers_need_no_elimination(
    rows: list[list[int]], rhs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_system, "ELIMINATE_UP_TO", 0)
    numerators, denominator = solve_exactly(sparse(rows), integers(rhs))
    assert [Fraction(entry, denominator) for entry in numerators] == gaussian_elimination(
        [[Fraction(entry) for entry in row] for row in rows], [Fraction(entry) for entry in rhs]
    )


def test_rests_beyond_floats_are_left_to_elimination() -> None:
    numerators, denominator = solve_exactly(sparse([[2**1000]]), integers([10**400]))
    assert Fraction(numerators[0], denominator) == Fraction(10**400, 2**1000)


def test_what_floats_cannot_factorize_is_refused_before_it_is_used() -> None:
    matrix = sparse([[1, 2], [2, 4]])
    with patch.object(linear_system, "ELIMINATE_UP_TO", 2):
        assert ExactSystem(matrix)
    with (
        patch.object(linear_system, "ELIMINATE_UP_TO", 1),
        pytest.raises(SolverError, match="singular, or too near to it for floats"),
    ):
        ExactSystem(matrix)


def test_what_has_no_solution_is_refused() -> None:
    with pytest.raises(SolverError, match="not square"):
        solve_exactly(sparse([[1, 2]]), integers([1]))
    for rows in ([[1, 2], [2, 4]], [[0, 0], [1, 1]], [[3, 6, 1], [1, 2, 0], [2, 4, 5]]):
        for dense_up_to in (0, 100):
            with (
                patch.object(linear_system, "DENSE_UP_TO", dense_up_to),
                pytest.raises(SolverError, match="singular"),
            ):
                solve_exactly(sparse(rows), integers([1] * len(rows)))
    for rows in ([[1, 2], [2, 4]], [[10**400]], [[2**40, 2**40 + 1], [2**40 - 1, 2**40]]):
        with (
            patch.object(linear_system, "ELIMINATE_UP_TO", 0),
            pytest.raises(SolverError, match=r"too near|no fractions"),
        ):
            solve_exactly(sparse(rows), integers([1] * len(rows)))


@pytest.mark.parametrize("wrong", [[1, 1], [0, 1], [1, 0]])
def test_a_wrong_fraction_is_never_returned(
    wrong: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever reconstruction says, B x = b is checked in integers, and every equation of it."""
    monkeypatch.setattr(linear_system, "common_denominator", lambda *_: (wrong, 1))
    monkeypatch.setattr(linear_system, "MOST_BITS", 1000)
    numerators, denominator = solve_exactly(sparse([[2, 1], [1, 3]]), integers([1, 1]))
    assert (list(numerators), denominator) == ([2, 1], 5)  # by elimination
    monkeypatch.setattr(linear_system, "ELIMINATE_UP_TO", 0)
    with pytest.raises(SolverError, match="no fractions"):
        solve_exactly(sparse([[2, 1], [1, 3]]), integers([1, 1]))


@given(st.integers(0, 2**32), st.integers(1, 7), sizes)
def test_elimination_gives_the_same(seed: int, n: int, size: int) -> None:
    rng = random.Random(seed)
    rows = [[rng.choice([0, rng.randint(-size, size)]) for _ in range(n)] for _ in range(n)]
    rhs = [rng.randint(-9, 9) for _ in range(n)]
    expected = gaussian_elimination(
        [[Fraction(entry) for entry in row] for row in rows], [Fraction(entry) for entry in rhs]
    )
    found = eliminate(sparse(rows), integers(rhs)) if any(map(any, rows)) else None
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert [Fraction(entry, found[1]) for entry in found[0]] == expected
        assert found[1] == lcm(*(entry.denominator for entry in expected))


@given(
    st.lists(
        st.fractions(max_denominator=10**6, min_value=-1000, max_value=1000), min_size=1, max_size=8
    ),
    st.integers(-3, 3),
)
def test_fractions_are_found_from_their_digits(numbers: list[Fraction], off: int) -> None:
    bits = 2 * lcm(*(number.denominator for number in numbers)).bit_length() + 64
    digits = [(number.numerator << bits) // number.denominator + off for number in numbers]
    found = common_denominator(digits, bits, 4)
    assert found is not None
    assert [Fraction(entry, found[1]) for entry in found[0]] == numbers
    assert found[1] == lcm(*(number.denominator for number in numbers))


def test_digits_that_are_too_few_give_no_fraction() -> None:
    rng = random.Random(0)
    assert all(
        common_denominator([rng.getrandbits(bits)], bits, 2) is None for bits in range(80, 400, 2)
    )
    assert common_denominator([1 << 100], 64, 2) is None  # no room for the digits that would tell
