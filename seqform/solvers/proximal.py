"""The proximal program of one player.

It finds the plan with the largest guarantee, minus a penalty for the distance from a given plan.

E x = e and F y = f are the constraints of both players, restricted to some of their sequences. A
holds the payoffs to the player whose program it is, and b is a plan. The program is

    maximise f'q - w/2 |x - b|^2   subject to   E x = e,   A'x - F'q >= 0,   x >= 0,

which is a step of the proximal point method on the guarantee of x (Rockafellar, SIAM J. Control
Optim. 14(5), 1976). The guarantee is a concave function with finitely many linear pieces. So where
w is small enough, the step ends at the optimal plan nearest to b (Ferris, Math. Programming 50,
1991). Where w is not too small, the program is well conditioned, unlike the linear program (w = 0).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index
from seqform.base.errors import SolverError
from seqform.form.treeplex import Treeplex
from seqform.solvers.linear.clarabel import make_settings

logger = logging.getLogger(__name__)

TOLERANCE = 1e-12
MAX_ITERATIONS = 300
"""A program that is not too badly conditioned takes 40 to 100."""

USABLE = ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations", "CallbackTerminated")
"""What Clarabel may say of a point that is worth a look: whether it is better, best responses
say."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A treeplex on some of its sequences.

    Constraints ``E @ x == e`` are those of the information sets that these lead to.
    """

    sequences: Index
    constraints: sp.csr_array
    e: Floats

    @classmethod
    def of(cls, treeplex: Treeplex, sequences: Index) -> Cut:
        """Return the treeplex on sorted sequences.

        Among these are the first, and some of each information set after any of them.
        """
        constraints, e = treeplex.constraints()
        there = np.zeros(treeplex.num_sequences, dtype=bool)
        there[sequences] = True
        rows = np.concatenate([[0], 1 + np.flatnonzero(there[treeplex.parent_sequence])])
        return cls(sequences, constraints[rows][:, sequences], e[rows])


def nearest_better(
    mine: Cut,
    theirs: Cut,
    payoff: sp.csr_array,
    base: Floats,
    weight: float,
    stop: Callable[[], bool],
    threads: int = 1,
) -> Floats:
    """Return the plan that the program finds, or how far it came until it was to stop.

    Parameters
    ----------
    mine, theirs
        What is left of the treeplexes of the player and of the opponent.
    payoff
        Payoffs to the player, float64 (sequences of the player, sequences of the opponent).
    base
        The plan to stay near to, float64 (sequences of the player,).
    weight
        What a unit of half the squared distance costs, in the unit of the payoffs.
    stop
        Asked in each iteration of the solver.
    threads
        Threads for the solver.

    Raises
    ------
    SolverError
        If the solver finds no such point.
    """
    import clarabel

    plan, free, answers = len(base), len(theirs.e), payoff.shape[1]
    unit = _middle(payoff.data)
    equal = sp.hstack([mine.constraints, sp.csr_array((len(mine.e), free))])
    guarantee = sp.hstack([payoff.T / -unit, theirs.constraints.T])
    positive = sp.hstack([-sp.eye_array(plan), sp.csr_array((plan, free))])
    matrix = sp.csc_matrix(sp.vstack([equal, guarantee, positive]))
    bounds = np.concatenate([mine.e, np.zeros(answers + plan)])
    quadratic = sp.csc_matrix(
        sp.diags_array(np.concatenate([np.full(plan, weight / unit), np.zeros(free)]))
    )
    linear = np.concatenate([-weight / unit * base, -theirs.e])
    cones = [clarabel.ZeroConeT(len(mine.e)), clarabel.NonnegativeConeT(answers + plan)]
    settings = make_settings(clarabel, TOLERANCE, threads, MAX_ITERATIONS)
    solver = clarabel.DefaultSolver(quadratic, linear, matrix, bounds, cones, settings)
    solver.set_termination_callback(lambda _: stop())
    answer = solver.solve()
    logger.info(
        "a program of %s nonzeros: %s after %s iterations, %.3f s",
        matrix.nnz,
        answer.status,
        answer.iterations,
        answer.solve_time,
    )
    found: Floats = np.array(answer.x)[:plan]
    if str(answer.status) not in USABLE or not np.isfinite(found).all():
        raise SolverError(f"Clarabel says {answer.status}")
    positive_part: Floats = np.maximum(found, 0.0)
    return positive_part


def _middle(values: Floats) -> float:
    """Return the geometric mean of the smallest and the largest magnitude.

    In this unit payoffs are about as large as plans.

    Solvers judge residuals next to the largest numbers; with larger payoffs, those of plans would
    be lost.
    """
    magnitudes = np.abs(values[values != 0])
    return float(np.sqrt(magnitudes.min()) * np.sqrt(magnitudes.max())) if len(magnitudes) else 1.0
