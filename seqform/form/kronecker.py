"""Payoff operators of signal games: sums of Kronecker products, kept as their factors.

What is paid at the end of a signal game is a stake, which the actions decide, times an outcome,
which the signals decide; so

    A  =  sum over g of  Phi_g (x) W_g,

where g runs over outcomes. Phi_g holds stakes by the betting lines of both players. W_g holds the
outcome's payoffs by classes of observations, weighted with the ways to deal them. The decomposition
is that of Gilpin, Hoda, Pena & Sandholm ("Gradient-based algorithms for finding Nash equilibria in
extensive form games", WINE 2007, Section 4). Here classes and outcomes may be any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Ints, Numbers
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix, longest
from seqform.form.sparse_payoff import SparsePayoff, matrix_bytes


@dataclass(frozen=True, eq=False)
class Lines:
    """Betting lines of one player: sequences with the same actions, one for each class.

    Parameters
    ----------
    first, stride
        int64 (num_lines,): the sequence of class c in line l is ``first[l] + stride[l] * c``.
    num_classes
        Classes in each line.
    """

    first: Index
    stride: Index
    num_classes: int

    def slice(self, line: int) -> slice:
        """Return where the line's sequences are."""
        first, stride = int(self.first[line]), int(self.stride[line])
        return slice(first, first + stride * (self.num_classes - 1) + 1, stride)

    def gather(self, vector: Numbers) -> Numbers:
        """Return the entries of a vector over sequences as a matrix (num_classes, num_lines)."""
        matrix = np.empty((self.num_classes, len(self.first)), dtype=vector.dtype)
        for line in range(len(self.first)):
            matrix[:, line] = vector[self.slice(line)]
        return matrix

    def within(self, line: int, sequences: Index) -> tuple[Index, Index]:
        """Return the classes whose sequence in a line is among sorted `sequences`, and where."""
        there = self.slice(line)
        start, stop = np.searchsorted(sequences, [there.start, there.stop])
        offsets = sequences[start:stop] - there.start
        places = np.flatnonzero(offsets % there.step == 0)
        return offsets[places] // there.step, places + start

    def scatter(self, matrix: Numbers, vector: Numbers) -> None:
        """Add a matrix (num_classes, num_lines) to a vector over sequences."""
        for line in range(len(self.first)):
            vector[self.slice(line)] += matrix[:, line]


