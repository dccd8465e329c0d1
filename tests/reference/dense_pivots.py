"""Complementary pivots with dense systems of fractions, each solved from scratch: slow, obvious."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from seqform.form.complementarity import ComplementarityProblem
from seqform.form.treeplex import Treeplex

Vector = list[Fraction]
Matrix = list[Vector]


def lcp_of(problem: ComplementarityProblem) -> tuple[Matrix, Vector]:
    """Return M and q, in the game's unit, from what the problem is made of."""
    first, second = problem.plan_sizes
    plans = [_constraints(treeplex) for treeplex in problem.treeplexes]
    size = first + second + len(plans[0]) + len(plans[1])
    m, q = [[Fraction(0)] * size for _ in range(size)], [Fraction(0)] * size
    for player, payoff in enumerate(problem.payoffs):
        a, numbers = payoff.matrix.tocoo(), payoff.numerators
        assert numbers is not None
        for x, y, number in zip(a.row, a.col, numbers, strict=True):
            row, column = (x, first + y) if player == 0 else (first + y, x)
            m[row][column] -= Fraction(int(number), payoff.denominator)
    start = first + second
    for sequences, constraints in zip((0, first), plans, strict=True):
        q[start] = Fraction(1)
        for i, signs in enumerate(constraints):
            for j, sign in enumerate(signs):
                m[start + i][sequences + j] -= sign
                m[sequences + j][start + i] += sign
        start += len(constraints)
    return m, q


def _constraints(treeplex: Treeplex) -> list[list[int]]:
    rows = [[1] + [0] * (treeplex.num_sequences - 1)]
    for h in range(treeplex.num_infosets):
        row = [0] * treeplex.num_sequences
        row[treeplex.parent_sequence[h]] = -1
        for sequence in range(treeplex.first_sequence[h], treeplex.first_sequence[h + 1]):
            row[sequence] = 1
        rows.append(row)
    return rows


def lemke(
    m: Matrix, q: Vector, d: Vector, pairs: int, head: list[int], bumps: Matrix
) -> tuple[list[tuple[int, int]], Vector]:
    """Return what entered and left at each pivot on the path of the covering vector d, and its end.

    Parameters
    ----------
    pairs
        The first so many rows are complementary, all others equations with free variables.
    head
        The first basis, at z0 = 1: z are numbered first, then w of the pairs, then free z, then z0.
    bumps
        What infinitesimal perturbations of q add to each variable of that basis; each is
        infinitesimal beside the one before it.
    """
    size, z0, basis = len(q), len(q) + pairs, list(head)

    def column(variable: int) -> Vector:
        if variable == z0:
            return [-a for a in d]
        if pairs <= variable < 2 * pairs:
            return [Fraction(int(i == variable - pairs)) for i in range(size)]
        of = variable if variable < pairs else variable - pairs
        return [-row[of] for row in m]

    def at(rhs: Vector) -> Vector:
        return solve([list(row) for row in zip(*map(column, basis), strict=True)], rhs)

    def first(values: Vector, slopes: Vector) -> int | None:
        falling = [i for i in range(pairs) if slopes[i] > 0]
        if not falling:
            return None
        step = min(values[i] / slopes[i] for i in falling)
        reached = [i for i in falling if values[i] == step * slopes[i]]
        moved = [at(rhs) for rhs in perturbed]
        return min(
            reached, key=lambda i: (basis[i] != z0, *(level[i] / slopes[i] for level in moved))
        )

    columns = [column(variable) for variable in basis]
    perturbed = [
        [sum((b * c[i] for b, c in zip(level, columns, strict=True)), Fraction(0))
         for i in range(size)]
        for level in bumps
    ]  # fmt: skip
    values, slopes = at([a + b for a, b in zip(q, d, strict=True)]), at(d)
    place = first(values, slopes)
    if place is None or values[place] >= slopes[place]:
        return [], _end(basis, at(q), size, pairs)
    changes = [(z0, basis[place])]
    basis[place] = z0
    while changes[-1][1] != z0:
        left = changes[-1][1]
        entering = left + pairs if left < pairs else left - pairs
        place = first(at(q), at(column(entering)))
        assert place is not None, "the path ends in a ray"
        changes.append((entering, basis[place]))
        basis[place] = entering
    return changes, _end(basis, at(q), size, pairs)


def _end(basis: list[int], values: Vector, size: int, pairs: int) -> Vector:
    """Return z of all rows."""
    z = [Fraction(0)] * size
    for variable, value in zip(basis, values, strict=True):
        if variable < pairs:
            z[variable] = value
        elif variable >= 2 * pairs:
            z[variable - pairs] = value
    return z


def solve(matrix: Matrix, rhs: Vector) -> Vector:
    """Solve a system by Gauss-Jordan elimination."""
    rows = [np.array([*row, b], dtype=object) for row, b in zip(matrix, rhs, strict=True)]
    for i in range(len(rows)):
        swap = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[swap] = rows[swap], rows[i]
        rows[i] = rows[i] / rows[i][i]
        for k, row in enumerate(rows):
            if k != i and row[i]:
                rows[k] = row - row[i] * rows[i]
    return [row[-1] for row in rows]
