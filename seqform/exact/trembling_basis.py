"""A complementary basis of a two-player game in which hands tremble, for every epsilon.

The complementarity problem (`seqform.form.complementarity`) has a matrix M and a vector q. Let
every plan give a sequence of n own moves at least epsilon**(2 n), and both plans a total weight of
``1 + epsilon``. With z = l + z', l these bounds, that is the problem with the same M and

    q(epsilon) = q + epsilon q + M l(epsilon)

So a basis has one inverse for all epsilon, and its plans are polynomials. The additional weight is
for Lemke's algorithm: where it starts the players have no other, and it is more than what trembles
take. As epsilon vanishes so does its part in the plans, and what remains of behaviours is the same
at any weight.
"""

from __future__ import annotations

from itertools import zip_longest

import numpy as np

from seqform.base.arrays import Exact, Mask
from seqform.exact.complementary_basis import plan_of_basis
from seqform.exact.trembles import Trembles
from seqform.exact.trembling_program import least_plan
from seqform.form.complementarity import ComplementarityProblem


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
