"""From the basis that a solver ends with to a proven equilibrium in fractions.

A basis that is optimal in floating point need not be optimal. Where payoffs nearly tie, or span
many magnitudes, its exact solution can violate a constraint by less than the solver's tolerance.
Then the violation is magnified to about 1, and the program is solved again from that basis, in
terms of the difference. The simplex method now sees what it overlooked. This is iterative
refinement (Gleixner, Steffy & Wolter, INFORMS J. on Computing 28(3), 2016, Sections 2 and 3). Each
new basis is checked in integers again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, SolverError, VerificationError
from seqform.exact.basis import BasicSolution, Basis, IntegerProgram
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.solvers.linear.program import LinearProgram

logger = logging.getLogger(__name__)

ROUNDS = 12
"""Refinements at most; each finds what is about nine digits smaller than what the one before it
found."""

LARGEST = 10**9
"""Magnified numbers beyond this are as good as infinite."""


ONE = Fraction(1)
"""As what the largest violation is shown."""


def exact_equilibrium(program: LinearProgram, basis: Basis | None) -> ExactEquilibrium:
    """Return the equilibrium in fractions of a basis of the linear program, or one near it.

    Raises
    ------
    UnsupportedGameError
        If the game has floats.
    SolverError
        If there is no basis, or none whose plans can be proven optimal is found; the message says
        why.
    """
    if basis is None:
        raise SolverError(
            "the solver ended without an optimal basis; HiGHS (simplex, ipx) leaves one unless "
            "payoffs span too many magnitudes"
        )
    integers = IntegerProgram(program.game, program.player)
    for _ in range(ROUNDS):
        check_time("looking for an equilibrium in fractions")
        solution = integers.solve(basis)
        try:
            return prove_equilibrium(program.game, *integers.plans(solution))
        except (InvalidStrategyError, VerificationError) as error:
            logger.info("the basis is not optimal: %s", error)
        found = refined_basis(program, integers, basis, solution)
        if found.is_same(basis):
            break
        basis = found
    raise SolverError(
        "no basis that the solver finds is optimal in exact arithmetic; payoffs nearly tie, or "
        "span too many magnitudes"
    )


def refined_basis(
    program: LinearProgram,
    integers: IntegerProgram,
    basis: Basis,
    solution: BasicSolution,
    shown: Fraction = ONE,
    most: int = LARGEST,
    perturbed: bool = True,
) -> Basis:
    """Return the basis at which the simplex method ends once violations are magnified.

    They are those of the given basis's solution. The largest is shown as `shown`, and magnified
    numbers beyond `most` as that. Without `perturbed`, HiGHS adds no perturbation of its own.

    Variables are the differences from the solution, times how much its largest violation is below
    1; costs are the reduced costs, magnified likewise. Rows of inequalities are given their slacks
    as columns, so that all that has a cost is a column.
    """
    from seqform.solvers.linear.highs import solve_highs

    rows, (above, below) = program.num_equalities, solution.denominators
    # the program's payoffs are the integers times this
    unit = Fraction(program.scale) / integers.denominator
    sums = integers.matrix @ solution.primal
    missing = above // integers.wholes[0] * integers.rhs[:rows] - sums[:rows]
    plan = Scaled(solution.primal[: program.num_plan], Fraction(1, above))
    rest = sums[rows:] - above // integers.wholes[0] * integers.rhs[rows:]
    slack = Scaled(rest, unit / above)
    magnify = _magnification(
        [-plan.least(), -slack.least(), -Scaled(-abs(missing), Fraction(1, above)).least()], shown
    )

    gains = below // integers.wholes[1] * integers.objective
    gains = gains + integers.matrix.transposed @ solution.duals
    for_plan = Scaled(gains[: program.num_plan], unit / below)
    for_free = Scaled(gains[program.num_plan :], Fraction(1, below))
    for_slack = Scaled(-solution.duals[rows:], Fraction(1, below))
    worth = _magnification(
        [-Scaled(-part.numbers, part.unit).least() for part in (for_plan, for_slack)], shown
    )

    num_free, num_slacks = program.num_columns - program.num_plan, len(slack.numbers)
    slacks = sp.vstack(
        [sp.csc_array((rows, num_slacks)), -sp.eye_array(num_slacks, format="csc")], format="csc"
    )
    shifted = np.concatenate(
        [Scaled(missing, Fraction(1, above)).floats(magnify, most), np.zeros(num_slacks)]
    )
    magnified = replace(
        program,
        matrix=sp.hstack([program.matrix, slacks], format="csc"),
        objective=np.concatenate(
            [part.floats(worth, most) for part in (for_plan, for_free, for_slack)]
        ),
        row_lower=shifted,
        row_upper=shifted,
        column_lower=np.concatenate(
            [-plan.floats(magnify, most), np.full(num_free, -np.inf), -slack.floats(magnify, most)]
        ),
    )
    start = Basis(
        np.concatenate([basis.columns, basis.rows[rows:]]),
        np.concatenate([basis.rows[:rows], np.zeros(num_slacks, dtype=bool)]),
    )
    found = solve_highs(magnified, start=start, perturbed=perturbed).basis
    if found is None:
        return basis
    own, others = found.rows[:rows], found.rows[rows:] | found.columns[program.num_columns :]
    return Basis(found.columns[: program.num_columns], np.concatenate([own, others]))


@dataclass(frozen=True, eq=False)
class Scaled:
    """Numbers as integers, object (n,), times a unit."""

    numbers: Exact
    unit: Fraction

    def least(self) -> Fraction:
        """Return the smallest of them, or 0 if that is smaller."""
        return self.unit * int(min([0, *self.numbers.tolist()]))

    def floats(self, times: Fraction, most: int) -> Floats:
        """Return them magnified, in floats up to `most`."""
        factor = self.unit * times
        over, under, limit = factor.numerator, factor.denominator, most * factor.denominator
        return np.array(
            [
                n * over / under if abs(n * over) < limit else (most if n > 0 else -most)
                for n in self.numbers.tolist()
            ]
        )


def _magnification(violations: list[Fraction], shown: Fraction) -> Fraction:
    """Return what makes the largest violation `shown`, and never less than 1."""
    worst = max(violations)
    return shown / worst if 0 < worst < shown else Fraction(1)
