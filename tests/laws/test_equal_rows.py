"""Rows get equal numbers if and only if they are equal, whatever the hashes say."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.equal_rows import combine, equal_rows
from abstraction.integer_table import Table, as_integers, beside, products, table_of

values = st.one_of(
    st.integers(-1, 1), st.sampled_from([2**62, -(2**62), 2**63 - 1, -(2**63), 2**32])
)


@st.composite
def tables(draw: Any) -> list[list[int]]:
    """Draw rows, some of them repeated."""
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=1, max_size=8))
    return rows + draw(st.lists(st.sampled_from(rows), max_size=8))


def by_first_appearance(rows: list[Any]) -> list[int]:
    seen: dict[Any, int] = {}
    return [seen.setdefault(row, len(seen)) for row in rows]


def canonical(rows: list[list[int]]) -> Table:
    dense = np.array(rows, dtype=object)
    row, column = np.nonzero(dense)
    return table_of(row, column, dense[row, column], dense.shape)


@given(tables())
def test_numbers_are_equal_where_rows_are(rows: list[list[int]]) -> None:
    numbers = equal_rows(canonical(rows))
    assert numbers.dtype == np.int32
    assert numbers.tolist() == by_first_appearance(list(map(tuple, rows)))


@pytest.mark.parametrize("num_rows", [0, 4])
def test_tables_with_nothing_in_them(num_rows: int) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    table = table_of(nothing, nothing, nothing, (num_rows, 2))
    assert equal_rows(table).tolist() == [0] * num_rows
    assert table.to_dense().shape == (num_rows, 0)
    assert table.divisors().tolist() == [0] * num_rows
    assert table.divided(table.divisors()).num_rows == num_rows


class Unlucky:
    """Draws weights that make all hashes equal, `times` times, and honest ones from then on."""

    def __init__(self, times: int) -> None:
        self.times, self.drawn = times, 0
        self.honest = np.random.Generator(np.random.PCG64(1))

    def integers(self, *arguments: Any, **options: Any) -> Any:
        self.drawn += 1
        weights = self.honest.integers(*arguments, **options)
        return weights * 0 if self.drawn <= self.times else weights


@given(tables(), st.integers(1, 3))
def test_collisions_are_noticed(rows: list[list[int]], times: int) -> None:
    unlucky = Unlucky(times)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda seed: unlucky)
        numbers = equal_rows(canonical(rows))
    expected = by_first_appearance(list(map(tuple, rows)))
    assert numbers.tolist() == expected
    assert unlucky.drawn == (times + 1 if max(expected) else 1)


entries = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), values), max_size=12)


def summed(entries: list[tuple[int, int, int]]) -> tuple[Table, list[list[int]]]:
    """Return a table, and the same by hand in Python's integers."""
    row, column = np.array([e[:2] for e in entries], dtype=np.int64).reshape(-1, 2).T
    value = np.array([e[2] for e in entries], dtype=np.int64)
    expected = [[0] * 3 for _ in range(4)]
    for r, c, v in entries:
        expected[r][c] += v
    return table_of(row, column, value, (4, 3)), expected


@given(entries)
def test_tables_add_up_what_falls_on_one_place(entries: list[tuple[int, int, int]]) -> None:
    table, expected = summed(entries)
    found = [[0] * 3 for _ in range(4)]
    for r, c, v in zip(table.rows, table.columns, table.values, strict=True):
        assert v
        found[r][c] += int(v)
    assert found == expected
    keys = list(zip(table.rows.tolist(), table.columns.tolist(), strict=True))
    assert keys == sorted(set(keys))


@given(entries)
def test_rows_are_divided_by_all_that_their_entries_share(
    entries: list[tuple[int, int, int]],
) -> None:
    table, expected = summed(entries)
    divisors = table.divisors()
    assert [int(d) for d in divisors] == [gcd(*row) for row in expected]
    divided = table.divided(divisors)
    for r, c, v in zip(divided.rows, divided.columns, divided.values, strict=True):
        assert int(v) * gcd(*expected[r]) == expected[r][c]


@given(entries, entries)
def test_tables_stand_side_by_side(a: list[Any], b: list[Any]) -> None:
    left, right = (summed(some)[0] for some in (a, b))
    both = beside(left, right)
    width = int(left.columns.max(initial=-1)) + 1
    for row in range(4):
        parts = [t.between(row, row + 1) for t in (left, right, both)]
        assert parts[2].columns.tolist() == [*parts[0].columns, *(parts[1].columns + width)]
        assert parts[2].values.tolist() == [*parts[0].values, *parts[1].values]


@given(st.lists(st.tuples(values, values), max_size=5))
def test_products_are_those_of_python(pairs: list[tuple[int, int]]) -> None:
    a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    assert products(a, b).tolist() == [x * y for x, y in pairs]


@pytest.mark.parametrize(("a", "b"), [(2**62, 2), (2**32, 2**31), (-(2**62), -2), (-(2**63), 1)])
def test_products_and_sums_of_exactly_2_to_the_63_are_right(a: int, b: int) -> None:
    found = products(np.array([a, 1], dtype=np.int64), np.array([b, 1], dtype=np.int64))
    assert found.tolist() == [a * b, 1]
    at_one_place = np.zeros(2, dtype=np.int64)
    table = table_of(at_one_place, at_one_place, np.array([a, a]), (1, 1))
    assert table.values.tolist() == [2 * a]


def test_products_with_python_ints_are_python_ints() -> None:
    small = np.array([2, 3], dtype=object)
    for found in (products(small, np.array([5, 7])), products(np.array([5, 7]), small)):
        assert found.tolist() == [10, 21]
        assert all(type(value) is int for value in found)


def test_rows_of_equal_values_in_other_columns_differ() -> None:
    """Whatever the hashes are: here they are all equal."""
    unlucky = Unlucky(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda seed: unlucky)
        assert equal_rows(canonical([[1, 0], [0, 1], [1, 0]])).tolist() == [0, 1, 0]
    assert unlucky.drawn == 2


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_floats_are_the_fractions_that_they_are(numbers: list[float]) -> None:
    found = as_integers(np.array(numbers)).tolist()
    for i, x in enumerate(numbers):
        for j, y in enumerate(numbers):
            assert found[i] * Fraction(y) == found[j] * Fraction(x)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64])
def test_integers_of_all_widths_stay_what_they_are(dtype: Any) -> None:
    edges = [np.iinfo(dtype).min, 0, np.iinfo(dtype).max]
    numbers = as_integers(np.array(edges, dtype=dtype))
    assert products(numbers, np.full(3, 3, dtype=np.int8)).tolist() == [3 * e for e in edges]


@given(st.lists(st.tuples(st.integers(0, 3), values, st.integers(0, 2)), max_size=12))
def test_tuples_are_numbered_in_order_of_first_appearance(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    assert combine(*columns).tolist() == by_first_appearance(rows)
