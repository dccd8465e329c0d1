"""Integer matrices with similar rows, written with few nonzeros.

Each row is given by its difference from a row like it.

Every row is a positive multiple of a row of coprime integers. The distinct coprime rows, and a row
of zeros, are the vertices of a graph; a row and its negative are two. The length of an edge is the
Hamming distance: the number of entries in which two rows differ. Along a minimum spanning tree from
the row of zeros, every row is the one before it plus a short difference, and so

    M  =  C (I - P)^-1 D

with the multiples in C, the row before in P, and the differences in D. Bjorklund & Lingas multiply
matrices along such a tree ("Fast Boolean matrix multiplication for highly clustered data", WADS
2001). For a row of M that nothing else is built on, the product is written out. That leaves ``M = R
+ C (I - P)^-1 D``, the form of Farina & Sandholm, "Fast payoff matrix sparsification techniques for
structured extensive-form games", AAAI 2022 (arXiv 2112.03804).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from seqform.base.arrays import Index, Mask


@dataclass(frozen=True, eq=False)
class Factors:
    """An integer matrix as ``remainder + inputs @ inv(I - links) @ outputs``; all int64 CSR.

    Parameters
    ----------
    remainder
        (num_rows, num_columns).
    inputs
        (num_rows, num_sums).
    links
        (num_sums, num_sums), zeros and ones, with no cycle.
    outputs
        (num_sums, num_columns).
    """

    remainder: sp.csr_array
    inputs: sp.csr_array
    links: sp.csr_array
    outputs: sp.csr_array

    @property
    def num_sums(self) -> int:
        """Size of the inverse."""
        return int(self.links.shape[0])


def factor_rows(matrix: sp.csr_array) -> Factors:
    """Return factors of an integer matrix, exact.

    Parameters
    ----------
    matrix
        int64 CSR in canonical format, without explicit zeros.
    """
    scale, leader, distinct = _distinct_rows(matrix)
    before = _spanning_forest(distinct)
    num = distinct.shape[0]
    follows = np.flatnonzero(before >= 0)
    links = _entries(follows, before[follows], (num, num))
    outputs = distinct - links @ distinct
    owners = np.flatnonzero(leader >= 0)
    inputs = sp.csr_array((scale[owners], (owners, leader[owners])), shape=(matrix.shape[0], num))
    uses = np.bincount(leader[owners], minlength=num) + np.bincount(before[follows], minlength=num)
    return _write_out(inputs, links, outputs, alone=uses == 1)


def _distinct_rows(matrix: sp.csr_array) -> tuple[Index, Index, sp.csr_array]:
    """Return greatest common divisors, numbers of coprime rows, and the distinct ones.

    The number of a row of zeros is -1.
    """
    lengths = np.diff(matrix.indptr)
    full = np.flatnonzero(lengths)
    scale = np.zeros(matrix.shape[0], dtype=np.int64)
    if len(full):
        scale[full] = np.gcd.reduceat(matrix.data, matrix.indptr[full])
    coprime = matrix.copy()
    coprime.data //= np.repeat(scale, lengths)
    numbers: dict[bytes, int] = {}
    firsts: list[int] = []
    leader = np.full(matrix.shape[0], -1)
    for row in full.tolist():
        where = slice(matrix.indptr[row], matrix.indptr[row + 1])
        key = coprime.indices[where].tobytes() + coprime.data[where].tobytes()
        leader[row] = numbers.setdefault(key, len(numbers))
        if leader[row] == len(firsts):
            firsts.append(row)
    return scale, leader, coprime[np.array(firsts, dtype=np.int64)]


def _spanning_forest(rows: sp.csr_array) -> Index:
    """Return for each row the one before it along a minimum spanning tree.

    Ways start at the row of zeros; for a row right after that one it is -1.
    """
    num, lengths = rows.shape[0], np.diff(rows.indptr)
    pattern = sp.csr_array(
        (np.ones(rows.nnz, dtype=np.int64), rows.indices, rows.indptr), shape=rows.shape
    )
    kinds, entry = np.unique(
        np.column_stack([rows.indices, rows.data]), axis=0, return_inverse=True
    )
    equal = sp.csr_array((pattern.data, entry.ravel(), rows.indptr), shape=(num, len(kinds)))
    common = sp.triu(pattern @ pattern.T + equal @ equal.T, 1, format="coo")
    length = lengths[common.row] + lengths[common.col] - common.data
    useful = length < np.maximum(lengths[common.row], lengths[common.col])
    first, second = common.row[useful], common.col[useful]
    above = np.concatenate([np.zeros(num, dtype=np.int64), first + 1])
    below = np.concatenate([np.arange(num), second]) + 1
    graph = sp.csr_array(
        (
            np.concatenate([lengths, length[useful]]).astype(np.float64),
            (above.astype(np.int32), below.astype(np.int32)),  # scipy 1.15 finds trees in no others
        ),
        shape=(num + 1, num + 1),
    )
    tree = csgraph.minimum_spanning_tree(graph)
    before: Index = csgraph.breadth_first_order(tree, 0, directed=False)[1].astype(np.int64)
    return before[1:] - 1


def _write_out(
    inputs: sp.csr_array, links: sp.csr_array, outputs: sp.csr_array, alone: Mask
) -> Factors:
    """Return the factors with the sums written out that are only one input."""
    kept, plain = np.flatnonzero(~alone), np.flatnonzero(alone)
    direct = inputs[:, plain]
    return Factors(
        remainder=(direct @ outputs[plain]).tocsr(),
        inputs=(inputs[:, kept] + direct @ links[plain][:, kept]).tocsr(),
        links=links[kept][:, kept].tocsr(),
        outputs=outputs[kept].tocsr(),
    )


def _entries(rows: Index, columns: Index, shape: tuple[int, int]) -> sp.csr_array:
    return sp.csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape)
