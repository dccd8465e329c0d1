"""The programs of two players whose hands tremble, with a symbolic epsilon.

First the linear program of a zero-sum game.

Let every plan give a sequence of n own moves at least epsilon**n, for some small epsilon > 0
(Miltersen & Sorensen, "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory
42, 2010). With l and k these bounds of the two players, x = l + x' and y = k + y'. The program of
`seqform.exact.basis`, whose matrix M is constant, becomes

    maximise (c + M'(0; k))'z   subject to   M z = b - M(l; 0)   up to slacks,   z = (x', q)

So a basis has one inverse for all epsilon, and its solution is a polynomial: one exact solution for
each power. It is optimal for all small epsilon if in every sign condition the lowest power that
does not vanish has the right sign.

The complementarity problem (`seqform.form.complementarity`) is treated alike. It has a matrix M and
a vector q. Let every plan give a sequence of n own moves at least ``epsilon**(2 n)``, and both
plans a total weight of ``1 + epsilon``. With z = l + z', l these bounds, that is the problem with
the same M and

    q(epsilon) = q + epsilon q + M l(epsilon)

The additional weight is for Lemke's algorithm: where it starts the players have no other, and it is
more than what trembles take. As epsilon vanishes so does its part in the plans, and what remains of
behaviours is the same at any weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Mask
from seqform.base.integer_matrix import unit_of_floats
from seqform.exact.basis import BasicSolution, Basis, IntegerProgram
from seqform.exact.complementary_basis import plan_of_basis
from seqform.exact.linear_system import ExactSystem
from seqform.exact.trembles import Trembles
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

NEAR = 1e-7
"""As a share of the largest coefficient of a power: floats up to this count as zero."""


@dataclass(frozen=True, eq=False)
class SeriesSolution:
    """The solution of a basis for every epsilon: polynomials, lowest power first.

    Parameters
    ----------
    primal
        object (num_powers, num_columns): `denominators[0]` times the coefficients of x' and q.
    duals
        object (num_powers, num_rows): `denominators[1]` times those of the duals.
    """

    primal: Exact
    duals: Exact
    denominators: tuple[int, int]


class TremblingProgram:
    """Player 0's program, with right-hand sides and costs that are polynomials in epsilon.

    `rhs` and `objective` have a row for each power, as `lowest` of each player has.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.integers = integers = IntegerProgram(game, 0)
        is_huge = unit_of_floats(integers.matrix.entries) > 1
        self._floats = None if is_huge else integers.matrix.to_float()
        self._last: tuple[Basis, tuple[Index, Index, ExactSystem]] | None = None
        self.lowest = [least_plan(treeplex) for treeplex in game.treeplexes]
        matrix, rows = integers.matrix, integers.num_equalities
        mine = np.zeros((len(self.lowest[0]), integers.shape[1]), dtype=object)
        mine[:, : integers.num_plan] = self.lowest[0]
        theirs = np.zeros((len(self.lowest[1]), integers.shape[0]), dtype=object)
        theirs[:, rows:] = self.lowest[1]
        self.rhs = -(matrix @ mine.T).T
        self.objective = (matrix.transposed @ theirs.T).T
        self.rhs[0] += integers.rhs
        self.objective[0] += integers.objective

    def solve(self, basis: Basis) -> SeriesSolution:
        """Return the solution of a basis.

        Raises
        ------
        SolverError
            If the columns of the basis are linearly dependent in floating point.
        """
        rows, columns, system = self._system(basis)
        primal = np.zeros((len(self.rhs), self.integers.shape[1]), dtype=object)
        duals = np.zeros((len(self.objective), self.integers.shape[0]), dtype=object)
        primal[:, columns], above = system.solve_all(self.rhs[:, rows])
        duals[:, rows], below = system.solve_all(-self.objective[:, columns], True)
        return SeriesSolution(primal, duals, (above, below))

    def is_optimal(self, solution: SeriesSolution) -> bool:
        """Return whether a solution is optimal for all epsilon that are small enough.

        What decides is the sign of the lowest power that does not vanish.
        """
        series = self.integers.with_sides(self.rhs, 1, self.objective, 1)
        return all(map(_start_above_zero, conditions(series, solution)))

    def seems_optimal(self, basis: Basis) -> bool:
        """Return whether the solution of a basis is optimal so, as far as floats can tell."""
        if self._floats is None:
            return True
        rows, columns, system = self._system(basis)
        primal, duals = (
            np.zeros((len(sides), size))
            for sides, size in zip(
                (self.rhs, self.objective), self.integers.shape[::-1], strict=True
            )
        )
        for power, side in enumerate(self.rhs):
            primal[power, columns] = system.approximately(side[rows])
        for power, side in enumerate(self.objective):
            duals[power, rows] = system.approximately(-side[columns], transposed=True)
        return all(map(_starts_near_zero, self._float_conditions(self._floats, primal, duals)))

    def _float_conditions(
        self, matrix: sp.csr_array, primal: Floats, duals: Floats
    ) -> list[Floats]:
        slack = (matrix @ primal.T).T - self.rhs.astype(np.float64)
        losses = -self.objective.astype(np.float64) - (matrix.T @ duals.T).T
        return _signed(self.integers, primal, duals, slack, losses)

    def at(self, basis: Basis, bits: int) -> tuple[IntegerProgram, BasicSolution]:
        """Return program and solution of a basis where epsilon is ``2**-bits``.

        Raises
        ------
        SolverError
            If the columns of the basis are linearly dependent in floating point.
        """
        rows, columns, system = self._system(basis)
        program = self.integers.with_sides(*_value(self.rhs, bits), *_value(self.objective, bits))
        primal, duals = (np.zeros(size, dtype=object) for size in self.integers.shape[::-1])
        primal[columns], above = system.solve(program.rhs[rows])
        duals[rows], below = system.solve(-program.objective[columns], transposed=True)
        wholes = above * program.wholes[0], below * program.wholes[1]
        return program, BasicSolution(primal, duals, wholes)

    def _system(self, basis: Basis) -> tuple[Index, Index, ExactSystem]:
        """Return rows, columns and factorized matrix of a basis; the last one's are kept."""
        if self._last is None or self._last[0] is not basis:
            rows, columns = np.flatnonzero(~basis.rows), np.flatnonzero(basis.columns)
            system = ExactSystem(self.integers.matrix.part(rows, columns))
            self._last = basis, (rows, columns, system)
        return self._last[1]

    def trembles(self, solution: SeriesSolution) -> Trembles:
        """Return the plans of a solution."""
        integers, (above, below) = self.integers, solution.denominators
        plans = (
            solution.primal[:, : integers.num_plan] + above * self.lowest[0],
            solution.duals[:, integers.num_equalities :] + below * self.lowest[1],
        )
        return Trembles(plans, solution.denominators)


