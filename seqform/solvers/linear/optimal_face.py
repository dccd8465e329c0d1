"""The optimal plans of a player of a two-player zero-sum game, as one polytope in integers.

An optimal plan z of the opponent, known exactly, describes all optimal plans x of the player by
complementary slackness (von Stengel, "Efficient computation of behavior strategies", GEB 14, 1996,
Section 5, has the two programs). They are the plans such that no sequence is played that is worse
than the best response to z; and with q for what the opponent's information sets are worth,

    A'x - F'q >= 0, with equality at each sequence that z plays.

All but ``x[0] = 1`` is homogeneous. With ``x[s] = 1`` instead, the same rows describe the optimal
plans that play s, divided by ``x[s]``. Then ``x[t]`` is the probability of an action t after s.
Linear-fractional programs become linear so (Charnes & Cooper, "Programming with linear fractional
functionals", Naval Research Logistics Quarterly 9, 1962).
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Exact, Floats, Index, Mask
from seqform.base.deadline import seconds_left
from seqform.base.errors import OutOfTimeError, SolverError
from seqform.base.integer_matrix import IntegerMatrix, rows_of, unit_of_floats
from seqform.exact.basis import BasicSolution, Basis, IntegerProgram, basic_solution
from seqform.exact.plan_proof import ExactEquilibrium
from seqform.form.responses import best_sequences
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.highs import solve_highs
from seqform.solvers.linear.program import LPStatus, Program, entry_scale


class OptimalFace:
    """The optimal plans of one player.

    Parameters
    ----------
    exact
        Any equilibrium of the game, in fractions.
    player
        0 or 1.
    """

    def __init__(self, exact: ExactEquilibrium, player: int) -> None:
        self.treeplex = exact.game.treeplexes[player]
        program = IntegerProgram(exact.game, player)
        theirs = exact.plans[1 - player]
        self._num_equalities = program.num_equalities
        self._equal = np.append(np.ones(program.num_equalities, dtype=np.bool_), theirs > 0)
        self.is_optimal = _may_be_played(self.treeplex, program, theirs)
        """bool (num_sequences,): where no plan loses by playing a sequence."""
        kept = np.append(self.is_optimal, np.ones(program.shape[1] - program.num_plan, np.bool_))
        self._columns: Index = np.flatnonzero(kept)
        self._place = np.cumsum(kept) - 1
        self._num_plan = int(self.is_optimal.sum())
        # what normalizes stands first, and is put in when it is known
        rest = np.arange(1, program.shape[0])
        self._rows = program.matrix.part(rest, self._columns)
        self._basis: Basis | None = None
        size = self.treeplex.num_sequences
        self._reached, self._never, self._always = (np.zeros(size, np.bool_) for _ in range(3))
        self._see(exact.plans[player])

    def comes_to(self, sequence: int) -> bool:
        """Return whether some optimal plan plays a sequence; errors as for `range`."""
        return bool(self._reached[sequence]) or self._extreme(sequence, 0, 1) > 0

    def range(self, sequence: int) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest probability of a sequence's last action.

        They are over all optimal plans that come to its information set; there has to be one.

        Raises
        ------
        SolverError
            If no basis that the solver ends with is optimal in exact arithmetic.
        OutOfTimeError
            If the time limit is over.
        """
        given = int(self.treeplex.sequence_parent[sequence])
        never, always = Fraction(0), Fraction(1)
        least = never if self._never[sequence] else self._extreme(sequence, given, -1)
        greatest = always if self._always[sequence] else self._extreme(sequence, given, 1)
        return least, greatest

    def _see(self, plan: Exact) -> None:
        """Note what a multiple of an optimal plan plays never or always where it comes.

        That spares the programs of most actions.
        """
        above = plan[self.treeplex.sequence_parent]
        comes, plays = (above > 0).astype(np.bool_), (plan > 0).astype(np.bool_)
        self._reached |= plays
        self._never |= comes & ~plays
        self._always |= comes & (plan == above).astype(np.bool_)

    def _extreme(self, sequence: int, given: int, sign: int) -> Fraction:
        """Return the most, or with -1 the least, of ``x[sequence] / x[given]``."""
        if not self.is_optimal[sequence]:
            return Fraction(0)
        objective = np.zeros(self.treeplex.num_sequences, dtype=object)
        objective[sequence] = sign
        plan, denominator = self._optimum(objective, given)
        return Fraction(plan[sequence], denominator)

    def best(self, objective: Exact) -> tuple[Exact, int]:
        """Return an optimal plan that is best by another objective, too.

        Parameters
        ----------
        objective
            int64, or object holding Python ints, (num_sequences,): what each sequence counts for.

        Returns
        -------
        plan, denominator
            Python ints, object (num_sequences,), and what they are over, in lowest terms.

        Raises
        ------
        SolverError, OutOfTimeError
            As for `range`.
        """
        plan, denominator = self._optimum(objective, 0)
        divisor = gcd(denominator, *plan.tolist())
        return plan // divisor, denominator // divisor

    def _optimum(self, objective: Exact, given: int) -> tuple[Exact, int]:
        """Return a multiple of the optimal plan with the most by an objective, per ``x[given]``."""
        matrix = self._with_first_row(given)
        costs = np.zeros(len(self._columns), dtype=object)
        costs[: self._num_plan] = objective[self.is_optimal]
        basis = self._solve(matrix, costs)
        rhs = np.zeros(matrix.shape[0], dtype=object)
        rhs[0] = 1
        found = basic_solution(matrix, rhs, costs, basis)
        self._check(matrix, rhs, costs, found)
        plan = np.zeros(self.treeplex.num_sequences, dtype=object)
        plan[self.is_optimal] = found.primal[: self._num_plan] * (-1) ** (found.denominators[0] < 0)
        self._see(plan)
        return plan, abs(found.denominators[0])

    def _with_first_row(self, given: int) -> IntegerMatrix:
        """Return all rows, the first of them ``x[given]``."""
        pattern, entries = self._rows.pattern, self._rows.entries
        first = np.array([self._place[given]], dtype=pattern.indices.dtype)
        places = sp.csr_array(
            (
                np.ones(pattern.nnz + 1),
                np.append(first, pattern.indices),
                np.append(0, pattern.indptr + 1),
            ),
            shape=(pattern.shape[0] + 1, pattern.shape[1]),
        )
        return IntegerMatrix(places, np.append(np.ones(1, dtype=entries.dtype), entries))

    def _solve(self, matrix: IntegerMatrix, objective: Exact) -> Basis:
        """Return the basis that the simplex method ends with; it starts from the last one."""
        num_rows = matrix.shape[0]
        lower = np.zeros(num_rows)
        lower[0] = 1.0
        upper = np.where(self._equal, lower, np.inf)
        least = np.where(np.arange(len(self._columns)) < self._num_plan, 0.0, -np.inf)
        costs = _floats(objective)
        program = Program(self._scaled(matrix), costs, lower, upper, least)
        found = solve_highs(program, "simplex", seconds_left(), start=self._basis)
        if found.status is LPStatus.LIMIT:
            raise OutOfTimeError("the time limit is over: not all equilibria are known")
        if found.basis is None:
            raise SolverError(f"HiGHS found no basis of an optimal plan: {found.message}")
        self._basis = found.basis
        return found.basis

    def _scaled(self, matrix: IntegerMatrix) -> sp.csc_array:
        """Return the rows in floats, with payoffs, and so q, in a unit that solvers keep."""
        rows, columns = rows_of(matrix.pattern), matrix.pattern.indices
        payoffs = (rows >= self._num_equalities) & (columns < self._num_plan)
        floats = matrix.to_float(unit_of_floats(matrix.entries), where=payoffs)
        sizes = np.abs(floats.data[payoffs])
        if len(sizes):
            floats.data[payoffs] *= entry_scale(float(sizes.min()), float(sizes.max()))
        return floats.tocsc()

    def _check(
        self, matrix: IntegerMatrix, rhs: Exact, objective: Exact, found: BasicSolution
    ) -> None:
        """See that a basis is feasible and its duals prove that it is optimal, in integers."""
        above, below = found.denominators
        signs = 1 if above > 0 else -1, 1 if below > 0 else -1
        slack = (matrix.times(found.primal) - above * rhs) * signs[0]
        free = np.arange(len(self._columns)) >= self._num_plan
        cost = (below * objective - matrix.transposed.times(found.duals)) * signs[1]
        is_optimal = (
            not slack[self._equal].any()
            and (slack >= 0).all()
            and (found.primal[~free] * signs[0] >= 0).all()
            and (found.duals[~self._equal] * signs[1] <= 0).all()
            and not cost[free].any()
            and (cost <= 0).all()
        )
        if not is_optimal:
            raise SolverError(
                "HiGHS ended with a basis that is not optimal in exact arithmetic: "
                "payoffs nearly tie, or span too many magnitudes"
            )


def _may_be_played(treeplex: Treeplex, program: IntegerProgram, theirs: Exact) -> Mask:
    """Return which sequences a best response to the other's plan may play, if it comes there."""
    stakes = program.matrix.part(
        np.arange(program.num_equalities, program.shape[0]), np.arange(program.num_plan)
    )
    return best_sequences(treeplex, stakes.transposed.times(theirs.astype(object)))[1]


def _floats(objective: Exact) -> Floats:
    """Return an objective in floats, with 1 for the largest entry."""
    most = max(map(abs, objective.tolist()), default=0) or 1
    return np.array([entry / most for entry in objective.tolist()], dtype=np.float64)
