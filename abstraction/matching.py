"""Perfect matchings of two lists, and a Hall violator where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_bipartite_matching

from seqform.base.arrays import Ints, Mask


def edges_between(
    left: Sequence[Any], right: Sequence[Any], alike: Callable[[Any, Any], bool]
) -> Mask:
    """Return which pairs are alike, bool (len(left), len(right))."""
    table = [[alike(a, b) for b in right] for a in left]
    return np.array(table, dtype=np.bool_).reshape(len(left), len(right))


def largest_matching(edges: Mask) -> Ints:
    """Return what each row is matched to in a largest matching, -1 for nothing: int32 (rows,).

    References
    ----------
    Hopcroft & Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM J.
    Computing 2(4), 1973, by SciPy.
    """
    if not edges.size:
        return np.full(len(edges), -1, dtype=np.int32)
    matched: Ints = maximum_bipartite_matching(sp.csr_array(edges), perm_type="column")
    return matched


def hall_violator(edges: Mask, matched: Ints) -> tuple[list[int], list[int]]:
    """Return rows that have fewer columns to go to than they are, and these columns.

    They are all that alternating paths from one row without a partner come to: one column fewer
    than rows, so that every row of them has to be there. Both are empty if all rows have partners.

    References
    ----------
    Hall, "On representatives of subsets", J. London Math. Soc. 10, 1935.
    """
    alone = np.flatnonzero(matched < 0)
    if not len(alone):
        return [], []
    partner = {int(column): row for row, column in enumerate(matched.tolist()) if column >= 0}
    rows, columns, todo = {int(alone[0])}, set(), [int(alone[0])]
    while todo:
        for column in np.flatnonzero(edges[todo.pop()]).tolist():
            if column not in columns:
                columns.add(column)
                rows.add(partner[column])
                todo.append(partner[column])
    return sorted(rows), sorted(columns)
