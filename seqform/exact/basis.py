"""The two plans of a basis of the linear program, in fractions.

Player 0's program (`seqform.solvers.linear.program`; A in integers here, over its common
denominator) in standard form is

    maximise f'q   subject to   E x = e,   A'x - F'q - s = 0,   x >= 0,   s >= 0

A basis says which x, q and s are basic. Nonbasic variables are zero, and a row with a basic slack
only defines that slack. What is left is a square system ``B z = b`` in the basic x and q and the
other rows. Its transpose, with f in place of b, gives the duals of these rows: player 1's plan and
minus its best responses' values. The duals of all other rows are zero.
`seqform.exact.interval.bounds` checks that both vectors are realization plans, and that they are
optimal.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.integer_matrix import IntegerMatrix, rows_of
from seqform.exact.linear_system import ExactSystem
from seqform.exact.products import integer_matrix
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class Basis:
    """What is basic.

    `columns` is bool (num_columns,), for x, then q; `rows` is bool (num_rows,), for the slack of
    each row of E, then s.
    """

    columns: Mask
    rows: Mask

    def is_same(self, other: Basis) -> bool:
        """Return whether the same is basic in another basis of the program."""
        return np.array_equal(self.columns, other.columns) and np.array_equal(self.rows, other.rows)


@dataclass(frozen=True, eq=False)
class BasicSolution:
    """The solution of a basis: integers over a denominator, for each of the two programs.

    Parameters
    ----------
    primal
        object (num_columns,): `denominators[0]` times the variables.
    duals
        object (num_rows,): `denominators[1]` times the duals of the rows.
    """

    primal: Exact
    duals: Exact
    denominators: tuple[int, int]


def basic_solution(
    matrix: IntegerMatrix, rhs: Exact, objective: Exact, basis: Basis
) -> BasicSolution:
    """Return the solution of a basis of a program in integers, and its duals.

    Parameters
    ----------
    matrix, rhs
        The rows ``matrix @ z``, which are `rhs` unless their slack is basic.
    objective
        What the duals add up to: ``duals @ matrix == objective`` in basic columns.
    basis
        What is basic; all else is zero.

    Raises
    ------
    SolverError
        If the columns of the basis are linearly dependent in floating point.
    """
    rows, columns = np.flatnonzero(~basis.rows), np.flatnonzero(basis.columns)
    system = ExactSystem(matrix.part(rows, columns))
    primal, duals = (np.zeros(size, dtype=object) for size in matrix.shape[::-1])
    primal[columns], above = system.solve(rhs[rows])
    duals[rows], below = system.solve(objective[columns], transposed=True)
    return BasicSolution(primal, duals, (above, below))


class IntegerProgram:
    """A player's linear program, in integers.

    Right-hand side and objective are over the denominators `wholes`, which are 1 in the game's own.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10), or has floats.
    """

    def __init__(self, game: SequenceForm, player: int) -> None:
        mine, theirs = game.treeplexes[player], game.treeplexes[1 - player]
        payoff, self.denominator = integer_matrix(game.zero_sum_operator())
        self.num_equalities, self.num_plan = 1 + mine.num_infosets, mine.num_sequences
        self.player = player
        (rows, columns, values), own = theirs.constraint_entries(), mine.constraint_entries()
        places = rows_of(payoff.pattern), payoff.pattern.indices
        stakes = payoff.entries if player == 0 else -payoff.entries
        self.shape = (
            self.num_equalities + theirs.num_sequences,
            self.num_plan + 1 + theirs.num_infosets,
        )
        self.matrix = IntegerMatrix.from_entries(
            np.concatenate([own[0], self.num_equalities + np.append(places[1 - player], columns)]),
            np.concatenate([own[1], places[player], self.num_plan + rows]),
            np.concatenate([own[2].astype(np.int64), stakes, -values.astype(np.int64)]),
            self.shape,
        )
        self.rhs = np.zeros(self.shape[0], dtype=object)
        self.objective = np.zeros(self.shape[1], dtype=object)
        self.rhs[0] = self.objective[self.num_plan] = 1
        self.wholes = (1, 1)

    def with_sides(self, rhs: Exact, above: int, objective: Exact, below: int) -> IntegerProgram:
        """Return the program with another right-hand side and objective, over denominators."""
        other = copy(self)
        other.rhs, other.objective, other.wholes = rhs, objective, (above, below)
        return other

    def solve(self, basis: Basis) -> BasicSolution:
        """Return the solution of a basis.

        The primal is x, then q; the duals are those of E's rows, negated, then player 1's plan.

        Raises
        ------
        SolverError
            If the columns of the basis are linearly dependent in floating point.
        """
        return basic_solution(self.matrix, self.rhs, -self.objective, basis)

    def plans(self, solution: BasicSolution) -> tuple[tuple[Exact, Exact], tuple[int, int]]:
        """Return what should be the plans of player 0 and player 1, and their denominators."""
        plans = (solution.primal[: self.num_plan], solution.duals[self.num_equalities :])
        wholes = solution.denominators
        return (plans, wholes) if self.player == 0 else (plans[::-1], wholes[::-1])
