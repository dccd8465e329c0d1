"""The complementarity problem of a two-player game in which every action trembles by itself.

Each player takes every action with probability epsilon at least, wherever it comes to. Of the plan
x of such a behaviour let s be what is above that: with h the set before an action a, and p the
sequence that leads to h,

    x(h a) = s(h a) + epsilon x(p),    s >= 0

So x = R s for a matrix R of powers of epsilon. In terms of s the problem is that of
`seqform.form.complementarity` with R'A R for payoffs and E R for constraints. An equilibrium of it
for small epsilon tends to an extensive-form perfect one (Farina & Gatti, "Extensive-form perfect
equilibrium computation in two-player games", AAAI 2017). The matrix depends on epsilon. So the
plans of a basis are ratios of polynomials, found from their values at integers; what they are
multiplied by, the determinant, is then the weight of a whole plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import gcd

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.base.errors import UnsupportedGameError
from seqform.base.integer_matrix import IntegerMatrix
from seqform.exact.complementary_basis import parts_of_basis
from seqform.exact.interpolation import polynomials
from seqform.exact.linear_system import by_determinant
from seqform.exact.trembles import Trembles
from seqform.form.complementarity import FLOATS, ComplementarityProblem
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False, repr=False)
class BehavioralTrembles(ComplementarityProblem):
    """The problem where epsilon is `above / below`, in s; plans are divided by powers of `below`.

    The matrix is in integers.
    """

    above: int = field(kw_only=True)
    below: int = field(kw_only=True)

    @cached_property
    def integers(self) -> IntegerMatrix:
        """M in integers, as that of the game, with R'A R for A and E R for E."""
        spreads = [spread(t, self.above, self.below) for t in self.treeplexes]
        first, second = (_sparse(each.T) for each in spreads)
        mine, theirs = (_payoff(payoff) for payoff in self.payoffs)
        n, total = self.plan_sizes[0], self.num_sequences
        split = total + 1 + self.treeplexes[0].num_infosets
        matrix = np.zeros((self.size, self.size), dtype=object)
        matrix[:n, n:total] = -(first @ (mine @ spreads[1]))
        matrix[n:total, :n] = -(second @ (theirs.transposed @ spreads[0]))
        for columns, rows, treeplex, there in (
            (slice(0, n), slice(total, split), self.treeplexes[0], spreads[0]),
            (slice(n, total), slice(split, self.size), self.treeplexes[1], spreads[1]),
        ):
            equations = treeplex.constraints()[0].tocsr()
            constraints = IntegerMatrix(equations, equations.data.astype(np.int64)) @ there
            matrix[rows, columns], matrix[columns, rows] = -constraints, constraints.T
        return _sparse(matrix)


def spread(treeplex: Treeplex, above: int, below: int) -> Exact:
    """Return R, times a power of `below`, where epsilon is ``above / below``."""
    powers = below ** len(treeplex.runs)
    found = np.zeros((treeplex.num_sequences,) * 2, dtype=object)
    found[0, 0] = powers
    for sequence, parent in enumerate(treeplex.sequence_parent.tolist()[1:], start=1):
        found[sequence] = found[parent] * above // below
        found[sequence, sequence] = powers
    return found


def trembling_plans(problem: ComplementarityProblem, basis: Mask) -> Trembles:
    """Return what should be the plans of a basis as polynomials in epsilon, for both players.

    Parameters
    ----------
    problem
        Of the game without trembles.
    basis
        bool (num_sequences,): which s may be positive.

    Raises
    ------
    SolverError
        If the basis is singular.
    UnsupportedGameError
        If there are floats.
    """
    plans, wholes = [], []
    for player in (0, 1):
        plan = _plan(problem, basis, player)
        leading = int(np.flatnonzero(plan[:, 0])[0])  # no entry is of a lower power than the whole
        plan = plan[leading:]
        common = gcd(*plan.ravel().tolist()) * (1 if plan[0, 0] > 0 else -1)
        plans.append(plan // common)
        wholes.append(int(plans[-1][0, 0]))
    return Trembles((plans[0], plans[1]), (wholes[0], wholes[1]))


def _plan(problem: ComplementarityProblem, basis: Mask, player: int) -> Exact:
    """Return a player's plan: polynomials over the determinant, which is the empty sequence's."""
    treeplex = problem.treeplexes[player]
    rows, columns, places = parts_of_basis(problem, basis, player)
    rhs = -problem.constants[rows].astype(object)

    def value(epsilon: int) -> Exact | None:
        there = BehavioralTrembles(problem.treeplexes, problem.payoffs, above=epsilon, below=1)
        found = by_determinant(there.integers.part(rows, columns), rhs)
        if found is None:
            return None
        slack = np.zeros(treeplex.num_sequences, dtype=object)
        slack[places] = found[0][: len(places)]
        return spread(treeplex, epsilon, 1) @ slack

    return polynomials(value)


def _sparse(dense: Exact) -> IntegerMatrix:
    rows, columns = np.nonzero(dense)
    return IntegerMatrix.from_entries(rows, columns, dense[rows, columns], dense.shape)


def _payoff(payoff: SparsePayoff) -> IntegerMatrix:
    if payoff.numerators is None:
        raise UnsupportedGameError(FLOATS)
    return IntegerMatrix(payoff.matrix, payoff.numerators)
