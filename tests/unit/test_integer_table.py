"""Integers of tables are int64 where they fit into it, and nothing is copied that fits already."""

from __future__ import annotations

import numpy as np

from abstraction.integer_table import as_integers, narrowed, products


def test_integers_are_narrowed_if_and_only_if_all_fit() -> None:
    assert narrowed(np.array([2**63 - 1, -1], dtype=object)).dtype == np.int64
    assert narrowed(np.array([2**63, -1], dtype=object)).dtype == object
    values = np.array([3, -1])
    assert narrowed(values) is values


def test_products_are_narrow_where_the_largest_fits() -> None:
    half = np.array([2**31, -5])
    assert products(half, half).dtype == np.int64
    assert products(2 * half, half)[0] == 2**63


def test_signed_integers_stay_as_they_are_and_unsigned_ones_become_signed() -> None:
    small = np.array([3, -1], dtype=np.int32)
    assert as_integers(small) is small
    assert as_integers(np.array([3], dtype=np.uint64)).dtype == np.int64
    assert as_integers(np.array([2**64 - 1], dtype=np.uint64)).dtype == object
