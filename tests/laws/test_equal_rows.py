"""Rows get equal numbers if and only if they are equal, whatever the hashes say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from abstraction.equal_rows import combine, equal_rows, table_of

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


def canonical(rows: list[list[int]]) -> sp.csr_array:
    return sp.csr_array(np.array(rows, dtype=np.int64))


@given(tables())
def test_numbers_are_equal_where_rows_are(rows: list[list[int]]) -> None:
    numbers = equal_rows(canonical(rows))
    assert numbers.dtype == np.int32
    assert numbers.tolist() == by_first_appearance(list(map(tuple, rows)))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (4, 2)])
def test_tables_with_nothing_in_them(shape: tuple[int, int]) -> None:
    assert equal_rows(sp.csr_array(shape, dtype=np.int64)).tolist() == [0] * shape[0]


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


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-2, 2)), max_size=12))
def test_tables_add_up_what_falls_on_one_place(entries: list[tuple[int, int, int]]) -> None:
    row, key, value = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    table = table_of(row, key, value, (4, 3))
    expected = np.zeros((4, 3), dtype=np.int64)
    for r, k, v in entries:
        expected[r, k] += v
    assert (table.toarray() == expected).all()
    assert table.has_canonical_format
    assert table.data.all()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10**9), st.integers(0, 2)), max_size=12)
)
def test_tuples_are_numbered_in_order_of_first_appearance(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    assert combine(*columns).tolist() == by_first_appearance(rows)
