"""Which rows of a table of integers are equal: found by hashes, proven by comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from abstraction.integer_table import Table
from seqform.base.arrays import Index, Ints, Numbers


def equal_rows(table: Table) -> Ints:
    """Return a number for each row, the same for two rows if and only if they are equal.

    Returns
    -------
    numbers
        int32 (num_rows,), without gaps, in order of first appearance.

    Notes
    -----
    Each column gets two random 64-bit weights; the weighted sums of a row, which may wrap around,
    are its hash. Then every row is compared, entry by entry, with the first one of its hash. Should
    two different rows ever share a hash, the weights are drawn again.
    """
    if table.values.dtype == object:  # equal numbers of values stand for equal values
        distinct: dict[int, int] = {}
        kinds = [distinct.setdefault(value, len(distinct)) for value in table.values]
        table = Table(table.starts, table.columns, np.array(kinds, dtype=np.int64) + 1)
    rng = np.random.default_rng(0)
    while True:
        numbers, first = _by_hash(table, rng)
        if _all_equal(table, first[numbers]):
            return numbers


def combine(*numbers: Numbers) -> Ints:
    """Return numbers of tuples, in order of first appearance.

    The tuples are given as equally long columns of integers.
    """
    _, first, code = np.unique(numbers[0], return_index=True, return_inverse=True)
    for column in numbers[1:]:
        kinds, kind = np.unique(column, return_inverse=True)  # from 0 on: no code can overflow
        code = code * len(kinds) + kind
        _, first, code = np.unique(code, return_index=True, return_inverse=True)
    return _in_order(first)[code]


def _by_hash(table: Table, rng: np.random.Generator) -> tuple[Ints, Index]:
    width = int(table.columns.max(initial=-1)) + 1
    weights = rng.integers(-(2**63), 2**63 - 1, (2, width), dtype=np.int64)
    order: Any = np.zeros(table.num_rows, dtype=np.int64)
    for weight in weights:
        sums = np.concatenate([[0], np.cumsum(weight[table.columns] * table.values)])
        of_rows = sums[table.starts[1:]] - sums[table.starts[:-1]]
        hashes = np.unique(of_rows, return_inverse=True)[1]
        order = hashes.astype(np.int64) + order * (int(hashes.max(initial=0)) + 1)
    _, first, inverse = np.unique(order, return_index=True, return_inverse=True)
    numbers = _in_order(first)
    return numbers[inverse], np.sort(first)


def _in_order(first: Index) -> Ints:
    """Return ranks by first appearance."""
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank


def _all_equal(table: Table, twin: Index) -> bool:
    """Return whether every row equals its twin."""
    lengths = np.diff(table.starts)
    if (lengths != lengths[twin]).any():
        return False
    offset = table.starts[twin] - table.starts[:-1]
    position = np.arange(len(table.columns)) + np.repeat(offset, lengths)
    return bool(
        (table.columns == table.columns[position]).all()
        and (table.values == table.values[position]).all()
    )
