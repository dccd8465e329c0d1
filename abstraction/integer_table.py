"""Sparse tables of integers of any size, added up exactly: what is alike has equal rows in them.

Sums are made in int64 where none can overflow, and in Python's integers elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Numbers, is_first
from seqform.base.deadline import check_time
from seqform.base.integer_matrix import largest


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of integers; zeros are left out.

    Parameters
    ----------
    starts
        int64 (num_rows + 1,): entries of row r are ``starts[r]:starts[r + 1]``.
    columns
        Integers (num_entries,), ascending within a row.
    values
        int64 or object (num_entries,), none of them 0.
    """

    starts: Index
    columns: Index
    values: Exact

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return len(self.starts) - 1

    @property
    def rows(self) -> Index:
        """The row of each entry."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.starts))

    def between(self, start: int, stop: int) -> Table:
        """Return the table of the rows from `start` to before `stop`."""
        entries = slice(int(self.starts[start]), int(self.starts[stop]))
        starts = self.starts[start : stop + 1] - self.starts[start]
        return Table(starts, self.columns[entries], self.values[entries])

    def to_dense(self) -> Exact:
        """Return the rows with their zeros."""
        dense = np.zeros((self.num_rows, int(self.columns.max(initial=-1)) + 1), self.values.dtype)
        dense[self.rows, self.columns] = self.values
        return dense

    def divisors(self) -> Exact:
        """Return the greatest common divisor of each row, 0 where a row is empty; (num_rows,)."""
        found = np.zeros(self.num_rows, dtype=self.values.dtype)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):
            found[filled] = np.abs(np.gcd.reduceat(self.values, self.starts[filled]))
        return found

    def divided(self, divisors: Exact) -> Table:
        """Return the table with each row divided by a divisor of it; by 0 if it is empty."""
        if (divisors <= 1).all():
            return self
        values = self.values // divisors[self.rows]
        return Table(self.starts, self.columns, narrowed(values))


def table_of(row: Numbers, column: Numbers, value: Exact, shape: tuple[int, int]) -> Table:
    """Return the table with the sum of all integers `value` at each (row, column)."""
    check_time("looking for classes")
    most = int(np.bincount(row, minlength=1).max())
    if value.dtype == object or largest(value) * most >= 2**63:
        return _sorted_table(row, column, value.astype(object), shape)
    found = sp.coo_array((value.astype(np.int64, copy=False), (row, column)), shape).tocsr()
    found.sum_duplicates()
    found.eliminate_zeros()
    return Table(found.indptr.astype(np.int64), found.indices.astype(np.int64), found.data)


def _sorted_table(row: Numbers, column: Numbers, value: Exact, shape: tuple[int, int]) -> Table:
    """Do as `table_of` does, with Python's integers."""
    place = row.astype(np.int64) * shape[1] + column
    order = np.argsort(place, kind="stable")
    place = place[order]
    first = np.flatnonzero(is_first(place))
    sums = np.add.reduceat(value[order], first) if len(first) else value
    kept = np.flatnonzero(sums)
    row, column = np.divmod(place[first[kept]], shape[1])
    starts = np.zeros(shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=starts[1:])
    return Table(starts, column, narrowed(sums[kept]))


def beside(*tables: Table) -> Table:
    """Return the table whose rows are the rows of all tables, one after the other."""
    rows = np.concatenate([table.rows for table in tables])
    widths = [int(table.columns.max(initial=-1)) + 1 for table in tables]
    offsets = np.cumsum([0, *widths])
    columns = [table.columns + offset for table, offset in zip(tables, offsets, strict=False)]
    order = np.argsort(rows, kind="stable")
    starts = np.sum([table.starts for table in tables], axis=0)
    values = np.concatenate([table.values for table in tables])
    return Table(starts, np.concatenate(columns)[order], values[order])


def common_divisors(of_rows: Exact, first: Index) -> Exact:
    """Return the greatest common divisors of consecutive groups, which start at rows `first`."""
    found: Exact = np.gcd.reduceat(of_rows, first) if len(first) else of_rows
    return found


def products(a: Exact, b: Exact) -> Exact:
    """Return the products of integers, as Python's integers where int64 may be too small."""
    fits = object not in (a.dtype, b.dtype) and largest(a) * largest(b) < 2**63
    found: Exact = np.multiply(a, b, dtype=np.int64) if fits else a.astype(object) * b
    return found


def narrowed(values: Exact) -> Exact:
    """Return integers as int64 where all of them fit into it."""
    return values.astype(np.int64, copy=False) if largest(values) < 2**63 else values


def as_integers(numbers: Numbers) -> Exact:
    """Return numbers over a common denominator: floats as the fractions that they are.

    Returns
    -------
    integers
        Of at most 64 bits with a sign, or object holding Python's integers; proportional to the
        numbers, exactly.
    """
    if numbers.dtype.kind in "iu":
        return numbers if numbers.dtype != np.uint64 else narrowed(numbers.astype(object))
    if numbers.dtype == object and all(type(number) is int for number in numbers):
        return narrowed(numbers)
    whole: Any = [Fraction(number) for number in numbers.tolist()]
    unit = lcm(*{number.denominator for number in whole})
    found = np.empty(len(whole), dtype=object)
    found[:] = [number.numerator * (unit // number.denominator) for number in whole]
    return narrowed(found)


FLOAT_BITS = 900
"""Binary digits of the largest integer whose sums are taken in floats."""


def in_floats(integers: Exact) -> Floats:
    """Return integers of any size as floats, in units of a power of two that suits."""
    if integers.dtype != object:
        return integers.astype(np.float64)
    over = max(0, largest(integers).bit_length() - FLOAT_BITS)
    return (integers >> over).astype(np.float64)
