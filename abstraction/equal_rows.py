"""Which rows of a sparse integer table are equal: found by hashes, proven by comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Index, Ints, Numbers


def equal_rows(table: sp.csr_array) -> Ints:
    """Return a number for each row, the same for two rows if and only if they are equal.

    Parameters
    ----------
    table
        int64 CSR in canonical form (sorted indices, no duplicates, no explicit zeros).

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
    rng = np.random.default_rng(0)
    while True:
        numbers, first = _by_hash(table, rng)
        if _all_equal(table, first[numbers]):
            return numbers


def table_of(row: Numbers, key: Numbers, value: Numbers, shape: tuple[int, int]) -> sp.csr_array:
    """Return the table with the sum of `value` at each (row, key)."""
    # adds up what falls on one place
    table = sp.csr_array((value.astype(np.int64), (row, key)), shape=shape)
    table.sort_indices()
    table.eliminate_zeros()
    return table


def combine(*numbers: Numbers) -> Ints:
    """Return numbers of tuples, in order of first appearance.

    The tuples are given as equally long columns of integers from 0 on.
    """
    code = np.zeros(len(numbers[0]), dtype=np.int64)
    for column in numbers:
        _, code = np.unique(code * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    return _in_order(first)[inverse]


def _by_hash(table: sp.csr_array, rng: np.random.Generator) -> tuple[Ints, Index]:
    weights = rng.integers(-(2**63), 2**63 - 1, (2, table.shape[1]), dtype=np.int64)
    order: Any = np.zeros(table.shape[0], dtype=np.int64)
    for weight in weights:
        sums = np.concatenate([[0], np.cumsum(weight[table.indices] * table.data)])
        of_rows = sums[table.indptr[1:]] - sums[table.indptr[:-1]]
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


def _all_equal(table: sp.csr_array, twin: Index) -> bool:
    """Return whether every row equals its twin."""
    lengths = np.diff(table.indptr)
    if (lengths != lengths[twin]).any():
        return False
    offset = table.indptr[twin].astype(np.int64) - table.indptr[:-1]
    position = np.arange(table.nnz) + np.repeat(offset, lengths)
    return bool(
        (table.indices == table.indices[position]).all()
        and (table.data == table.data[position]).all()
    )