@dataclass(frozen=True, eq=False)
class Term:
    """One Kronecker product of integers: stakes by lines times signals by classes.

    Rows are those of player 0, columns those of player 1.
    """

    lines: tuple[Lines, Lines]
    stakes: sp.csr_array
    signals: sp.csr_array

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of the product."""
        return int(self.stakes.nnz) * int(self.signals.nnz)

    def transposed(self) -> Term:
        """Return the same with the players exchanged."""
        return Term((self.lines[1], self.lines[0]), self.stakes.T.tocsr(), self.signals.T.tocsr())

    def absolute(self) -> Term:
        """Return the same with all entries made positive."""
        return Term(self.lines, abs(self.stakes), abs(self.signals))

    def entries_within(self, rows: Index, columns: Index) -> Iterator[tuple[Index, Floats]]:
        """Yield the entries in some rows and columns, both sorted; none is yielded twice.

        They come as places among these, (2, num_entries), and values.
        """
        others = [self.lines[1].within(line, columns) for line in range(self.stakes.shape[1])]
        for line in range(self.stakes.shape[0]):
            classes, places = self.lines[0].within(line, rows)
            signals = self.signals[classes]
            for entry in range(self.stakes.indptr[line], self.stakes.indptr[line + 1]):
                other_classes, other_places = others[self.stakes.indices[entry]]
                block = signals[:, other_classes].tocoo()
                yield (
                    np.stack([places[block.row], other_places[block.col]]),
                    float(self.stakes.data[entry]) * block.data,
                )

    def add_times(self, y: Numbers, total: Numbers) -> None:
        """Add the product with y to `total`; fewer lines are taken through the signals."""
        values = self.lines[1].gather(y)
        if self.stakes.shape[0] <= self.stakes.shape[1]:
            values = self.signals @ np.ascontiguousarray((self.stakes @ values.T).T)
        else:
            values = (self.stakes @ (self.signals @ values).T).T
        self.lines[0].scatter(values, total)

    @cached_property
    def of_python_ints(self) -> Term:
        """The same with factors that multiply vectors of Python ints."""
        stakes, signals = (IntegerMatrix(m, m.data) for m in (self.stakes, self.signals))
        return Term(self.lines, stakes, signals)

    def product_bound(self) -> int:
        """Bound a product with a vector of ones, and what is added up on the way to it.

        Those are sums over a row of stakes or of signals, or of both.
        """
        bounds = [IntegerMatrix(m, m.data).norm for m in (self.stakes, self.signals)]
        return max(1, bounds[0]) * max(1, bounds[1])


@dataclass(frozen=True, eq=False)
class KroneckerPayoff:
    """Player 0's payoffs in a signal game: no two terms share an entry.

    Parameters
    ----------
    shape
        Sequences of player 0 and of player 1.
    terms
        Integer terms, with ``A == (sum of the terms) / denominator``.
    denominator
        The common denominator.
    """

    shape: tuple[int, int]
    terms: Sequence[Term]
    denominator: int

    @property
    def num_nonzeros(self) -> int:
        """Nonzero entries of A, by counting."""
        return sum(term.num_nonzeros for term in self.terms)

    @cached_property
    def _transposed(self) -> tuple[Term, ...]:
        return tuple(term.transposed() for term in self.terms)

    def times(self, y: Floats) -> Floats:
        """Return ``A @ y``."""
        return self._product(self.terms, y, self.shape[0])

    def transposed_times(self, x: Floats) -> Floats:
        """Return ``A.T @ x``."""
        return self._product(self._transposed, x, self.shape[1])

    def _product(self, terms: Sequence[Term], plan: Floats, size: int) -> Floats:
        total = np.zeros(size)
        for term in terms:
            term.add_times(plan, total)
        total /= self.denominator
        return total

    def absolute(self) -> KroneckerPayoff:
        """Return the operator of ``abs(A)``."""
        return KroneckerPayoff(
            self.shape, tuple(term.absolute() for term in self.terms), self.denominator
        )

    def exchanged(self) -> KroneckerPayoff:
        """Return player 1's payoffs, ``-A.T``."""
        terms = tuple(Term(term.lines, -term.stakes, term.signals) for term in self._transposed)
        return KroneckerPayoff((self.shape[1], self.shape[0]), terms, self.denominator)

    def errors(self) -> None:
        """Return None: the factors are exact."""

    def roundings(self, axis: int) -> int:
        """Return the most roundings that a term of a product passes through.

        Both factors and the denominator become floats, there are two products and a quotient, and
        additions along a row of each factor and over all terms.
        """
        terms = self.terms if axis == 0 else self._transposed
        return self.most_roundings([longest(term.stakes) + longest(term.signals) for term in terms])

    @staticmethod
    def most_roundings(rows: Sequence[int]) -> int:
        """Return the same by the additions along a row of both factors, of each term."""
        return 6 + max(rows, default=0) + len(rows)

    def to_csr(self) -> sp.csr_array:
        """Return A as a float64 CSR matrix."""
        return self.to_sparse().matrix

    def to_sparse(self) -> SparsePayoff:
        """Return A with every entry stored, about 28 bytes for each.

        Raises
        ------
        UnsupportedGameError
            If an entry's numerator may not fit into 63 bits.
        """
        largest = max(
            (abs_max(term.stakes) * abs_max(term.signals) for term in self.terms), default=0
        )
        if largest >= 2**63:
            raise UnsupportedGameError(
                f"payoffs are as large as {largest:.1e} over {self.denominator}: "
                "too many digits for a table of integers"
            )
        indptr = self._row_pointers()
        indices = np.empty(indptr[-1], dtype=np.int32)
        data = np.empty(indptr[-1], dtype=np.int64)
        filled = indptr[:-1].copy()
        for term in self.terms:
            _fill(term, filled, indices, data)
        pointers = indptr.astype(sp.get_index_dtype(maxval=int(indptr[-1])))
        numerators = sp.csr_array((data, indices, pointers), shape=self.shape)
        numerators.sort_indices()
        values = numerators.data / self.denominator
        matrix = sp.csr_array((values, numerators.indices, numerators.indptr), shape=self.shape)
        return SparsePayoff(matrix, numerators.data, self.denominator)

    def submatrix(self, rows: Index, columns: Index) -> sp.csr_array:
        """Return ``A[rows][:, columns]`` as float64 CSR, without the rest of A; both are sorted."""
        parts = [part for term in self.terms for part in term.entries_within(rows, columns)]
        shape = (len(rows), len(columns))
        if not parts:
            return sp.csr_array(shape)
        where, values = (np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True))
        return sp.csr_array((values / self.denominator, tuple(where)), shape=shape)

    def _row_pointers(self) -> Index:
        lengths = np.zeros(self.shape[0], dtype=np.int64)
        for term in self.terms:
            of_class, of_line = np.diff(term.signals.indptr), np.diff(term.stakes.indptr)
            for line in np.flatnonzero(of_line):
                lengths[term.lines[0].slice(int(line))] += of_line[line] * of_class
        return np.concatenate([[0], np.cumsum(lengths)])

    stored_csr = None

    @property
    def kronecker_terms(self) -> Sequence[Term]:
        """The terms."""
        return self.terms

    def fingerprint(self) -> Iterator[bytes]:
        """Yield the denominator and the arrays of all factors as bytes."""
        yield str(self.denominator).encode()
        for term in self.terms:
            yield from matrix_bytes(term.stakes)
            yield from matrix_bytes(term.signals)

    @property
    def is_exact(self) -> bool:
        """Whether all factors are integers."""
        factors = [factor for term in self.terms for factor in (term.stakes, term.signals)]
        return all(factor.dtype.kind == "i" for factor in factors)

    def numerator_bound(self) -> int:
        """Return the sum of the terms' bounds, by rows or by columns."""
        by_row, by_column = (
            sum(term.product_bound() for term in terms) for terms in (self.terms, self._transposed)
        )
        return max(by_row, by_column)

    def integer_times(self, y: Exact) -> Exact:
        """Return ``denominator * A @ y``."""
        return _integer_product(self.terms, y, self.shape[0])

    def integer_transposed_times(self, x: Exact) -> Exact:
        """Return ``denominator * A.T @ x``."""
        return _integer_product(self._transposed, x, self.shape[1])


