"""Linear systems with variables of at least 0, small and in fractions: a solution, or why none.

The first phase of the simplex method (Dantzig 1951) by Bland's rule, which never cycles ("New
finite pivoting rules for the simplex method", Math. of OR 2, 1977).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from seqform.base.deadline import check_time


@dataclass(frozen=True)
class Feasible:
    """A solution of ``rows @ y == rhs, y >= 0``."""

    solution: list[Fraction]


@dataclass(frozen=True)
class Infeasible:
    """Why ``rows @ y == rhs, y >= 0`` has no solution.

    Parameters
    ----------
    conflict
        A multiplier of each row: the sum of the rows by these has no entry below 0, and that of the
        right-hand sides is below 0 (Farkas's lemma).
    """

    conflict: list[Fraction]


def feasible(
    rows: Sequence[Sequence[int | Fraction]], rhs: Sequence[int | Fraction]
) -> Feasible | Infeasible:
    """Return a solution of ``rows @ y == rhs, y >= 0``, or the proof that there is none.

    Parameters
    ----------
    rows
        Equally long.
    rhs
        One number for each row.

    Raises
    ------
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> feasible([[1, -1]], [2]).solution
    [Fraction(2, 1), Fraction(0, 1)]
    >>> feasible([[1, 1]], [-1]).conflict
    [Fraction(1, 1)]
    """
    height, width = len(rows), len(rows[0]) if rows else 0
    signs = [-1 if number < 0 else 1 for number in rhs]
    table = []
    for place, (row, number, sign) in enumerate(zip(rows, rhs, signs, strict=True)):
        artificial = [Fraction(int(place == other)) for other in range(height)]
        table.append(
            [Fraction(sign * entry) for entry in row] + artificial + [Fraction(sign * number)]
        )
    basis = list(range(width, width + height))
    # costs: 1 for each artificial variable, reduced by the rows, in which they are basic
    costs = [
        -sum((row[column] for row in table), Fraction(0)) for column in range(width + height + 1)
    ]
    costs[width : width + height] = [Fraction(0)] * height
    while True:
        check_time("solving a system in fractions")
        entering = next((c for c in range(width) if costs[c] < 0), None)
        if entering is None:
            break
        ratios = [
            (row[-1] / row[entering], basis[place], place)
            for place, row in enumerate(table)
            if row[entering] > 0
        ]
        _pivot(table, costs, min(ratios)[2], entering)
        basis[min(ratios)[2]] = entering
    if costs[-1] == 0:
        found = [Fraction(0)] * width
        for place, column in enumerate(basis):
            if column < width:
                found[column] = table[place][-1]
        return Feasible(found)
    # the duals: 1 less what the artificial columns cost
    conflict = [sign * (costs[width + place] - 1) for place, sign in enumerate(signs)]
    return Infeasible(conflict)


def _pivot(table: list[list[Fraction]], costs: list[Fraction], place: int, column: int) -> None:
    """Make a column the unit vector of a row."""
    pivot = table[place][column]
    table[place] = [entry / pivot for entry in table[place]]
    for row in (*table[:place], *table[place + 1 :], costs):
        if row[column]:
            factor = row[column]
            for other, entry in enumerate(table[place]):
                if entry:
                    row[other] -= factor * entry
