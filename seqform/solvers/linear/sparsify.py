"""sparsify: the payoffs of a signal game through auxiliary variables.

A linear program has fewer nonzeros with them.

A betting line of player 0 meets a few signal matrices, and classes that are dealt alike have
similar rows in all of them. With the factors ``R + C (I - P)^-1 D`` of those matrices side by side
(seqform.solvers.linear.row_differences), what the line adds to A'x is

    R' x + D' u    with    u = P' u + C' x,

where u are sums over classes, computed once for each line and not once for each pair of classes. On
a board where the better hand wins, they are the sums over all hands up to a rank. See Zhang &
Sandholm, "Sparsified linear programming for zero-sum equilibrium finding", ICML 2020; Farina &
Sandholm, AAAI 2022. Nothing here knows of hands; the sums come from the matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.form.kronecker import KroneckerPayoff, Lines, Term
from seqform.solvers.linear.row_differences import Factors, factor_rows


@dataclass(frozen=True, eq=False)
class SparsePayoffs:
    """A payoff operator with auxiliary variables u.

    ``A.T @ x == payoffs.T @ [x, u]`` wherever ``definitions.T @ [x, u] == 0``.

    Parameters
    ----------
    payoffs
        (sequences of player 0 + num_auxiliary, sequences of player 1).
    definitions
        (sequences of player 0 + num_auxiliary, num_auxiliary), integers; the last num_auxiliary
        rows can be inverted.
    """

    payoffs: KroneckerPayoff
    definitions: KroneckerPayoff

    @property
    def num_auxiliary(self) -> int:
        """How many variables were added."""
        return self.definitions.shape[1]

    @property
    def num_nonzeros(self) -> int:
        """Nonzeros of both matrices."""
        return self.payoffs.num_nonzeros + self.definitions.num_nonzeros


@dataclass(frozen=True, eq=False)
class _Group:
    """Lines of player 0 that meet the same signal matrices.

    For each of these terms there is the factor of its columns.
    """

    lines: Lines
    factors: Factors
    stakes: dict[int, sp.csr_array]
    columns: dict[int, slice]


def sparsify(operator: KroneckerPayoff) -> SparsePayoffs:
    """Return the same payoffs with auxiliary variables, exactly."""
    first = operator.shape[0]
    payoffs: list[Term] = []
    definitions: list[Term] = []
    for group in _groups(operator):
        num_lines, num_sums = len(group.lines.first), group.factors.num_sums
        sums = Lines(
            first + num_sums * np.arange(num_lines), np.ones(num_lines, dtype=np.int64), num_sums
        )
        first += num_lines * num_sums
        for number, columns in group.columns.items():
            others, stakes = operator.terms[number].lines[1], group.stakes[number]
            payoffs.append(Term((group.lines, others), stakes, group.factors.remainder[:, columns]))
            payoffs.append(Term((sums, others), stakes, group.factors.outputs[:, columns]))
        defined = Lines(sums.first - operator.shape[0], sums.stride, num_sums)
        each = sp.eye_array(num_lines, dtype=np.int64, format="csr")
        definitions.append(Term((group.lines, defined), each, -group.factors.inputs))
        definitions.append(
            Term(
                (sums, defined),
                each,
                sp.eye_array(num_sums, dtype=np.int64, format="csr") - group.factors.links,
            )
        )
    num_auxiliary = first - operator.shape[0]
    return SparsePayoffs(
        KroneckerPayoff((first, operator.shape[1]), _nonzero(payoffs), operator.denominator),
        KroneckerPayoff((first, num_auxiliary), _nonzero(definitions), 1),
    )


def _nonzero(terms: list[Term]) -> tuple[Term, ...]:
    return tuple(term for term in terms if term.num_nonzeros)


def _groups(operator: KroneckerPayoff) -> Iterator[_Group]:
    """Yield the lines of player 0 by the terms that they occur in."""
    places: dict[tuple[int, int, int], dict[int, int]] = {}
    for number, term in enumerate(operator.terms):
        lines = term.lines[0]
        for row in np.flatnonzero(np.diff(term.stakes.indptr)).tolist():
            places.setdefault(
                (int(lines.first[row]), int(lines.stride[row]), lines.num_classes), {}
            )[number] = row
    groups: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for place, rows in places.items():
        groups.setdefault(tuple(rows), []).append(place)
    for numbers, alike in groups.items():
        signals = [operator.terms[number].signals for number in numbers]
        ends = np.cumsum([0, *(matrix.shape[1] for matrix in signals)])
        first, stride, _ = np.array(alike, dtype=np.int64).T
        yield _Group(
            Lines(first, stride, alike[0][2]),
            factor_rows(sp.hstack(signals, format="csr")),
            {
                number: operator.terms[number].stakes[[places[place][number] for place in alike]]
                for number in numbers
            },
            {number: slice(ends[i], ends[i + 1]) for i, number in enumerate(numbers)},
        )