def _integer_product(terms: Sequence[Term], plan: Exact, size: int) -> Exact:
    total = np.zeros(size, dtype=plan.dtype)
    for term in terms:
        (term.of_python_ints if plan.dtype == object else term).add_times(plan, total)
    return total


def abs_max(matrix: sp.csr_array) -> int:
    """Return the largest absolute value of an integer matrix, as a Python int."""
    return max(int(matrix.data.max(initial=0)), -int(matrix.data.min(initial=0)))


def _fill(term: Term, filled: Index, indices: Ints, data: Index) -> None:
    """Write the entries of a term; `filled` says where each row goes on, and is moved."""
    signals, stakes = term.signals, term.stakes
    of_class = np.diff(signals.indptr)
    row = np.repeat(np.arange(signals.shape[0]), of_class)
    within = np.arange(signals.nnz) - np.repeat(signals.indptr[:-1], of_class)
    for line in range(stakes.shape[0]):
        rows = term.lines[0].slice(line)
        for entry in range(stakes.indptr[line], stakes.indptr[line + 1]):
            other = stakes.indices[entry]
            position = filled[rows][row] + within
            indices[position] = (
                term.lines[1].first[other] + term.lines[1].stride[other] * signals.indices
            )
            data[position] = stakes.data[entry] * signals.data
            filled[rows] += of_class
