"""Sparse matrices of integers of any size, and exact products with them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.base.arrays import Exact, Index, Ints, Mask

FLOAT_BITS = 900
"""Integers of so many bits are within the range of floats, and so are their sums."""


@dataclass(frozen=True, eq=False)
class IntegerMatrix:
    """A sparse matrix of integers.

    Parameters
    ----------
    pattern
        CSR whose structure says where the entries are; its data are ignored.
    entries
        int64 or object (nnz,), in the order of the pattern.
    turned
        The pattern of the transposed matrix, if it is known; see `turned`.
    """

    pattern: sp.csr_array
    entries: Exact
    turned: sp.csr_array | None = None

    @classmethod
    def from_entries(
        cls, rows: Exact, columns: Exact, entries: Exact, shape: tuple[int, int]
    ) -> IntegerMatrix:
        """Return the matrix with such entries, no two of them in one place."""
        places = sp.csr_array((np.arange(len(rows)), (rows, columns)), shape=shape)
        places.sort_indices()
        return cls(places, entries[places.data])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.pattern.shape  # type: ignore[no-any-return]

    @cached_property
    def transposed(self) -> IntegerMatrix:
        """The transposed matrix."""
        places = turned(self.pattern) if self.turned is None else self.turned
        return IntegerMatrix(places, self.entries[places.data])

    def part(self, rows: Index, columns: Index) -> IntegerMatrix:
        """Return the matrix of some of the rows and columns, in any order."""
        # numbered from 1, since zeros might be left out
        places = self._with(np.arange(1, len(self.entries) + 1))[rows][:, columns]
        places.sort_indices()  # or SciPy does so later, and not to the entries
        return IntegerMatrix(places, self.entries[places.data - 1])

    @cached_property
    def norm(self) -> int:
        """A bound on the sum of absolute values of any row.

        It is the largest entry times the length of the longest row.
        """
        return largest(self.entries) * longest(self.pattern)

    def to_float(self, unit: int = 1, where: Mask | slice = slice(None)) -> sp.csr_array:
        """Return the matrix in float64, each entry rounded.

        Parameters
        ----------
        unit
            What entries are divided by.
        where
            Which of them; by default all.

        Raises
        ------
        OverflowError
            If an entry is too large for a float.
        """
        entries = self.entries
        if unit != 1:
            entries = entries.astype(object)
            entries[where] /= unit
        return self._with(entries.astype(np.float64))

    def to_residues(self, dense: bool = False) -> sp.csr_array | NDArray[np.uint64]:
        """Return the matrix modulo ``2**64``, in uint64; for entries that fit into int64."""
        residues = self.entries.astype(np.int64).view(np.uint64)
        return self.spread(residues) if dense else self._with(residues)

    @cached_property
    def _int64(self) -> sp.csr_array:
        return self._with(self.entries.astype(np.int64, copy=False))

    def to_dense(self) -> Exact:
        """Return the matrix with its zeros, as Python ints."""
        return self.spread(self._objects)

    def spread(self, entries: NDArray[Any]) -> NDArray[Any]:
        """Return such entries where those of the matrix are, with zeros around them."""
        dense = np.zeros(self.shape, dtype=entries.dtype)
        dense[rows_of(self.pattern), self.pattern.indices] = entries
        return dense

    def _with(self, data: NDArray[Any]) -> sp.csr_array:
        return filled(self.pattern, data)

    @cached_property
    def _objects(self) -> Exact:
        return self.entries.astype(object)

    @cached_property
    def _filled(self) -> Index:
        return np.flatnonzero(np.diff(self.pattern.indptr))

    def times(self, vector: Exact) -> Exact:
        """Return the product with a vector, from int64 to int64 or from Python ints to Python ints.

        That entries and sums fit into int64 is for the caller to see.
        """
        return self @ vector if vector.dtype == object else self._int64 @ vector

    def __matmul__(self, dense: Exact) -> Exact:
        """Return the product with a vector or matrix of Python ints, as Python ints."""
        product = np.zeros((self.shape[0], *dense.shape[1:]), dtype=object)
        if len(self._filled):
            data = self._objects.reshape(-1, *[1] * (dense.ndim - 1))
            product[self._filled] = np.add.reduceat(
                data * dense[self.pattern.indices], self.pattern.indptr[self._filled], axis=0
            )
        return product


def filled(pattern: sp.csr_array, data: NDArray[Any]) -> sp.csr_array:
    """Return a matrix with such data, (nnz,), where another has its own; they share the structure.

    SciPy would check the structure again, which takes ten times as long.
    """
    matrix = copy(pattern)
    matrix.data = data
    return matrix


def unit_of_floats(values: Exact) -> int:
    """Return the power of two over which integers, and their sums, are in the range of floats.

    It is 1 unless a common denominator of hundreds of digits has made them huge.
    """
    return int(1 << max(0, largest(values).bit_length() - FLOAT_BITS))


def turned(pattern: sp.csr_array) -> sp.csr_array:
    """Return the pattern of the transposed matrix; its data are places in the pattern's own."""
    size = pattern.nnz
    return filled(pattern, np.arange(size, dtype=np.int32 if size < 2**31 else np.int64)).T.tocsr()


def largest(values: Exact) -> int:
    """Return the largest absolute value; of int64 -2**63 too."""
    return max(abs(int(values.max())), abs(int(values.min()))) if len(values) else 0


def rows_of(matrix: sp.csr_array) -> Ints:
    """Return the row of each entry, int32 (nnz,)."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))


def longest(pattern: sp.csr_array) -> int:
    """Return the number of entries of the longest row."""
    return int(np.diff(pattern.indptr).max(initial=0))