def least_plan(treeplex: Treeplex) -> Exact:
    """Return the lower bounds of a plan: epsilon to the power of the sequence's length.

    Python ints, object (num_powers, num_sequences); the empty sequence has no bound.
    """
    length, parent = np.zeros(treeplex.num_sequences, dtype=np.int64), treeplex.sequence_parent
    for _, sequences in treeplex.runs:
        length[sequences] = length[parent[sequences]] + 1
    bounds = np.zeros((int(length.max()) + 1, treeplex.num_sequences), dtype=object)
    bounds[length[1:], np.arange(1, treeplex.num_sequences)] = 1
    return bounds


def _value(series: Exact, bits: int) -> tuple[Exact, int]:
    """Return the values of polynomials at ``2**-bits`` as integers over a denominator."""
    degree = len(series) - 1
    value = sum(row * (1 << bits * (degree - power)) for power, row in enumerate(series))
    return value, 1 << bits * degree


def conditions(program: IntegerProgram, solution: SeriesSolution | BasicSolution) -> list[Exact]:
    """Return the numbers, or polynomials, that must not be negative where a solution is optimal.

    Equations are there twice. They can fail where one has a basic slack, or a free variable is not
    basic.
    """
    primal, duals = np.atleast_2d(solution.primal), np.atleast_2d(solution.duals)
    above, below = (
        whole // over for whole, over in zip(solution.denominators, program.wholes, strict=True)
    )
    slack = (program.matrix @ primal.T).T - above * program.rhs
    losses = -below * program.objective - (program.matrix.transposed @ duals.T).T
    return _signed(program, primal, duals, slack, losses)


def _signed(program: IntegerProgram, primal: Any, duals: Any, slack: Any, losses: Any) -> list[Any]:
    rows, count = program.num_equalities, program.num_plan
    plans = [primal[:, :count], duals[:, rows:]]
    return [*plans, slack, -slack[:, :rows], losses, -losses[:, count:]]


def _start_above_zero(series: Exact) -> bool:
    undecided = np.arange(series.shape[1])
    for row in series:
        signs = row[undecided]
        if (signs < 0).any():
            return False
        undecided = undecided[signs == 0]
    return True


def _starts_near_zero(series: Floats) -> bool:
    undecided = np.arange(series.shape[1])
    for row in series:
        near = NEAR * max(1.0, float(np.abs(row).max(initial=0.0)))
        if (row[undecided] < -near).any():
            return False
        undecided = undecided[row[undecided] <= near]
    return True


def powers_of_q(problem: ComplementarityProblem) -> list[Exact]:
    """Return the coefficients of q(epsilon), the lowest power first.

    Python ints, object (size,), in the units of `ComplementarityProblem.integers`.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    """
    constants = problem.constants.astype(object)
    powers = [constants, constants]
    for bounds in _bounds(problem)[1:]:
        whole = np.concatenate([*bounds, np.zeros(problem.num_constraints, dtype=object)])
        powers += [problem.integers @ whole, np.zeros_like(constants)]
    return powers[:-1]


def trembling_plans(problem: ComplementarityProblem, basis: Mask) -> Trembles:
    """Return what should be the trembling plans of both players.

    Parameters
    ----------
    basis
        bool (num_sequences,): which z' may be positive.

    Raises
    ------
    UnsupportedGameError
        If there are floats.
    SolverError
        If there is no one solution of the basis.
    """
    powers, bounds = np.array(powers_of_q(problem)), _bounds(problem)
    found = [plan_of_basis(problem, basis, player, powers) for player in (0, 1)]
    for player, (plan, whole) in enumerate(found):
        for power, both in enumerate(bounds[1:], start=1):
            plan[2 * power] += whole * both[player]
    (x, above), (y, below) = found
    return Trembles((x, y), (above, below))


def _bounds(problem: ComplementarityProblem) -> list[tuple[Exact, Exact]]:
    """Return for each number of own moves the lower bounds of both players' plans."""
    mine, theirs = (least_plan(treeplex) for treeplex in problem.treeplexes)
    nothing = tuple(np.zeros(size, dtype=object) for size in problem.plan_sizes)
    return [
        (nothing[0] if x is None else x, nothing[1] if y is None else y)
        for x, y in zip_longest(mine, theirs)
    ]
