"""Of all equilibria of a two-player zero-sum game, plans that are best against random play.

All optimal plans get at least the value. They differ in what they get from an opponent who plays
badly. Each player's plan is replaced by one that gets most, among the optimal ones, against a
uniform behaviour strategy. As that plays every sequence, the plan found is not weakly dominated: a
plan that dominates it would be optimal too, and get more.
"""

from __future__ import annotations

import numpy as np

from seqform.base.arrays import Exact
from seqform.exact.basis import IntegerProgram
from seqform.exact.plan_proof import ExactEquilibrium, prove_equilibrium
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.optimal_face import OptimalFace


def undominated_equilibrium(exact: ExactEquilibrium) -> ExactEquilibrium:
    """Return the equilibrium of the plans that get most against uniform play, proven anew.

    Parameters
    ----------
    exact
        Any equilibrium of the game, in fractions.

    Raises
    ------
    SolverError
        If no basis that the solver ends with is optimal in exact arithmetic.
    OutOfTimeError
        If the time limit is over.
    """
    found = [OptimalFace(exact, player).best(against_uniform(exact, player)) for player in (0, 1)]
    return prove_equilibrium(exact.game, [plan for plan, _ in found], [whole for _, whole in found])


def against_uniform(exact: ExactEquilibrium, player: int) -> Exact:
    """Return a multiple of what a player's sequences are paid against uniform play.

    object (num_sequences,), Python ints.
    """
    program = IntegerProgram(exact.game, player)
    stakes = program.matrix.part(
        np.arange(program.num_equalities, program.shape[0]), np.arange(program.num_plan)
    )
    paid: Exact = stakes.transposed.times(uniform_plan(exact.game.treeplexes[1 - player]))
    return paid


def uniform_plan(treeplex: Treeplex) -> Exact:
    """Return a multiple of the plan of uniform play, object (num_sequences,), Python ints."""
    sizes, parents = treeplex.num_actions.tolist(), treeplex.sequence_parent.tolist()
    infoset = treeplex.infoset_of.tolist()
    ways = [1] * treeplex.num_sequences
    for sequence in range(1, treeplex.num_sequences):
        ways[sequence] = ways[parents[sequence]] * sizes[infoset[sequence]]
    whole = int(np.lcm.reduce(np.array(ways, dtype=object)))
    return np.array([whole // way for way in ways], dtype=object)
